//! The statements of links, of claims of several practices.

use crate::call::ClientOrigin;
use crate::signing::decision::{Decisions, all_decided, decided};
use crate::signing::form::SignatureInput;
use crate::signing::signature::Relation;
use crate::signing::{link, patient, signature};
use overturn_core::auth::person::Person;
use overturn_core::base::language::Language;
use overturn_core::base::secret::SigningToken;
use overturn_core::plan::signing::SigningStatus;
use overturn_core::plan::work::several::SeenClaim;
use overturn_core::testing::item;
use overturn_store::Statement;
use overturn_store::error::{DatabaseError, FailedGuard};
use overturn_store::testing::Fixture;
use overturn_store::work::queries;

/// The batch of a decision about these claims.
fn deciding(f: &mut Fixture, (asked, decision): (&[SeenClaim], SigningStatus), staff: &Person) -> Vec<Statement> {
    let found = f.read(&queries::found(asked));
    let ctx = f.ctx();
    let random: Vec<[u8; 32]> = (0..asked.len()).map(|n| [u8::try_from(n).unwrap(); 32]).collect();
    let asked = Decisions { decision, claims: asked.to_vec() };
    let change = all_decided(&asked, found, staff, &random, &ctx);
    f.lower_change(change, staff, &ctx)
}

#[test]
fn the_statements_are_as_many_for_a_hundred_claims_of_twenty_practices_as_for_one() {
    let (mut f, staff) = Fixture::practices(20, 0..5);
    let claims = f.seen_claims();
    assert_eq!(claims.len(), 100);
    let one = deciding(&mut f, (&claims[..1], SigningStatus::Needed), &staff);
    let hundred = deciding(&mut f, (&claims, SigningStatus::Needed), &staff);
    assert_eq!(one.len(), hundred.len());
    f.assert_reads_claims(&hundred);
    let SeenClaim { practice_id, id, .. } = claims[0];
    f.assert_reads_claims(&[
        link::has_link(practice_id, id).into(),
        patient::link("hash").into(),
        signature::signature(practice_id, id).into(),
    ]);
}

#[test]
fn links_of_several_practices_are_sealed_under_their_own_keys_and_end_the_earlier_ones() {
    let (mut f, staff) = Fixture::practices(3, 0..2);
    let usable = "SELECT count(*) FROM signing_links WHERE revoked_at IS NULL";
    for made in [6, 12] {
        let claims = f.seen_claims();
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
    let thirty_days = "SELECT count(*) FROM signing_links WHERE expires_at - created_at = 30 * 86400000";
    assert_eq!(f.count(thirty_days), 12);
    let claims = f.seen_claims();
    let statements = deciding(&mut f, (&claims[..5], SigningStatus::NotNeeded), &staff);
    f.assert_reads_claims(&statements);
    f.run(&statements).unwrap();
    assert_eq!(f.count(usable), 1);
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE signing_status = 'not_needed'"), 5);
}

/// A key that is destroyed while a request runs stops the batch.
#[test]
fn a_data_key_that_has_gone_stops_the_links_of_all() {
    let (mut f, staff) = Fixture::practices(2, 0..1);
    let claims = f.seen_claims();
    let statements = deciding(&mut f, (&claims, SigningStatus::Needed), &staff);
    let gone = claims[1].practice_id.to_string();
    f.db.execute("UPDATE practice_keys SET wrapped = NULL, destroyed_at = 1 WHERE practice_id = ?1", [&gone]).unwrap();
    let stopped = f.run(&statements).unwrap_err();
    assert_eq!(stopped, DatabaseError::Conflict(FailedGuard::DataKey));
    assert_eq!(f.count("SELECT count(*) FROM signing_links"), 0);
}

#[test]
fn a_claim_whose_link_is_revoked_or_not_needed_has_no_link() {
    for revokes in [false, true] {
        let (mut f, staff) = Fixture::practices(1, 0..2);
        let claims = f.seen_claims();
        let made = deciding(&mut f, (&claims, SigningStatus::Needed), &staff);
        f.run(&made).unwrap();
        let SeenClaim { practice_id, id, .. } = claims[0];
        let stored = f.read(&queries::claim(practice_id, id)).unwrap();
        let ctx = f.ctx();
        let change = if revokes {
            link::revoked(practice_id, &stored, true, &ctx)
        } else {
            decided(practice_id, (&stored, SigningStatus::NotNeeded), &staff, [9; 32], &ctx).unwrap()
        };
        let statements = f.lower_change(change, &staff, &ctx);
        f.run(&statements).unwrap();
        let usable = "SELECT count(*) FROM signing_links WHERE revoked_at IS NULL";
        assert_eq!(f.count(&format!("{usable} AND claim_id = '{id}'")), 0, "{revokes}");
        assert_eq!(f.count(usable), 1, "the link of the other claim");
    }
}

/// A link that ends while a patient signs stops the batch.
#[test]
fn a_patient_signs_only_while_the_link_can_be_used() {
    for (set, signs) in [
        ("attempts = 4, expires_at = 1800000000001", true),
        ("revoked_at = 1", false),
        ("used_at = 1", false),
        ("expires_at = 1800000000000", false),
        ("attempts = 5", false),
    ] {
        let (mut f, staff) = Fixture::practices(1, 0..1);
        let claims = f.seen_claims();
        let made = deciding(&mut f, (&claims, SigningStatus::Needed), &staff);
        f.run(&made).unwrap();
        let token = SigningToken::mint([0; 32]);
        let stored = f.read(&patient::link(&token.hash())).unwrap();
        let ctx = f.ctx();
        let document = stored.document(&item().patient, ctx.now, Language::English);
        let given = SignatureInput { relation: Relation::Patient, name: Some("Jane Doe".into()), drawing: None };
        let change = stored.sign(given, &document, &ClientOrigin::default(), &ctx);
        f.db.execute(&format!("UPDATE signing_links SET {set}"), []).unwrap();
        let done = f.commit(&ctx, (change.guards, change.writes)).map(drop);
        let expected = if signs { Ok(()) } else { Err(DatabaseError::Conflict(FailedGuard::Secret)) };
        assert_eq!(done, expected, "{set}");
        assert_eq!(f.count("SELECT count(*) FROM signatures"), i64::from(signs), "{set}");
    }
}
