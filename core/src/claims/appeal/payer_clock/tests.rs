use super::*;
use crate::claims::appeal::level_names::LevelOutcome;
use alloc::string::ToString;

fn known(plans: &[Option<PlanType>]) -> impl Iterator<Item = PlanType> {
    plans.iter().copied().flatten()
}

fn level(level: i64, kind: LevelKind, filed: &str) -> Level {
    Level {
        level,
        kind,
        due_on: None,
        filed_on: Date::parse(filed),
        decided_on: None,
        outcome: None,
        decision_due: None,
        decision_source: None,
        follow_up_on: None,
    }
}

fn due(level: Level) -> Option<alloc::string::String> {
    level.decision_due.map(|day| day.to_string())
}

#[test]
fn every_rule_gives_the_last_day_that_its_source_gives() {
    use LevelKind::{
        CouncilReview, ExternalReview, FormalReview, Hearing, InternalAppeal, Reconsideration, Redetermination,
    };
    for (plan, kind, last) in [
        (PlanType::Erisa, InternalAppeal, "2026-03-02"),
        (PlanType::Erisa, ExternalReview, "2026-02-15"),
        (PlanType::AcaIndividual, InternalAppeal, "2026-03-02"),
        (PlanType::AcaIndividual, ExternalReview, "2026-02-15"),
        (PlanType::Medicare, Redetermination, "2026-03-02"),
        (PlanType::Medicare, Reconsideration, "2026-03-02"),
        (PlanType::Medicare, Hearing, "2026-04-01"),
        (PlanType::Medicare, CouncilReview, "2026-04-01"),
        (PlanType::MedicareAdvantage, Reconsideration, "2026-03-02"),
        (PlanType::MediCalManaged, InternalAppeal, "2026-01-31"),
        (PlanType::MediCalManaged, Hearing, "2026-04-01"),
        (PlanType::MediCalFfs, InternalAppeal, "2026-02-15"),
        (PlanType::Tricare, Reconsideration, "2026-03-02"),
        (PlanType::Tricare, FormalReview, "2026-04-01"),
    ] {
        let filed = level(1, kind, "2026-01-01");
        let clocked = filed.clocked(None, &[filed], known(&[Some(plan)]));
        assert_eq!(due(clocked).as_deref(), Some(last), "{plan:?} {kind:?}");
        assert!(clocked.decision_source.is_some());
    }
}

#[test]
fn no_day_is_made_up() {
    let at = |kind, plans: &[Option<PlanType>], filed: &str| {
        let filed = level(1, kind, filed);
        filed.clocked(None, &[filed], known(plans)).decision_due
    };
    let day = "2026-01-01";
    for plan in PlanType::ALL {
        assert_eq!(at(LevelKind::JudicialReview, &[Some(plan)], day), None);
    }
    for plan in [PlanType::Commercial, PlanType::WorkersComp, PlanType::Other] {
        assert_eq!(at(LevelKind::InternalAppeal, &[Some(plan)], day), None);
    }
    assert_eq!(at(LevelKind::InternalAppeal, &[None], day), None);
    assert_eq!(at(LevelKind::InternalAppeal, &[], day), None);
    let erisa = [Some(PlanType::Erisa)];
    assert_eq!(at(LevelKind::InternalAppeal, &erisa, "9999-12-01"), None);
    assert_eq!(at(LevelKind::InternalAppeal, &erisa, "not a day"), None);
}

#[test]
fn the_second_of_two_appeals_of_a_plan_has_half_of_the_time() {
    let appeals = [1, 2].map(|n| level(n, LevelKind::InternalAppeal, "2026-01-01"));
    let erisa = [Some(PlanType::Erisa)];
    let days = appeals.map(|level| due(level.clocked(None, &appeals, known(&erisa))));
    assert_eq!(days.each_ref().map(|day| day.as_deref()), [Some("2026-03-02"), Some("2026-01-31")]);
    let [first, second] = appeals;
    let unfiled = Level { filed_on: None, ..first };
    let alone = second.clocked(None, &[unfiled, second], known(&erisa));
    assert_eq!(due(alone).as_deref(), Some("2026-03-02"), "nothing was filed before");
    let aca = [Some(PlanType::AcaIndividual)];
    let again = second.clocked(None, &appeals, known(&aca));
    assert_eq!(due(again).as_deref(), Some("2026-03-02"));
}

