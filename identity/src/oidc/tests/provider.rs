//! A provider in software: keys and tokens, with everything open to a test's changes.

use super::NOW;
use data_encoding::BASE64URL_NOPAD;
use ed25519_dalek::Signer as _;
use hmac::{Hmac, KeyInit, Mac};
use rsa::RsaPrivateKey;
use rsa::pkcs8::{EncodePublicKey, LineEnding};
use rsa::rand_core::OsRng;
use rsa::sha2::{Sha256, Sha384, Sha512};
use rsa::signature::{RandomizedSigner, SignatureEncoding, Signer};
use rsa::traits::PublicKeyParts;
use serde_json::{Value, json};
use std::sync::OnceLock;

pub(super) enum Secret {
    Rsa(&'static RsaPrivateKey),
    P256(p256::ecdsa::SigningKey),
    P384(p384::ecdsa::SigningKey),
    Ed25519(ed25519_dalek::SigningKey),
    Symmetric(Vec<u8>),
}

pub(super) struct Key {
    secret: Secret,
    /// What the key set says of it.
    pub(super) public: Value,
}

impl Key {
    /// One of two RSA keys of 2048 bits (0 and 1), or one of 1024 bits (2).
    pub(super) fn rsa(kid: &str, which: usize) -> Self {
        static KEYS: [OnceLock<RsaPrivateKey>; 3] = [const { OnceLock::new() }; 3];
        let bits = if which == 2 { 1024 } else { 2048 };
        let key = KEYS[which].get_or_init(|| RsaPrivateKey::new(&mut OsRng, bits).unwrap());
        Self {
            public: json!({
                "kty": "RSA",
                "use": "sig",
                "kid": kid,
                "alg": "RS256",
                "n": encode(&key.n().to_bytes_be()),
                "e": encode(&key.e().to_bytes_be()),
            }),
            secret: Secret::Rsa(key),
        }
    }

    pub(super) fn p256(kid: &str) -> Self {
        let key = p256::ecdsa::SigningKey::from_slice(&[5; 32]).unwrap();
        let point = key.verifying_key().to_sec1_point(false);
        let (x, y) = (encode(&point.as_bytes()[1..33]), encode(&point.as_bytes()[33..]));
        Self { public: json!({ "kty": "EC", "crv": "P-256", "kid": kid, "x": x, "y": y }), secret: Secret::P256(key) }
    }

    pub(super) fn p384(kid: &str) -> Self {
        let key = p384::ecdsa::SigningKey::from_slice(&[5; 48]).unwrap();
        let point = key.verifying_key().to_sec1_point(false);
        let (x, y) = (encode(&point.as_bytes()[1..49]), encode(&point.as_bytes()[49..]));
        Self { public: json!({ "kty": "EC", "crv": "P-384", "kid": kid, "x": x, "y": y }), secret: Secret::P384(key) }
    }

    pub(super) fn ed25519(kid: &str) -> Self {
        let key = ed25519_dalek::SigningKey::from_bytes(&[5; 32]);
        let x = encode(key.verifying_key().as_bytes());
        Self { public: json!({ "kty": "OKP", "crv": "Ed25519", "kid": kid, "x": x }), secret: Secret::Ed25519(key) }
    }

    pub(super) fn symmetric(kid: &str, secret: &[u8]) -> Self {
        Self {
            public: json!({ "kty": "oct", "kid": kid, "k": encode(secret) }),
            secret: Secret::Symmetric(secret.to_vec()),
        }
    }

    /// The texts of the public key that an attacker may use as an HMAC secret.
    pub(super) fn public_texts(&self) -> Vec<Vec<u8>> {
        let Secret::Rsa(key) = &self.secret else {
            panic!("not RSA");
        };
        let public = key.to_public_key();
        let pem = public.to_public_key_pem(LineEnding::LF).unwrap();
        vec![
            pem.trim_end().as_bytes().to_vec(),
            pem.into_bytes(),
            public.to_public_key_der().unwrap().into_vec(),
            key.n().to_bytes_be(),
            self.public["n"].as_str().unwrap().as_bytes().to_vec(),
            self.public.to_string().into_bytes(),
        ]
    }

