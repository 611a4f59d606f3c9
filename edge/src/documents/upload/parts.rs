//! The parts of a large object. Each is a stream into the bucket, so that no part is ever held.

use crate::bucket::{Bucket, BucketError, step};
use crate::patience::Patience;
use crate::platform;
use futures_util::future::{Either, select};
use overturn_store::documents::stream::SEALED_CHUNK;
use std::time::Duration;
use worker::js_sys::Uint8Array;
use worker::js_sys::futures::JsFuture;
use worker::wasm_bindgen::JsValue;
use worker::web_sys::WritableStreamDefaultWriter;
use worker::worker_sys::FixedLengthStream;
use worker::worker_sys::types::R2MultipartUpload;

/// The length of every part but the last. R2 wants them equal and at least 5 MiB; this one has whole chunks.
const PART: u64 = 40 * SEALED_CHUNK as u64;
/// How long the bucket may take for a chunk.
const TIME_OUT: Duration = Duration::from_secs(30);
/// How many zero bytes are written at once.
const ZEROS: u32 = 64 * 1024;

/// An object that is written part by part.
pub(super) struct Parts {
    upload: R2MultipartUpload,
    key: String,
    upload_id: String,
    done: Vec<JsValue>,
    open: Option<Open>,
    /// The bytes of all parts.
    length: u64,
}

/// The part that is being written.
struct Open {
    writer: WritableStreamDefaultWriter,
    stored: JsFuture,
    /// How many bytes it still takes.
    left: u64,
    patience: Patience,
}

impl Parts {
    pub(super) const fn new(upload: R2MultipartUpload, key: String, upload_id: String) -> Self {
        Self {
            upload,
            key,
            upload_id,
            done: Vec::new(),
            open: None,
            length: 0,
        }
    }

    /// Writes a sealed chunk. `bound` is the most sealed bytes that can come, with this chunk.
    pub(super) async fn write(
        &mut self,
        chunk: &Uint8Array,
        bound: u64,
    ) -> Result<(), BucketError> {
        let mut open = match self.open.take() {
            Some(open) => open,
            None => self.begin(bound.min(PART))?,
        };
        open.write(chunk).await?;
        match open.left {
            0 => self.close(open).await?,
            _ => self.open = Some(open),
        }
        Ok(())
    }

    /// Fills up the last part, and returns the length of the object.
    pub(super) async fn pad(&mut self) -> Result<u64, BucketError> {
        if let Some(mut open) = self.open.take() {
            while open.left > 0 {
                let count = u32::try_from(open.left).map_or(ZEROS, |left| left.min(ZEROS));
                open.write(&Uint8Array::new_with_length(count)).await?;
            }
            self.close(open).await?;
        }
        Ok(self.length)
    }

    /// Makes the object of the parts.
    pub(super) async fn complete(&self) -> Result<(), BucketError> {
        let completed = self.upload.complete(self.done.clone());
        step("complete", completed).await.map(drop)
    }

    /// Removes the parts.
    pub(super) async fn abort(mut self, bucket: &Bucket) -> Result<(), BucketError> {
        drop(self.open.take());
        bucket.abort(&self.key, &self.upload_id).await
    }

    fn begin(&mut self, length: u64) -> Result<Open, BucketError> {
        let failed = |_| BucketError("part");
        let number = self.done.len().saturating_add(1);
        let number = u16::try_from(number).map_err(|_| BucketError("part"))?;
        let short = u32::try_from(length).map_err(|_| BucketError("part"))?;
        let stream = FixedLengthStream::new(short).map_err(failed)?;
        let writer = stream.writable().get_writer().map_err(failed)?;
        let stored = self.upload.upload_part(number, stream.readable().into());
        self.length = self.length.saturating_add(length);
        Ok(Open {
            writer,
            stored: JsFuture::from(stored.map_err(failed)?),
            left: length,
            patience: Patience::default(),
        })
    }

    async fn close(&mut self, mut open: Open) -> Result<(), BucketError> {
        let closed = JsFuture::from(open.writer.close());
        let stored = platform::within(TIME_OUT, &mut open.stored).await;
        let part = stored.and_then(Result::ok).ok_or(BucketError("part"))?;
        let closed = platform::within(TIME_OUT, closed).await;
        closed.and_then(Result::ok).ok_or(BucketError("part"))?;
        self.done.push(part);
        Ok(())
    }
}

impl Open {
    /// Writes bytes. It returns when the bucket has taken them, so that none pile up.
    async fn write(&mut self, bytes: &Uint8Array) -> Result<(), BucketError> {
        let left = self.left.checked_sub(bytes.length().into());
        self.left = left.ok_or(BucketError("part"))?;
        let written = JsFuture::from(self.writer.write_with_chunk(bytes));
        let written = select(written, &mut self.stored);
        match self.patience.within(TIME_OUT, written).await {
            Some(Either::Left((Ok(_), _))) => Ok(()),
            // The bucket ended the part, it failed, or it took too long.
            _ => Err(BucketError("part")),
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if self.left > 0 {
            let _unheard = JsFuture::from(self.writer.abort());
        }
    }
}
