//! The identity Worker, by its service binding.

use overturn_service::host::{AskError, IdentityChecks, Step};
use worker::{Fetcher, Method, RequestInit, Response};

/// The binding.
pub(crate) struct IdentityWorker(Fetcher);

impl IdentityWorker {
    pub(crate) const fn new(worker: Fetcher) -> Self {
        Self(worker)
    }
}

impl IdentityChecks for IdentityWorker {
    fn ask<'a>(&'a self, path: &'a str, question: String) -> Step<'a, Result<String, AskError>> {
        Box::pin(async move {
            let mut init = RequestInit::new();
            init.with_method(Method::Post).with_body(Some(question.into()));
            // The binding leads to the Worker by itself, so the host names nothing.
            let url = format!("https://identity.invalid{path}");
            // The cause can hold the question.
            let away = |_| AskError::Away;
            let found = self.0.fetch(url, Some(init)).await.map_err(away)?;
            match found.status().as_u16() {
                200 => {}
                // wrangler answers so while the Worker is not served.
                503 => return Err(AskError::Away),
                _ => return Err(AskError::Failed),
            }
            let mut found = Response::try_from(found).map_err(away)?;
            found.text().await.map_err(away)
        })
    }
}
