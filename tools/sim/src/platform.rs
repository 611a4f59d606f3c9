//! The parts of the platform that all isolates share.

mod away;
mod bucket;
mod cache;
mod clamd;
mod crypto;
mod entropy;
mod limiter;
mod mailer;
mod queue;
mod receivers;

pub(crate) use cache::StaleCache;
pub(crate) use clamd::{Clamd, VIRUS};
pub(crate) use crypto::SALT;
pub(crate) use limiter::{Addresses, Limits};
pub(crate) use mailer::Post;
pub(crate) use queue::{Due, Queue};
pub(crate) use receivers::Receivers;

use crate::clock::{MS, VirtualClock, VirtualTimer};
use crate::database::Sqlite;
use crate::dice::Dice;
use crate::faults::Faults;
use crate::scheduler::{Scheduler, Sleep};
use crate::trace::Trace;
use bucket::Objects;
use crypto::Remembering;
use entropy::SeededEntropy;

use overturn_service::host::{Basics, Cells, Database, Host};
use rusqlite::Connection;
use std::rc::Rc;

/// What each part needs to take time, to fail and to tell.
#[derive(Clone)]
pub(crate) struct Ground {
    pub(crate) scheduler: Rc<Scheduler>,
    pub(crate) faults: Rc<Faults>,
    pub(crate) trace: Rc<Trace>,
    pub(crate) dice: Rc<Dice>,
}

impl Ground {
    /// The same, with a stream of chances for one part.
    pub(crate) fn of(&self, seed: u64, part: &str) -> Self {
        Self { dice: Rc::new(Dice::new(seed, part)), ..self.clone() }
    }

    /// A short trip.
    pub(crate) fn trip(&self) -> Sleep {
        self.scheduler.sleep(self.dice.between(MS / 2, 5 * MS))
    }

    /// The true time.
    pub(crate) fn clock(&self, ahead_ms: i64) -> VirtualClock {
        VirtualClock { scheduler: Rc::clone(&self.scheduler), ahead_ms }
    }
}

/// All parts.
pub(crate) struct Platform {
    pub(crate) ground: Ground,
    /// The database of each cell.
    pub(crate) cells: Vec<Sqlite>,
    pub(crate) limits: Limits,
    addresses: Addresses,
    pub(crate) bans: StaleCache,
    pub(crate) sessions: StaleCache,
    pub(crate) documents: Objects,
    pub(crate) queue: Queue,
    pub(crate) post: Post,
    pub(crate) receivers: Receivers,
    scanner: Clamd,
    entropy: Rc<SeededEntropy>,
}

impl Platform {
    /// The platform of a seed, and the other end of its queue.
    pub(crate) fn new(seed: u64, ground: &Ground, cells: Vec<Sqlite>) -> (Self, Due) {
        let (queue, due) = queue::queue(ground.of(seed, "queue"));
        let platform = Self {
            ground: ground.clone(),
            cells,
            limits: Limits::new(ground.of(seed, "limiter")),
            addresses: Addresses::new(ground.of(seed, "addresses")),
            bans: StaleCache::new(ground.of(seed, "bans")),
            sessions: StaleCache::new(ground.of(seed, "sessions")),
            documents: Objects::new(ground.of(seed, "documents")),
            queue,
            post: Post::new(ground.of(seed, "mail")),
            receivers: Receivers::new(ground.of(seed, "receivers")),
            scanner: Clamd::new(ground.of(seed, "scanner")),
            entropy: Rc::new(SeededEntropy(Dice::new(seed, "entropy"))),
        };
        (platform, due)
    }

    /// The databases of all cells, for the checks.
    pub(crate) fn connections(&self) -> impl Iterator<Item = &Connection> {
        self.cells.iter().map(Sqlite::connection)
    }

    /// What an isolate sees of it. Its clock is ahead by so many milliseconds.
    pub(crate) fn host(&self, ahead_ms: i64) -> Host {
        let mut cells = self.cells.iter().map(|cell| Rc::new(cell.clone()) as Rc<dyn Database>);
        let first = cells.next().expect("a world has a cell");
        Host {
            basics: Basics {
                clock: Rc::new(self.ground.clock(ahead_ms)),
                entropy: self.entropy.clone(),
                timer: Rc::new(VirtualTimer(Rc::clone(&self.ground.scheduler))),
                memory_kb: || None,
            },
            cells: Cells::new(first, cells),
            limiter: Rc::new(self.limits.clone()),
            address_limiter: Rc::new(self.addresses.clone()),
            bans: Rc::new(self.bans.clone()),
            sessions: Rc::new(self.sessions.clone()),
            documents: Rc::new(self.documents.clone()),
            webhooks: Rc::new(self.queue.clone()),
            mailer: Rc::new(self.post.clone()),
            network: Rc::new(self.scanner.clone()),
            outbound: Rc::new(self.receivers.clone()),
            identity: Rc::new(away::Nowhere),
            assets: Rc::new(away::Nowhere),
            crypto: Rc::new(Remembering),
        }
    }
}
