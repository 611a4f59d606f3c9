use super::*;
use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::signing::SigningStatus;
use crate::plan::work::claim::StoredWorkClaim;
use crate::request::if_match::Seen;
use crate::testing::decisions::{parse, parse_at, person, work_claim};
use crate::work::cases::open::Candidate;
use crate::work::cases::{self, CaseToJoin, StoredCase};
use crate::work::named_claims::NamedClaim;
use crate::work::same_patient::PatientAndPayer;
use crate::work::{amount, decision, letter, notes, reports, take};
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::base::money::Cents;
use overturn_core::claims::appeal::level_names::{LevelKind, LevelOutcome};
use overturn_core::claims::appeal::{self, Appeal, AtLevel, Paid};
use overturn_core::testing::ctx;
use uuid::Uuid;

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
const CASE: CaseId = CaseId(Uuid::from_u128(2));
const OTHER: UserId = UserId(Uuid::from_u128(11));

fn me() -> Person {
    person(Role::Staff, Action::Work)
}

/// Every state of a claim, for both persons and for no one.
fn states() -> Vec<ClaimState> {
    let mut states = Vec::new();
    for status in ClaimStatus::ALL {
        for signing_status in SigningStatus::ALL {
            for taken_by in [None, Some(me().user_id), Some(OTHER)] {
                for was_appealed in [false, true] {
                    let state = ClaimState { status, signing_status, taken_by, was_appealed, was_paid: false };
                    states.extend([state, ClaimState { was_paid: was_appealed, ..state }]);
                }
            }
        }
    }
    states
}

fn stored(state: ClaimState) -> StoredWorkClaim {
    let case = state.was_appealed.then_some(appeal::Case { version: 1, level: 1 });
    let paid = Paid { amount: Cents::new(1).unwrap(), at: Instant(0), stands: true };
    let at = AtLevel { case_id: CASE, level: 1, filed: false, paid: Some(paid) };
    let levels = state.was_paid.then_some(at).into_iter();
    StoredWorkClaim {
        status: state.status,
        signing_status: state.signing_status,
        taken_by: state.taken_by,
        case_id: state.was_appealed.then_some(CASE),
        appeal: Appeal { case, levels: levels.collect(), ..Appeal::default() },
        ..work_claim()
    }
}

fn level(outcome: Option<LevelOutcome>) -> Level {
    let decided = outcome.and(Date::parse("2026-03-01"));
    let new = levels::LevelRequest { kind: LevelKind::Hearing, due_on: Date::parse("2026-07-07") };
    Level { filed_on: decided, decided_on: decided, outcome, ..new.level(1) }
}

fn patient_and_payer() -> PatientAndPayer {
    PatientAndPayer { payer_name: "Acme".into(), patient_tag: "one patient".into() }
}

fn moved(claim: &StoredWorkClaim, body: &str) -> bool {
    let step = parse::<crate::work::moves::MoveRequest>(body.as_bytes()).unwrap();
    let case = step.case_id.map(|id| CaseToJoin {
        id,
        version: 1,
        levels: vec![level(None)],
        was_in: false,
        patients: vec![patient_and_payer()],
    });
    crate::work::moves::stepped(PRACTICE, (claim, step), case.as_ref(), &me(), &ctx()).is_ok()
}

/// The claim, as a request for a report or a case names it.
fn seen(claim: &StoredWorkClaim) -> NamedClaim {
    NamedClaim { id: claim.id, version: claim.version }
}

