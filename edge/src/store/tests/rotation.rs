//! Key rotation.
#![expect(clippy::arithmetic_side_effects, reason = "small numbers of a test")]

use super::fixture::{BOTH_KEYS, Fixture, batch, claim};
use crate::keyring::Keyring;
use crate::store::reseal;

const NEW_KEY: &str = "2:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI";

/// Re-seals everything, `between` run after each page is read and before it is written.
fn reseal_all(f: &mut Fixture, mut between: impl FnMut(&mut Fixture)) -> (usize, usize) {
    let (mut after, mut resealed, mut unreadable) = (0, 0, 0);
    loop {
        let read = f.run(&[reseal::read(after)]).unwrap();
        let rows = reseal::rows(read[0].json.as_deref()).unwrap();
        between(f);
        let ctx = f.ctx();
        let page = reseal::page(&rows, &f.keys, &mut || [9; 24], &ctx);
        resealed += page.resealed;
        unreadable += page.unreadable;
        // Twice, as after a lost answer.
        f.run(&page.statements).unwrap();
        f.run(&page.statements).unwrap();
        match page.last {
            Some(last) => after = last,
            None => return (resealed, unreadable),
        }
    }
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
        (701, 0)
    );
    assert_eq!(
        f.count("SELECT count(*) FROM claims WHERE key_version <> 2"),
        0
    );
    assert_eq!(
        f.count("SELECT count(*) FROM audit WHERE action = 'claims.resealed'"),
        2
    );
    assert_eq!(reseal_all(&mut f, |_| {}), (0, 0));

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
    assert_eq!(reseal_all(&mut f, |_| {}), (0, 1));
    assert_eq!(f.count("SELECT key_version FROM claims"), 1);
}