#[test]
fn of_several_plans_the_first_day_counts_and_a_day_becomes_only_earlier_until_the_filing_changes() {
    let filed = level(1, LevelKind::InternalAppeal, "2026-01-01");
    let both = [Some(PlanType::Erisa), None, Some(PlanType::MediCalManaged)];
    let clocked = filed.clocked(None, &[filed], known(&both));
    assert_eq!(due(clocked).as_deref(), Some("2026-01-31"));
    assert_eq!(clocked.decision_source, Some(DecisionSource::ManagedAppeal));
    // The claim with the earlier day has left the case.
    let erisa = [Some(PlanType::Erisa)];
    let edited = Level { due_on: Date::parse("2026-05-05"), ..clocked };
    let kept = edited.clocked(Some(&clocked), &[clocked], known(&erisa));
    assert_eq!(due(kept).as_deref(), Some("2026-01-31"));
    let later = Level { filed_on: Date::parse("2026-01-02"), ..clocked };
    let moved = later.clocked(Some(&clocked), &[clocked], known(&erisa));
    assert_eq!(due(moved).as_deref(), Some("2026-03-03"));
    // The plan became known after the filing.
    let known = edited.clocked(Some(&filed), &[filed], known(&both));
    assert_eq!(due(known).as_deref(), Some("2026-01-31"));
}

#[test]
fn a_plan_that_was_corrected_after_the_filing_gives_an_earlier_day_until_the_decision() {
    let filed = level(1, LevelKind::InternalAppeal, "2026-01-01");
    let first = filed.clocked(None, &[filed], known(&[Some(PlanType::Erisa)]));
    let medi_cal = [Some(PlanType::MediCalManaged)];
    let corrected = first.clocked(Some(&first), &[first], known(&medi_cal));
    assert_eq!(due(corrected).as_deref(), Some("2026-01-31"));
    assert_eq!(corrected.decision_source, Some(DecisionSource::ManagedAppeal));
    let decided = Level { decided_on: Date::parse("2026-02-20"), outcome: Some(LevelOutcome::Upheld), ..first };
    let kept = decided.clocked(Some(&first), &[first], known(&medi_cal));
    assert_eq!(due(kept).as_deref(), Some("2026-03-02"));
    assert_eq!(kept.decision_source, first.decision_source);
}

#[test]
fn a_level_that_was_not_filed_has_no_clock_and_a_decided_one_has_nothing_to_ask() {
    let erisa = [Some(PlanType::Erisa)];
    let filed = level(1, LevelKind::InternalAppeal, "2026-01-01");
    let asked = Level { follow_up_on: Date::parse("2026-04-01"), ..filed.clocked(None, &[filed], known(&erisa)) };
    let undone = Level { filed_on: None, ..asked };
    let undone = undone.clocked(Some(&asked), &[asked], known(&erisa));
    assert_eq!((undone.decision_due, undone.follow_up_on), (None, None));
    assert_eq!(undone.decision_source, None);
    let decided = Level { decided_on: Date::parse("2026-02-01"), outcome: Some(LevelOutcome::Upheld), ..asked };
    let decided = decided.clocked(Some(&asked), &[asked], known(&[]));
    assert_eq!(due(decided).as_deref(), Some("2026-03-02"));
    assert_eq!(decided.follow_up_on, None);
}

#[test]
fn a_rule_names_its_source_and_no_two_are_for_the_same_levels() {
    for (n, rule) in RULES.iter().enumerate() {
        let source = rule.source.name();
        assert!(source.contains("CFR") || source.contains("CCR"));
        let same = |other: &DecisionRule| {
            (other.plan_type, other.kind, other.again) == (rule.plan_type, rule.kind, rule.again)
        };
        assert_eq!(RULES.iter().position(same), Some(n));
        assert!(rule.kind.is_of(rule.plan_type), "{rule:?}");
    }
    let used = |source: DecisionSource| RULES.iter().any(|rule| rule.source == source);
    assert!(DecisionSource::ALL.into_iter().all(used));
}
