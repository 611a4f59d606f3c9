//! Key rotation, and the re-seal of data from before practices had data keys.
#![expect(clippy::arithmetic_side_effects, reason = "small numbers of a test")]

use super::fixture::{BOTH_KEYS, Fixture, NEW_KEY, batch, claim, keys_of};
use super::old::{self, seal_everything};
use crate::operations::reseal;
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use overturn_core::request::open::Open;
use uuid::Uuid;

/// How many data keys, claims and other records got another key, and how many no key opened.
type Done = ([usize; 3], usize);

/// Re-seals everything. `between` runs after each page is read and before it is written.
pub(super) fn reseal_all(f: &mut Fixture, mut between: impl FnMut(&mut Fixture)) -> Done {
    let (mut next, mut resealed, mut unreadable) = (Some(reseal::BEGIN), [0, 0, 0], 0);
    while let Some(after) = next {
        let json = f.read(&reseal::read(after));
        between(f);
        let ctx = f.ctx();
        let random = reseal::Random { nonce: &mut || [9; 24], secrets: vec![[8; 32]; reseal::PRACTICES_MAX] };
        let page = reseal::page((after, json.as_deref()), &f.keys, random, &ctx).unwrap();
        let of = match page.of {
            "data_keys" => 0,
            "claims" => 1,
            _ => 2,
        };
        resealed[of] += page.result.resealed + page.result.made;
        unreadable += page.result.unreadable;
        // Twice, as after a lost answer.
        let statements = f.statements(&ctx, page.result.writes);
        f.run(&statements).unwrap();
        f.run(&statements).unwrap();
        next = page.next;
    }
    (resealed, unreadable)
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
fn claims_of_the_old_form_come_under_the_data_key_page_by_page_and_mean_the_same_as_before() {
    let mut f = Fixture::new();
    for n in 0..7 {
        f.send(&batch(n * 100..(n + 1) * 100), |_| {});
    }
    f.send(&with_procedure(), |_| {});
    old::claims(&mut f);
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE key_version = 1"), 701);
    assert_same(&mut f);
    let mut sent = false;
    assert_eq!(
        reseal_all(&mut f, |f| {
            // A send during the re-seal, for a claim under either key.
            if !std::mem::replace(&mut sent, true) {
                f.send(&batch([3, 650, 1000]), |_| {});
            }
        }),
        ([0, 701, 0], 0)
    );
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE key_version >= 0"), 0);
    assert_eq!(f.count("SELECT count(*) FROM audit WHERE action = 'claims.resealed'"), 2);
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0, 0], 0));
    assert_same(&mut f);
}

#[test]
fn a_rotation_wraps_data_keys_anew_and_moves_no_claim_while_senders_go_on() {
    let mut f = Fixture::new();
    let other = f.provision(2);
    f.send(&batch(0..100), |_| {});
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
            // A practice whose first send comes between the read and the insert of its new key.
            let first = std::mem::replace(&mut f.key_hash, other.clone());
            f.send(&batch(0..5), |_| {});
            f.key_hash = first;
        }
    });
    assert_eq!(done, ([2, 0, 0], 0), "one is wrapped anew, one had none");
    assert_eq!(text(&f), before, "no claim was touched");
    assert_eq!(f.count("SELECT count(*) FROM practice_keys WHERE key_version = 2 AND version = 1"), 2);
    let made = "SELECT count(*) FROM audit WHERE action = 'data_key.created'";
    assert_eq!(f.count(made), 0, "the one that came too late was not made");
    let wrapped = "SELECT count(*) FROM audit WHERE action = 'data_keys.resealed'";
    assert_eq!(f.count(wrapped), 1);
    f.rekey(NEW_KEY);
    assert_same(&mut f);
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0, 0], 0));
    f.key_hash = other;
    f.send(&batch(0..5), |_| panic!("nothing to write"));
}

