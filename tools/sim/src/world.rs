//! A world: the platform, its isolates and its clients, from one seed.

use crate::check;
use crate::clients;
use crate::clock::SECOND;
use crate::database::{Sqlite, empty};
use crate::dice::Dice;
use crate::faults::Faults;
use crate::isolates::{Isolates, Manner};
use crate::model::{AgreementLife, KeyLife, Model};
use crate::network::{Internet, Reply, Request};
use crate::outage::Outages;
use crate::plan::Plan;
use crate::platform::{Due, Ground, Platform};
use crate::record::{Act, Record, Recording};
use crate::scheduler::{Group, Reach, Scheduler, Sleep};
use crate::setup::{Guest, Person, Setup};
use crate::states;
use crate::trace::Trace;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_service::auth::role::Role;
use overturn_service::host::Clock as _;
use rusqlite::Connection;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::sync::{Notify, Semaphore};

/// How long clients act at most: a second factor is recent for ten minutes.
const DAY: u64 = 540 * SECOND;
/// How long clients then go on at most.
const EVENING: u64 = 400 * SECOND;
/// How long a batch or a request goes on at most of which nobody waits for the answer.
const DUSK: u64 = 45 * SECOND;
/// How long a world goes on without clients and faults, so that what is late comes to its end.
const LATE_EVENING: u64 = 240 * SECOND;
/// How long nobody does anything in some worlds, so that dates pass, links end and tokens expire.
const WEEKS: u64 = 35 * 24 * 3600 * SECOND;
/// The same in worlds whose keys expire.
const YEARS: u64 = 400 * 24 * 3600 * SECOND;
/// How long staff then go on.
const SECOND_DAY: u64 = 120 * SECOND;
/// How long what has moved stays in the old cell, and a while more, as clocks are off.
const KEPT: u64 = 25 * 3600 * SECOND;
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
    /// The cell that it begins in.
    pub(crate) cell: u16,
    pub(crate) owner: Person,
    /// A second owner.
    pub(crate) partner: Person,
    pub(crate) member: Person,
    /// Its first key and its owner with the number of each other cell.
    pub(crate) stamped_elsewhere: Vec<(String, Person)>,
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
    staff: RefCell<Vec<Person>>,
    /// A member of staff who signs in and works for all practices.
    visitor: Guest,
    /// True once the old key of the service is gone.
    pub(crate) replaced: Cell<bool>,
    pub(crate) model: RefCell<Model>,
    pub(crate) clients: Cell<usize>,
    /// When the clients end.
    day_ends: Cell<u64>,
    /// How long nobody did anything.
    skipped: Cell<u64>,
    is_night: Cell<bool>,
    is_swept: Cell<bool>,
    isolates: Rc<Isolates>,
    internet: Internet,
    record: Option<Rc<Record>>,
}

