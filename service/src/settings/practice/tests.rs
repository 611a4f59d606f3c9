use super::*;
use crate::auth::role::Role;
use crate::testing::decisions::{parse, person, said, takes_version};
use overturn_core::testing::ctx;

fn stored() -> PracticeView {
    PracticeView {
        id: person(Role::Owner, Action::EditPractice).practice_id.unwrap(),
        version: 7,
        name: "Lakeside".into(),
        state: "active".into(),
        appeal_button: false,
        single_session: false,
        baa_signed: true,
        has_api_key: false,
        details: PracticeDetails::default(),
    }
}

fn problems(body: &str) -> Vec<String> {
    said(parse::<PracticeEdit>(body).unwrap_err())
}

#[test]
fn a_member_has_one_session_or_any_number() {
    let given = |number: &str| parse::<PracticeEdit>(format!(r#"{{"concurrent_sessions":{number}}}"#));
    assert_eq!(given("1").unwrap().concurrent_sessions, Some(true));
    assert_eq!(given("\"unlimited\"").unwrap().concurrent_sessions, Some(false));
    for wrong in ["\"1\"", "0", "2", "1.0", "true", "[]", "\"\""] {
        let problem = "concurrent_sessions must be unlimited or the number 1";
        assert_eq!(said(given(wrong).unwrap_err()), [problem], "{wrong}");
    }
}

#[test]
fn a_practice_is_edited_in_the_version_that_the_person_has_seen() {
    let person = person(Role::Owner, Action::EditPractice);
    let id = person.practice_id.unwrap();
    let stored = stored();
    let read = RecordVersion { record: EditedRecord::Practice(id), version: 7 };
    takes_version(read, |seen| {
        let asked = parse(br#"{"name":"Harbour Clinic"}"#).unwrap();
        edited(asked, (Some(stored.clone()), seen), &person, &ctx())
    });
    let asked = parse(br#"{"name":"Lakeside"}"#).unwrap();
    let same = edited(asked, (Some(stored), Seen::Version(7)), &person, &ctx());
    assert!(same.unwrap().writes.is_empty());
}

#[test]
fn each_detail_may_be_set_and_removed_and_every_problem_names_its_field() {
    let asked = r#"{"address":{"line1":" 100 Main St ","city":"Austin","state":"tx","zip":"78701"},
        "npi":"1234567893","tax_id":"12-3456789","phone":"(512) 555-0100","time_zone":"America/Chicago"}"#;
    let set: PracticeEdit = parse(asked).unwrap();
    let details = set.details(&PracticeDetails::default());
    assert_eq!(
        serde_json::to_value(&details).unwrap(),
        json!({
            "address": { "line1": "100 Main St", "line2": null, "city": "Austin", "state": "TX", "zip": "78701" },
            "npi": "1234567893", "tax_id": "12-3456789", "phone": "+15125550100", "time_zone": "America/Chicago",
        })
    );
    let removed = r#"{"address":null,"npi":null,"tax_id":" ","phone":null,"time_zone":null}"#;
    let removed: PracticeEdit = parse(removed).unwrap();
    assert_eq!(removed.details(&details), PracticeDetails::default());
    let same: PracticeEdit = parse(r#"{"name":"x"}"#).unwrap();
    assert_eq!(same.details(&details), details);
    assert_eq!(
        problems(
            r#"{"address":{"line2":"a\u0007","city":7,"state":"Texas","zip":"7870","zip":"7870","street":""},
            "npi":"1234567890","tax_id":"123456789","phone":"911","time_zone":"Europe/Berlin"}"#
        ),
        [
            "address.zip must be given only once".into(),
            "address must have only line1, line2, city, state and zip".into(),
            "address.line1 is required".into(),
            "address.line2 must have printable characters only".into(),
            "address.city must be text".into(),
            "address.state must be the two letters of a state".into(),
            "address.zip must be a ZIP code (12345 or 12345-6789)".into(),
            "npi must be an NPI of 10 digits".into(),
            "tax_id must be an employer identification number (NN-NNNNNNN)".into(),
            "phone must be a phone number of the United States with 10 digits".into(),
            format!("time_zone must be {}", UsZone::known()),
        ]
    );
    assert_eq!(problems(r#"{"address":"x"}"#), ["address must be an object"]);
    assert_eq!(problems(r#"{"npi":7}"#), ["npi must be an NPI of 10 digits"]);
}

#[test]
fn the_trail_tells_of_an_edit_of_details_without_their_values() {
    let person = person(Role::Owner, Action::EditPractice);
    let asked = parse(br#"{"npi":"1234567893","name":"Harbour"}"#).unwrap();
    let change = edited(asked, (Some(stored()), Seen::Version(7)), &person, &ctx()).unwrap();
    let said = change.writes.iter().find_map(|write| match write {
        Write::Audit(entry) => entry.detail.clone(),
        _ => None,
    });
    let expected = json!({ "name": "Harbour", "npi": "set" });
    assert_eq!(said, Some(expected));
}

#[test]
fn only_a_change_of_the_session_policy_is_sensitive() {
    for (body, expected) in [
        (r#"{"name":"x"}"#, Action::EditPractice),
        (r#"{"name":"x","concurrent_sessions":1}"#, Action::EditSessionPolicy),
        (r#"{"concurrent_sessions":"unlimited"}"#, Action::EditSessionPolicy),
        (r#"{"concurrent_sessions":7}"#, Action::EditPractice),
        ("[", Action::EditPractice),
    ] {
        assert_eq!(action(parse(body).ok().as_ref()), expected, "{body}");
    }
}
