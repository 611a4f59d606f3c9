//! Reads over all practices ask every cell at once. The directory's own rows were read when it authorized the caller.

use crate::call::Call;
use crate::db::statements;
use crate::host::Host;
use crate::store::error::DatabaseError;
use crate::store::{Done, Queries, Statement};
use futures_util::{Stream, StreamExt as _, stream};
use overturn_core::base::cell::Cell;
use serde_json::json;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

/// How many cells are asked at the same time. Each gives at most one page.
const AT_ONCE: usize = 63;
/// How long a cell may take. The answer does without one that takes longer, and says so.
pub(crate) const DEADLINE: Duration = Duration::from_secs(3);

/// The cells beside the directory.
pub(super) fn others(host: &Host) -> impl Iterator<Item = Cell> + use<> {
    host.cells.all().filter(|cell| *cell != Cell::FIRST)
}

/// Asks cells, and gives their answers as they come.
pub(super) fn each<C, T>(cells: impl IntoIterator<Item = C>, ask: impl AsyncFn(C) -> T) -> impl Stream<Item = T> {
    let ask = Rc::new(ask);
    let one = move |cell| {
        let ask = Rc::clone(&ask);
        async move { ask(cell).await }
    };
    stream::iter(cells.into_iter().map(one)).buffer_unordered(AT_ONCE)
}

/// Joins the rows of these cells to those that were read before. Also returns the cells that did not answer.
pub(super) async fn gather<Q: Queries>(
    call: &Rc<Call>,
    cells: impl Iterator<Item = Cell>,
    load: &Q,
    (own, join): (Q::Rows, impl Fn(Q::Rows, Q::Rows) -> Q::Rows),
) -> (Q::Rows, Vec<Cell>) {
    let mut others = None;
    let mut read = |done: &[Done]| {
        let rows = load.rows(&mut done.iter())?;
        others = Some(match others.take() {
            Some(all) => join(all, rows),
            None => rows,
        });
        Ok(())
    };
    let missing = ask(call, cells.collect(), &statements(load), &mut read).await;
    let all = match others {
        Some(others) => join(own, others),
        None => own,
    };
    (all, missing)
}

/// Joins rows that come with the epoch of a move, if there is one: the highest stays.
pub(super) fn with_epochs<T, E: Ord>(join: impl Fn(T, T) -> T) -> impl Fn((T, E), (T, E)) -> (T, E) {
    move |(all, epoch), (more, other)| (join(all, more), epoch.max(other))
}

/// Gives the answers of cells to `read` as they come, and returns the cells without one. It is not generic: it would be compiled
/// for each kind of rows.
async fn ask(
    call: &Rc<Call>,
    cells: Vec<Cell>,
    asked: &[Statement],
    read: &mut dyn FnMut(&[Done]) -> Result<(), DatabaseError>,
) -> Vec<Cell> {
    let ask = async |cell| {
        let there = call.in_cell(cell);
        let done = call.app.host.within(DEADLINE, there.db.batch(asked)).await;
        (cell, done.unwrap_or(Err(DatabaseError::Transient("deadline"))))
    };
    let (mut answers, mut missing) = (pin!(each(cells, ask)), Vec::new());
    while let Some((cell, done)) = answers.next().await {
        if let Err(fault) = done.and_then(|done| read(&done)) {
            log::error!("{}", json!({ "event": "cell_missing", "cell": cell, "reason": fault.to_string() }));
            missing.push(cell);
        }
    }
    missing.sort_unstable();
    missing
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;
    use std::cell::{Cell as Shared, RefCell};
    use std::future::poll_fn;
    use std::task::{Context, Poll, Waker};

    /// How many trips one after the other it takes to ask so many cells, if each answer takes one trip.
    fn trips(cells: u16) -> u32 {
        let (now, waiting) = (Shared::new(0), RefCell::new(Vec::<Waker>::new()));
        let answer = async |_: u16| {
            let ready = now.get() + 1;
            poll_fn(|context| match now.get() >= ready {
                true => Poll::Ready(()),
                false => {
                    waiting.borrow_mut().push(context.waker().clone());
                    Poll::Pending
                }
            })
            .await;
        };
        let mut all = pin!(each(0..cells, answer).count());
        while all.poll_unpin(&mut Context::from_waker(Waker::noop())).is_pending() {
            now.set(now.get() + 1);
            waiting.take().into_iter().for_each(Waker::wake);
        }
        now.get()
    }

    #[test]
    fn cells_are_asked_side_by_side_and_64_of_them_take_one_trip_beyond_the_directory() {
        assert_eq!([0, 1, 2, 63, 64].map(trips), [0, 1, 1, 1, 2]);
    }
}