impl World {
    /// The world of a seed, and the end of its queue.
    pub(crate) fn new(seed: u64, plan: &Plan, trace: &Rc<Trace>) -> (Rc<Self>, Due) {
        let faults = Rc::new(Faults::new(seed, plan.rates.clone(), Rc::clone(trace)));
        let scheduler = Rc::new(Scheduler::new(seed, Rc::clone(&faults), Rc::clone(trace)));
        let dbs = empty(plan.cells).expect("databases in memory");
        let mut model = Model::new(Rc::clone(trace));
        let mut practices = Vec::new();
        let setup = Setup::new(&dbs, seed);
        for n in 0..plan.practices {
            let cell = plan.cell_of(n);
            let begun = setup.practice(n, cell);
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
                cell,
                owner: begun.owner,
                partner: begun.partner,
                member: begun.member,
                stamped_elsewhere: begun.stamped_elsewhere,
                guest: begun.guest,
                guest_writes: Notify::new(),
                agreement: begun.agreement,
                first_key: begun.key_id,
                key: Cell::new(n),
            });
        }
        let visitor = setup.guest(None, Role::Staff);
        let staff = (0..STAFF).map(|_| setup.person(None, Role::Staff)).collect();
        let record = plan.recorded.map(|_| Rc::new(Record::of(&dbs[0])));
        let outages = Rc::new(Outages::new(seed, plan.cells > 1, &scheduler, &faults));
        let connections = plan.connections.map(|most| Rc::new(Semaphore::new(most)));
        let database = |cell| Sqlite::new(seed, cell, &outages, &scheduler, &faults, trace, connections.as_ref());
        let cells = (0..).zip(dbs).map(database).collect();
        let dice = Rc::new(Dice::new(seed, "ground"));
        let ground =
            Ground { scheduler: Rc::clone(&scheduler), faults: Rc::clone(&faults), trace: Rc::clone(trace), dice };
        let (platform, due) = Platform::new(seed, &ground, cells);
        let platform = Rc::new(platform);
        let manner = Manner {
            count: plan.isolates,
            skew_ms: plan.skew_ms,
            sends_a_minute: plan.sends_a_minute,
            mismatches: plan.mismatches,
            patients: plan.patients,
            scans: plan.scans,
            guesses: plan.has_guesses(),
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
            staff: RefCell::new(staff),
            visitor,
            replaced: Cell::new(false),
            model: RefCell::new(model),
            clients: Cell::new(0),
            day_ends: Cell::new(DAY),
            skipped: Cell::new(0),
            is_night: Cell::new(false),
            is_swept: Cell::new(false),
            isolates,
            record,
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
        let followers = if self.plan.followers { self.practices.len() } else { 0 };
        self.scheduler.run_while(DAY, || self.clients.get() > followers);
        self.trace.tell(|| "the clients and the faults end".to_owned());
        self.day_ends.set(self.scheduler.now());
        self.faults.calm();
        // What a client waits for is answered, and counts. What nobody waits for any more comes to its end.
        self.scheduler.run_while(self.scheduler.now() + EVENING, || self.clients.get() > 0);
        // The job of each minute ends the moves.
        let dusk = if self.plan.moving > 0 { LATE_EVENING } else { DUSK };
        self.scheduler.run(self.scheduler.now() + dusk);
        clients::look_at_the_end(self);
        self.scheduler.run_while(self.scheduler.now() + EVENING, || self.clients.get() > 0);
        if self.clients.get() == 0 {
            clients::remove_each_other(self);
        }
        self.scheduler.run(self.scheduler.now() + LATE_EVENING);
        if self.plan.moving > 0 {
            self.pass(KEPT);
            self.scheduler.run(self.scheduler.now() + EVENING);
        }
        if self.plan.weeks {
            self.let_weeks_pass();
        }
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

    /// Lets weeks pass. Then staff, who sign in anew, work for a while.
    fn let_weeks_pass(self: &Rc<Self>) {
        // Messages and their deliveries are kept for thirty days.
        check::webhooks(self).into_iter().for_each(|problem| self.wrong(problem));
        // The answers to a request for a destruction may be lost. It begins after a week.
        const WAITS: &str =
            "SELECT count(*) FROM data_jobs WHERE practice_id = ?1 AND kind = 'destruction' AND state = 'waiting'";
        for (n, practice) in self.practices.iter().enumerate() {
            if check::count(self.database(n), WAITS, [&practice.id]) == 0 {
                continue;
            }
            if self.model.borrow().may_leave {
                self.model.borrow_mut().leave(n);
            } else {
                self.wrong(format!("a destruction of practice {n} waits that nobody asked for, or that was canceled"));
            }
        }
        self.pass(if self.plan.years { YEARS } else { WEEKS });
        let dbs: Vec<_> = self.platform.cells.iter().map(Sqlite::own).collect();
        let setup = Setup::later(&dbs, self.seed, self.now());
        self.staff.replace((0..STAFF).map(|_| setup.person(None, Role::Staff)).collect());
        self.day_ends.set(self.scheduler.now() + SECOND_DAY);
        clients::begin_after_weeks(self);
        self.scheduler.run_while(self.scheduler.now() + EVENING, || self.clients.get() > 0);
        self.scheduler.run(self.scheduler.now() + DUSK);
    }

    /// Lets time pass in which nothing happens. A sweep that is under way would be given up for taking as long.
    fn pass(&self, time: u64) {
        self.scheduler.run_while(self.scheduler.now() + EVENING, || self.is_swept.get());
        self.trace.tell(|| format!("{} hours pass", time / (3600 * SECOND)));
        self.scheduler.skip(time);
        self.skipped.set(self.skipped.get() + time);
    }

    /// Has the operator begin the destruction of all data of a practice. False if that cannot begin now.
    pub(crate) fn destroy(&self, practice: usize, name: &str) -> bool {
        let dbs: Vec<_> = self.platform.cells.iter().map(Sqlite::own).collect();
        let Practice { id, cell: begun, .. } = &self.practices[practice];
        let placed = "SELECT ifnull((SELECT cell FROM places WHERE practice_id = ?1), ?2)";
        let cell = u16::try_from(check::count(&dbs[0], placed, (id, begun))).unwrap_or(*begun);
        let setup = Setup::later(&dbs, self.seed, self.now());
        let id = id.parse().map(PracticeId).expect("the id of a practice");
        let batch = setup.destruction(id, name, overturn_core::base::cell::Cell(cell));
        let done = batch.is_some_and(|batch| self.platform.cells[usize::from(cell)].operate(&batch));
        self.trace.tell(|| format!("the operator begins to destroy the data of practice {practice}: {done}"));
        if done {
            self.model.borrow_mut().leave(practice);
        }
        done
    }

    /// Has the operator remove an account of the staff. False if that does not work.
    pub(crate) fn remove(&self, user: &str) -> bool {
        let dbs: Vec<_> = self.platform.cells.iter().map(Sqlite::own).collect();
        let batch = Setup::later(&dbs, self.seed, self.now()).removal(user);
        let done = batch.is_some_and(|batch| self.platform.cells[0].operate(&batch));
        self.trace.tell(|| format!("the operator removes an account: {done}"));
        done
    }

    /// The true time.
    pub(crate) fn now(&self) -> Instant {
        self.platform.ground.clock(0).now()
    }

    /// True once weeks have passed.
    pub(crate) fn is_later(&self) -> bool {
        self.skipped.get() >= WEEKS
    }

    /// The nth member of staff.
    pub(crate) fn staff(&self, n: usize) -> Person {
        let staff = self.staff.borrow();
        staff[n % staff.len()].clone()
    }

    /// A client's call.
    pub(crate) async fn call(&self, request: Request) -> Option<Reply> {
        let asked = self.plan.is_calm.then(|| (request.target.clone(), self.scheduler.now()));
        let reply = self.internet.call(request).await;
        if let Some((target, began)) = asked {
            check::answers::without_faults(self, &target, self.scheduler.now() - began, reply.as_ref());
        }
        reply
    }

    /// The database of a practice.
    pub(crate) fn database(&self, practice: usize) -> &Connection {
        self.platform.cells[usize::from(self.cell(practice))].connection()
    }

    /// The guest of a practice; behind them, the visitor.
    pub(crate) fn guest(&self, n: usize) -> &Guest {
        self.practices.get(n).map_or(&self.visitor, |practice| &practice.guest)
    }

    /// The cell in which calls of a practice stay, unless it moves. Behind the practices is the staff, who are in the
    /// directory.
    pub(crate) fn reach(&self, practice: usize) -> Reach {
        if self.moves(practice) { Reach::ALL } else { Reach::only(self.cell(practice)) }
    }

    /// The same with the directory, which has to do with sign-ins and with calls of staff about a practice.
    pub(crate) fn reach_with_directory(&self, practice: usize) -> Reach {
        if self.moves(practice) { Reach::ALL } else { Reach::beside_directory(self.cell(practice)) }
    }

    /// True if the operator moves a practice.
    pub(crate) fn moves(&self, practice: usize) -> bool {
        practice < self.plan.moving
    }

    /// The cell in which a practice lives, as far as the operator was told.
    pub(crate) fn cell(&self, practice: usize) -> u16 {
        let begun = self.practices.get(practice).map_or(0, |practice| practice.cell);
        self.model.borrow().moves.place(practice, begun)
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
        self.scheduler.now() < self.day_ends.get()
    }

    /// Records that something does not hold.
    pub(crate) fn wrong(&self, what: String) {
        self.trace.wrong(what);
    }

    /// What did not hold.
    pub(crate) fn problems(&self) -> Vec<String> {
        self.trace.problems()
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
            self.is_swept.set(true);
            self.isolates.any(&self.platform).sweep(done);
            let ended = ended.await;
            self.is_swept.set(false);
            self.trace.tell(|| format!("a sweep {}", if ended.is_ok() { "ends" } else { "is cut off" }));
            if ended.is_err() && self.plan.moving > 0 {
                check::moves::broken_off(self);
            }
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

    /// How many calls its clients made.
    pub(crate) fn calls(&self) -> u64 {
        self.internet.calls.get()
    }

    /// How long it lasted, without weeks in which nothing happened.
    pub(crate) fn lasted(&self) -> Duration {
        Duration::from_micros(self.scheduler.now() - self.skipped.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::signed_in;
    use crate::faults::Rates;
    use overturn_tests::claims::item;

    /// How long the databases take for a page of the queue over cells with a claim each, in percent of its slowest trip: at
    /// most, in ten pages.
    fn page_over(cells: usize, connections: Option<usize>) -> u64 {
        let quiet = Plan { rates: Rates::default(), skew_ms: 0, sends_a_minute: None, patients: None, ..Plan::of(0) };
        let plan = Plan { cells, connections, first_cell: 0, practices: cells, moving: 0, isolates: 1, ..quiet };
        let (world, _due) = World::new(1, &plan, &Rc::new(Trace::new(false)));
        let (asking, most) = (Rc::clone(&world), Rc::new(Cell::new(0)));
        let told = Rc::clone(&most);
        world.scheduler.spawn(Group::World, async move {
            for n in 0..cells {
                let key = asking.model.borrow().access.keys[n].text.clone();
                let send = Request::post("/api/v1/claims", &item("A-1"));
                let sent = asking.call(send.with("authorization", format!("Bearer {key}"))).await;
                assert_eq!(sent.map(|sent| sent.status), Some(201));
            }
            for _ in 0..10 {
                let asked = asking.scheduler.now();
                let page = Request::get("/api/v1/staff/claims?limit=100");
                let page = asking.call(signed_in(&asking.staff(0), page)).await.expect("a page");
                let claims = page.json["claims"].as_array().map_or(0, Vec::len);
                assert_eq!((claims, &page.json["missing_cells"]), (cells, &serde_json::Value::Null));
                // What goes on behind an answer belongs to the call before.
                let trips = asking.platform.cells.iter().flat_map(Sqlite::take_trips);
                let trips: Vec<_> = trips.filter(|(left, _)| *left >= asked).collect();
                let all = trips.iter().map(|trip| trip.1).max().zip(trips.iter().map(|trip| trip.0).min());
                let slowest = trips.iter().map(|(left, back)| back - left).max();
                let (Some((end, begin)), Some(slowest)) = (all, slowest) else { panic!("no trip") };
                told.set(told.get().max(100 * (end - begin) / slowest));
            }
        });
        world.scheduler.run(600 * SECOND);
        assert_eq!(world.problems(), Vec::<String>::new());
        most.get()
    }

    #[test]
    fn a_page_of_the_queue_over_64_cells_takes_at_most_two_of_its_slowest_trips() {
        for cells in [1, 3, 16, 64] {
            let percent = page_over(cells, None);
            assert!(percent <= 200, "{cells}: {percent}");
        }
        // As many as D1 has for an invocation: the others wait for their turn.
        for (cells, most) in [(30, 500), (64, 900)] {
            let percent = page_over(cells, Some(6));
            assert!(percent <= most, "{cells}: {percent}");
        }
    }
}
