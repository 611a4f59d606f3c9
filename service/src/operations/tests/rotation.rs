//! Key rotation: what gets another key, and what is only opened.
#![expect(clippy::arithmetic_side_effects, reason = "small numbers of a test")]

use crate::operations::reseal;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::{BOTH_KEYS, Fixture, NEW_KEY, batch, claim, keys_of};
use overturn_core::base::id::{
    AttemptId, ClaimId, DocumentId, NoteId, PracticeId, SignatureId, SigningLinkId, WebhookId,
};
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use uuid::Uuid;

/// What a re-seal did.
#[derive(PartialEq, Eq, Debug, Default)]
struct Done {
    data_keys: usize,
    factors: usize,
    /// Values that opened and stay.
    intact: usize,
    /// Values that no key opened.
    unreadable: usize,
}

/// Re-seals everything. `between` runs after each page is read and before it is written.
fn reseal_all(f: &mut Fixture, mut between: impl FnMut(&mut Fixture)) -> Done {
    let (mut next, mut done) = (Some(reseal::BEGIN), Done::default());
    while let Some(after) = next {
        let json = f.read(&reseal::read(after));
        between(f);
        let ctx = f.ctx();
        let page = reseal::page((after, json.as_deref()), &f.keys, &mut || [9; 24], &ctx).unwrap();
        let resealed = page.result.resealed;
        match page.of {
            "data_keys" => done.data_keys += resealed,
            "factors" => done.factors += resealed,
            of => assert!(page.result.writes.is_empty(), "{of}"),
        }
        done.intact += page.result.intact;
        done.unreadable += page.result.unreadable;
        let statements = f.statements(&ctx, page.result.writes);
        for statement in &statements {
            f.assert_indexed(statement, &["VIRTUAL TABLE", "CONSTANT ROW", "SCAN f"]);
        }
        f.run(&statements).unwrap();
        // The second time, as after a lost answer, its audit row stops it.
        let again = f.run(&statements).map(|done| done.len());
        assert!(matches!(again, Ok(0) | Err(DatabaseError::Conflict(FailedGuard::Done))), "{again:?}");
        next = page.next;
    }
    done
}

fn error(answer: &serde_json::Value) -> String {
    let error = answer["claims"][0]["error"].as_str();
    error.unwrap_or_default().to_owned()
}

fn with_procedure() -> String {
    claim("P-1", "1.00").replace("\"payer_name\"", "\"procedure_code\": \"99213\", \"payer_name\"")
}

/// Every claim opens to the same content as before.
fn assert_same(f: &mut Fixture) {
    let rows = "SELECT (SELECT count(*) FROM claim_events) + (SELECT count(*) FROM audit)";
    let before = f.count(rows);
    let same = f.send(&batch(0..100), |_| {});
    assert_eq!(f.count(rows), before, "nothing to write");
    let items = same["claims"].as_array().unwrap();
    assert!(items.iter().all(|item| item["status"] == "received"));
    let other_patient = claim("B-1", "10.00").replace("Jane", "June");
    assert!(error(&f.send(&other_patient, |_| {})).ends_with("different patient"));
    let other_claim = with_procedure().replace("99213", "99214");
    assert!(error(&f.send(&other_claim, |_| {})).ends_with("different claim"));
}

#[test]
fn a_rotation_wraps_data_keys_anew_and_moves_no_claim_while_senders_go_on() {
    let mut f = Fixture::new();
    let other = f.provision(2);
    for n in 0..7 {
        f.send(&batch(n * 100..(n + 1) * 100), |_| {});
    }
    f.send(&with_procedure(), |_| {});
    let blobs = "SELECT group_concat(sealed || patient_tag || key_version) FROM claims
                 WHERE claim_number <> 'N-1'
                   AND practice_id = (SELECT id FROM practices WHERE name = 'Practice 1')";
    let text = |f: &Fixture| -> String { f.db.query_row(blobs, [], |row| row.get(0)).unwrap() };
    let before = text(&f);
    f.rekey(BOTH_KEYS);
    let mut sent = false;
    let done = reseal_all(&mut f, |f| {
        if !std::mem::replace(&mut sent, true) {
            f.send(&claim("N-1", "1.00"), |_| {});
            // A practice whose first send comes meanwhile has the new key from the beginning.
            let first = std::mem::replace(&mut f.key_hash, other.clone());
            f.send(&batch(0..5), |_| {});
            f.key_hash = first;
        }
    });
    assert_eq!(done, Done { data_keys: 1, intact: 707, ..Done::default() });
    assert_eq!(text(&f), before, "no claim was touched");
    assert_eq!(f.count("SELECT count(*) FROM practice_keys WHERE key_version = 2 AND version = 1"), 2);
    let wrapped = "SELECT count(*) FROM audit WHERE action = 'data_keys.resealed'";
    assert_eq!(f.count(wrapped), 1);
    f.rekey(NEW_KEY);
    assert_same(&mut f);
    assert_eq!(reseal_all(&mut f, |_| {}), Done { intact: 709, ..Done::default() });
    f.key_hash = other;
    f.send(&batch(0..5), |_| panic!("nothing to write"));
}

