//! The body of a request: at most one handler reads it, and it is drained in any case.
//!
//! Many clients write the whole body before they read. If the connection closes after an early answer, they see a
//! broken pipe. So the rest of a refused request is read and dropped, within limits. A body that is announced as short
//! is read in one piece: chunk by chunk it would cost more than the rest of a refusal.
//!
//! A slow sender could keep a request open for a long time. So each request has a deadline, after which nothing more of
//! its body is read, needed or not.

use crate::error::AppError;
use crate::platform;
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::BODY_MAX;
use overturn_core::request::error::RequestError;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use worker::js_sys::futures::JsFuture;
use worker::send::SendWrapper;
use worker::{ByteStream, Delay};

/// How much is drained before a refusal.
const DRAIN_MAX: usize = 64 * 1024 * 1024;
/// The longest announced body that is drained in one piece, and how long it may take.
const SHORT: usize = 32 * 1024;
const SHORT_TIME: Duration = Duration::from_secs(2);
/// How long a sender may pause during draining. It may be waiting for the answer.
const DRAIN_SILENCE: Duration = Duration::from_millis(500);

/// How long a body may take to arrive if the settings cannot be read, in milliseconds.
pub(crate) const PATIENCE_MS: i64 = 30_000;

/// The platform's request, from which the body is read.
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
    /// The body of a request that began at an instant.
    pub(crate) fn new(request: worker::Request, began: Instant) -> Self {
        let rest = SendWrapper::new(Rest::Unread(request));
        Self {
            rest: Arc::new(Mutex::new(Some(rest))),
            began,
        }
    }

    /// Reads a body, or gives up `patience_ms` after the request's start.
    pub(crate) async fn read(
        &self,
        length: Option<usize>,
        patience_ms: i64,
    ) -> Result<Result<Vec<u8>, RequestError>, AppError> {
        let read = platform::within(self.left(patience_ms), self.receive(length)).await;
        read.unwrap_or(Ok(Err(RequestError::BodyTooSlow)))
    }

    /// Reads a body in one piece if its length is announced, and otherwise counts while reading.
    async fn receive(
        &self,
        length: Option<usize>,
    ) -> Result<Result<Vec<u8>, RequestError>, AppError> {
        // The sender disconnected: there is no one to answer, and nothing was done.
        let broken = |_| AppError::Malformed;
        if length.is_some_and(|length| length > BODY_MAX) {
            return Ok(Err(RequestError::BodyTooLarge));
        }
        let Some(Rest::Unread(mut request)) = self.take() else {
            return Err(AppError::Internal("body"));
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
                return Ok(Err(RequestError::BodyTooLarge));
            }
        }
        Ok(Ok(body))
    }

    /// How much of the request's time is left.
    fn left(&self, patience_ms: i64) -> Duration {
        let until = self.began.plus(patience_ms);
        let left = until.since(platform::now()).max(0);
        Duration::from_millis(u64::try_from(left).unwrap_or(0))
    }

    /// Drains the rest of a body of the announced length until `patience_ms` after the request's start.
    pub(crate) async fn drain(&self, length: Option<usize>, patience_ms: i64) {
        let left = self.left(patience_ms);
        if length.is_some_and(|length| length <= SHORT) {
            let _heard = platform::within(left.min(SHORT_TIME), self.drop_short()).await;
        } else {
            let _heard = platform::within(left, self.listen()).await;
        }
    }

    async fn drop_short(&self) {
        if let Some(Rest::Unread(request)) = self.take()
            && let Ok(bytes) = request.inner().array_buffer()
        {
            let _dropped = JsFuture::from(bytes).await;
        }
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
