//! Key rotation.
#![expect(clippy::arithmetic_side_effects, reason = "small numbers of a test")]

use super::fixture::{BOTH_KEYS, Fixture, batch, claim};
use crate::keyring::Keyring;
use crate::seal::Place;
use crate::store::reseal;
use overturn_core::identity::KeyVersion;
use uuid::Uuid;

const NEW_KEY: &str = "2:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI";

/// Re-seals everything, `between` run after each page is read and before it is written: how many claims, and how many
/// of everything else, came under the current key, and how much no key opened.
fn reseal_all(f: &mut Fixture, mut between: impl FnMut(&mut Fixture)) -> ([usize; 2], usize) {
    let (mut next, mut resealed, mut unreadable) = (Some(reseal::BEGIN), [0, 0], 0);
    while let Some(after) = next {
        let read = f.run(&[reseal::read(after)]).unwrap();
        between(f);
        let ctx = f.ctx();
        let json = read[0].json.as_deref();
        let page = reseal::page((after, json), &f.keys, &mut || [9; 24], &ctx).unwrap();
        match page.of {
            "claims" => resealed[0] += page.done.resealed,
            _ => resealed[1] += page.done.resealed,
        }
        unreadable += page.done.unreadable;
        // Twice, as after a lost answer.
        f.run(&page.done.statements).unwrap();
        f.run(&page.done.statements).unwrap();
        next = page.next;
    }
    (resealed, unreadable)
}

#[test]
fn claims_come_under_a_new_key_page_by_page_and_mean_the_same_as_before() {
    let mut f = Fixture::new();
    for n in 0..7 {
        f.send(&batch(n * 100..(n + 1) * 100), |_| {});
    }
    let with_procedure = claim("P-1", "1.00").replace(
        "\"payer_name\"",
        "\"procedure_code\": \"99213\", \"payer_name\"",
    );
    f.send(&with_procedure, |_| {});
    f.keys = Keyring::parse(BOTH_KEYS).ok().unwrap();
    let mut sent = false;
    assert_eq!(
        reseal_all(&mut f, |f| {
            // A sender in the middle of it, on a claim of either key.
            if !std::mem::replace(&mut sent, true) {
                f.send(&batch([3, 650, 1000]), |_| {});
            }
        }),
        ([701, 0], 0)
    );
    assert_eq!(
        f.count("SELECT count(*) FROM claims WHERE key_version <> 2"),
        0
    );
    assert_eq!(
        f.count("SELECT count(*) FROM audit WHERE action = 'claims.resealed'"),
        2
    );
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0], 0));

    f.keys = Keyring::parse(NEW_KEY).ok().unwrap();
    let same = f.send(&batch(0..100), |_| panic!("nothing to write"));
    assert!(
        same["claims"]
            .as_array()
            .unwrap()
            .iter()
            .all(|item| item["status"] == "received")
    );
    let error = |answer: serde_json::Value| {
        answer["claims"][0]["error"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let other_patient = claim("B-1", "10.00").replace("Jane", "June");
    assert!(error(f.send(&other_patient, |_| {})).ends_with("different patient"));
    assert!(
        error(f.send(&with_procedure.replace("99213", "99214"), |_| {}))
            .ends_with("different claim")
    );
}

#[test]
fn a_claim_that_no_key_opens_stays_as_it_is_and_is_counted() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    f.keys = Keyring::parse(NEW_KEY).ok().unwrap();
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0], 1));
    assert_eq!(f.count("SELECT key_version FROM claims"), 1);
}

#[test]
fn every_second_factor_comes_along_and_opens_to_the_same_secret() {
    let mut f = Fixture::new();
    let people: Vec<_> = (0..=255).flat_map(|n| [f.enrol(n), f.enrol(n)]).collect();
    f.keys = Keyring::parse(BOTH_KEYS).ok().unwrap();
    let gone = people[511].0;
    let mut read = 0;
    assert_eq!(
        reseal_all(&mut f, |f| {
            read += 1;
            // The last is taken off while its page is under way.
            let sql = format!("DELETE FROM factors WHERE user_id = '{gone}'");
            if read == 3 {
                assert_eq!(f.db.execute(&sql, []).unwrap(), 1);
            }
        }),
        ([0, 512], 0)
    );
    assert_eq!(
        read, 9,
        "claims, factors in two pages with one that is empty, and five tables with nothing in them"
    );
    let old = "SELECT count(*) FROM factors WHERE key_version <> 2";
    assert_eq!(f.count(old), 0);
    assert_eq!(f.count("SELECT count(*) FROM factors"), 511);
    let audited =
        "SELECT count(*) FROM audit WHERE practice_id = 'staff' AND action = 'factors.resealed'";
    assert_eq!(f.count(audited), 2);
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0], 0));

    let keys = Keyring::parse(NEW_KEY).ok().unwrap();
    let key = keys.account(KeyVersion(2)).unwrap();
    for (user, factor, secret) in people.iter().filter(|person| person.0 != gone) {
        let sql = format!("SELECT sealed FROM factors WHERE user_id = '{user}'");
        let sealed: String = f.db.query_row(&sql, [], |row| row.get(0)).unwrap();
        let opened = key.open([user.0, factor.0], &sealed).unwrap();
        assert_eq!(opened, secret.as_bytes());
    }
}

