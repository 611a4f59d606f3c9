//! A world: the platform, its isolates and its clients, from one seed.

use crate::clients;
use crate::clock::SECOND;
use crate::database::{Sqlite, empty};
use crate::dice::Dice;
use crate::faults::Faults;
use crate::isolates::{Isolates, Manner};
use crate::model::{AgreementLife, KeyLife, Model};
use crate::network::{Internet, Reply, Request};
use crate::plan::Plan;
use crate::platform::{Due, Ground, Platform};
use crate::record::{Act, Record, Recording};
use crate::scheduler::{Group, Scheduler, Sleep};
use crate::setup::{Guest, Person, Setup};
use crate::states;
use crate::trace::Trace;
use overturn_service::auth::role::Role;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::oneshot;

/// How long clients act at most: a second factor is recent for ten minutes.
const DAY: u64 = 540 * SECOND;
/// How long a world goes on without clients and faults, so that what is late comes to its end.
const EVENING: u64 = 400 * SECOND;
/// How long it then goes on with a few sweeps only: what an upload left behind is removed after two hours.
const NIGHT: u64 = 4 * 3600 * SECOND;
/// The interval of the service's jobs, and that of the night.
const EVERY: u64 = 60 * SECOND;
const RARELY: u64 = 3600 * SECOND;
/// The most messages that are consumed together.
const TOGETHER: usize = 10;
/// How many people work for all practices.
const STAFF: usize = 3;

/// A practice, as its clients know it.
pub(crate) struct Practice {
    pub(crate) id: String,
    pub(crate) owner: Person,
    pub(crate) member: Person,
    /// A member who signs in.
    pub(crate) guest: Guest,
    /// Told when the guest begins a write.
    pub(crate) guest_writes: Notify,
    /// The agreement that it began with.
    pub(crate) agreement: String,
    /// The id of the key that it began with.
    pub(crate) first_key: String,
    /// The key in use, by its place in the model.
    pub(crate) key: Cell<usize>,
}

/// Everything there is.
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) plan: Plan,
    pub(crate) scheduler: Rc<Scheduler>,
    pub(crate) faults: Rc<Faults>,
    pub(crate) trace: Rc<Trace>,
    pub(crate) platform: Rc<Platform>,
    pub(crate) practices: Vec<Practice>,
    pub(crate) staff: Vec<Person>,
    /// True once the old key of the service is gone.
    pub(crate) replaced: Cell<bool>,
    pub(crate) model: RefCell<Model>,
    pub(crate) clients: Cell<usize>,
    is_night: Cell<bool>,
    isolates: Rc<Isolates>,
    internet: Internet,
    record: Option<Rc<Record>>,
    problems: RefCell<Vec<String>>,
}

impl World {
    /// The world of a seed, and the end of its queue.
    pub(crate) fn new(seed: u64, plan: &Plan, trace: &Rc<Trace>) -> (Rc<Self>, Due) {
        let faults = Rc::new(Faults::new(seed, plan.rates.clone(), Rc::clone(trace)));
        let scheduler = Rc::new(Scheduler::new(seed, Rc::clone(&faults), Rc::clone(trace)));
        let db = empty().expect("a database in memory");
        let mut model = Model::new(Rc::clone(trace));
        let mut practices = Vec::new();
        let setup = Setup { db: &db, dice: Dice::new(seed, "setup") };
        for n in 0..plan.practices {
            let begun = setup.practice(n);
            model.access.agreements.push(AgreementLife::default());
            model.access.keys.push(KeyLife {
                practice: n,
                id: begun.key_id.clone(),
                text: begun.key,
                revoking: None,
                revoked: None,
            });
            practices.push(Practice {
                id: begun.id.to_string(),
                owner: begun.owner,
                member: begun.member,
                guest: begun.guest,
                guest_writes: Notify::new(),
                agreement: begun.agreement,
                first_key: begun.key_id,
                key: Cell::new(n),
            });
        }
        let staff = (0..STAFF).map(|_| setup.person(None, Role::Staff)).collect();
        let record = plan.recorded.map(|_| Rc::new(Record::of(&db)));
        let database = Sqlite::new(seed, db, &scheduler, &faults, trace);
        let dice = Rc::new(Dice::new(seed, "ground"));
        let ground =
            Ground { scheduler: Rc::clone(&scheduler), faults: Rc::clone(&faults), trace: Rc::clone(trace), dice };
        let (platform, due) = Platform::new(seed, &ground, database);
        let platform = Rc::new(platform);
        let manner = Manner {
            count: plan.isolates,
            skew_ms: plan.skew_ms,
            sends_a_minute: plan.sends_a_minute,
            mismatches: plan.mismatches,
            scans: plan.scans,
        };
        let isolates = Rc::new(Isolates::new(seed, manner));
        let world = Self {
            seed,
            plan: plan.clone(),
            scheduler,
            faults,
            trace: Rc::clone(trace),
            internet: Internet::new(seed, Rc::clone(&platform), Rc::clone(&isolates), record.clone()),
            platform,
            practices,
            staff,
            replaced: Cell::new(false),
            model: RefCell::new(model),
            clients: Cell::new(0),
            is_night: Cell::new(false),
            isolates,
            record,
            problems: RefCell::default(),
        };
        (Rc::new(world), due)
    }

