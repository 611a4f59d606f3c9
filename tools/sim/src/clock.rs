//! Virtual time, as isolates see it.

use crate::scheduler::Scheduler;
use overturn_core::base::date::Date;
use overturn_core::base::instant::{DAY_MS, Instant};
use overturn_service::host::{Clock, Step, Timer};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// When each world begins that nothing else is said about: a Friday in 2027.
pub(crate) const FRIDAY: Instant = Instant(1_800_000_000_000);
/// Microseconds of a millisecond.
pub(crate) const MS: u64 = 1_000;
/// Microseconds of a second.
pub(crate) const SECOND: u64 = 1_000_000;

thread_local! {
    static START: Cell<Instant> = const { Cell::new(FRIDAY) };
}

/// When the world of this thread begins.
pub(crate) fn start() -> Instant {
    START.get()
}

/// Lets the next world of this thread begin at an instant.
pub(crate) fn begin(at: Instant) {
    START.set(at);
}

/// The day that is as far from the first day of the world as this one is from that Friday.
pub(crate) fn day(near_friday: impl AsRef<str>) -> String {
    let [first, friday] = [start(), FRIDAY].map(|at| at.0.div_euclid(DAY_MS));
    let moved = Date::parse(near_friday.as_ref()).zip(i32::try_from(first - friday).ok());
    let day = moved.and_then(|(date, days)| date.plus_days(days));
    day.expect("a day near the world").to_string()
}

/// The clock of an isolate, or of a part of the platform.
#[derive(Clone)]
pub(crate) struct VirtualClock {
    pub(crate) scheduler: Rc<Scheduler>,
    /// How far it is ahead of the true time, in milliseconds.
    pub(crate) ahead_ms: i64,
}

impl Clock for VirtualClock {
    fn now(&self) -> Instant {
        let ms = i64::try_from(self.scheduler.now() / MS).unwrap_or(i64::MAX);
        start().plus(ms).plus(self.ahead_ms)
    }
}

/// Timers of virtual time.
pub(crate) struct VirtualTimer(pub(crate) Rc<Scheduler>);

impl Timer for VirtualTimer {
    fn sleep(&self, time: Duration) -> Step<'static, ()> {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX / 2);
        Box::pin(self.0.sleep(micros))
    }
}
