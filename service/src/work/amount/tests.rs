use super::*;
use crate::claim_changes::testing::{changed, is_event};
use overturn_core::auth::person::Person;
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::base::id::{CaseId, ClaimId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::plan::claims::{ClaimNumber, ClaimStatus};
use overturn_core::plan::message::MessageKind;
use overturn_core::plan::signing::SigningStatus;
use overturn_core::plan::work::appeal::{Appeal, AtLevel, Case};
use overturn_core::testing::person;
use uuid::Uuid;

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
const CASE: CaseId = CaseId(Uuid::from_u128(2));
const OTHER: UserId = UserId(Uuid::from_u128(11));

fn me() -> Person {
    person(Role::Staff, Action::Work)
}

fn cents(amount: i64) -> Cents {
    Cents::new(amount).unwrap()
}

fn at(level: i64, amount: i64, at: i64) -> AtLevel {
    AtLevel {
        case_id: CASE,
        level,
        filed: true,
        paid: Some(Paid { amount: cents(amount), at: Instant(at), stands: true }),
    }
}

fn recovered(levels: &[AtLevel]) -> StoredWorkClaim {
    StoredWorkClaim {
        id: ClaimId(Uuid::from_u128(7)),
        claim_number: ClaimNumber("A-1".into()),
        version: 3,
        status: ClaimStatus::Recovered,
        signing_status: SigningStatus::NotNeeded,
        taken_by: Some(me().user_id),
        case_id: Some(CASE),
        appeal: Appeal { case: Some(Case { version: 9, level: 3 }), levels: levels.into(), ..Appeal::default() },
    }
}

fn corrected(claim: &StoredWorkClaim, amount: i64) -> Result<Change, RequestError> {
    let ctx = Ctx::new(Instant(1_772_625_600_000), [1; 32]);
    super::corrected(PRACTICE, claim, cents(amount), &me(), &ctx)
}

#[test]
fn the_amount_changes_where_it_was_recorded_and_nowhere_else() {
    let claim = recovered(&[at(1, 3_000, 5), at(2, 8_000, 6)]);
    let change = corrected(&claim, 12_000).unwrap();
    let statement = |write| match write {
        Write::Sql(statement) => statement,
        other => panic!("{other:?}"),
    };
    let paid = Paid { amount: cents(12_000), at: Instant(6), stands: true };
    let at_level = statement(results::paid((PRACTICE, CASE, 2), claim.id, Some(paid)));
    let ended = Ended { outcome: claim.status, amount: Some(cents(12_000)), reason: None };
    let in_case = statement(results::ended((PRACTICE, CASE, claim.id), ended, Instant(1_772_625_600_000)));
    let mut writes = Vec::new();
    for write in &change.writes {
        match write {
            Write::Sql(of) if *of == at_level => writes.push("level"),
            Write::Sql(of) if *of == in_case => writes.push("case"),
            write if is_event(write) => writes.push("event"),
            write if changed(write).is_some() => {
                let changes = changed(write).unwrap();
                assert_eq!(changes[0]["kind"], "amount_corrected");
                assert_eq!(changes[0]["status"], claim.status.name());
                assert_eq!(changes[0]["set"], json!({ "recovered_cents": 12_000 }));
                writes.push("claim");
            }
            Write::Messages(messages) => {
                let kinds: Vec<_> = messages.iter().map(|message| message.kind()).collect();
                assert_eq!(kinds, [MessageKind::ClaimAmountCorrected]);
                writes.push("messages");
            }
            Write::Audit(entry) => {
                assert_eq!(entry.event, Event::AmountCorrected);
                assert!(!format!("{entry:?}").contains("12000"));
                writes.push("audit");
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(writes, ["audit", "event", "claim", "messages", "level", "case"]);
    assert!(corrected(&claim, 8_000).unwrap().writes.is_empty(), "the same amount");
}

#[test]
fn any_staff_member_corrects_a_recovered_claim_and_no_other_one() {
    for status in ClaimStatus::ALL {
        let claim = StoredWorkClaim { status, ..recovered(&[at(1, 8_000, 5)]) };
        let is_recovered = status == ClaimStatus::Recovered;
        assert_eq!(corrected(&claim, 9_000).is_ok(), is_recovered, "{status:?}");
    }
    let held = |taken_by| StoredWorkClaim { taken_by, ..recovered(&[at(1, 8_000, 5)]) };
    for holder in [None, Some(OTHER)] {
        assert!(corrected(&held(holder), 9_000).is_ok(), "{holder:?}");
    }
}