#[test]
fn a_value_that_no_key_opens_is_not_changed_and_is_counted() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    f.rekey(NEW_KEY);
    // The claim, and the data key that is wrapped under the lost key.
    assert_eq!(reseal_all(&mut f, |_| {}), Done { unreadable: 2, ..Done::default() });
    assert_eq!(f.count("SELECT key_version FROM practice_keys"), 1);
}

#[test]
fn a_destroyed_data_key_is_not_a_fault() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    f.db.execute("UPDATE practice_keys SET wrapped = NULL, destroyed_at = 1", []).unwrap();
    for keys in [None, Some(BOTH_KEYS)] {
        keys.into_iter().for_each(|keys| f.rekey(keys));
        assert_eq!(reseal_all(&mut f, |_| {}).unreadable, 0);
    }
    assert_eq!(f.count("SELECT count(*) FROM practice_keys WHERE wrapped IS NOT NULL"), 0);
}

#[test]
fn every_second_factor_comes_along_and_opens_to_the_same_secret() {
    let mut f = Fixture::new();
    let people: Vec<_> = (0..=255).flat_map(|n| [f.enrol(n), f.enrol(n)]).collect();
    f.rekey(BOTH_KEYS);
    let gone = people[511].0;
    let mut read = 0;
    assert_eq!(
        reseal_all(&mut f, |f| {
            read += 1;
            // The last factor is deleted while its page is processed.
            let sql = format!("DELETE FROM factors WHERE user_id = '{gone}'");
            if read == 3 {
                assert_eq!(f.db.execute(&sql, []).unwrap(), 1);
            }
        }),
        Done { factors: 512, ..Done::default() }
    );
    assert_eq!(
        read, 12,
        "data keys, factors in two pages with one that is empty, and eight tables with nothing in them"
    );
    let old = "SELECT count(*) FROM factors WHERE key_version <> 2";
    assert_eq!(f.count(old), 0);
    assert_eq!(f.count("SELECT count(*) FROM factors"), 511);
    let audited = "SELECT count(*) FROM audit WHERE practice_id = 'staff' AND action = 'factors.resealed'";
    assert_eq!(f.count(audited), 2);
    assert_eq!(reseal_all(&mut f, |_| {}), Done { intact: 511, ..Done::default() });

    f.rekey(NEW_KEY);
    let key = f.keys.account(KeyVersion(2)).unwrap();
    for (user, factor, secret) in people.iter().filter(|person| person.0 != gone) {
        let sql = format!("SELECT sealed FROM factors WHERE user_id = '{user}'");
        let sealed: String = f.db.query_row(&sql, [], |row| row.get(0)).unwrap();
        let opened = key.open(SealedPlace::Factor { user: *user, id: *factor }, &sealed).unwrap();
        assert_eq!(opened, secret.as_bytes());
    }
}

#[test]
fn a_second_factor_that_no_key_opens_stays_as_it_is_and_is_counted() {
    let mut f = Fixture::new();
    f.enrol(1);
    let sealed = "SELECT length(sealed) + key_version FROM factors";
    let before = f.count(sealed);
    f.rekey(NEW_KEY);
    assert_eq!(reseal_all(&mut f, |_| {}), Done { unreadable: 1, ..Done::default() });
    assert_eq!(f.count(sealed), before);
}

