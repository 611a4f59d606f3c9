//! Seals and opens the chunks of a document with the platform's AES-256-GCM, and hashes its bytes.
//!
//! On Workers, the platform's own code does both at a fifth of what they cost in wasm (docs/DECISIONS.md). The form is
//! that of `overturn_store::documents::stream`.

use crate::app::App;
use crate::host::{self, PlatformError};
use overturn_core::base::id::PracticeId;
use overturn_store::documents::stream;
use std::rc::Rc;
use uuid::Uuid;

/// The platform could not seal, or a chunk does not open. There is no cause: an attacker must not learn how far a
/// changed chunk was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CipherError;

impl From<PlatformError> for CipherError {
    fn from(_: PlatformError) -> Self {
        Self
    }
}

/// The key of one document, bound to the document.
pub(crate) struct Cipher {
    key: Rc<dyn host::Cipher>,
    aad: Vec<u8>,
}

impl Cipher {
    /// The cipher of a document.
    ///
    /// # Errors
    ///
    /// The platform does not take the key.
    pub(crate) async fn new(
        app: &App,
        practice: PracticeId,
        document: Uuid,
        key: &[u8; stream::KEY],
    ) -> Result<Self, CipherError> {
        Ok(Self { key: app.host.crypto.cipher(key).await?, aad: stream::aad(practice, document) })
    }

    /// Seals a chunk.
    ///
    /// # Errors
    ///
    /// The platform failed.
    pub(crate) async fn seal(&self, chunk: u32, is_last: bool, plain: &[u8]) -> Result<Vec<u8>, CipherError> {
        let nonce = stream::nonce(chunk, is_last);
        Ok(self.key.seal(nonce, &self.aad, plain).await?)
    }

    /// Opens a chunk.
    ///
    /// # Errors
    ///
    /// It was not sealed at this place with this key.
    pub(crate) async fn open(&self, chunk: u32, is_last: bool, sealed: &[u8]) -> Result<Vec<u8>, CipherError> {
        let nonce = stream::nonce(chunk, is_last);
        Ok(self.key.open(nonce, &self.aad, sealed).await?)
    }
}

/// The SHA-256 of bytes that come one after the other.
pub(crate) struct Sha256(Box<dyn host::Sha256>);

impl Sha256 {
    /// A hash of nothing yet.
    ///
    /// # Errors
    ///
    /// The platform failed.
    pub(crate) fn new(app: &App) -> Result<Self, CipherError> {
        Ok(Self(app.host.crypto.sha256()?))
    }

    /// Adds bytes.
    ///
    /// # Errors
    ///
    /// The platform failed.
    pub(crate) async fn update(&mut self, bytes: &[u8]) -> Result<(), CipherError> {
        Ok(self.0.update(bytes).await?)
    }

    /// The hash.
    ///
    /// # Errors
    ///
    /// The platform failed.
    pub(crate) async fn finish(self) -> Result<[u8; 32], CipherError> {
        Ok(self.0.finish().await?)
    }
}
