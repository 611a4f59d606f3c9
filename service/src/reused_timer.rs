//! A time limit for many short waits. A timer for each of them would cost as much as what they wait for.

use crate::host::{Basics, Step};
use futures_util::future::{Either, select};
use overturn_core::base::instant::Instant;
use std::pin::pin;
use std::time::Duration;

/// A timer that is started again only after it ended.
#[derive(Default)]
pub(crate) struct ReusedTimer {
    timer: Option<(Step<'static, ()>, Instant)>,
}

impl ReusedTimer {
    /// The result within the time, `None` after it.
    pub(crate) async fn within<T>(
        &mut self,
        basics: &Basics,
        time: Duration,
        doing: impl Future<Output = T>,
    ) -> Option<T> {
        let until = basics.now().plus(milliseconds(time));
        let mut doing = pin!(doing);
        loop {
            let left = until.since(basics.now());
            let (mut ending, ends) = match self.timer.take() {
                // It ends early, and is started again for the rest.
                Some((ending, ends)) if ends <= until => (ending, ends),
                _ => {
                    let left = Duration::from_millis(u64::try_from(left).unwrap_or(0));
                    (basics.timer.sleep(left), until)
                }
            };
            match select(doing.as_mut(), &mut ending).await {
                Either::Left((done, _)) => {
                    self.timer = Some((ending, ends));
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
