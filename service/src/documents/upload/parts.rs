//! The parts of a large object, with a time limit for each step.

use crate::app::App;
use crate::bucket::{self, BucketError, TIME_OUT};
use crate::host;
use crate::reused_timer::ReusedTimer;

/// An object that is written part by part.
pub(super) struct Parts {
    parts: Box<dyn host::Parts>,
    key: String,
    timer: ReusedTimer,
}

impl Parts {
    /// Begins the object.
    pub(super) async fn begin(app: &App, key: &str) -> Result<Self, BucketError> {
        Ok(Self { parts: bucket::begin(app, key).await?, key: key.into(), timer: ReusedTimer::default() })
    }

    pub(super) fn upload_id(&self) -> &str {
        self.parts.upload_id()
    }

    /// Writes a sealed chunk. `bound` is the most sealed bytes that can come, with this chunk.
    pub(super) async fn write(&mut self, app: &App, chunk: Vec<u8>, bound: u64) -> Result<(), BucketError> {
        let written = self.parts.write(chunk, bound);
        let written = self.timer.within(&app.host, TIME_OUT, written).await;
        // The bucket ended the part, it failed, or it took too long.
        written.and_then(Result::ok).ok_or(BucketError("part"))
    }

    /// Ends the last part, and returns the length of the object.
    pub(super) async fn end(&mut self, app: &App) -> Result<u64, BucketError> {
        bucket::step(app, "part", self.parts.end()).await
    }

    /// Makes the object of the parts.
    pub(super) async fn complete(&mut self, app: &App) -> Result<(), BucketError> {
        bucket::step(app, "complete", self.parts.complete()).await
    }

    /// Removes the parts.
    pub(super) async fn abort(self, app: &App) -> Result<(), BucketError> {
        let upload_id = self.parts.upload_id().to_owned();
        drop(self.parts);
        bucket::abort(app, &self.key, &upload_id).await
    }
}
