//! Texts that are deployed beside the program, so that they do not make it larger. `cargo xtask build` writes them.

use crate::error::AppError;
use crate::host::Host;
use std::rc::Rc;

/// The folder `build/assets` of the deployed version.
pub(crate) struct Assets(Rc<Host>);

impl Assets {
    pub(crate) fn new(host: Rc<Host>) -> Self {
        Self(host)
    }

    /// The whole text of a file.
    ///
    /// # Errors
    ///
    /// The platform did not answer, or the file is missing.
    pub(crate) async fn text(&self, name: &str) -> Result<String, AppError> {
        let found = self.0.assets.text(name).await;
        let found = found.map_err(|_| AppError::Unavailable("asset"))?;
        found.ok_or(AppError::Internal("an asset is missing"))
    }
}
