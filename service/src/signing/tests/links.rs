//! The statements of links, of claims of several practices.

use crate::auth::person::Person;
use crate::call::ClientOrigin;
use crate::claim_changes::testing::seen_claims;
use crate::claim_changes::{self, SeenClaim};
use crate::plan::signing::SigningStatus;
use crate::request::language::Language;
use crate::request::secret::SigningToken;
use crate::signing::decision::{Decisions, all_decided};
use crate::signing::form::SignatureInput;
use crate::signing::patient;
use crate::signing::signature::Relation;
use crate::store::Statement;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use overturn_core::testing::item;

/// The batch of a decision about these claims.
fn deciding(f: &mut Fixture, (asked, decision): (&[SeenClaim], SigningStatus), staff: &Person) -> Vec<Statement> {
    let found = f.read(&claim_changes::found(asked));
    let ctx = f.ctx();
    let random: Vec<[u8; 32]> = (0..asked.len()).map(|n| [u8::try_from(n).unwrap(); 32]).collect();
    let asked = Decisions { decision, claims: asked.to_vec() };
    let change = all_decided(&asked, found, staff, &random, &ctx);
    f.lower_change(change, staff, &ctx)
}

#[test]
fn the_statements_are_as_many_for_a_hundred_claims_of_twenty_practices_as_for_one() {
    let (mut f, staff) = Fixture::practices(20, 0..5);
    let claims = seen_claims(&f);
    assert_eq!(claims.len(), 100);
    let one = deciding(&mut f, (&claims[..1], SigningStatus::Needed), &staff);
    let hundred = deciding(&mut f, (&claims, SigningStatus::Needed), &staff);
    assert_eq!(one.len(), hundred.len());
}

/// A key that is destroyed while a request runs stops the batch.
#[test]
fn a_data_key_that_has_gone_stops_the_links_of_all() {
    let (mut f, staff) = Fixture::practices(2, 0..1);
    let claims = seen_claims(&f);
    let statements = deciding(&mut f, (&claims, SigningStatus::Needed), &staff);
    let gone = claims[1].practice_id.to_string();
    f.db.execute("UPDATE practice_keys SET wrapped = NULL, destroyed_at = 1 WHERE practice_id = ?1", [&gone]).unwrap();
    let stopped = f.run(&statements).unwrap_err();
    assert_eq!(stopped, DatabaseError::Conflict(FailedGuard::DataKey));
    assert_eq!(f.count("SELECT count(*) FROM signing_links"), 0);
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
        let claims = seen_claims(&f);
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
