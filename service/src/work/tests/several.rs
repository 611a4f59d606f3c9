//! Claims of several practices that one request takes or decides about.

use super::{lowered, staff};
use crate::work::take;
use overturn_core::auth::person::Person;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::plan::signing::SigningStatus;
use overturn_core::plan::work::several::SeenClaim;
use overturn_core::signing::several::{self, Decisions};
use overturn_store::Statement;
use overturn_store::error::{DatabaseError, FailedGuard};
use overturn_store::testing::{Fixture, batch};
use overturn_store::work::queries;
use std::ops::Range;

/// Practices with a range of claims each, and a staff member.
fn practices(count: u8, claims: Range<u32>) -> (Fixture, Person) {
    let mut f = Fixture::new();
    f.send(&batch(claims.clone()), |_| {});
    for n in 2..=count {
        f.key_hash = f.provision(n);
        f.send(&batch(claims.clone()), |_| {});
    }
    let staff = staff(&mut f);
    (f, staff)
}

/// All claims, in the versions that they have.
fn all(f: &Fixture) -> Vec<SeenClaim> {
    let sql = "SELECT practice_id, id, version FROM claims ORDER BY id";
    let mut read = f.db.prepare(sql).unwrap();
    let rows = read.query_map([], |row| {
        let [practice, id]: [String; 2] = [row.get(0)?, row.get(1)?];
        Ok(SeenClaim {
            practice_id: PracticeId(practice.parse().unwrap()),
            id: ClaimId(id.parse().unwrap()),
            version: row.get(2)?,
        })
    });
    rows.unwrap().map(Result::unwrap).collect()
}

fn taking(f: &mut Fixture, asked: &[SeenClaim], staff: &Person) -> Vec<Statement> {
    let found = f.read(&queries::found(asked));
    let ctx = f.ctx();
    let to_take = take::SeveralToTake { user_id: None, claims: asked.to_vec() };
    let change = take::all_taken(&to_take, (found, None), staff, &ctx).unwrap();
    lowered(f, change, staff, &ctx)
}

fn deciding(f: &mut Fixture, (asked, status): (&[SeenClaim], SigningStatus), staff: &Person) -> Vec<Statement> {
    let found = f.read(&queries::found(asked));
    let ctx = f.ctx();
    let random: Vec<[u8; 32]> = (0..asked.len()).map(|n| [u8::try_from(n).unwrap(); 32]).collect();
    let asked = Decisions { decision: status, claims: asked.to_vec() };
    let change = several::decide(&asked, found, staff, &random, &ctx);
    lowered(f, change, staff, &ctx)
}

fn assert_indexed(f: &Fixture, statements: &[Statement]) {
    for statement in statements {
        // A practice has at most five active endpoints. The number after the last one is at the end of its index.
        let harmless = [
            "SEARCH w USING PRIMARY KEY (practice_id=?)",
            "VIRTUAL TABLE",
            "CONSTANT ROW",
            "SCAN f",
            "SCAN (subquery",
            "claim_changed_once",
        ];
        f.assert_indexed(statement, &harmless);
    }
}

#[test]
fn the_statements_are_as_many_for_a_hundred_claims_of_twenty_practices_as_for_one() {
    let (mut f, staff) = practices(20, 0..5);
    let claims = all(&f);
    assert_eq!(claims.len(), 100);
    let one = taking(&mut f, &claims[..1], &staff);
    let hundred = taking(&mut f, &claims, &staff);
    assert_eq!(one.len(), hundred.len());
    assert_indexed(&f, &hundred);
    assert_indexed(&f, &[queries::found(&claims).into()]);
    let link = deciding(&mut f, (&claims[..1], SigningStatus::Needed), &staff);
    let links = deciding(&mut f, (&claims, SigningStatus::Needed), &staff);
    assert_eq!(link.len(), links.len());
    assert_indexed(&f, &links);
}

