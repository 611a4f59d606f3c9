//! `/api/v1/settings/practice`: its name, its appeal button, how many sessions a member may have, and its details.

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::base::ctx::Ctx;
use crate::base::id::PracticeId;
use crate::plan::accounts::SessionsToEnd;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::settings::{PracticeDetails, PracticeEdit};
use crate::plan::version::{EditedRecord, RecordVersion};
use crate::plan::{AccountsWrite, SettingsWrite, Write};
use crate::request::body::{Edited, EditedObject, Flag, Scalar, Text, object};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use crate::request::if_match::Seen;
use crate::request::problem::Rule;
use crate::settings::details::{self, DetailsEdit, RawAddress, RawDetails};
use alloc::string::String;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

/// Most characters of a practice's name.
pub const NAME_MAX: usize = 200;

/// The value of `concurrent_sessions` without a limit.
const UNLIMITED: &str = "unlimited";

object! {
    /// The body that changes a practice, unchecked.
    RawEdit {
        name: Text<'a>, appeal_button: Flag, concurrent_sessions: Scalar<'a>,
        address: EditedObject<RawAddress<'a>>, npi: Edited<'a>, tax_id: Edited<'a>, phone: Edited<'a>, time_zone: Edited<'a>,
    }
}

/// An edit of a practice, as a body asks for it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AskedEdit {
    name: Option<String>,
    appeal_button: Option<bool>,
    single_session: Option<bool>,
    details: DetailsEdit,
}

/// A practice, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PracticeView {
    pub id: PracticeId,
    /// The number of its edits, which those of single sign-on are among.
    pub version: i64,
    pub name: String,
    /// `active` or `inactive`.
    pub state: String,
    /// True if the appeal button is on.
    pub appeal_button: bool,
    /// Whether a member may have only one session at a time, shown as `1` or `"unlimited"`.
    #[serde(rename(serialize = "concurrent_sessions"), serialize_with = "concurrent_sessions")]
    pub single_session: bool,
    /// Whether it has a signed agreement in force.
    pub baa_signed: bool,
    /// Whether an API key of it works.
    pub has_api_key: bool,
    /// What an appeal says about it.
    #[serde(flatten)]
    pub details: PracticeDetails,
}

fn concurrent_sessions<S: Serializer>(single: &bool, to: S) -> Result<S::Ok, S::Error> {
    if *single { to.serialize_u8(1) } else { to.serialize_str(UNLIMITED) }
}

/// The practice.
///
/// # Errors
///
/// [`RequestError::NotFound`] if there is none.
pub fn show(stored: Option<PracticeView>) -> Result<PracticeView, RequestError> {
    stored.ok_or(RequestError::NotFound("no such practice"))
}

/// Reads an edit. At least one key must be present. An unknown key is refused, because a caller who mistyped one would
/// believe that the setting changed.
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem.
pub fn parse(body: &[u8]) -> Result<AskedEdit, RequestError> {
    let raw: RawEdit<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    if raw.unknown {
        p.add("body", Rule::OnlyKeys(ALL_KEYS));
    }
    let name = match raw.name {
        Text::Absent => None,
        given => field::printable(&mut p, "name", given, NAME_MAX),
    };
    let edit = AskedEdit {
        name: name.map(Into::into),
        appeal_button: field::flag(&mut p, "appeal_button", &raw.appeal_button),
        single_session: single_session(&mut p, &raw.concurrent_sessions),
        details: DetailsEdit::read(
            &mut p,
            RawDetails {
                address: raw.address,
                npi: raw.npi,
                tax_id: raw.tax_id,
                phone: raw.phone,
                time_zone: raw.time_zone,
            },
        ),
    };
    if p.count() == 0 && edit == AskedEdit::default() {
        p.add("body", Rule::SomeKeys(SOME_KEY));
    }
    p.settle(Some(edit))
}

const ALL_KEYS: &str = "name, appeal_button, concurrent_sessions, address, npi, tax_id, phone and time_zone";
const SOME_KEY: &str = "name, appeal_button, concurrent_sessions, address, npi, tax_id, phone or time_zone";