/// One row of every table with sealed values of a practice, sealed under its data key. Returns their places.
fn seal_everything(f: &mut Fixture) -> Vec<SealedPlace> {
    f.db.pragma_update(None, "foreign_keys", false).unwrap();
    let [practice, claim, id] = [1, 2, 3].map(Uuid::from_u128);
    let (of, claim_id) = (PracticeId(practice), ClaimId(claim));
    let keys = keys_of(&f.db, &f.keys, of);
    let places = [
        (
            SealedPlace::Claim { practice: of, id: ClaimId(id) },
            "(practice_id, id, key_version, sealed, claim_number, submission_id, changed, received_at, updated_at,
              payer_claim_number, payer_name, date_of_service, billed_cents, adjustment_codes, present, patient_tag)
             VALUES (PRACTICE, ID, 1, SEALED, 'x', 'x', 1, 1, 1, 'x', 'x', 'x', 1, 'x', 0, 'x')",
        ),
        (
            SealedPlace::Note { practice: of, claim: claim_id, id: NoteId(id) },
            "(practice_id, claim_id, id, key_version, sealed, at, author)
             VALUES (PRACTICE, CLAIM, ID, 1, SEALED, 1, 'x')",
        ),
        (
            SealedPlace::SigningLink { practice: of, claim: claim_id, id: SigningLinkId(id) },
            "(practice_id, claim_id, id, key_version, sealed, hash, created_at, created_by, expires_at)
             VALUES (PRACTICE, CLAIM, ID, 1, SEALED, 'x', 1, 'x', 1)",
        ),
        (
            SealedPlace::Signature { practice: of, claim: claim_id, id: SignatureId(id) },
            "(practice_id, claim_id, id, key_version, sealed, link_id, signed_at)
             VALUES (PRACTICE, CLAIM, ID, 1, SEALED, 'x', 1)",
        ),
        (
            SealedPlace::WebhookSecret { practice: of, id: WebhookId(id) },
            "(practice_id, id, key_version, sealed, url, events, state, created_at, created_by)
             VALUES (PRACTICE, ID, 1, SEALED, 'x', 'x', 'active', 1, 'x')",
        ),
        (
            SealedPlace::EndpointAnswer { practice: of, id: AttemptId(id) },
            "(practice_id, delivery_id, id, key_version, sealed, webhook_id, url, at, signatures, took_ms)
             VALUES (PRACTICE, CLAIM, ID, 1, SEALED, 'x', 'x', 1, 'x', 1)",
        ),
        (
            SealedPlace::Document { practice: of, id: DocumentId(id) },
            "(practice_id, id, key_version, sealed, kind, state, content_type, size, sha256, uploaded_by, uploaded_at)
             VALUES (PRACTICE, ID, 1, SEALED, 'other', 'available', 'x', 1, 'x', 'x', 1)",
        ),
    ];
    let seal = |place| keys.data().unwrap().seal(place, b"text", [7; 24]).unwrap();
    for (place, row) in places {
        let quoted = [("PRACTICE", practice), ("CLAIM", claim), ("ID", id)];
        let row = quoted.iter().fold(row.to_owned(), |row, (name, id)| row.replace(name, &format!("'{id}'")));
        let row = row.replace("SEALED", &format!("'{}'", seal(place)));
        f.db.execute_batch(&format!("INSERT INTO {} {row}", place.column().table)).unwrap();
    }
    let old = SealedPlace::OldWebhookSecret { practice: of, id: WebhookId(id) };
    f.db.execute("UPDATE webhooks SET old_key_version = 1, old_sealed = ?1", [seal(old)]).unwrap();
    places.iter().map(|(place, _)| *place).chain([old]).collect()
}

#[test]
fn every_sealed_column_is_opened_and_a_value_that_does_not_open_is_found() {
    let mut f = Fixture::new();
    let places = seal_everything(&mut f);
    f.drop_triggers();
    let intact = places.len() + 1;
    assert_eq!(reseal_all(&mut f, |_| {}), Done { intact, ..Done::default() }, "with the data key");
    for place in &places {
        let column = place.column();
        let sql = format!("SELECT {} FROM {}", column.name, column.table);
        let sealed: String = f.db.query_row(&sql, [], |row| row.get(0)).unwrap();
        let set = format!("UPDATE {} SET {} = ?1", column.table, column.name);
        f.db.execute(&set, [sealed.replacen("1.", "1.AAAA", 1)]).unwrap();
        let found = Done { intact: intact - 1, unreadable: 1, ..Done::default() };
        assert_eq!(reseal_all(&mut f, |_| {}), found, "{column}");
        f.db.execute(&set, [sealed]).unwrap();
    }
    // A version that no data key has is not one that was destroyed.
    f.db.execute("UPDATE claims SET key_version = 9", []).unwrap();
    assert_eq!(reseal_all(&mut f, |_| {}).unreadable, 1);
    f.db.execute("UPDATE claims SET key_version = 1", []).unwrap();
    // The data keys and factors have their own tests.
    let mut columns: Vec<_> = places.iter().map(|place| place.column()).collect();
    let own = ["practice_keys.wrapped", "factors.sealed"];
    let of = SealedPlace::COLUMNS.iter().copied();
    let mut all: Vec<_> = of.filter(|column| !own.contains(&&*column.to_string())).collect();
    all.sort();
    columns.sort();
    assert_eq!(columns, all);
}
