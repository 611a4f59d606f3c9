//! Reads over all practices ask every cell at once. The directory's own rows were read when it authorized the caller.

use crate::call::Call;
use crate::db::statements;
use crate::host::Host;
use crate::store::Queries;
use crate::store::error::DatabaseError;
use futures_util::{StreamExt as _, stream};
use overturn_core::base::cell::Cell;
use serde_json::json;
use std::rc::Rc;
use std::time::Duration;

/// How many cells are asked at the same time. Each gives at most one page.
pub(super) const AT_ONCE: usize = 32;
/// How long a cell may take. The answer does without one that takes longer, and says so.
const DEADLINE: Duration = Duration::from_secs(3);

/// The cells beside the directory.
pub(super) fn others(host: &Host) -> impl Iterator<Item = Cell> + use<> {
    host.cells.all().filter(|cell| *cell != Cell::FIRST)
}

/// Joins the rows of these cells to those that were read before. Also returns the cells that did not answer.
pub(super) async fn gather<Q: Queries>(
    call: &Rc<Call>,
    cells: impl Iterator<Item = Cell>,
    load: &Q,
    (own, join): (Q::Rows, impl Fn(Q::Rows, Q::Rows) -> Q::Rows),
) -> (Q::Rows, Vec<Cell>) {
    let asked = &statements(load);
    let ask = |cell| async move {
        let there = call.in_cell(cell);
        let done = call.app.host.within(DEADLINE, there.db.batch(asked)).await;
        let done = done.unwrap_or(Err(DatabaseError::Transient("deadline")));
        (cell, done.and_then(|done| Ok(load.rows(&mut done.iter())?)))
    };
    let mut answers = stream::iter(cells.map(ask)).buffer_unordered(AT_ONCE);
    let (mut all, mut missing) = (own, Vec::new());
    while let Some((cell, rows)) = answers.next().await {
        match rows {
            Ok(rows) => all = join(all, rows),
            Err(fault) => {
                log::error!("{}", json!({ "event": "cell_missing", "cell": cell, "reason": fault.to_string() }));
                missing.push(cell);
            }
        }
    }
    missing.sort_unstable();
    (all, missing)
}
