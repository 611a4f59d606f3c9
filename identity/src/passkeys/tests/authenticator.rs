//! An authenticator in software, with a browser around it. Its fields are what a test changes.

use data_encoding::BASE64URL_NOPAD;
use overturn_core::identity::passkeys::BegunCeremony;
use p256::ecdsa::signature::Signer;
use rsa::RsaPrivateKey;
use rsa::rand_core::OsRng;
use rsa::signature::SignatureEncoding;
use rsa::traits::PublicKeyParts;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::OnceLock;

pub(super) const PRESENT: u8 = 0x01;
pub(super) const VERIFIED: u8 = 0x04;
pub(super) const ELIGIBLE: u8 = 0x08;
pub(super) const BACKED_UP: u8 = 0x10;
const ATTESTED: u8 = 0x40;

/// The start of a P-256 key in DER form (SubjectPublicKeyInfo). The point follows.
const SPKI: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
    0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

#[derive(Clone)]
pub(super) enum Key {
    Es256(p256::ecdsa::SigningKey),
    Es384(p384::ecdsa::SigningKey),
    EdDsa(ed25519_dalek::SigningKey),
    Rs256(&'static RsaPrivateKey),
}

impl Key {
    pub(super) fn es256(seed: u8) -> Self {
        Self::Es256(p256::ecdsa::SigningKey::from_slice(&[seed; 32]).unwrap())
    }

    pub(super) fn others() -> [Self; 3] {
        static RSA: OnceLock<RsaPrivateKey> = OnceLock::new();
        [
            Self::Es384(p384::ecdsa::SigningKey::from_slice(&[3; 48]).unwrap()),
            Self::EdDsa(ed25519_dalek::SigningKey::from_bytes(&[3; 32])),
            Self::Rs256(RSA.get_or_init(|| RsaPrivateKey::new(&mut OsRng, 2048).unwrap())),
        ]
    }

    fn sign(&self, text: &[u8]) -> Vec<u8> {
        match self {
            Self::Es256(key) => {
                let signature: p256::ecdsa::Signature = key.sign(text);
                signature.to_der().as_bytes().to_vec()
            }
            Self::Es384(key) => {
                let signature: p384::ecdsa::Signature = key.sign(text);
                signature.to_der().as_bytes().to_vec()
            }
            Self::EdDsa(key) => key.sign(text).to_vec(),
            Self::Rs256(key) => {
                let key = rsa::pkcs1v15::SigningKey::<rsa::sha2::Sha256>::new((*key).clone());
                rsa::signature::Signer::sign(&key, text).to_vec()
            }
        }
    }

    /// The public key as a COSE key. `claimed` is the algorithm of a P-256 key, in CBOR.
    fn cose(&self, claimed: &[u8]) -> Vec<u8> {
        match self {
            Self::Es256(key) => {
                let point = key.verifying_key().to_sec1_point(false);
                let (x, y) = point.as_bytes()[1..].split_at(32);
                let head = [b"\xa5\x01\x02\x03", claimed, b"\x20\x01\x21\x58\x20"].concat();
                [&head, x, b"\x22\x58\x20", y].concat()
            }
            Self::Es384(key) => {
                let point = key.verifying_key().to_sec1_point(false);
                let (x, y) = point.as_bytes()[1..].split_at(48);
                let head = b"\xa5\x01\x02\x03\x38\x22\x20\x02\x21\x58\x30";
                [&head[..], x, b"\x22\x58\x30", y].concat()
            }
            Self::EdDsa(key) => {
                let head = b"\xa4\x01\x01\x03\x27\x20\x06\x21\x58\x20";
                [&head[..], key.verifying_key().as_bytes()].concat()
            }
            Self::Rs256(key) => {
                let head = b"\xa4\x01\x03\x03\x39\x01\x00\x20\x59\x01\x00";
                let exponent = b"\x21\x43\x01\x00\x01";
                [&head[..], &key.n().to_bytes_be(), exponent].concat()
            }
        }
    }
}

#[derive(Clone)]
pub(super) struct Authenticator {
    pub(super) key: Key,
    pub(super) id: Vec<u8>,
    pub(super) user: Option<Vec<u8>>,
    pub(super) rp_id: &'static str,
    pub(super) flags: u8,
    pub(super) counter: u32,
    /// The algorithm that a P-256 key claims to have, in CBOR. -7 is ES256.
    pub(super) algorithm: &'static [u8],
    pub(super) browser: Browser,
}

#[derive(Clone)]
pub(super) struct Browser {
    pub(super) origin: &'static str,
    pub(super) challenge: Option<String>,
    pub(super) kind: Option<&'static str>,
    /// The last members of the client data.
    pub(super) rest: &'static str,
}

impl Authenticator {
    pub(super) fn new(seed: u8, user: &[u8]) -> Self {
        Self {
            key: Key::es256(seed),
            id: vec![seed; 24],
            user: Some(user.to_vec()),
            rp_id: "overturn.example",
            flags: PRESENT | VERIFIED | ELIGIBLE | BACKED_UP,
            counter: 7,
            algorithm: &[0x26],
            browser: Browser {
                origin: "https://overturn.example",
                challenge: None,
                kind: None,
                rest: r#","crossOrigin":false"#,
            },
        }
    }

