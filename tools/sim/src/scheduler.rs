//! An executor of one thread whose choices come from a seed: of the tasks that are ready, chance takes the next. Time stands
//! still while a task is ready, and then jumps to the next timer.

use crate::dice::Dice;
use crate::faults::{Fault, Faults};
use crate::trace::Trace;
use futures_util::future::LocalBoxFuture;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

/// What tasks belong to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Group {
    /// The world outside: clients, the platform, and what is under way between them.
    World,
    /// An isolate of the service. Its end drops its tasks.
    Isolate(u64),
}

/// The cells whose databases work may use, one bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reach(u64);

impl Reach {
    /// Every cell.
    pub(crate) const ALL: Self = Self(u64::MAX);

    /// One cell alone.
    pub(crate) const fn only(cell: u16) -> Self {
        Self(1 << cell)
    }

    /// The directory and one cell.
    pub(crate) const fn beside_directory(cell: u16) -> Self {
        Self(1 | 1 << cell)
    }

    /// True if a cell is one of them.
    pub(crate) const fn has(self, cell: u16) -> bool {
        self.0 & 1 << cell != 0
    }
}

type TaskId = u64;
/// The tasks that may go on, in their order.
type Ready = Arc<Mutex<Vec<TaskId>>>;
/// A moment, and a number that tells the timers of a moment apart.
type Alarm = (u64, u64);

struct Task {
    group: Group,
    reach: Reach,
    future: LocalBoxFuture<'static, ()>,
    waker: Waker,
}

struct Wakes {
    task: TaskId,
    ready: Ready,
}

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(place) = ready.binary_search(&self.task) {
            ready.insert(place, self.task);
        }
    }
}

/// The tasks and the time of a world.
pub(crate) struct Scheduler {
    /// Microseconds since the start.
    now: Cell<u64>,
    number: Cell<u64>,
    tasks: RefCell<BTreeMap<TaskId, Task>>,
    ready: Ready,
    alarms: RefCell<BTreeMap<Alarm, Waker>>,
    ended: RefCell<BTreeSet<u64>>,
    /// That of the task that goes on.
    reach: Cell<Reach>,
    dice: Dice,
    faults: Rc<Faults>,
    trace: Rc<Trace>,
}

impl Scheduler {
    pub(crate) fn new(seed: u64, faults: Rc<Faults>, trace: Rc<Trace>) -> Self {
        Self {
            now: Cell::new(0),
            number: Cell::new(0),
            tasks: RefCell::default(),
            ready: Ready::default(),
            alarms: RefCell::default(),
            ended: RefCell::default(),
            reach: Cell::new(Reach::ALL),
            dice: Dice::new(seed, "scheduler"),
            faults,
            trace,
        }
    }

    /// Microseconds since the start.
    pub(crate) fn now(&self) -> u64 {
        self.now.get()
    }

    /// A number that grows with each call: what has a smaller one came before.
    pub(crate) fn next(&self) -> u64 {
        self.number.set(self.number.get() + 1);
        self.number.get()
    }

    /// Begins a task. It reaches as far as the one that begins it.
    pub(crate) fn spawn(&self, group: Group, work: impl Future<Output = ()> + 'static) {
        self.spawn_within(self.reach.get(), group, work);
    }

    /// Begins a task that reaches these cells.
    pub(crate) fn spawn_within(&self, reach: Reach, group: Group, work: impl Future<Output = ()> + 'static) {
        let id = self.next();
        let waker = Waker::from(Arc::new(Wakes { task: id, ready: Arc::clone(&self.ready) }));
        waker.wake_by_ref();
        self.tasks.borrow_mut().insert(id, Task { group, reach, future: Box::pin(work), waker });
    }

    /// How far the task that goes on reaches.
    pub(crate) fn reach(&self) -> Reach {
        self.reach.get()
    }

    /// Waits for so many microseconds.
    pub(crate) fn sleep(self: &Rc<Self>, micros: u64) -> Sleep {
        Sleep { scheduler: Rc::clone(self), until: self.now() + micros, alarm: None }
    }

