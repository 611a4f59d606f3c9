//! The service on a host: what answers requests, and the work outside them.

use crate::app::App;
use crate::cells;
use crate::config::{ConfigError, Variables};
use crate::documents;
use crate::host::{Host, QueueMessage};
use crate::jobs::Jobs;
use crate::memory::Memory;
use crate::router::Routes;
use crate::sandbox;
use crate::settings;
use crate::summaries;
use crate::webhooks;
use overturn_core::base::cell::Cell;
use std::rc::Rc;

/// The service of an instance.
pub struct Service {
    pub(crate) app: Rc<App>,
    pub(crate) routes: Routes,
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
        Ok(Self { app: Rc::new(App::new(host, variables, memory)?), routes: Routes::new() })
    }

    fn jobs(&self, cell: Cell) -> Jobs {
        Jobs::new(Rc::clone(&self.app), cell)
    }

    /// Sends the webhook messages that the queue names.
    pub async fn consume(&self, messages: &[QueueMessage]) {
        let placed = cells::places(&self.app, messages).await;
        for cell in self.app.host.cells.all() {
            let here = messages.iter().zip(&placed).filter(|(_, of)| **of == cell);
            let messages: Vec<_> = here.map(|(message, _)| message.clone()).collect();
            if !messages.is_empty() {
                webhooks::consume(&messages, &self.jobs(cell)).await;
            }
        }
    }

    /// The job of each minute: sends leftover webhook messages, links audit rows, warns about certificates and keys that
    /// end, emails owners, runs due destructions, counts claims, and does what is due in sandboxes by their clocks.
    pub async fn sweep(&self) {
        for cell in self.app.host.cells.all() {
            sweep(&self.jobs(cell)).await;
        }
        cells::moving::sweep(&self.app).await;
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
