//! Texts that are deployed beside the Worker, so that they do not make it larger. `cargo xtask build` writes them.

use crate::error::Refusal;
use worker::{Fetcher, Response};

/// The folder `build/assets` of the deployed version.
pub(crate) struct Assets(Fetcher);

impl Assets {
    pub(crate) fn new(folder: Fetcher) -> Self {
        Self(folder)
    }

    /// The whole text of a file.
    ///
    /// # Errors
    ///
    /// The platform did not answer, or the file is missing.
    pub(crate) async fn text(&self, name: &str) -> Result<String, Refusal> {
        // The platform reads the path only.
        let url = format!("https://assets.invalid/{name}");
        // The cause adds nothing to the name of what failed.
        let failed = |_| Refusal::Unavailable("asset");
        let found = self.0.fetch(url, None).await.map_err(failed)?;
        if !found.status().is_success() {
            return Err(Refusal::Internal("an asset is missing"));
        }
        let mut found = Response::try_from(found).map_err(failed)?;
        found.text().await.map_err(failed)
    }
}
