use super::*;
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::base::id::ClaimId;
use overturn_core::base::instant::Instant;
use overturn_core::plan::claims::{ClaimNumber, ClaimStatus};
use overturn_core::plan::signing::SigningStatus;
use overturn_core::plan::work::appeal::Appeal;
use overturn_core::plan::{Guard, WorkGuard, WorkWrite, Write};
use overturn_core::request::declare::Body;
use overturn_core::testing::{parse, person, said, terms};
use serde_json::{Value, json};
use uuid::Uuid;

const ONE: PracticeId = PracticeId(Uuid::from_u128(1));
const TWO: PracticeId = PracticeId(Uuid::from_u128(2));

fn ctx() -> Ctx {
    Ctx::new(Instant(1_772_625_600_000), [1; 32])
}

fn id(n: u128) -> ClaimId {
    ClaimId(Uuid::from_u128(n))
}

fn seen(practice_id: PracticeId, n: u128, version: i64) -> SeenClaim {
    SeenClaim { practice_id, id: id(n), version }
}

fn found(n: u128, version: i64, status: ClaimStatus) -> FoundClaim {
    let claim = StoredWorkClaim {
        id: id(n),
        claim_number: ClaimNumber(format!("A-{n}")),
        version,
        status,
        signing_status: SigningStatus::NotDecided,
        taken_by: None,
        case_id: None,
        appeal: Appeal::default(),
    };
    FoundClaim { practice: Some(("active".into(), true)), claim: Some(claim) }
}

fn decided(asked: &[SeenClaim], found: Vec<FoundClaim>) -> Change {
    given(asked, found, None).unwrap()
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

#[test]
fn each_claim_is_taken_or_refused_alone_and_in_the_order_sent() {
    let closed = |practice: Option<(&str, bool)>| FoundClaim {
        practice: practice.map(|(state, agreement)| (state.into(), agreement)),
        ..found(9, 1, ClaimStatus::Received)
    };
    let asked = [
        seen(ONE, 1, 1),
        seen(ONE, 2, 1),
        seen(TWO, 3, 4),
        seen(TWO, 4, 1),
        seen(TWO, 5, 1),
        seen(TWO, 6, 1),
        seen(TWO, 7, 1),
        seen(TWO, 8, 1),
    ];
    let missing = FoundClaim { claim: None, ..found(5, 1, ClaimStatus::Received) };
    let stored = vec![
        found(1, 1, ClaimStatus::Received),
        found(2, 2, ClaimStatus::Received),
        found(3, 4, ClaimStatus::InAppeal),
        found(4, 1, ClaimStatus::Closed),
        missing,
        closed(Some(("inactive", true))),
        closed(Some(("active", false))),
        closed(None),
    ];
    let change = decided(&asked, stored);
    let expected = [
        ("done", Value::Null),
        ("refused", json!("version_conflict")),
        ("done", Value::Null),
        ("refused", json!("move_not_possible")),
        ("refused", json!("not_found")),
        ("refused", json!("practice_inactive")),
        ("refused", json!("agreement_required")),
        ("refused", json!("not_found")),
    ];
    assert_eq!(outcomes(&change), expected.map(|(status, reason)| (String::from(status), reason)));
    let results = results(&change);
    for (result, seen) in results.iter().zip(&asked) {
        assert_eq!(result["id"], json!(seen.id));
    }
    let me = json!(person(Role::Staff, Action::Work).user_id);
    let first = json!({
        "id": id(1), "version": 2, "status": "reviewing", "signing_status": "not_decided", "taken_by": me,
    });
    assert_eq!(results[0]["claim"], first);
    assert_eq!(results[1]["claim"]["version"], 2, "its current state");
    assert_eq!(results[3]["message"], "this cannot be done now: status is closed");
    for unseen in &results[4..] {
        assert_eq!(unseen["claim"], Value::Null);
        assert!(unseen["message"].is_string());
    }

    let versions = [(ONE, id(1), 1), (TWO, id(3), 4)];
    let guards = [Guard::AllReadable([ONE, TWO].into()), Guard::Work(WorkGuard::Claims(versions.into()))];
    assert_eq!(change.guards, guards);
    let entries = change.writes.iter().filter_map(|write| match write {
        Write::Audit(entry) => Some((entry.id, entry.practice_id, entry.record.clone())),
        _ => None,
    });
    let entries: Vec<_> = entries.collect();
    assert_eq!(entries.len(), 2);
    assert_ne!(entries[0].0, entries[1].0);
    assert_eq!((entries[1].1, &entries[1].2), (Some(TWO), &format!("{}", id(3))));
    let told = change.writes.iter().find_map(|write| match write {
        Write::Messages(messages) => Some(messages),
        _ => None,
    });
    // Only the first one has another status.
    let told: Vec<_> = told.unwrap().iter().map(|message| message.practice_id).collect();
    assert_eq!(told, [ONE]);
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
                Write::Work(WorkWrite::Claims(changes)) => format!("{changes:?}"),
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
    let still = crate::accounts::account::in_use(colleague.id, 7);
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

#[test]
fn a_list_has_one_to_a_hundred_claims_each_once() {
    let practice = Uuid::from_u128(1);
    let claim = |n: u128| json!({ "practice_id": practice, "id": Uuid::from_u128(n), "version": 1 });
    let parsed = |claims: Value| parse::<SeveralToTake>(json!({ "claims": claims }).to_string());
    let wrong = |claims: Value| said(parsed(claims).unwrap_err());
    let hundred: Vec<Value> = (0..100).map(claim).collect();
    assert_eq!(parsed(json!(hundred)).unwrap().claims.len(), 100);
    let more: Vec<Value> = (0..101).map(claim).collect();
    assert_eq!(wrong(json!(more)), ["claims must have at most 100 items"]);
    for none in [Value::Null, json!([])] {
        assert_eq!(wrong(none), ["claims is required"]);
    }
    for other in [json!("x"), json!({}), json!(1)] {
        assert_eq!(wrong(other), ["claims must be an array"]);
    }
    let version = "claims[2].version must be a whole number from 1 to 999999999999999";
    let mut zero = claim(7);
    zero["version"] = json!(0);
    assert_eq!(
        wrong(json!([{}, "x", zero, claim(3), claim(3)])),
        [
            "claims[0].practice_id is required",
            "claims[0].id is required",
            "claims[0].version is required",
            "claims[1] must be an object",
            version,
            "claims[4].id must be given only once",
        ]
    );
    let twice = format!(r#"{{"claims":[{}],"claims":[]}}"#, claim(1));
    assert!(matches!(parse::<SeveralToTake>(twice.as_bytes()), Err(RequestError::Invalid(_))));
    assert!(matches!(parse::<SeveralToTake>(b"[]"), Err(RequestError::Malformed(_))));
}
