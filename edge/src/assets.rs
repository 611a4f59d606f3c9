//! The files that are deployed beside the Worker.

use overturn_service::host::{Assets, PlatformError, Step};
use worker::{Fetcher, Response};

/// The folder `build/assets` of the deployed version.
pub(crate) struct WorkerAssets(Fetcher);

impl WorkerAssets {
    pub(crate) const fn new(folder: Fetcher) -> Self {
        Self(folder)
    }
}

impl Assets for WorkerAssets {
    fn text<'a>(&'a self, name: &'a str) -> Step<'a, Result<Option<String>, PlatformError>> {
        Box::pin(async move {
            // The platform reads the path only.
            let url = format!("https://assets.invalid/{name}");
            let found = self.0.fetch(url, None).await.map_err(|_| PlatformError)?;
            if !found.status().is_success() {
                return Ok(None);
            }
            let mut found = Response::try_from(found).map_err(|_| PlatformError)?;
            found.text().await.map(Some).map_err(|_| PlatformError)
        })
    }
}
