use super::*;
use crate::testing::decisions::{parse, said, work_claim};
use crate::work::levels::LevelRequest;
use crate::work::{cases, levels};
use overturn_core::claims::PlanType;
use overturn_core::claims::appeal::Appeal;
use overturn_core::claims::appeal::level_names::LevelOutcome;
use overturn_core::testing::ctx;

fn day(days: i32) -> String {
    ctx().today().plus_days(days).unwrap().to_string()
}

#[test]
fn a_day_of_a_level_is_near_enough_to_be_meant() {
    let new = |due: &str| {
        let body = format!(r#"{{"kind":"hearing","due_on":"{due}"}}"#);
        parse::<levels::LevelRequest>(body.as_bytes()).map(|_| ())
    };
    let open = |due: &str| {
        let id = "00000000-0000-0000-0000-000000000001";
        let body = format!(r#"{{"claims":[{{"id":"{id}","version":1}}],"kind":"hearing","due_on":"{due}"}}"#);
        parse::<cases::CaseRequest>(body.as_bytes()).map(|_| ())
    };
    for days in [-30, -1, 0, 1, 1826] {
        assert_eq!((new(&day(days)), open(&day(days))), (Ok(()), Ok(())), "{days}");
    }
    for (due, expected) in [
        (day(-31), "due_on must be at most 30 days ago"),
        ("0001-01-01".into(), "due_on must be at most 30 days ago"),
        (day(1827), "due_on must be at most 1826 days ahead"),
        ("9999-12-31".into(), "due_on must be at most 1826 days ahead"),
    ] {
        assert_eq!(said(new(&due).unwrap_err()), [expected]);
        assert_eq!(said(open(&due).unwrap_err()), [expected]);
    }
}

#[test]
fn a_correction_of_a_level_can_reach_further_back() {
    let edit = |name: &str, day: &str| {
        let body = format!(r#"{{"{name}":"{day}"}}"#);
        parse::<levels::LevelEdit>(body.as_bytes()).map(|_| ())
    };
    for name in ["due_on", "filed_on", "decided_on"] {
        assert_eq!(edit(name, &day(-1826)), Ok(()));
        let early = format!("{name} must be at most 1826 days ago");
        assert_eq!(said(edit(name, &day(-1827)).unwrap_err()), [early]);
    }
    assert_eq!(edit("due_on", &day(1826)), Ok(()));
    let late = "due_on must be at most 1826 days ahead";
    assert_eq!(said(edit("due_on", &day(1827)).unwrap_err()), [late]);
}

#[test]
fn the_steps_of_one_program_are_only_for_its_plans() {
    use PlanType::{Medicare, MedicareAdvantage, Other, Tricare, WorkersComp};
    for (kind, plans) in [
        (LevelKind::Redetermination, &[Medicare, MedicareAdvantage, Other][..]),
        (LevelKind::CouncilReview, &[Medicare, MedicareAdvantage, Other]),
        (LevelKind::FormalReview, &[Tricare, Other]),
        (LevelKind::BillReview, &[WorkersComp, Other]),
        (LevelKind::Hearing, &PlanType::ALL),
    ] {
        for plan in PlanType::ALL {
            let appeal = Appeal { plan_type: Some(plan.name().into()), ..Appeal::default() };
            let of_plan = StoredWorkClaim { appeal, ..work_claim() };
            let level = LevelRequest { kind, due_on: None }.level(1);
            let fits = |claims: &[&StoredWorkClaim]| steps([&level].into_iter(), kind, claims.iter().copied()).is_ok();
            assert_eq!(fits(&[&of_plan]), plans.contains(&plan), "{kind:?} {plan:?}");
            assert_eq!(fits(&[&work_claim(), &of_plan]), plans.contains(&plan), "{kind:?} {plan:?}");
        }
    }
}

#[test]
fn an_appeal_does_not_begin_again_with_the_payer_once_it_has_left_it() {
    let filed = Date::parse("2026-02-05");
    let level = |kind, filed_on| Level {
        filed_on,
        decided_on: filed,
        outcome: Some(LevelOutcome::Withdrawn),
        ..LevelRequest { kind, due_on: None }.level(1)
    };
    let fit = |kinds: &[(LevelKind, Option<Date>)]| {
        let levels: Vec<Level> = kinds.iter().map(|(kind, filed)| level(*kind, *filed)).collect();
        steps(levels.iter(), LevelKind::Hearing, [].into_iter()).is_ok()
    };
    let (first, second) = (LevelKind::InternalAppeal, LevelKind::ExternalReview);
    assert!(fit(&[(first, filed), (first, filed), (second, filed)]));
    assert!(fit(&[(LevelKind::CouncilReview, filed), (LevelKind::Hearing, filed)]));
    assert!(!fit(&[(second, filed), (first, None)]));
    assert!(!fit(&[(second, filed), (LevelKind::Hearing, filed), (first, filed)]));
    assert!(fit(&[(second, None), (first, filed)]), "it was never filed");
}
