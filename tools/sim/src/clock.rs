//! Virtual time, as isolates see it.

use crate::scheduler::Scheduler;
use overturn_core::base::instant::Instant;
use overturn_service::host::{Clock, Step, Timer};
use std::rc::Rc;
use std::time::Duration;

/// When each world begins: a Friday in 2027.
pub(crate) const START: Instant = Instant(1_800_000_000_000);
/// Microseconds of a millisecond.
pub(crate) const MS: u64 = 1_000;
/// Microseconds of a second.
pub(crate) const SECOND: u64 = 1_000_000;

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
        START.plus(ms).plus(self.ahead_ms)
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
