use super::*;
use crate::base::date::Date;
use crate::base::id::ClaimId;
use crate::plan::claims::deadline::{Deadline, DeadlineFrom};
use crate::plan::claims::{ClaimNumber, ClaimStatus};
use crate::plan::signing::SigningStatus;
use crate::plan::work::appeal::{Appeal, AtLevel};
use crate::plan::work::level_names::{LevelKind, LevelOutcome};
use crate::testing::test;
use crate::work::levels::LevelRequest;
use uuid::Uuid;

fn due(date: &str, from: DeadlineFrom) -> Option<Deadline> {
    Date::parse(date).map(|date| Deadline { date, from })
}

fn claim(appeal: Appeal) -> StoredWorkClaim {
    StoredWorkClaim {
        id: ClaimId(Uuid::from_u128(7)),
        claim_number: ClaimNumber("A-1".into()),
        version: 3,
        status: ClaimStatus::Closed,
        signing_status: SigningStatus::NotNeeded,
        taken_by: None,
        case_id: None,
        appeal,
    }
}

#[test]
fn a_claim_is_due_with_its_case_until_that_is_filed_and_with_its_rule_until_anything_is() {
    let day = Date::parse("2027-03-01");
    let filed = Date::parse("2026-01-05");
    let new = LevelRequest {
        kind: LevelKind::Hearing,
        due_on: day,
    };
    let waiting = new.level(1);
    let unsaid = Level {
        due_on: None,
        ..waiting
    };
    let sent = Level {
        filed_on: filed,
        ..waiting
    };
    let withdrawn = Level {
        decided_on: filed,
        outcome: Some(LevelOutcome::Withdrawn),
        ..waiting
    };
    let ruled = Appeal {
        plan_type: Some("erisa".into()),
        denial_date: Date::parse("2026-01-01"),
        ..Appeal::default()
    };
    let of_case = due("2027-03-01", DeadlineFrom::Case);
    let of_rule = due("2026-06-30", DeadlineFrom::Rule);
    for (level, unfiled, was_filed) in [
        (&waiting, of_case, of_case),
        (&unsaid, of_rule, None),
        (&sent, of_rule, None),
        (&withdrawn, of_rule, None),
    ] {
        assert_eq!(ruled.due(Some(level), false), unfiled, "{level:?}");
        assert_eq!(ruled.due(Some(level), true), was_filed, "{level:?}");
    }
    assert_eq!(ruled.due(None, false), of_rule);
    assert_eq!(Appeal::default().due(Some(&unsaid), false), None);
    // A stored date from a rule stays, even if the rule gives another one today.
    let kept = Appeal {
        deadline: due("2026-05-05", DeadlineFrom::Rule),
        ..ruled
    };
    assert_eq!(kept.due(Some(&unsaid), false), kept.deadline);
}

#[test]
fn a_value_that_a_claim_already_has_is_not_set_again() {
    let case = CaseId(Uuid::from_u128(1));
    let new = LevelRequest {
        kind: LevelKind::Hearing,
        due_on: Date::parse("2027-03-01"),
    };
    let level = new.level(1);
    let (of_case, of_rule) = (
        due("2027-03-01", DeadlineFrom::Case),
        due("2027-03-01", DeadlineFrom::Rule),
    );
    let set = |deadline| {
        let appeal = Appeal {
            deadline,
            ..Appeal::default()
        };
        let set = joined(case, &claim(appeal), Some(&level));
        (set.appeal_due, set.appeal_due_from)
    };
    assert_eq!(set(of_case), (None, None));
    let both = (Some(level.due_on), Some(Some(DeadlineFrom::Case)));
    assert_eq!(set(of_rule), both, "who says so is another");
    assert_eq!(set(None), both);
}

#[test]
fn a_filing_that_is_taken_back_leaves_those_of_other_levels_and_cases() {
    let case = |n| CaseId(Uuid::from_u128(n));
    let at = |case_id, level| AtLevel {
        case_id,
        level,
        filed: true,
        paid: None,
    };
    let filed = |levels: &[AtLevel]| {
        let appeal = Appeal {
            levels: levels.into(),
            ..Appeal::default()
        };
        appeal.is_filed(Some((case(1), 1)))
    };
    assert!(!filed(&[at(case(1), 1)]));
    assert!(filed(&[at(case(1), 1), at(case(1), 2)]));
    assert!(filed(&[at(case(1), 1), at(case(2), 1)]));
}
