//! The service of one thread, over parts that all threads share.

use crate::assets::FolderAssets;
use crate::bucket::FileBucket;
use crate::cache::Memory;
use crate::clock::{RuntimeTimer, SystemEntropy, Wall};
use crate::config::Settings;
use crate::database::{Numbered, Sqlite};
use crate::entrance::{Entrance, Here};
use crate::files::Files;
use crate::http::Edge;
use crate::identity::OwnChecks;
use crate::limiter::{Addresses, Limits};
use crate::mailer::{Printed, Smtp};
use crate::metrics::Metrics;
use crate::network::Sockets;
use crate::outbound::Requests;
use crate::queue::Queue;
use crate::tasks::Tasks;
use overturn_native::crypto::OwnCrypto;

use overturn_service::config::{ConfigError, Variables};
use overturn_service::host::{Basics, Cells, Database, Host, Mailer};
use overturn_service::service::Service;
use std::rc::Rc;
use std::sync::Arc;

/// Who sends emails.
#[derive(Clone)]
pub(crate) enum Mail {
    Smtp(Smtp),
    /// None is sent: development keeps them as files.
    Printed(Printed),
}

/// What all threads share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) settings: Arc<Settings>,
    pub(crate) cells: Numbered<Sqlite>,
    pub(crate) clock: Wall,
    pub(crate) limiter: Limits,
    pub(crate) addresses: Addresses,
    pub(crate) bans: Memory,
    pub(crate) sessions: Memory,
    pub(crate) documents: FileBucket,
    pub(crate) webhooks: Queue,
    pub(crate) mail: Mail,
    pub(crate) network: Sockets,
    pub(crate) outbound: Requests,
    pub(crate) identity: OwnChecks,
    pub(crate) assets: FolderAssets,
    pub(crate) files: Arc<Files>,
    pub(crate) edge: Edge,
    pub(crate) metrics: Metrics,
    /// Open only for tests.
    pub(crate) entrance: Option<Entrance>,
}

/// The service of a thread.
pub(crate) struct Thread {
    pub(crate) basics: Basics,
    pub(crate) host: Rc<Host>,
    pub(crate) service: Result<Rc<Service>, ConfigError>,
    /// Connections, and the requests that came by them.
    pub(crate) tasks: Rc<Tasks>,
    /// The work that goes on after answers.
    pub(crate) after_answers: Rc<Tasks>,
    pub(crate) shared: Shared,
}

impl Mail {
    fn mailer(&self) -> Rc<dyn Mailer> {
        match self {
            Self::Smtp(smtp) => Rc::new(smtp.clone()),
            Self::Printed(printed) => Rc::new(printed.clone()),
        }
    }
}

impl Shared {
    fn cells(&self) -> Cells {
        let database = |cell: &Sqlite| Rc::new(cell.clone()) as Rc<dyn Database>;
        Cells::new(database(&self.cells.first), self.cells.others.iter().map(database))
    }

    fn host(&self) -> Host {
        Host {
            basics: Basics {
                clock: Rc::new(self.clock.clone()),
                entropy: Rc::new(SystemEntropy),
                timer: Rc::new(RuntimeTimer),
                memory_kb: || None,
            },
            cells: self.cells(),
            limiter: Rc::new(self.limiter.clone()),
            address_limiter: Rc::new(self.addresses.clone()),
            bans: Rc::new(self.bans.clone()),
            sessions: Rc::new(self.sessions.clone()),
            documents: Rc::new(self.documents.clone()),
            webhooks: Rc::new(self.webhooks.clone()),
            mailer: self.mail.mailer(),
            network: Rc::new(self.network.clone()),
            outbound: Rc::new(self.outbound.clone()),
            identity: Rc::new(self.identity.clone()),
            assets: Rc::new(self.assets.clone()),
            crypto: Rc::new(OwnCrypto),
        }
    }

    /// The service of this thread.
    pub(crate) fn thread(&self) -> Thread {
        let host = Rc::new(self.host());
        let variables = |name: &str| self.settings.get(name);
        Thread {
            basics: host.basics.clone(),
            service: Service::new(Rc::clone(&host), &variables).map(Rc::new),
            host,
            tasks: Rc::default(),
            after_answers: Rc::default(),
            shared: self.clone(),
        }
    }
}

impl Thread {
    /// What the entrance of the tests needs.
    pub(crate) fn here<'t>(&'t self, variables: Variables<'t>) -> Here<'t> {
        Here { host: &self.host, service: &self.service, variables }
    }
}
