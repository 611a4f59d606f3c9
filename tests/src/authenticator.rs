//! An authenticator in software, with the part of a browser that it needs.

use crate::tenant;
use data_encoding::BASE64URL_NOPAD;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const ELIGIBLE: u8 = 0x08;
const BACKED_UP: u8 = 0x10;
const ATTESTED: u8 = 0x40;

/// An authenticator with one passkey. Its public fields are what a test changes.
#[derive(Clone)]
pub struct Authenticator {
    key: SigningKey,
    id: Vec<u8>,
    /// The user handle, which comes with the registration.
    user: String,
    /// The origin of the page.
    pub origin: String,
    /// The counter of the next use; 0 if the passkey has none.
    pub counter: u32,
    /// True if it verifies the person.
    pub verifies: bool,
    /// True if its passkey is synced to other devices.
    pub synced: bool,
}

impl std::fmt::Debug for Authenticator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authenticator").finish_non_exhaustive()
    }
}

impl Authenticator {
    /// A security key, whose passkey counts its uses, under a page of this origin.
    pub fn new(origin: &str) -> Self {
        Self {
            key: SigningKey::from_slice(&tenant::random::<32>()).unwrap(),
            id: tenant::random::<24>().into(),
            user: String::new(),
            origin: origin.into(),
            counter: 1,
            verifies: true,
            synced: false,
        }
    }

    /// A password manager, whose passkey is synced and counts nothing.
    pub fn syncing(origin: &str) -> Self {
        Self { counter: 0, synced: true, ..Self::new(origin) }
    }

    /// The response to the options of a registration.
    pub fn create(&mut self, options: &Value) -> Value {
        self.user = options["user"]["id"].as_str().unwrap().into();
        let client_data = self.client_data(options, "webauthn.create");
        let rp = options["rp"]["id"].as_str().unwrap();
        let data = [self.data(rp, ATTESTED), self.attested()].concat();
        let size = u8::try_from(data.len()).unwrap();
        let head = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58";
        let object = [&head[..], &[size], &data].concat();
        let response = json!({
            "clientDataJSON": encode(client_data.as_bytes()),
            "attestationObject": encode(&object),
            "transports": ["internal", "hybrid"],
        });
        self.credential(&response)
    }

    /// The response to the options of an assertion. The counter goes up.
    pub fn get(&mut self, options: &Value) -> Value {
        let client_data = self.client_data(options, "webauthn.get");
        let data = self.data(options["rpId"].as_str().unwrap(), 0);
        let signed = [&data[..], &Sha256::digest(client_data.as_bytes())].concat();
        let signature: Signature = self.key.sign(&signed);
        let response = json!({
            "clientDataJSON": encode(client_data.as_bytes()),
            "authenticatorData": encode(&data),
            "signature": encode(signature.to_der().as_bytes()),
            "userHandle": self.user,
        });
        self.credential(&response)
    }

    pub fn id(&self) -> String {
        encode(&self.id)
    }

    fn credential(&mut self, response: &Value) -> Value {
        self.counter += u32::from(self.counter > 0);
        json!({
            "id": self.id(),
            "rawId": self.id(),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": response,
        })
    }

    fn client_data(&self, options: &Value, kind: &str) -> String {
        let challenge = options["challenge"].as_str().unwrap();
        let origin = &self.origin;
        format!(r#"{{"type":"{kind}","challenge":"{challenge}","origin":"{origin}","crossOrigin":false}}"#)
    }

    fn data(&self, rp_id: &str, more: u8) -> Vec<u8> {
        let mut flags = PRESENT | more;
        if self.verifies {
            flags |= VERIFIED;
        }
        if self.synced {
            flags |= ELIGIBLE | BACKED_UP;
        }
        let rp = Sha256::digest(rp_id.as_bytes());
        [&rp[..], &[flags], &self.counter.to_be_bytes()].concat()
    }

    /// The credential id and the public key, in COSE.
    fn attested(&self) -> Vec<u8> {
        let point = self.key.verifying_key().to_sec1_point(false);
        let size = u16::try_from(self.id.len()).unwrap().to_be_bytes();
        [
            &[0; 16][..],
            &size,
            &self.id,
            b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20",
            &point.as_bytes()[1..33],
            b"\x22\x58\x20",
            &point.as_bytes()[33..],
        ]
        .concat()
    }
}

fn encode(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}
