use super::*;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::practice::PracticeName;
use crate::plan::signing::SigningStatus;
use crate::testing::decisions::{person, said};
use overturn_core::base::date::Date;
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_core::claims::ClaimStatus;
use overturn_core::testing::ctx;
use uuid::Uuid;

const ONE: PracticeId = PracticeId(Uuid::from_u128(1));
const TWO: PracticeId = PracticeId(Uuid::from_u128(2));

fn search(practice_id: Option<PracticeId>) -> PatientSearch {
    PatientSearch {
        first_name: "Jane".into(),
        last_name: "Doe".into(),
        date_of_birth: Date::parse("1980-02-29").unwrap(),
        practice_id,
    }
}

fn practice(id: PracticeId) -> SearchedPractice {
    SearchedPractice { id, data_key: None }
}

fn item(n: u128, practice: PracticeId) -> QueueItem {
    QueueItem {
        id: ClaimId(Uuid::from_u128(n)),
        practice: PracticeName { id: practice, name: "Lakeside Clinic".into() },
        claim_number: format!("A-{n}"),
        status: ClaimStatus::Reviewing,
        signing_status: SigningStatus::NotDecided,
        taken_by: None,
        deadline: None,
        payer_name: "Acme".into(),
        plan_type: None,
        letter: None,
        date_of_service: Date::parse("2026-01-02").unwrap(),
        denial_date: None,
        billed_amount: None,
        denied_amount: None,
        denial_codes: vec![],
        received_at: Time(Instant(1)),
        version: 1,
        report_id: None,
        case_id: None,
        updated_at: Time(Instant(1)),
        ask_on: None,
        link: None,
        was_paid: false,
    }
}

fn answered(found: FoundPatient, complete: bool) -> Searched {
    let tagged = Tagged { tags: vec![], complete };
    let staff = person(Role::Staff, Action::ReadClaim);
    answer((search(None), tagged), found, &staff, &ctx())
}

/// Each practice has a key of its own.
#[test]
fn a_patient_has_the_tag_of_each_practice() {
    let tags = |of: &SearchedPractice, patient: &Patient<'_>| {
        assert_eq!(patient.last_name, "Doe");
        Ok(Some(format!("tag-{}", of.id)))
    };
    let found = tagged(&search(None), vec![practice(ONE), practice(TWO)], tags).unwrap();
    assert!(found.complete);
    assert_eq!(found.tags, [ONE, TWO].map(|id| (id, format!("tag-{id}"))));

    let only = [(ONE, String::from("t"))];
    let of_one = |of: &SearchedPractice, _: &Patient<'_>| Ok((of.id == ONE).then(|| "t".into()));
    let found = tagged(&search(None), vec![practice(ONE), practice(TWO)], of_one).unwrap();
    assert!(found.complete, "the second one has no claims");
    assert_eq!(found.tags, only);
    let locked = |of: &SearchedPractice, patient: &Patient<'_>| match of.id {
        ONE => of_one(of, patient),
        _ => Err(RequestError::KeyUnavailable),
    };
    let found = tagged(&search(None), vec![practice(ONE), practice(TWO)], locked).unwrap();
    assert!(!found.complete, "the key of the second one is missing");
    assert_eq!(found.tags, only);

    let many = |n: u128| (0..n).map(|n| practice(PracticeId(Uuid::from_u128(n))));
    let all = tagged(&search(None), many(1000).collect(), tags).unwrap();
    assert!(all.complete);
    let more = tagged(&search(None), many(1001).collect(), tags).unwrap();
    assert_eq!((more.complete, more.tags.len()), (false, 1000));

    let denied = tagged(&search(Some(ONE)), vec![], tags).unwrap_err();
    assert_eq!(said(denied), ["practice_id must be a practice whose claims may be read"]);
    assert!(tagged(&search(None), vec![], tags).unwrap().tags.is_empty());
}

#[test]
fn an_answer_says_whether_every_claim_was_looked_at() {
    let claims = |n: u128| (0..n).map(|n| item(n, ONE)).collect::<Vec<_>>();
    let complete = |claims, cut, scanned, tagged| {
        let found = FoundPatient { claims, cut, scanned };
        let body = answered(found, tagged).change.answer.body;
        let shown = body["claims"].as_array().unwrap().len();
        (body["complete"].as_bool().unwrap(), shown)
    };
    assert_eq!(complete(claims(100), false, SCAN_MAX - 1, true), (true, 100));
    assert_eq!(complete(claims(101), false, 0, true), (false, 100));
    assert_eq!(complete(claims(1), true, 0, true), (false, 1));
    assert_eq!(complete(claims(1), false, SCAN_MAX, true), (false, 1));
    assert_eq!(complete(claims(1), false, 0, false), (false, 1));
}
