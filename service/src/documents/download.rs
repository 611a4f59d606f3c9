//! Streams a document, or a range of it, out of the bucket: only the chunks of the range are read, and each is opened
//! before the next.
//!
//! A chunk that does not open and a bucket that fails break the response off, so that it never looks complete.

use super::cipher::Cipher;
use super::range::Wanted;
use crate::app::App;
use crate::bucket::{self, BucketError, TIME_OUT};
use crate::error::AppError;
use crate::host::{PlatformError, Reader};
use crate::response::{self, Body, Response};
use crate::reused_timer::ReusedTimer;
use crate::store::documents::stream::{SEALED_CHUNK, Span};
use futures_util::stream::{LocalBoxStream, StreamExt, unfold};
use http::StatusCode;
use http::header::{ACCEPT_RANGES, CONTENT_RANGE};
use std::rc::Rc;

/// The document to stream.
pub(crate) struct Document {
    pub(crate) key: String,
    pub(crate) cipher: Cipher,
    /// Its plain bytes, as the database has them.
    pub(crate) size: u64,
}

/// Why a document cannot be streamed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DownloadError {
    /// The bucket failed.
    Bucket(BucketError),
    /// The bucket does not have the object.
    Missing,
    /// The first chunk of the range does not open. `tampered` was called.
    Tampered,
}

impl From<BucketError> for DownloadError {
    fn from(error: BucketError) -> Self {
        Self::Bucket(error)
    }
}

impl From<Stopped> for DownloadError {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Bucket => BucketError("get").into(),
            Stopped::Changed => Self::Tampered,
        }
    }
}

impl From<DownloadError> for AppError {
    fn from(error: DownloadError) -> Self {
        match error {
            DownloadError::Bucket(failed) => failed.into(),
            DownloadError::Missing => Self::Internal("a document's object is missing"),
            DownloadError::Tampered => Self::Internal("a document's object was changed"),
        }
    }
}

/// The response with the wanted part of a document: `200`, `206` or `416`. `tampered` is called if a chunk does not
/// open, also while the response streams.
///
/// # Errors
///
/// Why not even the first chunk can be sent.
pub(crate) async fn respond(
    app: &Rc<App>,
    document: Document,
    wanted: Wanted,
    tampered: impl FnOnce() + 'static,
) -> Result<Response, DownloadError> {
    let size = document.size;
    let (status, start, length) = match wanted {
        Wanted::Whole => (StatusCode::OK, 0, size),
        Wanted::Range { start, length } => (StatusCode::PARTIAL_CONTENT, start, length),
        Wanted::Unsatisfiable => return Ok(unsatisfiable(size)),
    };
    // The range was cut to the document.
    let span = Span::new(size, start, length).ok_or(DownloadError::Missing)?;
    let mut opening = open(app, document, span).await?;
    let first = match opening.next().await {
        Ok(first) => first,
        Err(stopped) => {
            if stopped == Stopped::Changed {
                tampered();
            }
            return Err(stopped.into());
        }
    };
    let body = Body::Stream { length: span.length, chunks: opening.send(first, tampered) };
    let accepts = (ACCEPT_RANGES, "bytes".to_owned());
    let last = start.saturating_add(span.length).saturating_sub(1);
    let range = (CONTENT_RANGE, format!("bytes {start}-{last}/{size}"));
    let range = (status == StatusCode::PARTIAL_CONTENT).then_some(range);
    let headers = std::iter::once(accepts).chain(range);
    Ok(response::with(status, headers, body))
}

/// The chunks of a range.
async fn open(app: &Rc<App>, document: Document, span: Span) -> Result<Opening, DownloadError> {
    let body = bucket::get(app, &document.key, (span.offset, span.sealed)).await?;
    Ok(Opening {
        app: Rc::clone(app),
        reader: body.ok_or(DownloadError::Missing)?,
        cipher: document.cipher,
        span,
        next: span.first,
        left: span.length,
        timer: ReusedTimer::default(),
    })
}

/// Reads a whole document, chunk by chunk.
///
/// # Errors
///
/// Why it could not be read to its end.
pub(crate) async fn read(
    app: &Rc<App>,
    document: Document,
    mut sink: impl AsyncFnMut(&[u8]),
) -> Result<(), DownloadError> {
    let span = Span::new(document.size, 0, document.size).ok_or(DownloadError::Missing)?;
    let mut opening = open(app, document, span).await?;
    loop {
        let plain = opening.next().await.map_err(DownloadError::from)?;
        sink(&plain).await;
        if opening.left == 0 {
            return Ok(());
        }
    }
}

fn unsatisfiable(size: u64) -> Response {
    let range = (CONTENT_RANGE, format!("bytes */{size}"));
    response::with(StatusCode::RANGE_NOT_SATISFIABLE, [range], "")
}

/// Why a download breaks off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stopped {
    /// The bucket broke off, or took too long.
    Bucket,
    /// A chunk does not open.
    Changed,
}

/// The chunks of a range, one after the other.
struct Opening {
    app: Rc<App>,
    reader: Box<dyn Reader>,
    cipher: Cipher,
    span: Span,
    next: u32,
    /// How many plain bytes are still to come.
    left: u64,
    timer: ReusedTimer,
}

impl Opening {
    /// Everything from the first chunk on. If it stops, the response breaks off.
    fn send<T: FnOnce() + 'static>(
        self,
        first: Vec<u8>,
        tampered: T,
    ) -> LocalBoxStream<'static, Result<Vec<u8>, PlatformError>> {
        // An empty document has nothing to send.
        let first = (!first.is_empty()).then_some(first);
        let next = |state: Option<(Self, Option<Vec<u8>>, T)>| async move {
            let (mut opening, first, tampered) = state?;
            let next = match first {
                Some(first) => Ok(first),
                None if opening.left == 0 => return None,
                None => opening.next().await,
            };
            match next {
                Ok(plain) => return Some((Ok(plain), Some((opening, None, tampered)))),
                Err(Stopped::Changed) => tampered(),
                Err(Stopped::Bucket) => {
                    log::error!("{}", serde_json::json!({ "event": "download_broken" }));
                }
            }
            Some((Err(PlatformError), None))
        };
        unfold(Some((self, first, tampered)), next).boxed_local()
    }

    /// Opens the next chunk, and cuts it to the range.
    async fn next(&mut self) -> Result<Vec<u8>, Stopped> {
        let n = self.next;
        self.next = n.saturating_add(1);
        let read = self.reader.read(SEALED_CHUNK);
        let read = self.timer.within(&self.app.host, TIME_OUT, read).await;
        let sealed = read.and_then(Result::ok).ok_or(Stopped::Bucket)?;
        let is_last = self.span.ends && n == self.span.last;
        let opened = self.cipher.open(n, is_last, &sealed).await;
        let mut plain = opened.map_err(|_| Stopped::Changed)?;
        let skip = match n == self.span.first {
            true => self.span.skip.min(plain.len()),
            false => 0,
        };
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        plain.truncate(skip.saturating_add(left));
        plain.drain(..skip);
        self.left = self.left.saturating_sub(plain.len() as u64);
        Ok(plain)
    }
}
