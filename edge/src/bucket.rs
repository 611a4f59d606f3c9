//! The R2 bucket of documents. It holds sealed bytes only, under keys that say nothing.

use crate::error::AppError;
use crate::platform;
use std::time::Duration;
use worker::js_sys::futures::JsFuture;
use worker::js_sys::{Object, Promise, Reflect, Uint8Array};
use worker::send::SendWrapper;
use worker::wasm_bindgen::{JsCast, JsValue};
use worker::web_sys::ReadableStream;
use worker::worker_sys::types::{R2Bucket, R2MultipartUpload, R2Object, R2ObjectBody};

/// How long the bucket may take for one step.
const TIME_OUT: Duration = Duration::from_secs(30);

/// The bucket refused, failed, or did not answer within the step that the name says. The step may have been done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the bucket of documents, {0}")]
pub(crate) struct BucketError(pub(crate) &'static str);

impl From<BucketError> for AppError {
    fn from(error: BucketError) -> Self {
        Self::Unavailable(error.0)
    }
}

/// The bucket.
pub(crate) struct Bucket(SendWrapper<R2Bucket>);

impl Bucket {
    pub(crate) fn new(bucket: worker::Bucket) -> Self {
        Self(SendWrapper::new(JsValue::from(bucket).unchecked_into()))
    }

    /// Stores an object in one piece.
    ///
    /// # Errors
    ///
    /// See [`BucketError`].
    pub(super) async fn put(&self, key: &str, bytes: &Uint8Array) -> Result<(), BucketError> {
        let put = self.0.put(key.into(), bytes.into(), JsValue::UNDEFINED);
        step("put", put).await.map(drop)
    }

    /// The size of an object in bytes, `None` if there is none.
    ///
    /// # Errors
    ///
    /// See [`BucketError`].
    pub(super) async fn size(&self, key: &str) -> Result<Option<f64>, BucketError> {
        let object = step("head", self.0.head(key.into())).await?;
        if object.is_null() {
            return Ok(None);
        }
        let size = object.unchecked_into::<R2Object>().size();
        size.map(Some).map_err(|_| BucketError("head"))
    }

    /// Begins an object of several parts. Returns it with its id.
    ///
    /// # Errors
    ///
    /// See [`BucketError`].
    pub(super) async fn begin(
        &self,
        key: &str,
    ) -> Result<(R2MultipartUpload, String), BucketError> {
        let begun = self
            .0
            .create_multipart_upload(key.into(), JsValue::UNDEFINED);
        let upload: R2MultipartUpload = step("begin", begun).await?.unchecked_into();
        let id = upload.upload_id().map_err(|_| BucketError("begin"))?;
        Ok((upload, id))
    }

    /// A range of an object, `None` if there is no such object.
    ///
    /// # Errors
    ///
    /// See [`BucketError`].
    pub(super) async fn get(
        &self,
        key: &str,
        offset: u64,
        length: u64,
    ) -> Result<Option<ReadableStream>, BucketError> {
        let object = step("get", self.0.get(key.into(), range(offset, length))).await?;
        if object.is_null() {
            return Ok(None);
        }
        let body = object.unchecked_into::<R2ObjectBody>().body();
        body.map(Some).map_err(|_| BucketError("get"))
    }

    /// Deletes an object. It is no error if there is none.
    ///
    /// # Errors
    ///
    /// See [`BucketError`].
    pub(crate) async fn delete(&self, key: &str) -> Result<(), BucketError> {
        step("delete", self.0.delete(key.into())).await.map(drop)
    }

    /// Removes the parts of an object that was begun and never completed. It is no error if they are gone.
    ///
    /// # Errors
    ///
    /// See [`BucketError`].
    pub(crate) async fn abort(&self, key: &str, upload_id: &str) -> Result<(), BucketError> {
        let upload = self.0.resume_multipart_upload(key.into(), upload_id.into());
        let upload = upload.map_err(|_| BucketError("abort"))?;
        let upload: R2MultipartUpload = upload.unchecked_into();
        let aborted = upload.abort().map_err(|_| BucketError("abort"))?;
        match platform::within(TIME_OUT, JsFuture::from(aborted)).await {
            Some(Ok(_)) => Ok(()),
            Some(Err(error)) if is_unknown_upload(&error) => Ok(()),
            Some(Err(_)) | None => Err(BucketError("abort")),
        }
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

/// One step with the bucket. The cause of a failure stays out: it could name the key.
pub(super) async fn step(
    name: &'static str,
    begun: Result<Promise, JsValue>,
) -> Result<JsValue, BucketError> {
    let begun = begun.map_err(|_| BucketError(name))?;
    let done = platform::within(TIME_OUT, JsFuture::from(begun)).await;
    done.and_then(Result::ok).ok_or(BucketError(name))
}
