//! Parts that this world does not have: documents with their bucket, cipher and scanner, the identity Worker, and texts beside
//! the program.

use overturn_service::host::{
    AskError, Assets, Bucket, Cipher, Connection, Crypto, IdentityChecks, Network, Parts, PlatformError, Reader,
    Sha256, Step,
};
use std::future::ready;
use std::rc::Rc;

pub(crate) struct Nowhere;

type Answer<'a, T> = Step<'a, Result<T, PlatformError>>;

fn none<'a, T: 'a>() -> Answer<'a, T> {
    Box::pin(ready(Err(PlatformError)))
}

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
    fn text<'a>(&'a self, _: &'a str) -> Answer<'a, Option<String>> {
        Box::pin(ready(Ok(None)))
    }
}

impl Crypto for Nowhere {
    fn cipher<'a>(&'a self, _: &'a [u8; 32]) -> Answer<'a, Rc<dyn Cipher>> {
        none()
    }

    fn sha256(&self) -> Result<Box<dyn Sha256>, PlatformError> {
        Err(PlatformError)
    }
}

impl Bucket for Nowhere {
    fn put<'a>(&'a self, _: &'a str, _: Vec<u8>) -> Answer<'a, ()> {
        none()
    }

    fn size<'a>(&'a self, _: &'a str) -> Answer<'a, Option<u64>> {
        none()
    }

    fn begin<'a>(&'a self, _: &'a str) -> Answer<'a, Box<dyn Parts>> {
        none()
    }

    fn get<'a>(&'a self, _: &'a str, _: u64, _: u64) -> Answer<'a, Option<Box<dyn Reader>>> {
        none()
    }

    fn delete<'a>(&'a self, _: &'a str) -> Answer<'a, ()> {
        none()
    }

    fn abort<'a>(&'a self, _: &'a str, _: &'a str) -> Answer<'a, ()> {
        none()
    }
}