/// What the decision about an action says.
fn decided(action: ClaimAction, claim: &StoredWorkClaim) -> bool {
    let (me, ctx) = (me(), ctx());
    let in_appeal = format!(r#"{{"status":"in_appeal","case_id":"{CASE}"}}"#);
    let ended = matches!(claim.status, Recovered | Closed);
    match action {
        ClaimAction::Take => take::taken(PRACTICE, claim, (None, None), &me, &ctx).is_ok(),
        ClaimAction::LetGo => moved(claim, r#"{"status":"received"}"#),
        ClaimAction::Review => moved(claim, r#"{"status":"reviewing"}"#),
        ClaimAction::Note => {
            notes::added(PRACTICE, Some(claim), &notes::NoteText { text: "x".into() }, &me, &ctx).is_ok()
        }
        ClaimAction::SetLetter => {
            let edit = parse_at::<letter::LetterEdit>(br#"{"appeal_due":"2026-07-07"}"#, &ctx).unwrap();
            let stored = letter::ClaimOfLetter { practice_id: PRACTICE, claim: claim.clone(), levels: Vec::new() };
            let seen = Seen::Version(claim.version);
            letter::read((Some(stored), seen), edit, &me, &ctx).is_ok()
        }
        ClaimAction::DecideSigning | ClaimAction::RevokeLink => panic!("see `signing::decision::tests`"),
        ClaimAction::Report => {
            let asked = (&[seen(claim)][..], vec![Some(claim.clone())]);
            reports::delivered(PRACTICE, asked, &me, &ctx).is_ok()
        }
        ClaimAction::OpenCase => {
            let candidate = Candidate { claim: claim.clone(), patient: patient_and_payer() };
            let level = levels::LevelRequest { kind: LevelKind::Hearing, due_on: None };
            let new = cases::CaseRequest { claims: vec![seen(claim)], kind: level.kind, due_on: level.due_on };
            let asked = (&new, vec![Some(candidate)]);
            cases::opened(PRACTICE, asked, &me, &ctx).is_ok()
        }
        ClaimAction::JoinCase => moved(claim, &in_appeal) && !ended,
        ClaimAction::Recover => moved(claim, r#"{"status":"recovered","amount_recovered":"80.00"}"#),
        ClaimAction::Close => moved(claim, r#"{"status":"closed","reason":"withdrawn"}"#),
        ClaimAction::Reopen => moved(claim, &in_appeal) && ended,
        ClaimAction::CorrectAmount => {
            let paid = parse::<amount::PaidAmount>(br#"{"amount_recovered":"80.00"}"#).unwrap().amount_recovered;
            amount::corrected(PRACTICE, claim, paid, &me, &ctx).is_ok()
        }
    }
}

#[test]
fn a_claim_says_exactly_what_the_decisions_allow() {
    let mut seen = Vec::new();
    for state in states() {
        for has_link in [false, true] {
            let may = on_claim(state, has_link, me().user_id);
            let claim = stored(state);
            // `signing::decision::tests` compares the decisions about signatures.
            let of_signing = [ClaimAction::DecideSigning, ClaimAction::RevokeLink];
            for action in ClaimAction::ALL.into_iter().filter(|action| !of_signing.contains(action)) {
                let allowed = decided(action, &claim);
                assert_eq!(may.contains(&action), allowed, "{action:?} of {state:?}");
            }
            seen.extend(may);
        }
    }
    assert!(ClaimAction::ALL.iter().all(|action| seen.contains(action)));
}

#[test]
fn the_actions_come_in_the_order_of_their_list_and_by_their_names() {
    let state = ClaimState {
        status: Reviewing,
        signing_status: SigningStatus::Needed,
        taken_by: Some(me().user_id),
        was_appealed: false,
        was_paid: false,
    };
    let may = serde_json::to_value(on_claim(state, true, me().user_id)).unwrap();
    let expected = [
        "take",
        "let_go",
        "note",
        "set_letter",
        "decide_signing",
        "revoke_link",
        "report",
        "open_case",
        "join_case",
        "close",
    ];
    assert_eq!(may, serde_json::json!(expected));
}

#[test]
fn a_case_says_exactly_what_the_decisions_allow() {
    let in_appeal = states().into_iter().filter(|s| s.status == InAppeal);
    let mut appealed: Vec<Vec<ClaimState>> = in_appeal.map(|state| vec![state]).collect();
    appealed.push(Vec::new());
    appealed.push(appealed.concat());
    let outcomes = LevelOutcome::ALL.into_iter().map(Some);
    let begun = [None, Date::parse("2026-02-28")].map(|filed_on| Level { filed_on, ..level(None) });
    for level in outcomes.map(level).chain(begun) {
        for states in &appealed {
            let claims: Vec<StoredWorkClaim> = states.iter().map(|state| stored(*state)).collect();
            let case =
                StoredCase { id: CASE, version: 4, levels: vec![level], claims: claims.clone(), elsewhere: Vec::new() };
            let seen = Seen::Version(4);
            let next = levels::LevelRequest { kind: LevelKind::CouncilReview, due_on: None };
            let begun = levels::begun(PRACTICE, (Some(case.clone()), seen), next, &me(), &ctx());
            let edit = parse::<levels::LevelEdit>(br#"{"kind":"council_review"}"#).unwrap();
            let edited = (1, edit);
            let edited = levels::level_edited(PRACTICE, (Some(case.clone()), seen), edited, &me(), &ctx());
            let body = br#"{"outcome":"upheld","decided_on":"2026-03-02"}"#;
            let arrived = parse::<decision::DecisionRequest>(body).unwrap();
            let arrived = decision::decided(PRACTICE, (Some(case), seen), &arrived, &me(), &ctx());
            let recovered = claims.iter().any(|claim| {
                let body = r#"{"status":"recovered","amount_recovered":"80.00"}"#;
                moved(claim, body)
            });
            let expected = [
                (CaseAction::BeginLevel, begun.is_ok()),
                (CaseAction::EditLevel, edited.is_ok()),
                (CaseAction::Attach, true),
                (CaseAction::Recover, recovered),
                (CaseAction::Decide, arrived.is_ok()),
            ];
            let expected = expected.into_iter().filter(|(_, allowed)| *allowed);
            let expected: Vec<_> = expected.map(|(action, _)| action).collect();
            let may = on_case(Some(&level), states, me().user_id);
            assert_eq!(may, expected, "{level:?} {states:?}");
        }
    }
}
