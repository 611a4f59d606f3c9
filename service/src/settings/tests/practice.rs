//! A practice's own record, its keys, and its agreements.

use super::Office;
use crate::settings::agreements::{self, AgreementSignature};
use crate::settings::api_keys;
use crate::settings::practice::{self, PracticeEdit, PracticeView};
use overturn_core::auth::role::Role;
use overturn_core::base::id::ApiKeyId;
use overturn_core::base::instant::Instant;
use overturn_core::plan::change::Change;
use overturn_core::request::if_match::Seen;
use overturn_core::request::page::Page;
use overturn_core::settings::agreements::VERSION;
use overturn_core::testing::parse;
use overturn_store::error::{DatabaseError, FailedGuard};

fn stored(office: &mut Office) -> PracticeView {
    office.read(&practice::practice("owner", Instant(0))).unwrap()
}

fn edit(office: &mut Office, asked: &str) -> Change {
    let (asked, stored): (PracticeEdit, _) = (parse(asked).unwrap(), stored(office));
    let seen = Seen::Version(stored.version);
    practice::edited(asked, (Some(stored), seen), &office.person(Role::Owner), &office.f.ctx()).unwrap()
}

#[test]
fn a_practice_is_read_as_it_was_shown_and_what_an_edit_does_not_name_stays() {
    let mut office = Office::new();
    for asked in [
        r#"{"address":{"line1":"1 \"Main\" St","city":"Cañon City","state":"CO","zip":"81212"},"npi":"1234567893",
            "tax_id":"01-3456789","phone":"719 555 0100","time_zone":"America/Denver"}"#,
        r#"{"name":"Renamed","appeal_button":false,"concurrent_sessions":1}"#,
        r#"{"address":null,"npi":null,"tax_id":null,"phone":null,"time_zone":null,"concurrent_sessions":"unlimited"}"#,
    ] {
        let change = edit(&mut office, asked);
        let shown = change.answer.body.clone();
        office.commit(change).unwrap();
        assert_eq!(serde_json::to_value(stored(&mut office)).unwrap(), shown);
    }
    assert_eq!(stored(&mut office).name, "Renamed");
}

#[test]
fn of_two_edits_of_the_same_version_one_is_refused() {
    let mut office = Office::new();
    let (first, second) = (edit(&mut office, r#"{"name":"A"}"#), edit(&mut office, r#"{"phone":"719 555 0100"}"#));
    office.commit(first).unwrap();
    assert_eq!(office.commit(second), Err(DatabaseError::Conflict(FailedGuard::Record)));
    let stored = stored(&mut office);
    assert_eq!((stored.name.as_str(), stored.details.phone), ("A", None));
}

#[test]
fn a_key_is_revoked_once() {
    let mut office = Office::new();
    let page = api_keys::page("owner", Page { limit: 25, after: None });
    let id: ApiKeyId = office.read(&page).unwrap()[0].id;
    let revoke = |office: &mut Office| {
        let stored = office.read(&api_keys::one("owner", id));
        api_keys::revoked(stored, &office.person(Role::Owner), &office.f.ctx()).unwrap()
    };
    let change = revoke(&mut office);
    office.commit(change).unwrap();
    assert!(revoke(&mut office).writes.is_empty());
}

fn signature(office: &mut Office) -> Change {
    let (signer_name, signer_title) = ("Ann".into(), "Owner".into());
    let signature = AgreementSignature { kind: (), version: VERSION.into(), signer_name, signer_title };
    let read = office.read(&(agreements::signed("owner"), agreements::destruction_open("owner")));
    let owner = office.person(Role::Owner);
    agreements::signed_now(signature, (&read.0, read.1), (&owner, "192.0.2.1"), &office.f.ctx()).unwrap()
}

#[test]
fn of_two_signatures_at_once_one_succeeds_and_the_earlier_version_ends() {
    let mut office = Office::new();
    let (first, second) = (signature(&mut office), signature(&mut office));
    let shown = first.answer.body.clone();
    office.commit(first).unwrap();
    assert_eq!(office.commit(second), Err(DatabaseError::Conflict(FailedGuard::Record)));
    let signed = serde_json::to_value(office.read(&agreements::signed("owner"))).unwrap();
    let in_force = signed.as_array().unwrap().iter().filter(|signed| signed["ended_at"].is_null());
    assert_eq!(in_force.collect::<Vec<_>>(), [&shown]);
}

#[test]
fn nothing_is_signed_while_a_destruction_waits() {
    let mut office = Office::new();
    let late = signature(&mut office);
    let waiting = format!(
        "INSERT INTO data_jobs (practice_id, id, kind, state, requested_at, requested_by, totals)
         VALUES ('{}', 'j', 'destruction', 'waiting', 1, 'operator', '{{}}')",
        office.practice
    );
    office.f.db.execute_batch(&waiting).unwrap();
    assert!(office.read(&agreements::destruction_open("owner")));
    assert_eq!(office.commit(late), Err(DatabaseError::Conflict(FailedGuard::Record)));
}