    /// True if an isolate has ended.
    pub(crate) fn has_ended(&self, isolate: u64) -> bool {
        self.ended.borrow().contains(&isolate)
    }

    /// Runs until nothing is left to do before a moment.
    pub(crate) fn run(self: &Rc<Self>, until: u64) {
        self.run_while(until, || true);
    }

    /// Runs until then, or until something no longer holds.
    pub(crate) fn run_while(self: &Rc<Self>, until: u64, holds: impl Fn() -> bool) {
        loop {
            while let Some(id) = self.choose() {
                self.step(id);
            }
            let Some(moment) = self.alarms.borrow().keys().next().map(|(moment, _)| *moment) else {
                return;
            };
            if moment > until || !holds() {
                return;
            }
            self.now.set(self.now().max(moment));
            self.trace.at(self.now());
            while let Some(waker) = self.due() {
                waker.wake();
            }
        }
    }

    /// Lets so many microseconds pass in which nothing happens: what is due in them comes at their end.
    pub(crate) fn skip(&self, micros: u64) {
        self.now.set(self.now() + micros);
        self.trace.at(self.now());
    }

    /// Drops all tasks. What they hold leads back here.
    pub(crate) fn clear(&self) {
        let tasks = std::mem::take(&mut *self.tasks.borrow_mut());
        drop(tasks);
        let alarms = std::mem::take(&mut *self.alarms.borrow_mut());
        drop(alarms);
    }

    fn choose(&self) -> Option<TaskId> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let place = usize::try_from(self.dice.below(ready.len() as u64)).unwrap_or(0);
        (place < ready.len()).then(|| ready.remove(place))
    }

    fn step(&self, id: TaskId) {
        let Some(mut task) = self.tasks.borrow_mut().remove(&id) else {
            return;
        };
        self.reach.set(task.reach);
        let polled = task.future.as_mut().poll(&mut Context::from_waker(&task.waker));
        self.reach.set(Reach::ALL);
        if polled.is_ready() || self.ends(task.group) {
            return;
        }
        self.tasks.borrow_mut().insert(id, task);
    }

    /// The platform may end a request, or its whole isolate, at each await.
    fn ends(&self, group: Group) -> bool {
        let Group::Isolate(isolate) = group else {
            return false;
        };
        if self.has_ended(isolate) {
            return true;
        }
        if self.faults.strike(Fault::IsolateEnds) {
            self.end(isolate);
            return true;
        }
        self.faults.strike(Fault::RequestEnds)
    }

    fn end(&self, isolate: u64) {
        self.trace.tell(|| format!("isolate {isolate} ends"));
        self.ended.borrow_mut().insert(isolate);
        let of = Group::Isolate(isolate);
        let mut tasks = self.tasks.borrow_mut();
        let (gone, left) = std::mem::take(&mut *tasks).into_iter().partition(|(_, task)| task.group == of);
        *tasks = left;
        drop(tasks);
        let gone: BTreeMap<TaskId, Task> = gone;
        drop(gone);
    }

    fn due(&self) -> Option<Waker> {
        let mut alarms = self.alarms.borrow_mut();
        let first = alarms.first_entry()?;
        (first.key().0 <= self.now()).then(|| first.remove())
    }
}

/// Ends at a moment.
pub(crate) struct Sleep {
    scheduler: Rc<Scheduler>,
    until: u64,
    alarm: Option<Alarm>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.scheduler.now() >= self.until {
            return Poll::Ready(());
        }
        let alarm = match self.alarm {
            Some(alarm) => alarm,
            None => (self.until, self.scheduler.next()),
        };
        self.scheduler.alarms.borrow_mut().insert(alarm, context.waker().clone());
        self.alarm = Some(alarm);
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(alarm) = self.alarm {
            self.scheduler.alarms.borrow_mut().remove(&alarm);
        }
    }
}