#[test]
fn a_second_factor_that_no_key_opens_stays_as_it_is_and_is_counted() {
    let mut f = Fixture::new();
    f.enrol(1);
    let sealed = "SELECT length(sealed) + key_version FROM factors";
    let before = f.count(sealed);
    f.keys = Keyring::parse(NEW_KEY).ok().unwrap();
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0], 1));
    assert_eq!(f.count(sealed), before);
}

/// One claim, and one row of every other table with something sealed: where each is, and the query that reads its blob, which
/// is also what is sealed in it.
fn seal_everything(f: &mut Fixture) -> Vec<(Place, String)> {
    f.send(&claim("A-1", "1.00"), |_| {});
    f.db.pragma_update(None, "foreign_keys", false).unwrap();
    let key = f.keys.sealing(KeyVersion(1)).unwrap();
    let [practice, claim, id] = [1, 2, 3].map(Uuid::from_u128);
    let seal = |table: &str, column: &str| {
        let sql = format!("SELECT {column} FROM {table}");
        let blob = key.seal([practice, id], sql.as_bytes(), [7; 24]).unwrap();
        (blob, ([practice, id], sql))
    };
    let mut all = Vec::new();
    for (table, columns) in [
        ("claim_notes", "at, author) VALUES (1, 'x'"),
        (
            "signing_links",
            "hash, created_at, created_by, expires_at) VALUES ('x', 1, 'x', 1",
        ),
        ("signatures", "link_id, signed_at) VALUES ('x', 1"),
    ] {
        let (blob, one) = seal(table, "sealed");
        let own = format!(", '{practice}', '{claim}', '{id}', 1, '{blob}')");
        let columns = columns.replace(
            ") VALUES",
            ", practice_id, claim_id, id, key_version, sealed) VALUES",
        );
        f.db.execute_batch(&format!("INSERT INTO {table} ({columns}{own}"))
            .unwrap();
        all.push(one);
    }
    let ((new, one), (old, other)) = (seal("webhooks", "sealed"), seal("webhooks", "old_sealed"));
    f.db.execute_batch(&format!(
        "INSERT INTO webhooks (practice_id, id, url, events, state, key_version, sealed, old_key_version, old_sealed,
           old_until, created_at, created_by)
         VALUES ('{practice}', '{id}', 'x', 'x', 'active', 1, '{new}', 1, '{old}', 1, 1, 'x')"
    ))
    .unwrap();
    all.extend([one, other]);
    all
}

#[test]
fn every_sealed_table_comes_along_and_opens_to_the_same_text() {
    let mut f = Fixture::new();
    let old = seal_everything(&mut f);
    f.keys = Keyring::parse(BOTH_KEYS).ok().unwrap();
    assert_eq!(reseal_all(&mut f, |_| {}), ([1, old.len()], 0));
    let key = Keyring::parse(NEW_KEY).ok().unwrap();
    let key = key.sealing(KeyVersion(2)).unwrap();
    for (place, sql) in &old {
        let sealed: String = f.db.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(
            key.open(*place, &sealed).as_deref(),
            Ok(sql.as_bytes()),
            "{sql}"
        );
    }
    for action in [
        "notes",
        "signing_links",
        "signatures",
        "webhooks",
        "old_webhooks",
    ] {
        let audited = format!("SELECT count(*) FROM audit WHERE action = '{action}.resealed'");
        assert_eq!(f.count(&audited), 1, "{action}");
    }
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0], 0));
}

#[test]
fn a_secret_that_no_key_opens_stays_as_it_is_and_is_counted() {
    let mut f = Fixture::new();
    let old = seal_everything(&mut f);
    f.keys = Keyring::parse(NEW_KEY).ok().unwrap();
    assert_eq!(reseal_all(&mut f, |_| {}), ([0, 0], 1 + old.len()));
    assert_eq!(f.count("SELECT min(old_key_version) FROM webhooks"), 1);
}
