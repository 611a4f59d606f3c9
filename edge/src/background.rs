//! What work outside any request needs: queue messages and scheduled jobs.

use crate::app::App;
use crate::config::Misconfigured;
use crate::db::Db;
use crate::trace::Trace;
use std::sync::Arc;
use worker::Env;

/// The app and the database, outside any request.
pub(crate) struct Background {
    pub(crate) app: Arc<App>,
    pub(crate) db: Db,
}

impl Background {
    /// The background of this environment. `None` if a setting is missing, which the log then says.
    pub(crate) fn of(env: &Env) -> Option<Self> {
        let app = App::of(env).inspect_err(Misconfigured::log).ok()?;
        let db = Db::new(Arc::clone(&app), Arc::new(Trace::default()));
        Some(Self { app, db })
    }
}
