//! The service on a host: what answers requests, and the work outside them.

use crate::app::App;
use crate::config::{ConfigError, Variables};
use crate::directory;
use crate::documents;
use crate::host::{CELLS_AT_ONCE, Host, QueueMessage, Step};
use crate::jobs::Jobs;
use crate::memory::Memory;
use crate::moving;
use crate::operator::is_filling;
use crate::pipeline::forwards::forwards;
use crate::router::Routes;
use crate::sandbox;
use crate::settings;
use crate::store::error::DatabaseError;
use crate::store::own_cell::{self, binding};
use crate::summaries;
use crate::webhooks;
use futures_util::stream::{self, StreamExt as _};
use overturn_core::base::cell::Cell;
use serde_json::json;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

/// After this long the job of each minute gives up a cell. The next one does the rest.
const LONGEST: Duration = Duration::from_secs(150);

/// The service of an instance. Its work is boxed: a future of this crate would be compiled in each crate that polls it.
pub struct Service {
    pub(crate) app: Rc<App>,
    pub(crate) routes: Rc<Routes>,
}

impl Service {
    /// The service on a host. `variables` are its settings and secrets by name.
    ///
    /// # Errors
    ///
    /// A setting is missing or unusable.
    pub fn new(host: Rc<Host>, variables: Variables<'_>) -> Result<Self, ConfigError> {
        Self::with_memory(host, variables, Rc::default())
    }

    /// A service beside this one, in the same instance: it remembers what this one does.
    ///
    /// # Errors
    ///
    /// A setting is missing or unusable.
    pub fn beside(&self, host: Rc<Host>, variables: Variables<'_>) -> Result<Self, ConfigError> {
        Self::with_memory(host, variables, Rc::clone(&self.app.memory))
    }

    fn with_memory(host: Rc<Host>, variables: Variables<'_>, memory: Rc<Memory>) -> Result<Self, ConfigError> {
        Ok(Self { app: Rc::new(App::new(host, variables, memory)?), routes: Routes::shared() })
    }

    fn jobs(&self, cell: Cell, cells: usize) -> Jobs {
        Jobs::beside(Rc::clone(&self.app), cell, cells)
    }

    /// Sends the webhook messages that the queue names.
    pub fn consume<'a>(&'a self, messages: &'a [QueueMessage]) -> Step<'a, ()> {
        Box::pin(self.send(messages))
    }

    async fn send(&self, messages: &[QueueMessage]) {
        let cells = &self.app.host.cells;
        let mut left = cells.sorted(messages, |message| message.practice_id.cell());
        // Each move leads on, so there are at most as many as cells.
        for _ in cells.all() {
            let count = left.len();
            let each = left.into_iter().map(|(cell, messages)| self.consume_in(self.jobs(cell, count), messages));
            let moved: Vec<_> = stream::iter(each).buffer_unordered(CELLS_AT_ONCE).collect().await;
            left = BTreeMap::new();
            for (cell, message) in moved.into_iter().flatten() {
                left.entry(cell).or_default().push(message);
            }
        }
    }

    /// Sends those of a cell, and returns those whose practice has moved to another one. Without an answer of the database, the
    /// sweep finds them.
    async fn consume_in<'m>(&self, jobs: Jobs, messages: Vec<&'m QueueMessage>) -> Vec<(Cell, &'m QueueMessage)> {
        webhooks::consume(&messages, &jobs).await;
        if !self.app.host.cells.are_several() {
            return Vec::new();
        }
        let practices: Vec<String> = messages.iter().map(|message| message.practice_id.to_string()).collect();
        let practices: Vec<&str> = practices.iter().map(String::as_str).collect();
        let moved = jobs.db.read(&forwards(&practices)).await.unwrap_or_default();
        let elsewhere = moved.into_iter().filter(|one| one.opened_at.is_none());
        let moved: BTreeMap<String, Cell> = elsewhere.map(|one| (one.what, one.cell)).collect();
        let lives = |message: &QueueMessage| moved.get(&message.practice_id.to_string()).copied();
        messages.into_iter().filter_map(|message| Some((lives(message)?, message))).collect()
    }

    /// The job of each minute: sends leftover webhook messages, links audit rows, warns about certificates and keys that
    /// end, emails owners, runs due destructions, counts claims, and does what is due in sandboxes by their clocks. A cell that
    /// does not answer holds up no other.
    pub fn sweep(&self) -> Step<'_, ()> {
        Box::pin(self.sweep_cells())
    }

    async fn sweep_cells(&self) {
        let host = &self.app.host;
        let each = stream::iter(host.cells.all()).for_each_concurrent(CELLS_AT_ONCE, async |cell| {
            let jobs = self.jobs(cell, host.cells.all().count());
            if !host.cells.are_several() {
                sweep(&jobs).await;
            } else if let Err(fault) = jobs.db.batch(&[own_cell::check(cell)]).await {
                jobs.db.failed("cell_not_swept", fault);
            } else if host.within(LONGEST, sweep(&jobs)).await.is_none() {
                jobs.db.failed("cell_not_swept", DatabaseError::Transient("time_out"));
            }
            say_if_filling(&jobs, cell);
        });
        each.await;
        directory::sweep(&self.app).await;
        moving::sweep(&self.app).await;
    }
}

/// An alert waits for this line.
fn say_if_filling(jobs: &Jobs, cell: Cell) {
    if let Some(size) = jobs.db.size().filter(|size| is_filling(*size)) {
        let (name, bytes, most) = (binding(cell), size.bytes, size.most);
        log::error!("{}", json!({ "event": "cell_filling", "cell": cell, "name": name, "bytes": bytes, "most": most }));
    }
}

async fn sweep(jobs: &Jobs) {
    let trails = settings::trail::sweep(&jobs.app, &jobs.db);
    futures_util::future::join(webhooks::sweep(jobs), trails).await;
    settings::sso::sweep(jobs).await;
    settings::expiry::sweep(jobs).await;
    settings::data_jobs::sweep(jobs).await;
    documents::sweep(jobs).await;
    summaries::sweep(jobs).await;
    sandbox::sweep(jobs).await;
}