fn single_session(p: &mut Problems, value: &Scalar<'_>) -> Option<bool> {
    match value {
        Scalar::Absent => None,
        Scalar::Whole(1) => Some(true),
        Scalar::Text(text) if text == UNLIMITED => Some(false),
        Scalar::Text(_) | Scalar::Whole(_) | Scalar::Wrong => {
            let known = "unlimited or the number 1".into();
            p.add("concurrent_sessions", Rule::MustBe(known));
            None
        }
    }
}

/// The action that a body requests. A body that cannot be read counts as not sensitive.
#[must_use]
pub fn action(body: &[u8]) -> Action {
    match parse(body) {
        Ok(edit) if edit.single_session.is_some() => Action::EditSessionPolicy,
        Ok(_) | Err(_) => Action::EditPractice,
    }
}

/// Changes the practice. If only one session is allowed from now on, each member keeps the latest one, and the caller
/// keeps the current one.
///
/// # Errors
///
/// [`RequestError::NotFound`] if there is no practice, those of [`Seen::is`], [`RequestError::NotAuthorized`] for a person
/// without one.
pub fn edit(
    asked: AskedEdit,
    (stored, seen): (Option<PracticeView>, Seen),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let id = person.practice()?;
    let stored = show(stored)?;
    seen.is(stored.version)?;
    let read = RecordVersion { record: EditedRecord::Practice(id), version: stored.version };
    let details = asked.details.applied(&stored.details);
    let edit = PracticeEdit {
        details: (details != stored.details).then(|| details.clone()),
        name: asked.name,
        appeal_button: asked.appeal_button,
        single_session: asked.single_session,
    };
    let mut view = PracticeView {
        name: edit.name.clone().unwrap_or_else(|| stored.name.clone()),
        appeal_button: edit.appeal_button.unwrap_or(stored.appeal_button),
        single_session: edit.single_session.unwrap_or(stored.single_session),
        details,
        ..stored.clone()
    };
    if view == stored {
        return Ok(Change::nothing(Answer::new(200, &view)));
    }
    view.version = read.next().version;
    let audit = Entry::new(ctx, 0, Some(id), Event::PracticeChanged, id);
    let audit = audit.detail(changed(&edit, (&stored, &view)));
    let single = edit.single_session == Some(true);
    let write = SettingsWrite::PracticeEdit { practice: id, edit };
    let change = Change::new(audit, Answer::new(200, &view)).write(Write::Settings(write)).edits(read);
    Ok(if single {
        let surplus = SessionsToEnd::Surplus(id, person.user_id, person.session()?);
        change.write(Write::Accounts(AccountsWrite::SessionsEnded(surplus)))
    } else {
        change
    })
}

