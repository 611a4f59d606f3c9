//! The R2 bucket of documents.
//!
//! R2 wants to know the length of a part when it begins. So the length of a part is the most that can come, and zero
//! bytes fill up the last part. Each part is a stream into the bucket, so that no part is ever held.

use crate::byte_reader::{ByteReader, release};
use bytes::Bytes;
use futures_util::future::{Either, select};
use overturn_service::host::{self, PlatformError, Reader, Step};
use overturn_service::store::documents::stream::SEALED_CHUNK;
use worker::js_sys::futures::JsFuture;
use worker::js_sys::{Object, Promise, Reflect, Uint8Array};
use worker::wasm_bindgen::{JsCast, JsValue};
use worker::web_sys::WritableStreamDefaultWriter;
use worker::worker_sys::FixedLengthStream;
use worker::worker_sys::types::{R2Bucket, R2MultipartUpload, R2Object, R2ObjectBody};

/// The length of every part but the last. R2 wants them equal and at least 5 MiB; this one has whole chunks.
const PART: u64 = 40 * SEALED_CHUNK as u64;
/// How many zero bytes are written at once.
const ZEROS: usize = 64 * 1024;

/// The bucket.
pub(crate) struct R2(R2Bucket);

impl R2 {
    /// The bucket of a binding.
    pub(crate) fn new(bucket: worker::Bucket) -> Self {
        Self(JsValue::from(bucket).unchecked_into())
    }

    fn begin_abort(&self, key: &str, upload_id: &str) -> Result<Promise, JsValue> {
        let upload = self.0.resume_multipart_upload(key.into(), upload_id.into())?;
        upload.unchecked_into::<R2MultipartUpload>().abort()
    }
}

/// One step with the bucket. The cause of a failure stays out: it could name the key.
async fn step(begun: Result<Promise, JsValue>) -> Result<JsValue, PlatformError> {
    let begun = begun.map_err(|_| PlatformError)?;
    JsFuture::from(begun).await.map_err(|_| PlatformError)
}

impl host::Bucket for R2 {
    fn put<'a>(&'a self, key: &'a str, bytes: Vec<u8>) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(async move {
            let copied = Uint8Array::from(&*bytes);
            drop(bytes);
            let put = self.0.put(key.into(), (&copied).into(), JsValue::UNDEFINED);
            let put = step(put).await;
            release(&copied);
            put.map(drop)
        })
    }

    fn size<'a>(&'a self, key: &'a str) -> Step<'a, Result<Option<u64>, PlatformError>> {
        Box::pin(async move {
            let object = step(self.0.head(key.into())).await?;
            if object.is_null() {
                return Ok(None);
            }
            let size = object.unchecked_into::<R2Object>().size();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number of bytes")]
            size.map(|size| Some(size as u64)).map_err(|_| PlatformError)
        })
    }

    fn begin<'a>(&'a self, key: &'a str) -> Step<'a, Result<Box<dyn host::Parts>, PlatformError>> {
        Box::pin(async move {
            let begun = self.0.create_multipart_upload(key.into(), JsValue::UNDEFINED);
            let upload: R2MultipartUpload = step(begun).await?.unchecked_into();
            let upload_id = upload.upload_id().map_err(|_| PlatformError)?;
            Ok(Box::new(Parts { upload, upload_id, done: Vec::new(), open: None, length: 0 }) as Box<dyn host::Parts>)
        })
    }

    fn get<'a>(
        &'a self,
        key: &'a str,
        offset: u64,
        length: u64,
    ) -> Step<'a, Result<Option<Box<dyn Reader>>, PlatformError>> {
        Box::pin(async move {
            let object = step(self.0.get(key.into(), range(offset, length))).await?;
            if object.is_null() {
                return Ok(None);
            }
            let body = object.unchecked_into::<R2ObjectBody>().body();
            let reader = ByteReader::new(body.map_err(|_| PlatformError)?)?;
            let left = length;
            Ok(Some(Box::new(Content { reader, left }) as Box<dyn Reader>))
        })
    }

    fn delete<'a>(&'a self, key: &'a str) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(async move { step(self.0.delete(key.into())).await.map(drop) })
    }

    fn abort<'a>(&'a self, key: &'a str, upload_id: &'a str) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(async move {
            let aborted = self.begin_abort(key, upload_id).map_err(|_| PlatformError)?;
            match JsFuture::from(aborted).await {
                Err(error) if !is_unknown_upload(&error) => Err(PlatformError),
                Ok(_) | Err(_) => Ok(()),
            }
        })
    }
}

