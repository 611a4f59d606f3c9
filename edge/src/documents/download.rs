//! Streams a document, or a range of it, out of the bucket: only the chunks of the range are read, and each is opened
//! before the next.
//!
//! A chunk that does not open and a bucket that fails break the response off, so that it never looks complete.

use super::cipher::Cipher;
use super::range::Wanted;
use crate::bucket::{Bucket, BucketError};
use crate::byte_reader::{ByteReader, release};
use crate::error::AppError;
use crate::patience::Patience;
use crate::response::Streamed;
use axum::http::header::{ACCEPT_RANGES, CONTENT_RANGE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use overturn_store::documents::stream::{SEALED_CHUNK, Span};
use std::time::Duration;
use worker::Context;
use worker::js_sys::Uint8Array;
use worker::js_sys::futures::JsFuture;
use worker::web_sys::WritableStreamDefaultWriter;
use worker::worker_sys::FixedLengthStream;

/// How long the bucket may take for a chunk.
const TIME_OUT: Duration = Duration::from_secs(30);

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
            Stopped::Bucket | Stopped::Gone => BucketError("get").into(),
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
    bucket: &Bucket,
    context: &Context,
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
    let mut opening = open(bucket, document, span).await?;
    let first = match opening.next().await {
        Ok(first) => first,
        Err(stopped) => {
            if stopped == Stopped::Changed {
                tampered();
            }
            return Err(stopped.into());
        }
    };
    let failed = |_| BucketError("get");
    let length = u32::try_from(span.length).map_err(|_| DownloadError::Missing)?;
    let stream = FixedLengthStream::new(length).map_err(failed)?;
    let writer = stream.writable().get_writer().map_err(failed)?;
    context.wait_until(async move {
        match opening.pump(first, &writer).await {
            Err(Stopped::Changed) => tampered(),
            Err(Stopped::Bucket) => {
                worker::console_error!("{}", serde_json::json!({ "event": "download_broken" }));
            }
            Ok(()) | Err(Stopped::Gone) => {}
        }
    });
    let mut response = status.into_response();
    response
        .extensions_mut()
        .insert(Streamed::new(stream.readable()));
    set(&mut response, ACCEPT_RANGES, "bytes".into());
    if status == StatusCode::PARTIAL_CONTENT {
        let last = start.saturating_add(span.length).saturating_sub(1);
        set(
            &mut response,
            CONTENT_RANGE,
            format!("bytes {start}-{last}/{size}"),
        );
    }
    Ok(response)
}

/// The chunks of a range.
async fn open(bucket: &Bucket, document: Document, span: Span) -> Result<Opening, DownloadError> {
    let body = bucket.get(&document.key, span.offset, span.sealed).await?;
    let body = body.ok_or(DownloadError::Missing)?;
    let chunk = u32::try_from(SEALED_CHUNK).unwrap_or(u32::MAX);
    let reader = ByteReader::new(body, chunk).map_err(|_| BucketError("get"))?;
    Ok(Opening {
        reader,
        cipher: document.cipher,
        span,
        next: span.first,
        left: span.length,
        patience: Patience::default(),
    })
}

/// Reads a whole document, chunk by chunk.
///
/// # Errors
///
/// Why it could not be read to its end.
pub(crate) async fn read(
    bucket: &Bucket,
    document: Document,
    mut sink: impl AsyncFnMut(&[u8]),
) -> Result<(), DownloadError> {
    let span = Span::new(document.size, 0, document.size).ok_or(DownloadError::Missing)?;
    let mut opening = open(bucket, document, span).await?;
    loop {
        let plain = opening.next().await.map_err(DownloadError::from)?;
        sink(&plain.to_vec()).await;
        if opening.left == 0 {
            return Ok(());
        }
    }
}

fn unsatisfiable(size: u64) -> Response {
    let mut response = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
    set(&mut response, CONTENT_RANGE, format!("bytes */{size}"));
    response
}

fn set(response: &mut Response, name: axum::http::HeaderName, value: String) {
    if let Ok(value) = HeaderValue::try_from(value) {
        response.headers_mut().insert(name, value);
    }
}

/// Why a response breaks off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stopped {
    /// The bucket broke off, or took too long.
    Bucket,
    /// The client went away.
    Gone,
    /// A chunk does not open.
    Changed,
}

/// The chunks of a range, one after the other.
struct Opening {
    reader: ByteReader,
    cipher: Cipher,
    span: Span,
    next: u32,
    /// How many plain bytes are still to come.
    left: u64,
    patience: Patience,
}

impl Opening {
    /// Writes everything from the first chunk on. If it stops, the response breaks off.
    async fn pump(
        &mut self,
        first: Uint8Array,
        writer: &WritableStreamDefaultWriter,
    ) -> Result<(), Stopped> {
        let pumped = self.write_all(first, writer).await;
        if pumped.is_err() {
            self.reader.cancel();
            let _unheard = JsFuture::from(writer.abort()).await;
        }
        pumped
    }

    async fn write_all(
        &mut self,
        first: Uint8Array,
        writer: &WritableStreamDefaultWriter,
    ) -> Result<(), Stopped> {
        let gone = |_| Stopped::Gone;
        let mut plain = first;
        loop {
            if plain.length() > 0 {
                let written = JsFuture::from(writer.write_with_chunk(&plain));
                written.await.map_err(gone)?;
                release(&plain);
            }
            if self.left == 0 {
                break;
            }
            plain = self.next().await?;
        }
        let closed = JsFuture::from(writer.close());
        closed.await.map(drop).map_err(gone)
    }

    /// Opens the next chunk, and cuts it to the range.
    async fn next(&mut self) -> Result<Uint8Array, Stopped> {
        let n = self.next;
        self.next = n.saturating_add(1);
        let whole = u32::try_from(SEALED_CHUNK).unwrap_or(u32::MAX);
        let read = self.patience.within(TIME_OUT, self.reader.read(whole));
        let sealed = read.await.and_then(Result::ok).ok_or(Stopped::Bucket)?;
        let is_last = self.span.ends && n == self.span.last;
        let opened = self.cipher.open(n, is_last, &sealed).await;
        let plain = opened.map_err(|_| Stopped::Changed)?;
        let skip = match n == self.span.first {
            true => u32::try_from(self.span.skip).unwrap_or(u32::MAX),
            false => 0,
        };
        let left = u32::try_from(self.left).unwrap_or(u32::MAX);
        let end = skip.saturating_add(left).min(plain.length());
        let cut = plain.subarray(skip.min(end), end);
        self.left = self.left.saturating_sub(cut.length().into());
        Ok(cut)
    }
}
