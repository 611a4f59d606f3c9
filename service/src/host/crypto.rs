//! Ciphers and hashes of the platform.

use super::step::{PlatformError, Step};
use crate::password::{Check, HashError, Password};
use std::rc::Rc;

/// AES-256-GCM and SHA-256 of the platform, for documents. On Workers they cost a fifth of what wasm does.
pub trait Crypto {
    /// Compares a password with a stored hash ([`Password::check`]). The answer depends on nothing else, so a host that needs no
    /// protection from guesses may remember it.
    fn check_password(&self, password: &Password, stored: Option<&str>) -> Check {
        password.check(stored)
    }

    /// The hash of a password to store ([`Password::hash`]).
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    fn hash_password(&self, password: &Password, salt: [u8; 16]) -> Result<String, HashError> {
        password.hash(salt)
    }

    /// The cipher of a key.
    ///
    /// # Errors
    ///
    /// The platform does not take the key.
    fn cipher<'a>(&'a self, key: &'a [u8; 32]) -> Step<'a, Result<Rc<dyn Cipher>, PlatformError>>;

    /// A SHA-256 of nothing yet.
    ///
    /// # Errors
    ///
    /// The platform failed.
    fn sha256(&self) -> Result<Box<dyn Sha256>, PlatformError>;
}

/// AES-256-GCM with one key.
pub trait Cipher {
    /// Seals bytes.
    ///
    /// # Errors
    ///
    /// The platform failed.
    fn seal<'a>(&'a self, nonce: [u8; 12], aad: &'a [u8], plain: &'a [u8]) -> Step<'a, Result<Vec<u8>, PlatformError>>;

    /// Opens bytes.
    ///
    /// # Errors
    ///
    /// They were not sealed with this key, nonce and data.
    fn open<'a>(&'a self, nonce: [u8; 12], aad: &'a [u8], sealed: &'a [u8])
    -> Step<'a, Result<Vec<u8>, PlatformError>>;
}

/// The SHA-256 of bytes that come one after the other.
pub trait Sha256 {
    /// Adds bytes.
    ///
    /// # Errors
    ///
    /// The platform failed.
    fn update<'a>(&'a mut self, bytes: &'a [u8]) -> Step<'a, Result<(), PlatformError>>;

    /// The hash.
    ///
    /// # Errors
    ///
    /// The platform failed.
    fn finish(self: Box<Self>) -> Step<'static, Result<[u8; 32], PlatformError>>;
}
