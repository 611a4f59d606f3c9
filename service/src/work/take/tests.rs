use super::*;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::Write;
use crate::request::declare::Body;
use crate::testing::decisions::{parse, person, said, terms, work_claim};
use overturn_core::base::id::ClaimId;
use overturn_core::claims::ClaimStatus;
use overturn_core::testing::ctx;
use serde_json::{Value, json};
use uuid::Uuid;

const ONE: PracticeId = PracticeId(Uuid::from_u128(1));

fn id(n: u128) -> ClaimId {
    ClaimId(Uuid::from_u128(n))
}

fn seen(practice_id: PracticeId, n: u128, version: i64) -> SeenClaim {
    SeenClaim { practice_id, id: id(n), version }
}

fn found(n: u128, version: i64, status: ClaimStatus) -> FoundClaim {
    let claim = StoredWorkClaim { id: id(n), version, status, ..work_claim() };
    FoundClaim { practice: Some(("active".into(), true)), claim: Some(claim) }
}

fn given(
    asked: &[SeenClaim],
    found: Vec<FoundClaim>,
    to: Option<(UserId, Option<Worker>)>,
) -> Result<Change, RequestError> {
    let staff = person(Role::Staff, Action::Work);
    let (user, worker) = (to.map(|to| to.0), to.and_then(|to| to.1));
    all_taken(&SeveralToTake { user_id: user, claims: asked.into() }, (found, worker), &staff, &ctx())
}

fn alone(stored: &FoundClaim, to: Option<(UserId, Option<Worker>)>) -> Result<Change, RequestError> {
    let staff = person(Role::Staff, Action::Work);
    let to = (to.map(|to| to.0), to.and_then(|to| to.1));
    taken(ONE, stored.claim.as_ref().unwrap(), to, &staff, &ctx())
}

fn results(change: &Change) -> Vec<Value> {
    change.answer.body["results"].as_array().unwrap().clone()
}

fn outcomes(change: &Change) -> Vec<(String, Value)> {
    let results = results(change).into_iter();
    let outcome = |result: Value| (result["status"].as_str().unwrap().into(), result["reason"].clone());
    results.map(outcome).collect()
}

/// A claim that several take is the same change as when one takes it alone.
#[test]
fn a_claim_among_several_changes_as_it_does_alone() {
    let colleague = Worker { id: UserId(Uuid::from_u128(11)), epoch: 2 };
    let receivers = [None, Some((colleague.id, Some(colleague)))];
    let cases = ClaimStatus::ALL.into_iter();
    for (status, to) in cases.flat_map(|status| receivers.map(|to| (status, to))) {
        let one = found(1, 3, status);
        let alone = alone(&one, to);
        let among = given(&[seen(ONE, 1, 3)], vec![one], to).unwrap();
        let Ok(alone) = alone else {
            assert_eq!(outcomes(&among)[0].0, "refused", "{status:?}");
            assert!(among.writes.is_empty() && among.guards.len() <= 1);
            continue;
        };
        assert_eq!(results(&among)[0]["claim"], alone.answer.body);
        assert_eq!(among.guards[1..], alone.guards);
        let changes = |change: &Change| {
            let writes = change.writes.iter();
            let parts = writes.map(|write| match write {
                Write::Audit(entry) => format!("{entry:?}"),
                other => format!("{other:?}"),
            });
            parts.collect::<Vec<_>>()
        };
        assert_eq!(changes(&among), changes(&alone));
    }
}

#[test]
fn a_claim_is_given_to_a_colleague_who_works_on_claims() {
    let me = person(Role::Staff, Action::Work).user_id;
    let colleague = Worker { id: UserId(Uuid::from_u128(11)), epoch: 7 };
    let stored = found(1, 3, ClaimStatus::Received);
    let change = alone(&stored, Some((colleague.id, Some(colleague)))).unwrap();
    assert_eq!(change.answer.body["taken_by"], json!(colleague.id));
    assert_eq!(change.answer.body["status"], "reviewing");
    // The batch fails if the colleague's rights end before it runs.
    let still = crate::accounts::account::in_use(colleague.id, 7).of_staff();
    assert!(change.guards.contains(&still), "{:?}", change.guards);
    let entry = change.writes.iter().find_map(|write| match write {
        Write::Audit(entry) => Some(entry),
        _ => None,
    });
    let entry = entry.unwrap();
    assert_eq!(entry.event, Event::ClaimAssigned);
    let detail = entry.detail.as_ref().unwrap();
    assert_eq!(detail["taken_by"], json!(colleague.id));

    // To give a claim to oneself is to take it.
    let own = Worker { id: me, epoch: 4 };
    let taken = alone(&stored, None).unwrap();
    let given = alone(&stored, Some((me, Some(own)))).unwrap();
    assert_eq!(given.guards, taken.guards);
    assert_eq!(given.answer.body, taken.answer.body);

    let other = Worker { id: UserId(Uuid::from_u128(12)), epoch: 1 };
    for found in [None, Some(other)] {
        let denied = alone(&stored, Some((colleague.id, found)));
        assert_eq!(said(denied.unwrap_err()), ["user_id must be a staff member who works on claims"]);
    }
    let ended = found(1, 3, ClaimStatus::Closed);
    let denied = alone(&ended, Some((colleague.id, Some(colleague))));
    assert_eq!(said(denied.unwrap_err()), ["status is closed"]);
}

#[test]
fn a_colleague_is_named_by_id_or_not_at_all() {
    let id = Uuid::from_u128(11);
    let named = format!(r#"{{"user_id":"{id}"}}"#);
    assert_eq!(parse(named).map(|to: ToTake| to.user_id), Ok(Some(UserId(id))));
    for none in ["", "{}", r#"{"user_id":null}"#, r#"{"user_id":""}"#] {
        assert_eq!(ToTake::parse_if_any(none.as_bytes(), terms(&ctx())).map(|to| to.user_id), Ok(None), "{none}");
    }
    for wrong in [r#"{"user_id":"me"}"#, r#"{"user_id":1}"#] {
        assert_eq!(said(parse::<ToTake>(wrong).unwrap_err()), ["user_id must be an id"]);
    }
}