    pub(super) fn register(&self, begun: &BegunCeremony) -> Value {
        let client_data = self.client_data(begun, "webauthn.create");
        let attested = [&self.auth_data(self.flags | ATTESTED)[..], &self.attested()].concat();
        let size = u16::try_from(attested.len()).unwrap().to_be_bytes();
        let size = if size[0] == 0 { vec![0x58, size[1]] } else { vec![0x59, size[0], size[1]] };
        let object = [b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData", &size[..], &attested].concat();
        let mut credential = json!({
            "id": encode(&self.id),
            "rawId": encode(&self.id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": { "credProps": { "rk": true }, "prf": { "enabled": true } },
            "response": {
                "clientDataJSON": encode(client_data.as_bytes()),
                "attestationObject": encode(&object),
                "authenticatorData": encode(&attested),
                "transports": ["internal", "hybrid", "telepathy"],
            },
        });
        if let Key::Es256(key) = &self.key {
            let point = key.verifying_key().to_sec1_point(false);
            credential["response"]["publicKey"] = encode(&[&SPKI, point.as_bytes()].concat()).into();
            credential["response"]["publicKeyAlgorithm"] = (-7).into();
        }
        credential
    }

    pub(super) fn assert(&self, begun: &BegunCeremony) -> Value {
        let client_data = self.client_data(begun, "webauthn.get");
        let auth_data = self.auth_data(self.flags);
        let signed = [&auth_data[..], &Sha256::digest(client_data.as_bytes())].concat();
        let signature = self.key.sign(&signed);
        json!({
            "id": encode(&self.id),
            "rawId": encode(&self.id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": { "prf": { "results": { "first": "AAAA" } } },
            "response": {
                "clientDataJSON": encode(client_data.as_bytes()),
                "authenticatorData": encode(&auth_data),
                "signature": encode(&signature),
                "userHandle": self.user.as_deref().map(encode),
            },
        })
    }

    fn client_data(&self, begun: &BegunCeremony, kind: &str) -> String {
        let asked = begun.options["challenge"].as_str().unwrap();
        let challenge = self.browser.challenge.as_deref().unwrap_or(asked);
        let kind = self.browser.kind.unwrap_or(kind);
        let (origin, rest) = (self.browser.origin, self.browser.rest);
        format!(r#"{{"type":"{kind}","challenge":"{challenge}","origin":"{origin}"{rest}}}"#)
    }

    fn auth_data(&self, flags: u8) -> Vec<u8> {
        let rp = Sha256::digest(self.rp_id.as_bytes());
        [&rp[..], &[flags], &self.counter.to_be_bytes()].concat()
    }

    fn attested(&self) -> Vec<u8> {
        let size = u16::try_from(self.id.len()).unwrap().to_be_bytes();
        let key = self.key.cose(self.algorithm);
        [&[9; 16][..], &size, &self.id, &key].concat()
    }
}

pub(super) fn encode(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}

pub(super) fn decode(text: &Value) -> Vec<u8> {
    BASE64URL_NOPAD.decode(text.as_str().unwrap().as_bytes()).unwrap()
}
