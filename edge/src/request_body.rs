//! The body of a request: at most one handler reads it, and it is drained in any case.
//!
//! Many clients write the whole body before they read. If the connection closes after an early answer, they see a
//! broken pipe. So the rest of a refused request is read and dropped, within limits. The answer goes ahead of that: a
//! client that reads while it writes need not send the rest. A body that is announced as short is read first and in one
//! piece: chunk by chunk it would cost more than the rest of a refusal.
//!
//! A slow sender could keep a request open for a long time. So each request has a deadline, after which nothing more of
//! its body is read, needed or not.

use crate::byte_reader::ByteReader;
use crate::error::AppError;
use crate::multipart::{FormError, Source};
use crate::patience::Patience;
use crate::platform;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::BODY_MAX;
use overturn_core::request::error::RequestError;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use worker::js_sys::Uint8Array;
use worker::js_sys::futures::JsFuture;
use worker::send::SendWrapper;
use worker::web_sys::ReadableStream;
use worker::worker_sys::FixedLengthStream;
use worker::{ByteStream, Context, Delay};

/// How much is drained of a request that was answered early.
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
    /// A form, which is read in larger pieces.
    Form(ByteReader),
}

/// The buffer for a form.
const FORM_BUFFER: u32 = 64 * 1024;

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

    async fn drop_short(&self) {
        if let Some(Rest::Unread(request)) = self.take()
            && let Ok(bytes) = request.inner().array_buffer()
        {
            let _dropped = JsFuture::from(bytes).await;
        }
    }

    async fn listen(&self) {
        let stream = match self.take() {
            Some(Rest::Form(reader)) => return listen_to_form(reader).await,
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

    /// The body as the source of a form. It may pause for `silence`, and has to arrive within `patience_ms` of the
    /// request's start. What the form does not read is drained as of any other body.
    pub(crate) fn form(&self, silence: Duration, patience_ms: i64) -> FormBody {
        let reader = match self.take() {
            Some(Rest::Unread(request)) => {
                let stream = request.inner().body();
                stream.and_then(|stream| ByteReader::new(stream, FORM_BUFFER).ok())
            }
            _ => None,
        };
        FormBody {
            body: self.clone(),
            reader,
            patience: Patience::default(),
            silence,
            patience_ms,
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

/// What was not read of a request's body when its answer was known.
pub(crate) struct Unread {
    pub(crate) body: RequestBody,
    /// The announced length.
    pub(crate) length: Option<usize>,
    /// How long after its start the request is listened to.
    pub(crate) patience_ms: i64,
    /// The request, if its answer may go ahead of the body.
    pub(crate) ahead: Option<Arc<Context>>,
}

impl Unread {
    /// False if someone has read the body, or tried to.
    pub(crate) fn is_left(&self) -> bool {
        let rest = &self.body.rest;
        let rest = rest.lock().unwrap_or_else(PoisonError::into_inner);
        rest.is_some()
    }

    fn is_short(&self) -> bool {
        self.length.is_some_and(|length| length <= SHORT)
    }

    /// The request, if its answer goes ahead of the body. A body that is announced as short is drained before.
    pub(crate) fn may_wait(&self) -> Option<Arc<Context>> {
        self.ahead.clone().filter(|_| !self.is_short())
    }

    /// Reads the rest of the body and drops it.
    pub(crate) async fn drain(&self) {
        let left = self.body.left(self.patience_ms);
        if self.is_short() {
            let _heard = platform::within(left.min(SHORT_TIME), self.body.drop_short()).await;
        } else {
            let _heard = platform::within(left, self.body.listen()).await;
        }
    }

    /// The bytes of an answer as a stream, which gives them at once and ends when the body was drained: after the end of
    /// its answer, the platform reads nothing more of a request.
    pub(crate) fn behind(self, answer: &[u8], context: &Context) -> worker::Result<ReadableStream> {
        let length = u32::try_from(answer.len()).unwrap_or(u32::MAX);
        let stream = FixedLengthStream::new(length)?;
        let writer = stream.writable().get_writer()?;
        let written = writer.write_with_chunk(&Uint8Array::from(answer));
        context.wait_until(async move {
            // If the client is gone, there is nothing to read, either.
            if JsFuture::from(written).await.is_ok() {
                self.drain().await;
            }
            let _ended = JsFuture::from(writer.close()).await;
        });
        Ok(stream.readable())
    }
}

async fn listen_to_form(mut reader: ByteReader) {
    let mut heard = 0_usize;
    while heard < DRAIN_MAX {
        match platform::within(DRAIN_SILENCE, reader.read(1)).await {
            Some(Ok(bytes)) if bytes.length() > 0 => {
                heard = heard.saturating_add(usize::try_from(bytes.length()).unwrap_or(0));
            }
            Some(Ok(_) | Err(_)) | None => return,
        }
    }
}

/// The body of a form while it is read. When it is dropped, the rest can be drained.
pub(crate) struct FormBody {
    body: RequestBody,
    /// `None` at the end.
    reader: Option<ByteReader>,
    patience: Patience,
    silence: Duration,
    patience_ms: i64,
}

impl Source for FormBody {
    async fn read(&mut self) -> Result<Option<Bytes>, FormError> {
        let Some(reader) = &mut self.reader else {
            return Ok(None);
        };
        let time = self.silence.min(self.body.left(self.patience_ms));
        match self.patience.within(time, reader.read(1)).await {
            Some(Ok(bytes)) if bytes.length() > 0 => Ok(Some(bytes.to_vec().into())),
            Some(Ok(_)) => {
                self.reader = None;
                Ok(None)
            }
            Some(Err(_)) => {
                self.reader = None;
                Err(FormError::Disconnected)
            }
            None => {
                self.reader = None;
                Err(FormError::TooSlow)
            }
        }
    }
}

impl Drop for FormBody {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.take() {
            self.body.put(Rest::Form(reader));
        }
    }
}
