use super::*;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::claim_changes::unchanged;
use crate::plan::Write;
use crate::plan::audit::Event;
use crate::testing::decisions::{parse, person, said, work_claim};
use overturn_core::base::date::Date;
use overturn_core::base::id::{ClaimId, UserId};
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::level_names::LevelKind;
use overturn_core::claims::appeal::{Appeal, Case};
use overturn_core::testing::ctx;
use uuid::Uuid;

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
const CASE: CaseId = CaseId(Uuid::from_u128(2));
const COLLEAGUE: UserId = UserId(Uuid::from_u128(11));

fn me() -> Person {
    person(Role::Staff, Action::Work)
}

fn claim(n: u128, taken_by: Option<UserId>) -> StoredWorkClaim {
    StoredWorkClaim {
        id: ClaimId(Uuid::from_u128(n)),
        status: ClaimStatus::InAppeal,
        taken_by,
        case_id: Some(CASE),
        appeal: Appeal { case: Some(Case { version: 4, level: 1 }), ..Appeal::default() },
        ..work_claim()
    }
}

fn case(holders: &[Option<UserId>]) -> StoredCase {
    let new = LevelRequest { kind: LevelKind::InternalAppeal, due_on: None };
    let claims = holders.iter().zip(101..).map(|(holder, n)| claim(n, *holder));
    StoredCase {
        id: CASE,
        version: 4,
        levels: vec![Level { filed_on: Date::parse("2026-02-01"), ..new.level(1) }],
        claims: claims.collect(),
        elsewhere: Vec::new(),
    }
}

