//! The body of a request: read by at most one handler, and read to its end in any case.
//!
//! Many clients write all of a body before they read. An answer that comes while they are still writing, with the
//! connection closed behind it, reaches them as a broken pipe. So what a refused request still has to say is listened to
//! and forgotten, within bounds.

use crate::error::Refusal;
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use overturn_core::denied::Denied;
use overturn_core::intake::BODY_MAX;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use worker::send::SendWrapper;
use worker::{ByteStream, Delay};

/// How much more is listened to before a refusal.
const DRAIN_MAX: usize = 64 * 1024 * 1024;
/// How long a sender may be silent meanwhile: it may be waiting for the answer.
const DRAIN_SILENCE: Duration = Duration::from_millis(500);

/// The rest of a request, as the platform gave it.
#[derive(Clone)]
pub(crate) struct Incoming(Arc<Mutex<Option<SendWrapper<Rest>>>>);

enum Rest {
    Unread(worker::Request),
    Begun(ByteStream),
}

impl Incoming {
    pub(crate) fn new(request: worker::Request) -> Self {
        Self(Arc::new(Mutex::new(Some(SendWrapper::new(Rest::Unread(
            request,
        ))))))
    }

    /// Reads a body in one piece where its length is announced, and counts along where it is not.
    pub(crate) async fn read(
        &self,
        length: Option<usize>,
    ) -> Result<Result<Vec<u8>, Denied>, Refusal> {
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

    /// Listens to what is left.
    pub(crate) async fn drain(&self) {
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
        let mut rest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rest.take().map(|wrapped| wrapped.0)
    }

    fn put(&self, rest: Rest) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(SendWrapper::new(rest));
    }
}
