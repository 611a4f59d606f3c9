//! Seals and opens the chunks of a document with the platform's AES-256-GCM.
//!
//! On Workers, the platform's own code does it at a fifth of what it costs in wasm (docs/DECISIONS.md). The form is
//! that of `crate::store::documents::stream`.

use crate::app::App;
use crate::error::AppError;
use crate::host::{self, PlatformError};
use crate::store::documents::stream;
use overturn_core::base::id::PracticeId;
use std::rc::Rc;
use uuid::Uuid;

/// The platform could not seal or hash, or a chunk does not open. There is no cause: an attacker must not learn how far a
/// changed chunk was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CipherError;

impl From<PlatformError> for CipherError {
    fn from(_: PlatformError) -> Self {
        Self
    }
}

impl From<CipherError> for AppError {
    fn from(_: CipherError) -> Self {
        Self::Unavailable("cipher")
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
