//! The body of a request: read by at most one handler, and read to its end in any case.
//!
//! Many clients write all of a body before they read. An answer that comes while they are still writing, with the
//! connection closed behind it, reaches them as a broken pipe. So what a refused request still has to say is listened to
//! and forgotten, within bounds.
//!
//! A sender that trickles holds a request open for as long as it likes. So each request has a moment after which nothing more
//! of its body is listened to, whether the body is still wanted or not.

use crate::error::Refusal;
use crate::platform;
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::BODY_MAX;
use overturn_core::request::denied::Denied;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use worker::send::SendWrapper;
use worker::{ByteStream, Delay};

/// How much more is listened to before a refusal.
const DRAIN_MAX: usize = 64 * 1024 * 1024;
/// How long a sender may be silent meanwhile: it may be waiting for the answer.
const DRAIN_SILENCE: Duration = Duration::from_millis(500);

/// How long a body may take to arrive where the settings cannot be read, in milliseconds.
pub(crate) const PATIENCE_MS: i64 = 30_000;

/// The rest of a request, as the platform gave it.
#[derive(Clone)]
pub(crate) struct RequestBody {
    rest: Arc<Mutex<Option<SendWrapper<Rest>>>>,
    began: Instant,
}

enum Rest {
    Unread(worker::Request),
    Begun(ByteStream),
}

impl RequestBody {
    /// The rest of a request that began at an instant.
    pub(crate) fn new(request: worker::Request, began: Instant) -> Self {
        let rest = SendWrapper::new(Rest::Unread(request));
        Self {
            rest: Arc::new(Mutex::new(Some(rest))),
            began,
        }
    }

    /// Reads a body, or gives it up where it takes longer than `patience_ms` from the request's start.
    pub(crate) async fn read(
        &self,
        length: Option<usize>,
        patience_ms: i64,
    ) -> Result<Result<Vec<u8>, Denied>, Refusal> {
        let read = platform::within(self.left(patience_ms), self.receive(length)).await;
        read.unwrap_or(Ok(Err(Denied::BodyTooSlow)))
    }

    /// Reads a body in one piece where its length is announced, and counts along where it is not.
    async fn receive(&self, length: Option<usize>) -> Result<Result<Vec<u8>, Denied>, Refusal> {
        // The sender went away, or broke off: there is nobody to answer, and nothing was done.
        let broken = |_| Refusal::Malformed;
        if length.is_some_and(|length| length > BODY_MAX) {
            return Ok(Err(Denied::BodyTooLarge));
        }
        let Some(Rest::Unread(mut request)) = self.take() else {
            return Err(Refusal::Internal("body"));
        };
        if length.is_some() {
            return request.bytes().await.map(Ok).map_err(broken);
        }
        let Ok(mut stream) = request.stream() else {
            return Ok(Ok(Vec::new()));
        };
        let mut body = Vec::new();
        while let Some(chunk) = stream.next().await {
            body.extend(chunk.map_err(broken)?);
            if body.len() > BODY_MAX {
                self.put(Rest::Begun(stream));
                return Ok(Err(Denied::BodyTooLarge));
            }
        }
        Ok(Ok(body))
    }

    /// How much of the patience with this request is left.
    fn left(&self, patience_ms: i64) -> Duration {
        let until = self.began.plus(patience_ms);
        let left = until.since(platform::now()).max(0);
        Duration::from_millis(u64::try_from(left).unwrap_or(0))
    }

    /// Listens to what is left, for no longer than `patience_ms` from the request's start.
    pub(crate) async fn drain(&self, patience_ms: i64) {
        let _heard = platform::within(self.left(patience_ms), self.listen()).await;
    }

    async fn listen(&self) {
        let stream = match self.take() {
            Some(Rest::Unread(mut request)) => request.stream().ok(),
            Some(Rest::Begun(stream)) => Some(stream),
            None => None,
        };
        let Some(mut stream) = stream else { return };
        let mut heard = 0_usize;
        while heard < DRAIN_MAX {
            match select(stream.next(), pin!(Delay::from(DRAIN_SILENCE))).await {
                Either::Left((Some(Ok(chunk)), _)) => heard = heard.saturating_add(chunk.len()),
                Either::Left((Some(Err(_)) | None, _)) | Either::Right(_) => return,
            }
        }
    }

    fn take(&self) -> Option<Rest> {
        let mut rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
        rest.take().map(|wrapped| wrapped.0)
    }

    fn put(&self, rest: Rest) {
        *self.rest.lock().unwrap_or_else(PoisonError::into_inner) = Some(SendWrapper::new(rest));
    }
}
