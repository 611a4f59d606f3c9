//! The platform's own AES-256-GCM and SHA-256. They cost a fifth of what they would cost in wasm (docs/DECISIONS.md).

use crate::byte_reader::release;
use overturn_service::host::{self, PlatformError, Step};
use std::rc::Rc;
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
    fn encrypt(this: &Subtle, algorithm: &Object, key: &JsValue, bytes: &Uint8Array) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn decrypt(this: &Subtle, algorithm: &Object, key: &JsValue, bytes: &Uint8Array) -> Result<Promise, JsValue>;
}

/// The cryptography of the platform.
pub(crate) struct WebCrypto;

impl host::Crypto for WebCrypto {
    fn cipher<'a>(&'a self, key: &'a [u8; 32]) -> Step<'a, Result<Rc<dyn host::Cipher>, PlatformError>> {
        Box::pin(async move {
            let key = import(key).await.map_err(|_| PlatformError)?;
            Ok(Rc::new(Cipher(key)) as Rc<dyn host::Cipher>)
        })
    }

    fn sha256(&self) -> Result<Box<dyn host::Sha256>, PlatformError> {
        let stream = DigestStream::new(DigestStreamAlgorithm::Sha256);
        let writer = stream.raw().get_writer().map_err(|_| PlatformError)?;
        Ok(Box::new(Sha256 { stream, writer }))
    }
}

async fn import(key: &[u8; 32]) -> Result<JsValue, JsValue> {
    let usages = Array::of2(&"encrypt".into(), &"decrypt".into());
    let key = Uint8Array::from(key.as_slice());
    let imported = SUBTLE.with(|subtle| subtle.import_key("raw", &key, "AES-GCM", false, &usages))?;
    JsFuture::from(imported).await
}

/// A key of the platform.
struct Cipher(JsValue);

impl host::Cipher for Cipher {
    fn seal<'a>(&'a self, nonce: [u8; 12], aad: &'a [u8], plain: &'a [u8]) -> Step<'a, Result<Vec<u8>, PlatformError>> {
        Box::pin(done(plain, move |plain| {
            let algorithm = algorithm(nonce, aad)?;
            SUBTLE.with(|subtle| subtle.encrypt(&algorithm, &self.0, plain))
        }))
    }

    fn open<'a>(
        &'a self,
        nonce: [u8; 12],
        aad: &'a [u8],
        sealed: &'a [u8],
    ) -> Step<'a, Result<Vec<u8>, PlatformError>> {
        Box::pin(done(sealed, move |sealed| {
            let algorithm = algorithm(nonce, aad)?;
            SUBTLE.with(|subtle| subtle.decrypt(&algorithm, &self.0, sealed))
        }))
    }
}

fn algorithm(nonce: [u8; 12], aad: &[u8]) -> Result<Object, JsValue> {
    let algorithm = Object::new();
    let nonce = Uint8Array::from(nonce.as_slice());
    Reflect::set(&algorithm, &"name".into(), &"AES-GCM".into())?;
    Reflect::set(&algorithm, &"iv".into(), &nonce)?;
    Reflect::set(&algorithm, &"additionalData".into(), &Uint8Array::from(aad))?;
    Ok(algorithm)
}

/// What the platform makes of bytes. The memory of both is given back.
async fn done(
    bytes: &[u8],
    begin: impl FnOnce(&Uint8Array) -> Result<Promise, JsValue>,
) -> Result<Vec<u8>, PlatformError> {
    let bytes = Uint8Array::from(bytes);
    let made = match begin(&bytes) {
        Ok(begun) => JsFuture::from(begun).await,
        Err(error) => Err(error),
    };
    release(&bytes);
    let made: ArrayBuffer = made.map_err(|_| PlatformError)?.unchecked_into();
    let made = Uint8Array::new(&made);
    let copied = made.to_vec();
    release(&made);
    Ok(copied)
}

/// The stream that hashes what is written to it.
struct Sha256 {
    stream: DigestStream,
    writer: WritableStreamDefaultWriter,
}

impl host::Sha256 for Sha256 {
    fn update<'a>(&'a mut self, bytes: &'a [u8]) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(async move {
            let bytes = Uint8Array::from(bytes);
            let written = JsFuture::from(self.writer.write_with_chunk(&bytes)).await;
            release(&bytes);
            written.map(drop).map_err(|_| PlatformError)
        })
    }

    fn finish(self: Box<Self>) -> Step<'static, Result<[u8; 32], PlatformError>> {
        Box::pin(async move {
            let closed = JsFuture::from(self.writer.close()).await;
            closed.map_err(|_| PlatformError)?;
            let digest = self.stream.digest().await.map_err(|_| PlatformError)?;
            digest.to_vec().try_into().map_err(|_| PlatformError)
        })
    }
}
