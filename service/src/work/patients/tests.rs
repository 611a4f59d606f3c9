use super::*;
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::base::date::Date;
use overturn_core::base::id::UserId;
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_core::plan::claims::ClaimStatus;
use overturn_core::plan::settings::PracticeName;
use overturn_core::plan::signing::SigningStatus;
use overturn_core::testing::{parse_at, person, said};
use uuid::Uuid;

const ONE: PracticeId = PracticeId(Uuid::from_u128(1));
const TWO: PracticeId = PracticeId(Uuid::from_u128(2));

fn ctx() -> Ctx {
    Ctx::new(Instant(1_772_625_600_000), [1; 32])
}

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
    }
}

fn answered(found: FoundPatient, complete: bool) -> Searched {
    let tagged = Tagged { tags: vec![], complete };
    let staff = person(Role::Staff, Action::ReadClaim);
    answer((search(None), tagged), found, &staff, &ctx())
}

fn entries(change: &Change) -> Vec<&Entry> {
    let writes = change.writes.iter();
    let entries = writes.filter_map(|write| match write {
        Write::Audit(entry) => Some(entry),
        _ => None,
    });
    entries.collect()
}

#[test]
fn a_search_has_a_name_and_a_date_of_birth_and_its_problems_repeat_no_value() {
    let body = r#"{"first_name":" Jane ","last_name":"Doe","date_of_birth":"1980-02-29"}"#;
    let found = parse_at::<PatientSearch>(body.as_bytes(), &ctx()).unwrap();
    assert_eq!(found.practice_id, None);
    assert_eq!(found.date_of_birth.to_string(), "1980-02-29");
    assert!(!format!("{found:?}").contains("Doe"));
    let in_one =
        format!(r#"{{"first_name":"J","last_name":"D","date_of_birth":"1980-02-29","practice_id":"{}"}}"#, ONE.0);
    let found = parse_at::<PatientSearch>(in_one.as_bytes(), &ctx()).unwrap();
    assert_eq!(found.practice_id, Some(ONE));
    let wrong = |body: &str| said(parse_at::<PatientSearch>(body.as_bytes(), &ctx()).unwrap_err());
    assert_eq!(
        wrong("{}"),
        ["first_name is required", "last_name is required", "date_of_birth is required (YYYY-MM-DD)",]
    );
    let long = "Q".repeat(201);
    let body =
        format!(r#"{{"first_name":"{long}","last_name":"Doe","date_of_birth":"2999-01-01","practice_id":"Doe"}}"#);
    let problems = wrong(&body);
    assert_eq!(problems.len(), 3, "{problems:?}");
    let all = problems.concat();
    assert!(!all.contains("QQ") && !all.contains("2999") && !all.contains("Doe"));
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
fn each_claim_of_the_patient_has_a_row_without_the_name() {
    let claims = vec![item(3, TWO), item(1, ONE), item(2, TWO)];
    let found = FoundPatient { claims, ..FoundPatient::default() };
    let searched = answered(found, true);
    assert_eq!(searched.opened, Some((TWO, ClaimId(Uuid::from_u128(3)))));
    let change = searched.change;
    assert_eq!(change.answer.body["complete"], true);
    let shown = change.answer.body["claims"].as_array().unwrap();
    assert_eq!(shown.len(), 3);
    assert_eq!(shown[0]["claim_number"], "A-3");
    assert_eq!(change.guards, [Guard::AllReadable(vec![ONE, TWO])]);

    let entries = entries(&change);
    let of: Vec<_> = entries.iter().map(|entry| entry.practice_id).collect();
    assert_eq!(of, [None, Some(TWO), Some(ONE), Some(TWO)]);
    let me: UserId = person(Role::Staff, Action::ReadClaim).user_id;
    assert_eq!(entries[0].record, me.to_string());
    let claim = |n: u128| ClaimId(Uuid::from_u128(n));
    let detail = entries[0].detail.clone().unwrap();
    assert_eq!(detail["found"], json!([claim(3), claim(1), claim(2)]));
    let records: Vec<_> = entries[1..].iter().map(|entry| &*entry.record).collect();
    assert_eq!(records, [3, 1, 2].map(|n| claim(n).to_string()));
    for entry in entries {
        assert_eq!(entry.event, Event::PatientSearched);
        let text = format!("{entry:?}");
        assert!(!text.contains("Jane") && !text.contains("Doe") && !text.contains("1980"));
    }
}

#[test]
fn a_search_that_finds_nothing_has_a_row_in_the_staff_trail_and_opens_nobody() {
    let searched = answered(FoundPatient::default(), true);
    assert_eq!(searched.opened, None);
    let entries = entries(&searched.change);
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].practice_id, None);
    assert_eq!(entries[0].detail, Some(json!({ "practice_id": null, "found": [] })));
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
