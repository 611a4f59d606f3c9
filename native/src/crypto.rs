//! AES-256-GCM and SHA-256, in the assembly that TLS uses as well.

use overturn_service::host::{self, PlatformError, Step};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::digest::{Context, SHA256};
use std::future::ready;
use std::rc::Rc;

/// The cryptography of this program.
pub struct OwnCrypto;

impl host::Crypto for OwnCrypto {
    fn cipher<'a>(&'a self, key: &'a [u8; 32]) -> Step<'a, Result<Rc<dyn host::Cipher>, PlatformError>> {
        let cipher = UnboundKey::new(&AES_256_GCM, key).map(LessSafeKey::new);
        let cipher = cipher.map(|key| Rc::new(Cipher(key)) as Rc<dyn host::Cipher>);
        Box::pin(ready(cipher.map_err(|_| PlatformError)))
    }

    fn sha256(&self) -> Result<Box<dyn host::Sha256>, PlatformError> {
        Ok(Box::new(Hash(Context::new(&SHA256))))
    }
}

/// A key.
struct Cipher(LessSafeKey);

impl host::Cipher for Cipher {
    fn seal<'a>(&'a self, nonce: [u8; 12], aad: &'a [u8], plain: &'a [u8]) -> Step<'a, Result<Vec<u8>, PlatformError>> {
        let mut bytes = Vec::with_capacity(plain.len().saturating_add(AES_256_GCM.tag_len()));
        bytes.extend_from_slice(plain);
        let nonce = Nonce::assume_unique_for_key(nonce);
        let sealed = self.0.seal_in_place_append_tag(nonce, Aad::from(aad), &mut bytes);
        Box::pin(ready(sealed.map(|()| bytes).map_err(|_| PlatformError)))
    }

    fn open<'a>(
        &'a self,
        nonce: [u8; 12],
        aad: &'a [u8],
        sealed: &'a [u8],
    ) -> Step<'a, Result<Vec<u8>, PlatformError>> {
        let mut bytes = sealed.to_vec();
        let nonce = Nonce::assume_unique_for_key(nonce);
        let opened = self.0.open_in_place(nonce, Aad::from(aad), &mut bytes);
        let length = opened.map(|plain| plain.len()).map_err(|_| PlatformError);
        Box::pin(ready(length.map(|length| {
            bytes.truncate(length);
            bytes
        })))
    }
}

struct Hash(Context);

impl host::Sha256 for Hash {
    fn update<'a>(&'a mut self, bytes: &'a [u8]) -> Step<'a, Result<(), PlatformError>> {
        self.0.update(bytes);
        Box::pin(ready(Ok(())))
    }

    fn finish(self: Box<Self>) -> Step<'static, Result<[u8; 32], PlatformError>> {
        let hash = self.0.finish().as_ref().try_into();
        Box::pin(ready(hash.map_err(|_| PlatformError)))
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
