//! A time limit for many short waits. A timer for each of them would cost as much as what they wait for.

use crate::platform;
use futures_util::future::{Either, select};
use overturn_core::base::instant::Instant;
use std::pin::{Pin, pin};
use std::time::Duration;
use worker::Delay;

/// A timer that is started again only after it ended.
#[derive(Default)]
pub(crate) struct Patience {
    timer: Option<(Pin<Box<Delay>>, Instant)>,
}

impl Patience {
    /// The result within the time, `None` after it.
    pub(crate) async fn within<T>(
        &mut self,
        time: Duration,
        doing: impl Future<Output = T>,
    ) -> Option<T> {
        let until = platform::now().plus(milliseconds(time));
        let mut doing = pin!(doing);
        loop {
            let left = until.since(platform::now());
            let (mut timer, ends) = match self.timer.take() {
                // It ends early, and is started again for the rest.
                Some((timer, ends)) if ends <= until => (timer, ends),
                _ => {
                    let left = Duration::from_millis(u64::try_from(left).unwrap_or(0));
                    (Box::pin(Delay::from(left)), until)
                }
            };
            match select(doing.as_mut(), timer.as_mut()).await {
                Either::Left((done, _)) => {
                    self.timer = Some((timer, ends));
                    return Some(done);
                }
                Either::Right(_) if ends >= until => return None,
                Either::Right(_) => {}
            }
        }
    }
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