#[test]
fn each_practice_numbers_its_own_changes_and_audit_rows() {
    let (mut f, staff) = practices(3, 0..4);
    let claims = all(&f);
    let numbers = |f: &Fixture, sql: &str| -> Vec<i64> {
        let mut read = f.db.prepare(sql).unwrap();
        let rows = read.query_map([], |row| row.get(0));
        rows.unwrap().map(Result::unwrap).collect()
    };
    let lasts = "SELECT max(changed) FROM claims GROUP BY practice_id ORDER BY practice_id";
    let before = numbers(&f, lasts);
    let statements = taking(&mut f, &claims, &staff);
    f.run(&statements).unwrap();
    let after = numbers(&f, lasts);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(*after, before + 4);
    }
    let sequences = "SELECT count(*) FROM (SELECT practice_id FROM audit GROUP BY practice_id
                     HAVING count(*) <> max(seq) OR count(DISTINCT seq) <> count(*))";
    assert_eq!(f.count(sequences), 0, "each trail is numbered without a gap");
    let taken = "SELECT count(*) FROM audit WHERE action = 'claim.taken' AND mac IS NOT NULL";
    assert_eq!(f.count(taken), 12);
    assert_eq!(f.count("SELECT count(*) FROM claim_events WHERE kind = 'taken'"), 12);
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE version = 2 AND status = 'reviewing'"), 12);
    let again = f.run(&statements).unwrap_err();
    assert_eq!(again, DatabaseError::Conflict(FailedGuard::Done));
}

#[test]
fn one_changed_claim_or_practice_stops_the_batch_so_that_it_is_decided_again() {
    let (mut f, staff) = practices(2, 0..2);
    let claims = all(&f);
    let late = taking(&mut f, &claims, &staff);
    let first = taking(&mut f, &claims[..1], &staff);
    f.run(&first).unwrap();
    let stopped = f.run(&late).unwrap_err();
    assert_eq!(stopped, DatabaseError::Conflict(FailedGuard::Record));
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE version = 2"), 1);
    // What was read again has the new version, so the others are taken.
    let again = taking(&mut f, &claims, &staff);
    f.run(&again).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE version = 2"), 4);

    let claims = all(&f);
    let late = taking(&mut f, &claims, &staff);
    let other = claims[3].practice_id.to_string();
    f.db.execute("UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1", [&other]).unwrap();
    let stopped = f.run(&late).unwrap_err();
    assert_eq!(stopped, DatabaseError::Conflict(FailedGuard::Credential));
    let again = taking(&mut f, &claims, &staff);
    f.run(&again).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE version = 3"), 2);
}

#[test]
fn links_of_several_practices_are_sealed_under_their_own_keys_and_end_the_earlier_ones() {
    let (mut f, staff) = practices(3, 0..2);
    let usable = "SELECT count(*) FROM signing_links WHERE revoked_at IS NULL";
    for made in [6, 12] {
        let claims = all(&f);
        let statements = deciding(&mut f, (&claims, SigningStatus::Needed), &staff);
        // The nth request of these tests makes the same tokens again.
        f.db.execute("UPDATE signing_links SET hash = 'old ' || hash", []).unwrap();
        f.run(&statements).unwrap();
        assert_eq!(f.count("SELECT count(*) FROM signing_links"), made);
        assert_eq!(f.count(usable), 6);
    }
    let own_keys = "SELECT count(DISTINCT l.practice_id) FROM signing_links l JOIN practice_keys d
                    ON d.practice_id = l.practice_id AND d.version = l.key_version";
    assert_eq!(f.count(own_keys), 3);
    let claims = all(&f);
    let statements = deciding(&mut f, (&claims[..5], SigningStatus::NotNeeded), &staff);
    assert_indexed(&f, &statements);
    f.run(&statements).unwrap();
    assert_eq!(f.count(usable), 1);
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE signing_status = 'not_needed'"), 5);
}

/// A key that is destroyed while a request runs stops the batch.
#[test]
fn a_data_key_that_has_gone_stops_the_links_of_all() {
    let (mut f, staff) = practices(2, 0..1);
    let claims = all(&f);
    let statements = deciding(&mut f, (&claims, SigningStatus::Needed), &staff);
    let gone = claims[1].practice_id.to_string();
    f.db.execute("UPDATE practice_keys SET wrapped = NULL, destroyed_at = 1 WHERE practice_id = ?1", [&gone]).unwrap();
    let stopped = f.run(&statements).unwrap_err();
    assert_eq!(stopped, DatabaseError::Conflict(FailedGuard::DataKey));
    assert_eq!(f.count("SELECT count(*) FROM signing_links"), 0);
}