    pub(super) fn with(mut self, name: &str, value: Value) -> Self {
        self.public[name] = value;
        self
    }

    pub(super) fn without(mut self, name: &str) -> Self {
        self.public.as_object_mut().unwrap().remove(name);
        self
    }

    pub(super) fn set(&self) -> Value {
        set(&[self])
    }

    fn sign(&self, algorithm: &str, text: &[u8]) -> Vec<u8> {
        match (&self.secret, algorithm) {
            (Secret::Rsa(key), "RS384") => {
                let key = rsa::pkcs1v15::SigningKey::<Sha384>::new((*key).clone());
                key.sign(text).to_vec()
            }
            (Secret::Rsa(key), "RS512") => {
                let key = rsa::pkcs1v15::SigningKey::<Sha512>::new((*key).clone());
                key.sign(text).to_vec()
            }
            (Secret::Rsa(key), "PS256") => {
                let key = rsa::pss::SigningKey::<Sha256>::new((*key).clone());
                key.sign_with_rng(&mut OsRng, text).to_vec()
            }
            (Secret::Rsa(key), "PS384") => {
                let key = rsa::pss::SigningKey::<Sha384>::new((*key).clone());
                key.sign_with_rng(&mut OsRng, text).to_vec()
            }
            (Secret::Rsa(key), "PS512") => {
                let key = rsa::pss::SigningKey::<Sha512>::new((*key).clone());
                key.sign_with_rng(&mut OsRng, text).to_vec()
            }
            (Secret::Rsa(key), _) => {
                let key = rsa::pkcs1v15::SigningKey::<Sha256>::new((*key).clone());
                key.sign(text).to_vec()
            }
            (Secret::P256(key), _) => {
                let signature: p256::ecdsa::Signature = key.sign(text);
                signature.to_bytes().to_vec()
            }
            (Secret::P384(key), _) => {
                let signature: p384::ecdsa::Signature = key.sign(text);
                signature.to_bytes().to_vec()
            }
            (Secret::Ed25519(key), _) => key.sign(text).to_bytes().to_vec(),
            (Secret::Symmetric(secret), _) => {
                let mut mac = Hmac::<sha2::Sha256>::new_from_slice(secret).unwrap();
                mac.update(text);
                mac.finalize().into_bytes().to_vec()
            }
        }
    }
}

pub(super) fn set(keys: &[&Key]) -> Value {
    let keys: Vec<_> = keys.iter().map(|key| &key.public).collect();
    json!({ "keys": keys })
}

/// A token before its signature.
#[derive(Clone)]
pub(super) struct Token {
    pub(super) header: Value,
    pub(super) payload: Value,
}

impl Token {
    pub(super) fn new() -> Self {
        Self {
            header: json!({ "typ": "JWT", "alg": "RS256", "kid": "one" }),
            payload: json!({
                "iss": "https://login.provider.example/tenant",
                "aud": "overturn-client",
                "sub": "kim-at-the-provider",
                "exp": NOW + 3600,
                "iat": NOW - 5,
                "nonce": "nonce-of-the-browser",
                "email": "kim@practice.example",
                "email_verified": true,
                "name": "Kim Ångström",
                "amr": ["pwd", "mfa"],
                "acr": "urn:example:strong",
            }),
        }
    }

    pub(super) fn header(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.header[name] = value.into();
        self
    }

    pub(super) fn claim(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.payload[name] = value.into();
        self
    }

    pub(super) fn without(mut self, name: &str) -> Self {
        self.header.as_object_mut().unwrap().remove(name);
        self.payload.as_object_mut().unwrap().remove(name);
        self
    }

    pub(super) fn unsigned(&self) -> String {
        let header = encode(self.header.to_string().as_bytes());
        format!("{header}.{}", encode(self.payload.to_string().as_bytes()))
    }

    pub(super) fn signed(&self, key: &Key) -> String {
        let text = self.unsigned();
        let algorithm = self.header["alg"].as_str().unwrap();
        let signature = encode(&key.sign(algorithm, text.as_bytes()));
        format!("{text}.{signature}")
    }
}

pub(super) fn encode(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}
