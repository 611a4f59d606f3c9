//! Seals and opens the chunks of a document with the platform's AES-256-GCM, and hashes its bytes.
//!
//! The platform's own code does both at a fifth of what they cost in wasm (docs/DECISIONS.md). The form is that of
//! `overturn_store::documents::stream`.

use overturn_core::base::id::PracticeId;
use overturn_store::documents::stream;
use uuid::Uuid;
use worker::crypto::{DigestStream, DigestStreamAlgorithm};
use worker::js_sys::futures::JsFuture;
use worker::js_sys::{Array, ArrayBuffer, Object, Promise, Reflect, Uint8Array};
use worker::wasm_bindgen::{self, JsCast, JsValue, prelude::wasm_bindgen};
use worker::web_sys::WritableStreamDefaultWriter;

#[wasm_bindgen]
extern "C" {
    type Subtle;
    #[wasm_bindgen(thread_local_v2, js_namespace = crypto, js_name = subtle)]
    static SUBTLE: Subtle;
    #[wasm_bindgen(method, catch, js_name = importKey)]
    fn import_key(
        this: &Subtle,
        format: &str,
        key: &Uint8Array,
        algorithm: &str,
        extractable: bool,
        usages: &Array,
    ) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn encrypt(
        this: &Subtle,
        algorithm: &Object,
        key: &JsValue,
        bytes: &Uint8Array,
    ) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn decrypt(
        this: &Subtle,
        algorithm: &Object,
        key: &JsValue,
        bytes: &Uint8Array,
    ) -> Result<Promise, JsValue>;
}

/// The platform could not seal, or a chunk does not open. There is no cause: an attacker must not learn how far a
/// changed chunk was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CipherError;

impl From<JsValue> for CipherError {
    fn from(_: JsValue) -> Self {
        Self
    }
}

/// The key of one document, bound to the document.
pub(crate) struct Cipher {
    key: JsValue,
    aad: Uint8Array,
}

impl Cipher {
    /// The cipher of a document.
    ///
    /// # Errors
    ///
    /// The platform does not take the key.
    pub(crate) async fn new(
        practice: PracticeId,
        document: Uuid,
        key: &[u8; stream::KEY],
    ) -> Result<Self, CipherError> {
        let usages = Array::of2(&"encrypt".into(), &"decrypt".into());
        let key = Uint8Array::from(key.as_slice());
        let imported =
            SUBTLE.with(|subtle| subtle.import_key("raw", &key, "AES-GCM", false, &usages))?;
        Ok(Self {
            key: JsFuture::from(imported).await?,
            aad: Uint8Array::from(stream::aad(practice, document).as_slice()),
        })
    }

    /// Seals a chunk.
    ///
    /// # Errors
    ///
    /// The platform failed.
    pub(crate) async fn seal(
        &self,
        chunk: u32,
        is_last: bool,
        plain: &Uint8Array,
    ) -> Result<Uint8Array, CipherError> {
        let algorithm = self.algorithm(chunk, is_last)?;
        let sealed = SUBTLE.with(|subtle| subtle.encrypt(&algorithm, &self.key, plain))?;
        bytes(sealed).await
    }

    /// Opens a chunk.
    ///
    /// # Errors
    ///
    /// It was not sealed at this place with this key.
    pub(crate) async fn open(
        &self,
        chunk: u32,
        is_last: bool,
        sealed: &Uint8Array,
    ) -> Result<Uint8Array, CipherError> {
        let algorithm = self.algorithm(chunk, is_last)?;
        let plain = SUBTLE.with(|subtle| subtle.decrypt(&algorithm, &self.key, sealed))?;
        bytes(plain).await
    }

    fn algorithm(&self, chunk: u32, is_last: bool) -> Result<Object, CipherError> {
        let nonce = Uint8Array::from(stream::nonce(chunk, is_last).as_slice());
        let algorithm = Object::new();
        Reflect::set(&algorithm, &"name".into(), &"AES-GCM".into())?;
        Reflect::set(&algorithm, &"iv".into(), &nonce)?;
        Reflect::set(&algorithm, &"additionalData".into(), &self.aad)?;
        Ok(algorithm)
    }
}

async fn bytes(promise: Promise) -> Result<Uint8Array, CipherError> {
    let buffer: ArrayBuffer = JsFuture::from(promise).await?.unchecked_into();
    Ok(Uint8Array::new(&buffer))
}

/// The SHA-256 of bytes that come one after the other.
pub(crate) struct Sha256 {
    stream: DigestStream,
    writer: WritableStreamDefaultWriter,
}

impl Sha256 {
    /// A hash of nothing yet.
    ///
    /// # Errors
    ///
    /// The platform failed.
    pub(crate) fn new() -> Result<Self, CipherError> {
        let stream = DigestStream::new(DigestStreamAlgorithm::Sha256);
        let writer = stream.raw().get_writer()?;
        Ok(Self { stream, writer })
    }

    /// Adds bytes.
    ///
    /// # Errors
    ///
    /// The platform failed.
    pub(crate) async fn update(&self, bytes: &Uint8Array) -> Result<(), CipherError> {
        JsFuture::from(self.writer.write_with_chunk(bytes)).await?;
        Ok(())
    }

    /// The hash.
    ///
    /// # Errors
    ///
    /// The platform failed.
    pub(crate) async fn finish(self) -> Result<[u8; 32], CipherError> {
        JsFuture::from(self.writer.close()).await?;
        let digest = self.stream.digest().await.map_err(|_| CipherError)?;
        digest.to_vec().try_into().map_err(|_| CipherError)
    }
}
