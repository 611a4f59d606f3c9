//! Parts that this world does not have: the identity Worker, and texts beside the program.

use overturn_service::host::{AskError, Assets, IdentityChecks, PlatformError, Step};
use std::future::ready;

pub(crate) struct Nowhere;

impl IdentityChecks for Nowhere {
    fn ask<'a>(&'a self, _: &'a str, _: String) -> Step<'a, Result<String, AskError>> {
        Box::pin(ready(Err(AskError::Away)))
    }
}

impl Assets for Nowhere {
    fn text<'a>(&'a self, _: &'a str) -> Step<'a, Result<Option<String>, PlatformError>> {
        Box::pin(ready(Ok(None)))
    }
}
