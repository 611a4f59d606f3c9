//! Opens sealed values of the database with the service's keys, and rewrites them in the form used before practices had
//! data keys.

use crate::tenant::{Tenant, random};
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use data_encoding::{BASE64, BASE64_NOPAD};
use hmac::{Hmac, Mac};
use overturn_core::base::id::ClaimId;
use overturn_core::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use overturn_core::plan::claims::OpenedIdentity;
use overturn_core::request::open::Open;
use overturn_store::keyring::Keyring;
use serde_json::Value;
use sha2::Sha256;
use uuid::Uuid;

/// The newest data key of a practice.
#[must_use]
pub fn data_key(tenant: &Tenant<'_>) -> Option<StoredDataKey> {
    let sql = "SELECT version, id, key_version, wrapped FROM practice_keys
               WHERE practice_id = ?1 ORDER BY version DESC LIMIT 1";
    let row = tenant.rows(sql, &[]).pop()?;
    let row = ["version", "id", "key_version", "wrapped"].map(|name| row[name].clone());
    Some(serde_json::from_value(Value::from(row.to_vec())).unwrap())
}

#[must_use]
pub fn opened(tenant: &Tenant<'_>, keys: &Keyring, place: SealedPlace, row: &Value) -> Vec<u8> {
    let version = KeyVersion(row["key_version"].as_i64().unwrap());
    let keys = keys.of_practice(tenant.id, data_key(tenant).as_ref());
    let sealed = row["sealed"].as_str().unwrap();
    keys.open(place, version, sealed).unwrap()
}

/// A blob in the older form: sealed with a key of the service, bound to the owner, the record and the key's version.
/// `secret` is an entry of `SEALING_KEYS`.
#[must_use]
pub fn old_blob(secret: &str, place: SealedPlace, text: &[u8]) -> String {
    let (version, root) = secret.split_once(':').unwrap();
    let purpose: &[u8] = match place {
        SealedPlace::Factor { .. } => b"overturn account v1",
        _ => b"overturn seal v1",
    };
    let root = BASE64.decode(root.as_bytes()).unwrap();
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(&root).unwrap();
    mac.update(purpose);
    let key: [u8; 32] = mac.finalize().into_bytes().into();
    let version: u32 = version.parse().unwrap();
    let (owner, record): (Uuid, Uuid) = (place.owner(), place.record());
    let aad = [&owner.as_bytes()[..], &record.as_bytes()[..], &version.to_be_bytes()[..]].concat();
    let nonce: [u8; 24] = random();
    let payload = Payload { msg: text, aad: &aad };
    let cipher = XChaCha20Poly1305::new(&key.into());
    let sealed = cipher.encrypt(&XNonce::from(nonce), payload).unwrap();
    BASE64_NOPAD.encode(&[&nonce[..], &sealed].concat())
}

impl Tenant<'_> {
    /// The place of the sealed value in a claim's row.
    #[must_use]
    pub fn claim_place(&self, row: &Value) -> SealedPlace {
        SealedPlace::Claim { practice: self.id, id: ClaimId(row["id"].as_str().unwrap().parse().unwrap()) }
    }

    /// Rewrites a claim in the older form, sealed with an entry of `SEALING_KEYS`.
    pub fn make_old(&self, secret: &str, claim_number: &str) {
        let keys = Keyring::parse(secret).ok().unwrap();
        let row = self.row(claim_number);
        let place = self.claim_place(&row);
        let text = opened(self, &keys, place, &row);
        let facts: OpenedIdentity = serde_json::from_slice(&text).unwrap();
        let identity = keys.identity.current();
        let tags = identity.retag(self.id, claim_number, &facts);
        let version = keys.current().0.to_string();
        let blob = old_blob(secret, place, &text);
        let procedure = tags.procedure.unwrap_or_default();
        self.change(
            "UPDATE claims SET key_version = CAST(?3 AS INTEGER), sealed = ?4, patient_tag = ?5, procedure_tag = nullif(?6, '')
             WHERE practice_id = ?1 AND claim_number = ?2",
            &[claim_number, &version, &blob, &tags.patient, &procedure],
        );
    }
}
