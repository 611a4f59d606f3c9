//! The body of a request: at most one handler reads it, and it is drained in any case.
//!
//! Many clients write the whole body before they read. If the connection closes after an early answer, they see a
//! broken pipe. So the rest of a refused request is read and dropped, within limits. The answer goes ahead of that: a
//! client that reads while it writes need not send the rest. A body that is announced as short is read first and in one
//! piece: chunk by chunk it would cost more than the rest of a refusal.
//!
//! A slow sender could keep a request open for a long time. So each request has a deadline, after which nothing more of
//! its body is read, needed or not.

use crate::app::App;
use crate::error::AppError;
use crate::host::{Basics, Reader};
use crate::multipart::{FormError, Source};
use crate::request::error::RequestError;
use crate::reused_timer::ReusedTimer;
use bytes::Bytes;
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::BODY_MAX;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

/// How much is drained of a request that was answered early.
const DRAIN_MAX: usize = 64 * 1024 * 1024;
/// The longest announced body that is drained in one piece, and how long it may take.
const SHORT: usize = 32 * 1024;
const SHORT_TIME: Duration = Duration::from_secs(2);
/// How long a sender may pause during draining. It may be waiting for the answer.
const DRAIN_SILENCE: Duration = Duration::from_millis(500);
/// How long draining may take together: a sender that drips would hold its connection.
const DRAIN_TIME: Duration = Duration::from_secs(5);

/// How long a body may take to arrive if the settings cannot be read, in milliseconds.
pub(crate) const TIME_OUT_MS: i64 = 30_000;

/// The body as the host gives it.
#[derive(Clone)]
pub(crate) struct RequestBody {
    /// `None` once someone reads it.
    rest: Rc<RefCell<Option<Box<dyn Reader>>>>,
    /// Whether a part of it may be gone.
    is_begun: Rc<Cell<bool>>,
    /// What was read, for a call that may be answered again.
    kept: Rc<RefCell<Option<Vec<u8>>>>,
    began: Instant,
}

impl RequestBody {
    /// The body of a request that began at an instant.
    pub(crate) fn new(reader: Box<dyn Reader>, began: Instant) -> Self {
        Self { rest: Rc::new(RefCell::new(Some(reader))), is_begun: Rc::default(), kept: Rc::default(), began }
    }

    /// Reads a body of this announced length, or gives up when the request's time is over.
    pub(crate) async fn read(
        &self,
        app: &App,
        length: Option<usize>,
    ) -> Result<Result<Vec<u8>, RequestError>, AppError> {
        // The caller's practice may turn out to have moved to another cell, any time until the commit.
        let may_move = app.host.cells.are_several();
        if let Some(kept) = self.kept.take() {
            if may_move {
                self.keep(&kept);
            }
            return Ok(Ok(kept));
        }
        let left = self.left(&app.host, app.settings.body_time_out_ms);
        let read = app.host.within(left, self.receive(length)).await;
        if let Some(Ok(Ok(body))) = read.as_ref().filter(|_| may_move) {
            self.keep(body);
        }
        read.unwrap_or(Ok(Err(RequestError::BodyTooSlow)))
    }

    /// False if a handler took a body that nobody kept: a file, which is too long to keep.
    pub(crate) fn is_there(&self) -> bool {
        !self.is_begun.get() || self.kept.borrow().is_some()
    }

    /// Keeps what was read, for a call that may be answered again.
    pub(crate) fn keep(&self, body: &[u8]) {
        self.kept.replace(Some(body.to_vec()));
    }

    /// Reads a body in one piece if its length is announced, and otherwise counts while reading.
    async fn receive(&self, length: Option<usize>) -> Result<Result<Vec<u8>, RequestError>, AppError> {
        // The sender disconnected: there is no one to answer, and nothing was done.
        let broken = |_| AppError::Malformed;
        if length.is_some_and(|length| length > BODY_MAX) {
            return Ok(Err(RequestError::BodyTooLarge));
        }
        let mut reader = self.take().ok_or(AppError::Internal("body"))?;
        if length.is_some() {
            return reader.read_all().await.map(Ok).map_err(broken);
        }
        let mut body = Vec::new();
        loop {
            let bytes = reader.read(1).await.map_err(broken)?;
            if bytes.is_empty() {
                return Ok(Ok(body));
            }
            body.extend_from_slice(&bytes);
            if body.len() > BODY_MAX {
                self.put(reader);
                return Ok(Err(RequestError::BodyTooLarge));
            }
        }
    }