#[test]
fn a_value_that_no_key_opens_is_not_changed_and_is_counted() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    old::claims(&mut f);
    f.rekey(NEW_KEY);
    // The claim, and the data key that is wrapped under the lost key.
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0, 0], 2));
    assert_eq!(f.count("SELECT key_version FROM claims"), 1);
    assert_eq!(f.count("SELECT key_version FROM practice_keys"), 1);
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
            if read == 5 {
                assert_eq!(f.db.execute(&sql, []).unwrap(), 1);
            }
        }),
        ([1, 0, 512], 0)
    );
    assert_eq!(
        read, 12,
        "data keys in two pages and claims, factors in two pages with one that is empty, and six tables with nothing in them"
    );
    let old = "SELECT count(*) FROM factors WHERE key_version <> 2";
    assert_eq!(f.count(old), 0);
    assert_eq!(f.count("SELECT count(*) FROM factors"), 511);
    let audited = "SELECT count(*) FROM audit WHERE practice_id = 'staff' AND action = 'factors.resealed'";
    assert_eq!(f.count(audited), 2);
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0, 0], 0));

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
    assert_eq!(reseal_all(&mut f, |_| {}), ([1, 0, 0], 1));
    assert_eq!(f.count(sealed), before);
}

#[test]
fn a_second_factor_of_the_old_form_comes_along_under_the_same_key() {
    let mut f = Fixture::new();
    let (user, id, secret) = f.enrol(1);
    let key = f.keys.account(KeyVersion(1)).unwrap();
    let place = SealedPlace::Factor { user, id };
    let blob = crate::seal::tests::old_blob(key, place, secret.as_bytes(), [7; 24]);
    f.db.execute("UPDATE factors SET sealed = ?1", [blob]).unwrap();
    assert_eq!(reseal_all(&mut f, |_| {}), ([1, 0, 1], 0));
    let sealed: String = f.db.query_row("SELECT sealed FROM factors", [], |row| row.get(0)).unwrap();
    assert!(!crate::seal::is_old(&sealed));
    let key = f.keys.account(KeyVersion(1)).unwrap();
    assert_eq!(key.open(place, &sealed).as_deref(), Ok(secret.as_bytes()));
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0, 0], 0));
}

#[test]
fn every_sealed_table_comes_along_and_opens_to_the_same_text() {
    let mut f = Fixture::new();
    let before = seal_everything(&mut f);
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 1, before.len()], 0));
    let practice = PracticeId(Uuid::from_u128(1));
    let mut columns: Vec<_> = before.iter().map(|(place, _)| place.column()).collect();
    for (place, sql) in &before {
        let sealed: String = f.db.query_row(sql, [], |row| row.get(0)).unwrap();
        let keys = keys_of(&f.db, &f.keys, practice);
        let opened = keys.open(*place, KeyVersion(-1), &sealed);
        assert_eq!(opened.as_deref(), Ok(sql.as_bytes()), "{sql}");
    }
    for action in ["notes", "signing_links", "signatures", "webhooks", "old_webhooks", "documents"] {
        let audited = format!("SELECT count(*) FROM audit WHERE action = '{action}.resealed'");
        assert_eq!(f.count(&audited), 1, "{action}");
    }
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0, 0], 0));
    // Covers every sealed column. The claims, data keys and factors have their own tests.
    let own = ["claims.sealed", "practice_keys.wrapped", "factors.sealed"];
    let of = SealedPlace::COLUMNS.iter().copied();
    let mut all: Vec<_> = of.filter(|column| !own.contains(&&*column.to_string())).collect();
    all.sort();
    columns.sort();
    assert_eq!(columns, all);
}

#[test]
fn a_secret_that_no_key_opens_stays_as_it_is_and_is_counted() {
    let mut f = Fixture::new();
    let before = seal_everything(&mut f);
    f.rekey(NEW_KEY);
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0, 0], 2 + before.len() + 1));
    assert_eq!(f.count("SELECT min(old_key_version) FROM webhooks"), 1);
}
