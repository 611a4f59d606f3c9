//! Work outside any request: queue messages and scheduled jobs.

use crate::app::App;
use crate::db::Db;
use crate::store::Query;
use crate::store::error::DatabaseError;
use crate::trace::Trace;
use overturn_core::base::cell::Cell;
use overturn_core::base::instant::Instant;
use std::rc::Rc;

/// The app and the database, outside any request.
pub(crate) struct Jobs {
    pub(crate) app: Rc<App>,
    pub(crate) db: Db,
}

impl Jobs {
    /// The jobs of an app in a cell.
    pub(crate) fn new(app: Rc<App>, cell: Cell) -> Self {
        let db = Db::new(Rc::clone(&app), cell, Rc::new(Trace::default()));
        Self { app, db }
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
