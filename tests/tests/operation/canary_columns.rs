//! Every sealed column has a canary, and the tests search for it everywhere outside.

use super::tour::Souvenirs;
use data_encoding::{BASE64, HEXLOWER};
use overturn_core::base::id::{DataKeyId, FactorId, PracticeId, UserId, WebhookId};
use overturn_core::base::open::Open;
use overturn_core::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use overturn_tests::prelude::*;
use overturn_tests::tenant::keyring;
use std::collections::BTreeMap;
use std::str::FromStr;

/// The test that covers each sealed column.
const LOOKED_FOR: [(&str, &str); 10] = [
    ("attempts.sealed", "canary_hooks"),
    ("claim_notes.sealed", "canary_work"),
    ("claims.sealed", "canary"),
    ("documents.sealed", "canary_documents"),
    ("factors.sealed", "canary_people"),
    ("practice_keys.wrapped", "canary_people"),
    ("signatures.sealed", "canary_signing"),
    ("signing_links.sealed", "canary_signing"),
    ("webhooks.old_sealed", "canary_people"),
    ("webhooks.sealed", "canary_people"),
];

#[test]
fn every_sealed_column_has_a_canary() {
    let mut columns: Vec<String> = SealedPlace::COLUMNS.iter().map(ToString::to_string).collect();
    columns.sort();
    assert_eq!(LOOKED_FOR.map(|(column, _)| column.to_owned()), *columns);
}

fn id<T: FromStr<Err: std::fmt::Debug>>(row: &Value, name: &str) -> T {
    row[name].as_str().unwrap().parse().unwrap()
}

/// Opens the values that the tour left in the columns of `canary_people`, and compares them with what answers handed
/// out. Returns the data keys in base64 and hexadecimal, which no answer hands out.
pub(super) fn opened(server: &Server, kept: &Souvenirs) -> Vec<String> {
    let (keyring, database) = (keyring(), server.database());
    let kept = |secret: &str| kept.secrets.iter().any(|(_, known, _)| known == secret);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut see = |place: SealedPlace| *seen.entry(place.column().to_string()).or_default() += 1;
    let mut raw = Vec::new();
    let mut stored: BTreeMap<String, StoredDataKey> = BTreeMap::new();
    for row in database.rows("SELECT * FROM practice_keys", &[]) {
        let parts = json!([row["version"], row["id"], row["key_version"], row["wrapped"]]);
        stored.insert(id(&row, "practice_id"), serde_json::from_value(parts).unwrap());
        let place =
            SealedPlace::DataKey { practice: PracticeId(id(&row, "practice_id")), id: DataKeyId(id(&row, "id")) };
        let version = KeyVersion(row["key_version"].as_i64().unwrap());
        let wrapped = row["wrapped"].as_str().unwrap();
        let key = keyring.wrapping(version).unwrap().open(place, wrapped).unwrap();
        raw.push(BASE64.encode(&key));
        raw.push(HEXLOWER.encode(&key));
        see(place);
    }
    for row in database.rows("SELECT * FROM webhooks", &[]) {
        let (practice, id) = (PracticeId(id(&row, "practice_id")), WebhookId(id(&row, "id")));
        let keys = keyring.of_practice(practice, stored.get(&practice.to_string()));
        for (place, version, sealed) in [
            (SealedPlace::WebhookSecret { practice, id }, "key_version", "sealed"),
            (SealedPlace::OldWebhookSecret { practice, id }, "old_key_version", "old_sealed"),
        ] {
            let version = KeyVersion(row[version].as_i64().unwrap());
            let secret = keys.open(place, version, row[sealed].as_str().unwrap()).unwrap();
            assert!(kept(&format!("whsec_{}", BASE64.encode(&secret))), "{place:?}");
            see(place);
        }
    }
    for row in database.rows("SELECT * FROM factors", &[]) {
        let place = SealedPlace::Factor { user: UserId(id(&row, "user_id")), id: FactorId(id(&row, "id")) };
        let key = keyring.account(KeyVersion(row["key_version"].as_i64().unwrap())).unwrap();
        let secret = BASE64.encode(&key.open(place, row["sealed"].as_str().unwrap()).unwrap());
        // The secret of the tour's person. The owner has one as well, which no request made.
        if kept(&secret) {
            see(place);
        }
    }
    let own = LOOKED_FOR.iter().filter(|(_, test)| *test == "canary_people");
    let own: Vec<&str> = own.map(|(column, _)| *column).collect();
    assert_eq!(seen.keys().collect::<Vec<_>>(), own);
    raw
}