/// R2 forgets an upload after seven days. Its message ends with the number of the error.
fn is_unknown_upload(error: &JsValue) -> bool {
    let error: Option<&worker::js_sys::Error> = error.dyn_ref();
    error.is_some_and(|error| String::from(error.message()).contains("(10024)"))
}

fn range(offset: u64, length: u64) -> JsValue {
    // The cause stays out: a plain object takes any key.
    let set = |object: &Object, key: &str, value: &JsValue| {
        let _set = Reflect::set(object, &key.into(), value);
    };
    let number = |number: u64| {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        JsValue::from_f64(number as f64)
    };
    let (range, options) = (Object::new(), Object::new());
    set(&range, "offset", &number(offset));
    set(&range, "length", &number(length));
    set(&options, "range", &range);
    options.into()
}

/// The content of an object, or a range of it.
struct Content {
    reader: ByteReader,
    left: u64,
}

impl Reader for Content {
    fn read(&mut self, least: usize) -> Step<'_, Result<Bytes, PlatformError>> {
        Box::pin(async move {
            let bytes = self.reader.read(least).await?;
            self.left = self.left.saturating_sub(bytes.len() as u64);
            Ok(bytes)
        })
    }
}

impl Drop for Content {
    fn drop(&mut self) {
        if self.left > 0 {
            self.reader.cancel();
        }
    }
}

/// An object that is written part by part.
struct Parts {
    upload: R2MultipartUpload,
    upload_id: String,
    done: Vec<JsValue>,
    open: Option<Open>,
    /// The bytes of all parts.
    length: u64,
}

impl host::Parts for Parts {
    fn upload_id(&self) -> &str {
        &self.upload_id
    }

    fn write(&mut self, bytes: Vec<u8>, bound: u64) -> Step<'_, Result<(), PlatformError>> {
        Box::pin(async move {
            let mut open = match self.open.take() {
                Some(open) => open,
                None => self.begin(bound.min(PART))?,
            };
            open.write(&bytes).await?;
            match open.left {
                0 => self.close(open).await?,
                _ => self.open = Some(open),
            }
            Ok(())
        })
    }

    fn end(&mut self) -> Step<'_, Result<u64, PlatformError>> {
        Box::pin(async move {
            if let Some(mut open) = self.open.take() {
                let zeros = vec![0; ZEROS];
                while open.left > 0 {
                    let count = usize::try_from(open.left).unwrap_or(ZEROS);
                    open.write(zeros.get(..count).unwrap_or(&zeros)).await?;
                }
                self.close(open).await?;
            }
            Ok(self.length)
        })
    }

    fn complete(&mut self) -> Step<'_, Result<(), PlatformError>> {
        let done = std::mem::take(&mut self.done);
        Box::pin(async move { step(self.upload.complete(done)).await.map(drop) })
    }
}

impl Parts {
    fn begin(&mut self, length: u64) -> Result<Open, PlatformError> {
        let number = self.done.len().saturating_add(1);
        let number = u16::try_from(number).map_err(|_| PlatformError)?;
        let short = u32::try_from(length).map_err(|_| PlatformError)?;
        self.length = self.length.saturating_add(length);
        self.open(number, short).map_err(|_| PlatformError)
    }

    fn open(&self, number: u16, length: u32) -> Result<Open, JsValue> {
        let stream = FixedLengthStream::new(length)?;
        let writer = stream.writable().get_writer()?;
        let stored = self.upload.upload_part(number, stream.readable().into())?;
        Ok(Open { writer, stored: JsFuture::from(stored), left: length.into() })
    }

    async fn close(&mut self, mut open: Open) -> Result<(), PlatformError> {
        let closed = JsFuture::from(open.writer.close());
        let part = (&mut open.stored).await.map_err(|_| PlatformError)?;
        closed.await.map_err(|_| PlatformError)?;
        self.done.push(part);
        Ok(())
    }
}

/// The part that is being written.
struct Open {
    writer: WritableStreamDefaultWriter,
    stored: JsFuture,
    /// How many bytes it still takes.
    left: u64,
}

impl Open {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), PlatformError> {
        let left = self.left.checked_sub(bytes.len() as u64);
        self.left = left.ok_or(PlatformError)?;
        let bytes = Uint8Array::from(bytes);
        let written = JsFuture::from(self.writer.write_with_chunk(&bytes));
        match select(written, &mut self.stored).await {
            Either::Left((Ok(_), _)) => {
                release(&bytes);
                Ok(())
            }
            // The bucket ended the part, or it failed.
            Either::Left((Err(_), _)) | Either::Right(_) => Err(PlatformError),
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