    /// Lives through it.
    pub(crate) fn live(self: &Rc<Self>, due: Due) {
        let sweeps = Rc::clone(self);
        self.scheduler.spawn(Group::World, async move { sweeps.sweep().await });
        let consumer = Rc::clone(self);
        self.scheduler.spawn(Group::World, async move { consumer.consume(due).await });
        clients::begin(self);
        self.scheduler.run(DAY);
        self.trace.tell(|| "the clients and the faults end".to_owned());
        self.faults.calm();
        // What a client waits for is answered, and counts.
        self.scheduler.run(self.scheduler.now().max(DAY) + EVENING);
        clients::look_at_the_end(self);
        self.scheduler.run(self.scheduler.now() + EVENING);
        self.is_night.set(true);
        self.scheduler.run(self.scheduler.now() + NIGHT);
        if self.clients.get() > 0 {
            self.wrong(format!("{} clients still wait for something", self.clients.get()));
        }
    }

    /// What was recorded.
    pub(crate) fn recording(&self) -> Option<Recording> {
        let guests = self.practices.iter().map(|practice| practice.guest.totp.clone());
        self.record.as_ref().map(|record| record.taken(guests.collect()))
    }

    /// A client's call.
    pub(crate) async fn call(&self, request: Request) -> Option<Reply> {
        self.internet.call(request).await
    }

    /// Deploys the service with other keys.
    pub(crate) fn deploy(&self, keys: &str) {
        self.trace.tell(|| "the service is deployed with other keys".to_owned());
        self.isolates.deploy(keys);
    }

    /// A moment: the later one is larger.
    pub(crate) fn moment(&self) -> u64 {
        self.scheduler.next()
    }

    /// Waits for so many seconds at most.
    pub(crate) fn pause(&self, dice: &Dice, most: u64) -> Sleep {
        self.scheduler.sleep(dice.below(most * SECOND + SECOND / 10))
    }

    /// True while clients act.
    pub(crate) fn is_day(&self) -> bool {
        self.scheduler.now() < DAY
    }

    /// Records that something does not hold.
    pub(crate) fn wrong(&self, what: String) {
        self.trace.tell(|| format!("WRONG {what}"));
        self.problems.borrow_mut().push(what);
    }

    /// What did not hold.
    pub(crate) fn problems(&self) -> Vec<String> {
        self.problems.borrow().clone()
    }

    /// Runs the jobs of each minute.
    async fn sweep(&self) {
        loop {
            self.scheduler.sleep(if self.is_night.get() { RARELY } else { EVERY }).await;
            let _turn = match &self.record {
                Some(record) => Some(record.turn().await),
                None => None,
            };
            let (done, ended) = oneshot::channel();
            self.isolates.any(&self.platform).sweep(done);
            let ended = ended.await;
            self.trace.tell(|| format!("a sweep {}", if ended.is_ok() { "ends" } else { "is cut off" }));
            if ended.is_ok() {
                self.trace.sometimes(states::SWEPT);
                self.record.iter().for_each(|record| record.add(Act::Sweep));
            }
        }
    }

    /// Gives the messages of the queue to isolates.
    async fn consume(&self, mut due: Due) {
        while let Some(first) = due.recv().await {
            let mut messages = vec![first];
            while messages.len() < TOGETHER
                && let Ok(more) = due.try_recv()
            {
                messages.push(more);
            }
            self.trace.tell(|| format!("{} queue messages are consumed", messages.len()));
            self.trace.sometimes(states::QUEUED);
            self.isolates.any(&self.platform).consume(messages);
        }
    }

    /// How long it lasted.
    pub(crate) fn lasted(&self) -> Duration {
        Duration::from_micros(self.scheduler.now())
    }
}