fn named(n: u128, result: &str) -> String {
    let id = Uuid::from_u128(n);
    format!(r#"{{"id":"{id}","version":3,{result}}}"#)
}

const GOES_ON: &str = r#""result":"in_appeal""#;
const PAID: &str = r#""result":"recovered","amount_recovered":"80.00""#;
const UPHELD: &str = r#""result":"closed","reason":"denial_upheld""#;

fn decided(case: StoredCase, claims: &[String], more: &str) -> Result<Change, RequestError> {
    let claims = claims.join(",");
    let body = format!(r#"{{"outcome":"partly_overturned","decided_on":"2026-03-01","claims":[{claims}]{more}}}"#);
    let read = parse::<DecisionRequest>(body.as_bytes())?;
    super::decided(PRACTICE, (Some(case), Seen::Version(4)), &read, &me(), &ctx())
}

#[test]
fn a_free_claim_is_taken_and_a_colleagues_only_if_the_request_says_so() {
    let claims = [named(101, PAID), named(102, UPHELD)];
    let taken_by = |change: &Change, n: usize| change.answer.body["claims"][n]["taken_by"].clone();
    let mine = serde_json::json!(me().user_id);
    let free = decided(case(&[None, Some(me().user_id)]), &claims, "").unwrap();
    assert_eq!([taken_by(&free, 0), taken_by(&free, 1)], [mine.clone(), mine.clone()]);
    let held = || case(&[None, Some(COLLEAGUE)]);
    let denied = decided(held(), &claims, "").unwrap_err();
    assert_eq!(denied.reason(), Some(Reason::TakenByOther));
    let text = "claims[1] status is in_appeal, and only the person who has taken the claim can move it";
    assert_eq!(said(denied), [text]);
    assert!(decided(held(), &claims, r#","take_over":false"#).is_err());
    let over = decided(held(), &claims, r#","take_over":true"#).unwrap();
    assert_eq!(taken_by(&over, 1), mine);
    // The trail says who has each claim now. A claim that was the person's already stays theirs.
    let details = |change: &Change| -> Vec<_> {
        let of = |write: &Write| match write {
            Write::Audit(entry) if entry.event == Event::ClaimMoved => Some(entry.detail.clone()),
            _ => None,
        };
        change.writes.iter().filter_map(of).collect()
    };
    let holders = |change: &Change| -> Vec<_> {
        let details = details(change).into_iter();
        details.map(|said| said.unwrap().get("taken_by").cloned()).collect()
    };
    assert_eq!(holders(&over), [Some(mine.clone()), Some(mine.clone())]);
    assert_eq!(holders(&free), [Some(mine.clone()), None]);
    // A claim that goes on stays with its person.
    let on = decided(held(), &[named(102, GOES_ON)], "").unwrap();
    assert_eq!(taken_by(&on, 0), serde_json::json!(COLLEAGUE));
}

/// A claim whose deadline stays may leave the case, or get another deadline, at the same time.
#[test]
fn every_claim_that_was_read_must_be_unchanged_even_one_that_goes_on() {
    let claims = [named(102, GOES_ON)];
    let next = r#","next_level":{"kind":"external_review","due_on":"2026-06-30"}"#;
    for more in ["", next] {
        let change = decided(case(&[None, None]), &claims, more).unwrap();
        let read = [101, 102].map(|n| (PRACTICE, ClaimId(Uuid::from_u128(n)), 3));
        let guard = unchanged(&read);
        assert!(change.guards.contains(&guard), "{more}");
    }
}

#[test]
fn everything_wrong_is_named_by_its_place_and_nothing_is_written() {
    let mine = Some(me().user_id);
    let two = || case(&[mine, mine]);
    let refused = |claims: &[String], more: &str| said(decided(two(), claims, more).unwrap_err());
    let in_review = named(102, r#""result":"closed","reason":"already_paid""#);
    assert_eq!(
        refused(&[named(9, PAID), in_review], ""),
        [
            "claims[0].id must be a claim that is in appeal in the case",
            "claims[1].reason must be one of denial_upheld, deadline_passed, no_grounds, sent_in_error, patient_declined, withdrawn for a claim that is in_appeal",
        ]
    );
    let next = |level: &str| format!(r#","next_level":{level}"#);
    let both = [named(101, PAID), named(102, UPHELD)];
    assert_eq!(
        refused(&both, &next(r#"{"kind":"hearing","due_on":"2026-06-30"}"#)),
        ["next_level must be absent if no claim goes on"]
    );
    assert_eq!(
        refused(&[], &next(r#"{"kind":"hearing","due_on":"2026-02-28"}"#)),
        ["next_level.due_on must not be before the level in front was decided"]
    );
    for unsaid in [r#"{"kind":"hearing"}"#, r#"{"kind":"hearing","due_on":null}"#] {
        assert_eq!(refused(&[], &next(unsaid)), ["next_level.due_on is required (YYYY-MM-DD)"]);
    }
    let stale = named(101, PAID).replace(r#""version":3"#, r#""version":2"#);
    let denied = decided(two(), &[stale], "").unwrap_err();
    assert_eq!(denied.reason(), Some(Reason::VersionConflict));
    assert_eq!(said(denied), ["claims[0] has changed, read it again"]);
    let body = r#"{"decided_on":"2026-03-05","claims":[{"id":"x","result":"paid"},
        {"id":"00000000-0000-0000-0000-000000000001","version":1,"result":"recovered"}],
        "next_level":{"due_on":"soon"},"take_over":"yes"}"#;
    assert_eq!(
        said(parse::<DecisionRequest>(body.as_bytes()).unwrap_err()),
        [
            "outcome is required",
            "decided_on must not be in the future",
            "claims[0].id must be an id",
            "claims[0].version is required",
            "claims[0].result must be recovered, closed or in_appeal",
            "claims[1].amount_recovered is required",
            "next_level.kind is required",
            "next_level.due_on must be a date (YYYY-MM-DD)",
            "take_over must be true or false",
        ]
    );
}

#[test]
fn a_level_that_was_not_filed_can_only_be_withdrawn_and_a_case_that_is_over_stays() {
    let at = |case: StoredCase, outcome: &str| {
        let body = format!(r#"{{"outcome":"{outcome}","decided_on":"2026-03-01"}}"#);
        let read = parse::<DecisionRequest>(body.as_bytes()).unwrap();
        let seen = (Some(case), Seen::Version(4));
        super::decided(PRACTICE, seen, &read, &me(), &ctx())
    };
    let mut begun = case(&[None]);
    begun.levels[0].filed_on = None;
    assert_eq!(
        said(at(begun.clone(), "upheld").unwrap_err()),
        ["filed_on is required unless the outcome is withdrawn"]
    );
    assert!(at(begun, "withdrawn").is_ok());
    // The claims have their results already, and the level has none.
    let ended = case(&[]);
    assert!(at(ended.clone(), "upheld").is_ok());
    let mut over = ended;
    over.levels[0].decided_on = Date::parse("2026-03-01");
    over.levels[0].outcome = Some(LevelOutcome::Upheld);
    let denied = at(over.clone(), "overturned").unwrap_err();
    assert_eq!(denied.reason(), Some(Reason::NoClaimInAppeal));
    // The same decision about a case with a claim changes nothing.
    over.claims = case(&[None]).claims;
    let same = at(over, "upheld").unwrap();
    assert!(same.writes.is_empty());
    assert_eq!(same.answer.body["version"], 4);
}

#[test]
fn a_decision_names_the_case_and_its_version() {
    let read = parse::<DecisionRequest>(br#"{"outcome":"upheld","decided_on":"2026-03-01","claims":[]}"#);
    let at = |case, seen| super::decided(PRACTICE, (case, seen), read.as_ref().unwrap(), &me(), &ctx());
    let missing = at(None, Seen::Version(4)).unwrap_err();
    assert_eq!(missing, crate::work::cases::case::UNKNOWN);
    for seen in [Seen::Version(3), Seen::Version(5), Seen::Missing] {
        assert!(at(Some(case(&[None])), seen).is_err(), "{seen:?}");
    }
}
