//! Work outside any request: queue messages and scheduled jobs.

use crate::app::App;
use crate::db::Db;
use crate::host::CELLS_AT_ONCE;
use crate::sql::select;
use crate::store::Query;
use crate::store::error::DatabaseError;
use crate::trace::Trace;
use overturn_core::base::cell::Cell;
use overturn_core::base::date::Date;
use overturn_core::base::instant::Instant;
use std::rc::Rc;

/// How many connections the platform opens at once for one piece of work. What it opens beyond them waits, while the time of a
/// request to an endpoint runs.
const CONNECTIONS: usize = 6;

/// The app and the database, outside any request.
pub(crate) struct Jobs {
    pub(crate) app: Rc<App>,
    pub(crate) db: Db,
    /// How many endpoints are called, or sandboxes looked after, at once.
    pub(crate) at_once: usize,
}

impl Jobs {
    /// The jobs of an app in a cell.
    pub(crate) fn new(app: Rc<App>, cell: Cell) -> Self {
        Self::beside(app, cell, 1)
    }

    /// The jobs of an app in one of so many cells, which share the connections: all that it works in at the same time.
    pub(crate) fn beside(app: Rc<App>, cell: Cell, cells: usize) -> Self {
        let db = Db::new(Rc::clone(&app), cell, Rc::new(Trace::default()));
        Self { app, db, at_once: share(cells) }
    }

    /// Does what is due, page by page, up to a page with fewer than `most`, or for `longest_ms`. The next run does the rest.
    pub(crate) async fn do_due<T>(
        &self,
        (most, longest_ms): (usize, i64),
        due: impl Fn(Instant) -> Query<Vec<T>>,
        each: impl AsyncFn(T) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        let began = self.app.host.now();
        loop {
            let page = self.db.read(&due(began)).await?;
            let is_last = page.len() < most;
            for one in page {
                each(one).await?;
            }
            if is_last || self.app.host.now().since(began) > longest_ms {
                return Ok(());
            }
        }
    }
}

/// True if what a job does once a day is done for this day, or waits.
pub(crate) fn rests(name: &str, day: Date, now: Instant) -> Query<bool> {
    select!(
        "jobs.rests",
        "SELECT iif(EXISTS (SELECT 1 FROM daily_jobs WHERE name = {name}
           AND (day >= {day} OR again_at > CAST({now} AS INTEGER))), 'true', 'false') AS json";
        name, day, now
    )
    .or_default()
}

/// What each of so many cells may have open beside one call of its database.
fn share(cells: usize) -> usize {
    let connections = CONNECTIONS.checked_div(cells.min(CELLS_AT_ONCE));
    connections.unwrap_or(CONNECTIONS).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_of_a_job_have_no_more_connections_open_than_the_platform_gives() {
        assert_eq!([1, 2, 3, 64].map(share), [5, 2, 1, 1]);
        for cells in 1..=64 {
            assert!(cells.min(CELLS_AT_ONCE) * (share(cells) + 1) <= CONNECTIONS, "{cells}");
        }
    }
}
