//! Parts that this world does not have: a scanner, the identity Worker, and texts beside the program.

use overturn_service::host::{AskError, Assets, Connection, IdentityChecks, Network, PlatformError, Step};
use std::future::ready;

pub(crate) struct Nowhere;

impl Network for Nowhere {
    fn connect(&self, _: &str, _: u16, _: bool) -> Option<Box<dyn Connection>> {
        None
    }
}

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