/// The settings after an edit, as shown, and what happened to the details.
fn changed(edit: &PracticeEdit, (stored, view): (&PracticeView, &PracticeView)) -> Value {
    let given = [
        ("name", edit.name.is_some()),
        ("appeal_button", edit.appeal_button.is_some()),
        ("concurrent_sessions", edit.single_session.is_some()),
    ];
    let shown = serde_json::to_value(view).unwrap_or_default();
    let given = given.into_iter().filter(|(_, given)| *given);
    let changed = given.filter_map(|(name, _)| Some((name.into(), shown.get(name)?.clone())));
    let mut said = details::changed(&stored.details, &view.details);
    said.extend(changed);
    Value::Object(said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::role::Role;
    use crate::base::instant::Instant;
    use crate::base::us_zone::UsZone;
    use crate::testing::{person, said, takes_version, test};
    use alloc::format;
    use alloc::vec::Vec;

    fn problems(body: &str) -> Vec<String> {
        said(parse(body.as_bytes()).unwrap_err())
    }

    #[test]
    fn any_of_the_settings_may_be_given_and_not_none() {
        let none = AskedEdit::default;
        let given = |body: &str| parse(body.as_bytes()).unwrap();
        let named = AskedEdit { name: Some("Harbour Clinic".into()), ..none() };
        assert_eq!(given(r#"{"name":"Harbour Clinic","appeal_button":null}"#), named);
        for (text, single) in [("1", true), ("\"unlimited\"", false)] {
            let edit = AskedEdit { single_session: Some(single), ..none() };
            assert_eq!(given(&format!(r#"{{"concurrent_sessions":{text}}}"#)), edit);
        }
        let empty = [format!("body must have {SOME_KEY}")];
        assert_eq!(problems("{}"), empty);
        assert_eq!(problems(r#"{"name":null}"#), empty);
    }

    #[test]
    fn every_problem_is_listed_and_no_value_repeated() {
        assert_eq!(
            problems(r#"{"name":" ","appeal_button":"yes","concurrent_sessions":2,"name":" ","appealbutton":true}"#),
            [
                "name must be given only once",
                "body must have only name, appeal_button, concurrent_sessions, address, npi, tax_id, phone and time_zone",
                "name is required",
                "appeal_button must be true or false",
                "concurrent_sessions must be unlimited or the number 1",
            ]
        );
        for wrong in ["\"1\"", "0", "2", "1.0", "true", "[]", "\"\""] {
            assert_eq!(
                problems(&format!(r#"{{"concurrent_sessions":{wrong}}}"#)),
                ["concurrent_sessions must be unlimited or the number 1"],
                "{wrong}"
            );
        }
        let long = "x".repeat(201);
        for (name, problem) in [
            (long.as_str(), "name must be at most 200 characters"),
            ("a\\u0007", "name must have printable characters only"),
            ("a\\u202eb", "name must have printable characters only"),
        ] {
            assert_eq!(problems(&format!(r#"{{"name":"{name}"}}"#)), [problem]);
        }
    }

    #[test]
    fn a_practice_is_edited_in_the_version_that_the_person_has_seen() {
        let person = person(Role::Owner, Action::EditPractice);
        let id = person.practice_id.unwrap();
        let stored = PracticeView {
            id,
            version: 7,
            name: "Lakeside".into(),
            state: "active".into(),
            appeal_button: false,
            single_session: false,
            baa_signed: true,
            has_api_key: false,
            details: PracticeDetails::default(),
        };
        let read = RecordVersion { record: EditedRecord::Practice(id), version: 7 };
        takes_version(read, |seen| {
            let asked = parse(br#"{"name":"Harbour Clinic"}"#).unwrap();
            edit(asked, (Some(stored.clone()), seen), &person, &ctx())
        });
        let asked = parse(br#"{"name":"Lakeside"}"#).unwrap();
        let same = edit(asked, (Some(stored), Seen::Version(7)), &person, &ctx());
        assert!(same.unwrap().writes.is_empty());
    }

    #[test]
    fn each_detail_may_be_set_and_removed_and_every_problem_names_its_field() {
        let asked = r#"{"address":{"line1":" 100 Main St ","city":"Austin","state":"tx","zip":"78701"},
            "npi":"1234567893","tax_id":"12-3456789","phone":"(512) 555-0100","time_zone":"America/Chicago"}"#;
        let set = parse(asked.as_bytes()).unwrap().details;
        let details = set.applied(&PracticeDetails::default());
        assert_eq!(
            serde_json::to_value(&details).unwrap(),
            serde_json::json!({
                "address": { "line1": "100 Main St", "line2": null, "city": "Austin", "state": "TX", "zip": "78701" },
                "npi": "1234567893", "tax_id": "12-3456789", "phone": "+15125550100", "time_zone": "America/Chicago",
            })
        );
        let removed = r#"{"address":null,"npi":null,"tax_id":" ","phone":null,"time_zone":null}"#;
        let removed = parse(removed.as_bytes()).unwrap().details;
        assert_eq!(removed.applied(&details), PracticeDetails::default());
        let same = parse(br#"{"name":"x"}"#).unwrap().details;
        assert_eq!(same.applied(&details), details);
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
        let stored = PracticeView {
            id: person.practice_id.unwrap(),
            version: 1,
            name: "Lakeside".into(),
            state: "active".into(),
            appeal_button: false,
            single_session: false,
            baa_signed: true,
            has_api_key: false,
            details: PracticeDetails::default(),
        };
        let asked = parse(br#"{"npi":"1234567893","name":"Harbour"}"#).unwrap();
        let seen = Seen::Version(1);
        let change = edit(asked, (Some(stored), seen), &person, &ctx()).unwrap();
        let said = change.writes.iter().find_map(|write| match write {
            Write::Audit(entry) => entry.detail.clone(),
            _ => None,
        });
        let expected = serde_json::json!({ "name": "Harbour", "npi": "set" });
        assert_eq!(said, Some(expected));
    }

    fn ctx() -> Ctx {
        Ctx::new(Instant(1_800_000_000_000), [1; 32])
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
            assert_eq!(action(body.as_bytes()), expected, "{body}");
        }
    }
}
