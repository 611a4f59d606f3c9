use super::*;
use crate::testing::decisions::work_claim;
use crate::work::levels::LevelRequest;
use overturn_core::base::date::Date;
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::level_names::{LevelKind, LevelOutcome};
use overturn_core::claims::appeal::{Appeal, AtLevel};
use overturn_core::claims::deadline::{Deadline, DeadlineFrom};
use overturn_core::testing::ctx;
use uuid::Uuid;

fn due(date: &str, from: DeadlineFrom) -> Option<Deadline> {
    Date::parse(date).map(|date| Deadline { date, from })
}

fn claim(appeal: Appeal) -> StoredWorkClaim {
    StoredWorkClaim { status: ClaimStatus::Closed, appeal, ..work_claim() }
}

#[test]
fn the_earliest_date_that_can_still_be_missed_is_the_deadline() {
    let filed = Date::parse("2026-01-05");
    let level = |day: &str| {
        let new = LevelRequest { kind: LevelKind::Hearing, due_on: Date::parse(day) };
        new.level(1)
    };
    let (early, late) = (level("2026-03-01"), level("2027-03-01"));
    let unsaid = Level { due_on: None, ..late };
    let sent = Level { filed_on: filed, ..early };
    let withdrawn = Level { decided_on: filed, outcome: Some(LevelOutcome::Withdrawn), ..early };
    let ruled = Appeal { plan_type: Some("erisa".into()), denial_date: Date::parse("2026-01-01"), ..Appeal::default() };
    let of_case = |day| due(day, DeadlineFrom::Case);
    let of_rule = due("2026-06-30", DeadlineFrom::Rule);
    for (level, unfiled, was_filed) in [
        (&early, of_case("2026-03-01"), of_case("2026-03-01")),
        (&late, of_rule, of_case("2027-03-01")),
        (&level("2026-06-30"), of_case("2026-06-30"), of_case("2026-06-30")),
        (&unsaid, of_rule, None),
        (&sent, of_rule, None),
        (&withdrawn, of_rule, None),
    ] {
        let due = |filed| ruled.due(ClaimStatus::InAppeal, Some(level), filed, None);
        assert_eq!((due(false), due(true)), (unfiled, was_filed), "{level:?}");
    }
    for status in ClaimStatus::ALL {
        let ended = matches!(status, ClaimStatus::Recovered | ClaimStatus::Closed);
        let own = of_rule.filter(|_| !ended);
        assert_eq!(ruled.due(status, None, false, None), own, "{status:?}");
        assert_eq!(ruled.due(status, None, true, None), None, "{status:?}");
    }
    let appealed = |appeal: &Appeal| appeal.due(ClaimStatus::InAppeal, Some(&unsaid), false, None);
    assert_eq!(appealed(&Appeal::default()), None);
    // A stored date from a rule stays, even if the rule gives another one today.
    let kept = Appeal { deadline: due("2026-05-05", DeadlineFrom::Rule), ..ruled };
    assert_eq!(appealed(&kept), kept.deadline);
}

/// The claim's own date is June 30, and the case's December 1.
#[test]
fn a_date_that_has_passed_gives_way_when_a_person_decides_about_the_date_of_the_case() {
    let new = LevelRequest { kind: LevelKind::Hearing, due_on: Date::parse("2026-12-01") };
    let level = new.level(1);
    let unsaid = Level { due_on: None, ..level };
    let own = due("2026-06-30", DeadlineFrom::Rule);
    let of_case = due("2026-12-01", DeadlineFrom::Case);
    let day = Date::parse;
    let (before, after) = (day("2026-06-30"), day("2026-07-01"));
    let stored = |deadline, levels: &[AtLevel]| Appeal {
        deadline,
        plan_type: Some("erisa".into()),
        denial_date: day("2026-01-01"),
        levels: levels.into(),
        ..Appeal::default()
    };
    let at = |appeal: &Appeal, level, decided| appeal.due(ClaimStatus::InAppeal, Some(level), false, decided);
    for kept in [stored(own, &[]), stored(None, &[])] {
        assert_eq!(at(&kept, &level, None), own, "time alone moves nothing");
        assert_eq!(at(&kept, &level, before), own, "on its last day");
        assert_eq!(at(&kept, &level, after), of_case);
        assert_eq!(at(&kept, &unsaid, after), own, "there is no other date");
    }
    let decided = stored(of_case, &[]);
    assert_eq!(at(&decided, &level, None), of_case, "the decision stays");
    assert_eq!(at(&decided, &unsaid, None), own);
    // A filing that is taken back brings the own date back, because nobody decided against it.
    let filed = AtLevel { case_id: CaseId(Uuid::from_u128(1)), level: 1, filed: true, paid: None };
    let taken_back = stored(of_case, &[filed]);
    assert_eq!(at(&taken_back, &level, before), own);
    assert_eq!(at(&taken_back, &level, after), of_case);
}

