//! Rows from before practices had data keys: sealed and tagged under the service's own keys, in the old form.

use super::fixture::{Fixture, claim, keys_of};
use crate::seal::tests::old_blob;
use overturn_core::base::id::{ClaimId, DocumentId, NoteId, PracticeId, SignatureId, SigningLinkId, WebhookId};
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use overturn_core::plan::claims::OpenedIdentity;
use overturn_core::request::open::Open;
use uuid::Uuid;

/// Rewrites every claim in the old form.
pub(super) fn claims(f: &mut Fixture) {
    let mut read =
        f.db.prepare("SELECT practice_id, id, claim_number, sealed FROM claims WHERE key_version < 0").unwrap();
    let rows: Vec<[String; 4]> = read
        .query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    drop(read);
    for [practice, id, number, sealed] in rows {
        let (practice, id) = (PracticeId(practice.parse().unwrap()), ClaimId(id.parse().unwrap()));
        let place = SealedPlace::Claim { practice, id };
        let keys = keys_of(&f.db, &f.keys, practice);
        let text = keys.open(place, KeyVersion(-1), &sealed).unwrap();
        let opened: OpenedIdentity = serde_json::from_slice(&text).unwrap();
        let tags = f.keys.identity.current().retag(practice, &number, &opened);
        let key = f.keys.sealing(KeyVersion(1)).unwrap();
        let blob = old_blob(key, place, &text, [3; 24]);
        let sql = "UPDATE claims SET key_version = 1, sealed = ?1, patient_tag = ?2, procedure_tag = ?3 WHERE id = ?4";
        let id = id.to_string();
        let params = rusqlite::params![blob, tags.patient, tags.procedure, id];
        assert_eq!(f.db.execute(sql, params).unwrap(), 1);
    }
}

/// One claim, and one row of every other table with sealed values of a practice, all in the old form. Returns the place
/// of each, and the query that reads its value, which is also the sealed text.
pub(super) fn seal_everything(f: &mut Fixture) -> Vec<(SealedPlace, String)> {
    f.send(&claim("A-1", "1.00"), |_| {});
    claims(f);
    f.db.pragma_update(None, "foreign_keys", false).unwrap();
    let [practice, claim, id] = [1, 2, 3].map(Uuid::from_u128);
    // Its key, because the re-seal begins with the data keys of all practices.
    let sql = "INSERT INTO practices (id, name, state, created_at) VALUES (?1, 'x', 'active', 1)";
    assert_eq!(f.db.execute(sql, [practice.to_string()]).unwrap(), 1);
    let of = PracticeId(practice);
    drop(keys_of(&f.db, &f.keys, of));

    let key = f.keys.sealing(KeyVersion(1)).unwrap();
    let seal = |place: SealedPlace| {
        let column = place.column();
        let sql = format!("SELECT {} FROM {}", column.name, column.table);
        let blob = old_blob(key, place, sql.as_bytes(), [7; 24]);
        (blob, (place, sql))
    };
    let (practice_id, claim_id) = (of, ClaimId(claim));
    let mut all = Vec::new();
    for (place, columns) in [
        (SealedPlace::Note { practice: practice_id, claim: claim_id, id: NoteId(id) }, "at, author) VALUES (1, 'x'"),
        (
            SealedPlace::SigningLink { practice: practice_id, claim: claim_id, id: SigningLinkId(id) },
            "hash, created_at, created_by, expires_at) VALUES ('x', 1, 'x', 1",
        ),
        (
            SealedPlace::Signature { practice: practice_id, claim: claim_id, id: SignatureId(id) },
            "link_id, signed_at) VALUES ('x', 1",
        ),
    ] {
        let table = place.column().table;
        let (blob, one) = seal(place);
        let own = format!(", '{practice}', '{claim}', '{id}', 1, '{blob}')");
        let columns = columns.replace(") VALUES", ", practice_id, claim_id, id, key_version, sealed) VALUES");
        f.db.execute_batch(&format!("INSERT INTO {table} ({columns}{own}")).unwrap();
        all.push(one);
    }
    let (practice_id, id_) = (of, WebhookId(id));
    let (new, one) = seal(SealedPlace::WebhookSecret { practice: practice_id, id: id_ });
    let (old, other) = seal(SealedPlace::OldWebhookSecret { practice: practice_id, id: id_ });
    f.db.execute_batch(&format!(
        "INSERT INTO webhooks (practice_id, id, url, events, state, key_version, sealed, old_key_version, old_sealed,
           old_until, created_at, created_by)
         VALUES ('{practice}', '{id}', 'x', 'x', 'active', 1, '{new}', 1, '{old}', 1, 1, 'x')"
    ))
    .unwrap();
    all.extend([one, other]);
    let (document, one) = seal(SealedPlace::Document { practice: practice_id, id: DocumentId(id) });
    f.db.execute_batch(&format!(
        "INSERT INTO documents (practice_id, id, kind, state, content_type, size, sha256, key_version, sealed,
           uploaded_by, uploaded_at)
         VALUES ('{practice}', '{id}', 'other', 'available', 'x', 1, 'x', 1, '{document}', 'x', 1)"
    ))
    .unwrap();
    all.push(one);
    all
}
