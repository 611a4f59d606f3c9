//! The bucket of documents, with a time limit for each step. It holds sealed bytes only, under keys that say nothing.

use crate::app::App;
use crate::error::AppError;
use crate::host::{Parts, PlatformError, Reader};
use std::time::Duration;

/// How long the bucket may take for one step.
pub(crate) const TIME_OUT: Duration = Duration::from_secs(30);

/// The bucket refused, failed, or did not answer within the step that the name says. The step may have been done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the bucket of documents, {0}")]
pub(crate) struct BucketError(pub(crate) &'static str);

impl From<BucketError> for AppError {
    fn from(error: BucketError) -> Self {
        Self::Unavailable(error.0)
    }
}

/// Stores an object in one piece.
///
/// # Errors
///
/// See [`BucketError`].
pub(crate) async fn put(app: &App, key: &str, bytes: Vec<u8>) -> Result<(), BucketError> {
    step(app, "put", app.host.documents.put(key, bytes)).await
}

/// The size of an object in bytes, `None` if there is none.
///
/// # Errors
///
/// See [`BucketError`].
pub(crate) async fn size(app: &App, key: &str) -> Result<Option<u64>, BucketError> {
    step(app, "head", app.host.documents.size(key)).await
}

/// Begins an object of several parts.
///
/// # Errors
///
/// See [`BucketError`].
pub(crate) async fn begin(app: &App, key: &str) -> Result<Box<dyn Parts>, BucketError> {
    step(app, "begin", app.host.documents.begin(key)).await
}

/// A range of an object, `None` if there is no such object.
///
/// # Errors
///
/// See [`BucketError`].
pub(crate) async fn get(
    app: &App,
    key: &str,
    (offset, length): (u64, u64),
) -> Result<Option<Box<dyn Reader>>, BucketError> {
    step(app, "get", app.host.documents.get(key, offset, length)).await
}

/// Deletes an object. It is no error if there is none.
///
/// # Errors
///
/// See [`BucketError`].
pub(crate) async fn delete(app: &App, key: &str) -> Result<(), BucketError> {
    step(app, "delete", app.host.documents.delete(key)).await
}

/// Removes the parts of an object that was begun and never completed. It is no error if they are gone.
///
/// # Errors
///
/// See [`BucketError`].
pub(crate) async fn abort(app: &App, key: &str, upload_id: &str) -> Result<(), BucketError> {
    step(app, "abort", app.host.documents.abort(key, upload_id)).await
}

/// One step with the bucket.
pub(crate) async fn step<T>(
    app: &App,
    name: &'static str,
    doing: impl Future<Output = Result<T, PlatformError>>,
) -> Result<T, BucketError> {
    let done = app.host.within(TIME_OUT, doing).await;
    done.and_then(Result::ok).ok_or(BucketError(name))
}