#[test]
fn a_day_passes_when_it_ends_in_the_last_zone_of_the_united_states() {
    let case = CaseId(Uuid::from_u128(1));
    let new = LevelRequest { kind: LevelKind::Hearing, due_on: Date::parse("2026-12-01") };
    let own = Appeal {
        deadline: due("2026-06-30", DeadlineFrom::Rule),
        plan_type: Some("erisa".into()),
        denial_date: Date::parse("2026-01-01"),
        ..Appeal::default()
    };
    let at = |time: &str| {
        let ctx = Ctx::new(Time::parse(time).unwrap().0, [1; 32]);
        joined(case, &claim(own.clone()), Some(&new.level(1)), &ctx).appeal_due
    };
    assert_eq!(at("2026-07-01T10:59:59.999Z"), None, "one minute to midnight in Pago Pago");
    assert_eq!(at("2026-07-01T11:00:00.000Z"), Some(Date::parse("2026-12-01")));
}

#[test]
fn a_late_filing_of_an_earlier_level_is_made_with_the_claims_that_were_at_it() {
    let (case, other) = (CaseId(Uuid::from_u128(1)), CaseId(Uuid::from_u128(2)));
    let level = |number| LevelRequest { kind: LevelKind::Hearing, due_on: None }.level(number);
    let step = |number, filing| LevelStep {
        status: 200,
        event: Event::LevelChanged,
        detail: Value::Null,
        level: level(number),
        last: Some(level(2)),
        filing,
    };
    let was_at = |at: &[(CaseId, i64)]| {
        let at = at.iter().map(|&(case_id, level)| AtLevel { case_id, level, filed: false, paid: None });
        claim(Appeal { levels: at.collect(), ..Appeal::default() })
    };
    let joined_late = was_at(&[(case, 2), (other, 1)]);
    let first = step(1, Filing::Made);
    assert!(covers(&first, case, &was_at(&[(case, 2), (case, 1)])));
    assert!(!covers(&first, case, &joined_late));
    assert!(covers(&step(2, Filing::Made), case, &was_at(&[])), "all claims of the case are at its last level");
    assert!(!covers(&step(2, Filing::Same), case, &joined_late));
}

#[test]
fn a_value_that_a_claim_already_has_is_not_set_again() {
    let case = CaseId(Uuid::from_u128(1));
    let new = LevelRequest { kind: LevelKind::Hearing, due_on: Date::parse("2027-03-01") };
    let level = new.level(1);
    let (of_case, of_rule) = (due("2027-03-01", DeadlineFrom::Case), due("2027-03-01", DeadlineFrom::Rule));
    let ctx = ctx();
    let set = |deadline| {
        let appeal = Appeal { deadline, ..Appeal::default() };
        let set = joined(case, &claim(appeal), Some(&level), &ctx);
        (set.appeal_due, set.appeal_due_from)
    };
    assert_eq!(set(of_case), (None, None));
    let both = (Some(level.due_on), Some(Some(DeadlineFrom::Case)));
    assert_eq!(set(of_rule), both, "who says so is another");
    assert_eq!(set(None), both);
}