    /// How much of the request's time is left.
    fn left(&self, basics: &Basics, time_out_ms: i64) -> Duration {
        let until = self.began.plus(time_out_ms);
        let left = until.since(basics.now()).max(0);
        Duration::from_millis(u64::try_from(left).unwrap_or(0))
    }

    async fn drop_short(&self) {
        if let Some(mut reader) = self.take() {
            let _dropped = reader.read_all().await;
        }
    }

    async fn listen(&self, basics: &Basics) {
        let Some(mut reader) = self.take() else {
            return;
        };
        let (mut heard, mut timer) = (0_usize, ReusedTimer::default());
        while heard < DRAIN_MAX {
            match timer.within(basics, DRAIN_SILENCE, reader.read(1)).await {
                Some(Ok(bytes)) if !bytes.is_empty() => heard = heard.saturating_add(bytes.len()),
                Some(Ok(_) | Err(_)) | None => return,
            }
        }
    }

    /// The body as the source of a form. It may pause for as long as another body may take, and has to arrive within
    /// `time_out_ms` of the request's start. What the form does not read is drained as of any other body.
    pub(crate) fn form(&self, app: &Rc<App>, time_out_ms: i64) -> FormBody {
        FormBody {
            app: Rc::clone(app),
            body: self.clone(),
            reader: self.take(),
            timer: ReusedTimer::default(),
            time_out_ms,
        }
    }

    fn take(&self) -> Option<Box<dyn Reader>> {
        self.is_begun.set(true);
        self.rest.borrow_mut().take()
    }

    fn put(&self, reader: Box<dyn Reader>) {
        *self.rest.borrow_mut() = Some(reader);
    }
}

/// What was not read of a request's body when its answer was known.
pub struct Unread {
    pub(crate) body: RequestBody,
    /// The announced length.
    pub(crate) length: Option<usize>,
    /// How long after its start the request is listened to.
    pub(crate) time_out_ms: i64,
}

impl Unread {
    /// False if someone has read the body, or tried to.
    pub(crate) fn is_left(&self) -> bool {
        self.body.rest.borrow().is_some()
    }

    /// True if the body is announced as so short that it is drained before the answer.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.length.is_some_and(|length| length <= SHORT)
    }

    /// Reads the rest of the body and drops it.
    pub async fn drain(&self, basics: &Basics) {
        let left = self.body.left(basics, self.time_out_ms);
        if self.is_short() {
            let dropped = self.body.drop_short();
            let _heard = basics.within(left.min(SHORT_TIME), dropped).await;
        } else {
            let _heard = basics.within(left.min(DRAIN_TIME), self.body.listen(basics)).await;
        }
    }
}

/// The body of a form while it is read. When it is dropped, the rest can be drained.
pub(crate) struct FormBody {
    app: Rc<App>,
    body: RequestBody,
    /// `None` at the end.
    reader: Option<Box<dyn Reader>>,
    timer: ReusedTimer,
    time_out_ms: i64,
}

impl Source for FormBody {
    async fn read(&mut self) -> Result<Option<Bytes>, FormError> {
        let Some(reader) = &mut self.reader else {
            return Ok(None);
        };
        let host = &self.app.host;
        let left = self.body.left(host, self.time_out_ms);
        let read = reader.read(1);
        let pause = Duration::from_millis(self.app.settings.body_time_out_ms.unsigned_abs());
        let read = self.timer.within(host, pause.min(left), read);
        let ended = match read.await {
            Some(Ok(bytes)) if !bytes.is_empty() => return Ok(Some(bytes)),
            Some(Ok(_)) => Ok(None),
            Some(Err(_)) => Err(FormError::Disconnected),
            None => Err(FormError::TooSlow),
        };
        self.reader = None;
        ended
    }
}

impl Drop for FormBody {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.take() {
            self.body.put(reader);
        }
    }
}

#[cfg(test)]
mod tests;
