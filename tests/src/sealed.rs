//! Opens sealed values of the database with the service's keys.

use crate::tenant::Tenant;
use overturn_core::base::id::ClaimId;
use overturn_core::base::open::Open;
use overturn_core::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use overturn_service::store::keyring::Keyring;
use serde_json::Value;

/// The newest data key of a practice.
pub fn data_key(tenant: &Tenant<'_>) -> Option<StoredDataKey> {
    let sql = "SELECT version, id, key_version, wrapped FROM practice_keys
               WHERE practice_id = ?1 ORDER BY version DESC LIMIT 1";
    let row = tenant.rows(sql, &[]).pop()?;
    let row = ["version", "id", "key_version", "wrapped"].map(|name| row[name].clone());
    Some(serde_json::from_value(Value::from(row.to_vec())).unwrap())
}

pub fn opened(tenant: &Tenant<'_>, keys: &Keyring, place: SealedPlace, row: &Value) -> Vec<u8> {
    let version = KeyVersion(row["key_version"].as_i64().unwrap());
    let keys = keys.of_practice(tenant.id, data_key(tenant).as_ref());
    let sealed = row["sealed"].as_str().unwrap();
    keys.open(place, version, sealed).unwrap()
}

impl Tenant<'_> {
    /// The place of the sealed value in a claim's row.
    pub fn claim_place(&self, row: &Value) -> SealedPlace {
        SealedPlace::Claim { practice: self.id, id: ClaimId(row["id"].as_str().unwrap().parse().unwrap()) }
    }
}
