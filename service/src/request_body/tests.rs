//! What is left of a refused request, by a clock that the test moves.

use super::*;
use crate::host::{Clock, Entropy, EntropyError, PlatformError, Step, Timer};
use futures_util::FutureExt as _;
use futures_util::future::poll_fn;
use std::task::Poll;

/// How long a step takes.
const STEP_MS: i64 = 300;

#[derive(Clone)]
struct Moved(Rc<Cell<i64>>);

impl Clock for Moved {
    fn now(&self) -> Instant {
        Instant(self.0.get())
    }
}

impl Timer for Moved {
    fn sleep(&self, time: Duration) -> Step<'static, ()> {
        let (now, until) = (Rc::clone(&self.0), self.0.get() + i64::try_from(time.as_millis()).unwrap());
        Box::pin(poll_fn(move |_| if now.get() >= until { Poll::Ready(()) } else { Poll::Pending }))
    }
}

impl Entropy for Moved {
    fn fill(&self, _: &mut [u8]) -> Result<(), EntropyError> {
        Err(EntropyError)
    }
}

/// A byte comes in each step, without end.
struct Drips;

impl Reader for Drips {
    fn read(&mut self, _: usize) -> Step<'_, Result<Bytes, PlatformError>> {
        let mut came = false;
        Box::pin(poll_fn(move |_| {
            let byte = Poll::Ready(Ok(Bytes::from_static(b" ")));
            if std::mem::replace(&mut came, true) { byte } else { Poll::Pending }
        }))
    }

    fn read_all(&mut self) -> Step<'_, Result<Vec<u8>, PlatformError>> {
        Box::pin(std::future::pending())
    }
}

#[test]
fn a_refused_request_whose_body_drips_is_left_after_seconds() {
    for (length, most) in [(None, DRAIN_TIME), (Some(SHORT + 1), DRAIN_TIME), (Some(SHORT), SHORT_TIME)] {
        let now = Rc::new(Cell::new(0));
        let host = Moved(Rc::clone(&now));
        let basics = Basics {
            clock: Rc::new(host.clone()),
            entropy: Rc::new(host.clone()),
            timer: Rc::new(host),
            memory_kb: || None,
        };
        let body = RequestBody::new(Box::new(Drips), Instant(0));
        let unread = Unread { body, length, time_out_ms: TIME_OUT_MS };
        let mut draining = Box::pin(unread.drain(&basics));
        while draining.as_mut().now_or_never().is_none() {
            now.set(now.get() + STEP_MS);
            assert!(now.get() <= TIME_OUT_MS, "{length:?}");
        }
        let most = i64::try_from(most.as_millis()).unwrap();
        assert!(now.get() >= most && now.get() < most + STEP_MS, "{length:?}: {}", now.get());
    }
}

#[test]
fn a_body_of_which_a_part_is_gone_is_there_only_if_it_was_kept() {
    let body = RequestBody::new(Box::new(Drips), Instant(0));
    assert!(body.is_there());
    let reader = body.take().unwrap();
    body.put(reader);
    assert!(!body.is_there());
    body.keep(b"whole");
    assert!(body.is_there());
}
