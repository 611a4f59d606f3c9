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
fn the_earliest_date_that_can_still_be_missed_is_the_deadline() {
    let filed = Date::parse("2026-01-05");
    let level = |day: &str| {
        let new = LevelRequest {
            kind: LevelKind::Hearing,
            due_on: Date::parse(day),
        };
        new.level(1)
    };
    let (early, late) = (level("2026-03-01"), level("2027-03-01"));
    let unsaid = Level {
        due_on: None,
        ..late
    };
    let sent = Level {
        filed_on: filed,
        ..early
    };
    let withdrawn = Level {
        decided_on: filed,
        outcome: Some(LevelOutcome::Withdrawn),
        ..early
    };
    let ruled = Appeal {
        plan_type: Some("erisa".into()),
        denial_date: Date::parse("2026-01-01"),
        ..Appeal::default()
    };
    let of_case = |day| due(day, DeadlineFrom::Case);
    let of_rule = due("2026-06-30", DeadlineFrom::Rule);
    for (level, unfiled, was_filed) in [
        (&early, of_case("2026-03-01"), of_case("2026-03-01")),
        (&late, of_rule, of_case("2027-03-01")),
        (
            &level("2026-06-30"),
            of_case("2026-06-30"),
            of_case("2026-06-30"),
        ),
        (&unsaid, of_rule, None),
        (&sent, of_rule, None),
        (&withdrawn, of_rule, None),
    ] {
        let due = |filed| ruled.due(ClaimStatus::InAppeal, Some(level), filed);
        assert_eq!((due(false), due(true)), (unfiled, was_filed), "{level:?}");
    }
    for status in ClaimStatus::ALL {
        let ended = matches!(status, ClaimStatus::Recovered | ClaimStatus::Closed);
        let own = of_rule.filter(|_| !ended);
        assert_eq!(ruled.due(status, None, false), own, "{status:?}");
        assert_eq!(ruled.due(status, None, true), None, "{status:?}");
    }
    let appealed = |appeal: &Appeal| appeal.due(ClaimStatus::InAppeal, Some(&unsaid), false);
    assert_eq!(appealed(&Appeal::default()), None);
    // A stored date from a rule stays, even if the rule gives another one today.
    let kept = Appeal {
        deadline: due("2026-05-05", DeadlineFrom::Rule),
        ..ruled
    };
    assert_eq!(appealed(&kept), kept.deadline);
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
