//! Work outside any request: queue messages and scheduled jobs.

use crate::app::App;
use crate::db::Db;
use crate::trace::Trace;
use std::rc::Rc;

/// The app and the database, outside any request.
pub(crate) struct Jobs {
    pub(crate) app: Rc<App>,
    pub(crate) db: Db,
}

impl Jobs {
    /// The jobs of an app.
    pub(crate) fn new(app: Rc<App>) -> Self {
        let db = Db::new(Rc::clone(&app), Rc::new(Trace::default()));
        Self { app, db }
    }
}
