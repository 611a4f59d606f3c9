//! AES-256-GCM and SHA-256, with the instructions of the processor where it has them.

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Nonce};
use overturn_service::host::{self, PlatformError, Step};
use sha2::{Digest, Sha256};
use std::future::ready;
use std::rc::Rc;

/// The cryptography of this program.
pub(crate) struct OwnCrypto;

impl host::Crypto for OwnCrypto {
    fn cipher<'a>(
        &'a self,
        key: &'a [u8; 32],
    ) -> Step<'a, Result<Rc<dyn host::Cipher>, PlatformError>> {
        let cipher = Rc::new(Cipher(Aes256Gcm::new(key.into())));
        Box::pin(ready(Ok(cipher as Rc<dyn host::Cipher>)))
    }

    fn sha256(&self) -> Result<Box<dyn host::Sha256>, PlatformError> {
        Ok(Box::new(Hash(Sha256::new())))
    }
}

/// A key.
struct Cipher(Aes256Gcm);

impl host::Cipher for Cipher {
    fn seal<'a>(
        &'a self,
        nonce: [u8; 12],
        aad: &'a [u8],
        plain: &'a [u8],
    ) -> Step<'a, Result<Vec<u8>, PlatformError>> {
        let sealed = self
            .0
            .encrypt(&Nonce::from(nonce), Payload { msg: plain, aad });
        Box::pin(ready(sealed.map_err(|_| PlatformError)))
    }

    fn open<'a>(
        &'a self,
        nonce: [u8; 12],
        aad: &'a [u8],
        sealed: &'a [u8],
    ) -> Step<'a, Result<Vec<u8>, PlatformError>> {
        let opened = self
            .0
            .decrypt(&Nonce::from(nonce), Payload { msg: sealed, aad });
        Box::pin(ready(opened.map_err(|_| PlatformError)))
    }
}

struct Hash(Sha256);

impl host::Sha256 for Hash {
    fn update<'a>(&'a mut self, bytes: &'a [u8]) -> Step<'a, Result<(), PlatformError>> {
        self.0.update(bytes);
        Box::pin(ready(Ok(())))
    }

    fn finish(self: Box<Self>) -> Step<'static, Result<[u8; 32], PlatformError>> {
        Box::pin(ready(Ok(self.0.finalize().into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;
    use overturn_service::host::Crypto as _;

    #[test]
    fn sealed_bytes_open_only_with_their_key_nonce_and_data() {
        let cipher = |key: u8| {
            let made = OwnCrypto.cipher(&[key; 32]).now_or_never();
            made.unwrap().unwrap()
        };
        let sealed = cipher(1).seal([2; 12], b"data", b"plain").now_or_never();
        let sealed = sealed.unwrap().unwrap();
        let open = |key, nonce, aad: &[u8]| {
            let opened = cipher(key).open([nonce; 12], aad, &sealed).now_or_never();
            opened.unwrap().ok()
        };
        assert_eq!(open(1, 2, b"data").as_deref(), Some(b"plain".as_slice()));
        assert_eq!(open(3, 2, b"data"), None);
        assert_eq!(open(1, 3, b"data"), None);
        assert_eq!(open(1, 2, b"date"), None);
    }

    #[test]
    fn a_hash_is_that_of_all_pieces() {
        let mut hash = OwnCrypto.sha256().unwrap();
        for piece in [b"a", b"b", b"c"] {
            hash.update(piece).now_or_never().unwrap().unwrap();
        }
        let hash = hash.finish().now_or_never().unwrap().unwrap();
        let hash = data_encoding::HEXLOWER.encode(&hash);
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash, abc);
    }
}
