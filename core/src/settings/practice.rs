//! `/api/v1/settings/practice`: its name, its appeal button, how many sessions a member may have, and its details.

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::base::ctx::Ctx;
use crate::base::id::PracticeId;
use crate::base::us_zone::UsZone;
use crate::plan::accounts::SessionsToEnd;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::settings::{PracticeDetails, PracticeEdit};
use crate::plan::version::{EditedRecord, RecordVersion};
use crate::plan::{AccountsWrite, SettingsWrite, Write};
use crate::request::declare::kinds::{Changed, Clearable, Flag, Inside, Printable};
use crate::request::declare::{Field, Raw, Terms, body};
use crate::request::error::RequestError;
use crate::request::field::Problems;
use crate::request::if_match::Seen;
use crate::request::problem::Rule;
use crate::settings::details::{self, EmployerId, GivenAddress, Npi, Phone};
use alloc::string::String;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

/// The value of `concurrent_sessions` without a limit.
const UNLIMITED: &str = "unlimited";

body! {
    #[derive(Clone, PartialEq, Default)]
    edit AskedEdit {
        name: Changed<Printable<200>>,
        appeal_button: Changed<Flag>,
        concurrent_sessions: Changed<SingleSession>,
        address: Clearable<Inside<GivenAddress>>,
        npi: Clearable<Npi>,
        tax_id: Clearable<EmployerId>,
        phone: Clearable<Phone>,
        time_zone: Clearable<UsZone>,
    }
}

/// True for `1`, false for [`UNLIMITED`].
pub struct SingleSession;

impl Field for SingleSession {
    type Value = bool;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<bool> {
        match raw {
            Raw::Whole(1) => return Some(true),
            Raw::Text(text) if text == UNLIMITED => return Some(false),
            _ => p.add(name, Rule::MustBe("unlimited or the number 1".into())),
        }
        None
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        serde_json::json!({ "enum": [1, UNLIMITED] })
    }
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

impl AskedEdit {
    /// The details after the edit.
    pub(super) fn details(&self, stored: &PracticeDetails) -> PracticeDetails {
        fn after<T: Clone, G: Clone + Into<T>>(given: &Option<Option<G>>, stored: &Option<T>) -> Option<T> {
            given.clone().map_or_else(|| stored.clone(), |given| given.map(Into::into))
        }
        PracticeDetails {
            address: after(&self.address, &stored.address),
            npi: after(&self.npi, &stored.npi),
            tax_id: after(&self.tax_id, &stored.tax_id),
            phone: after(&self.phone, &stored.phone),
            time_zone: after(&self.time_zone, &stored.time_zone),
        }
    }
}

/// The action that a body requests. A body that cannot be read counts as not sensitive.
#[must_use]
pub const fn action(body: Option<&AskedEdit>) -> Action {
    match body {
        Some(edit) if edit.concurrent_sessions.is_some() => Action::EditSessionPolicy,
        _ => Action::EditPractice,
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
    let details = asked.details(&stored.details);
    let edit = PracticeEdit {
        details: (details != stored.details).then(|| details.clone()),
        name: asked.name,
        appeal_button: asked.appeal_button,
        single_session: asked.concurrent_sessions,
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
    use crate::testing::{parse, person, said, takes_version, test};
    use alloc::format;
    use alloc::vec::Vec;

    fn problems(body: &str) -> Vec<String> {
        said(parse::<AskedEdit>(body).unwrap_err())
    }

    #[test]
    fn a_member_has_one_session_or_any_number() {
        let given = |number: &str| parse::<AskedEdit>(format!(r#"{{"concurrent_sessions":{number}}}"#));
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
        let set: AskedEdit = parse(asked).unwrap();
        let details = set.details(&PracticeDetails::default());
        assert_eq!(
            serde_json::to_value(&details).unwrap(),
            serde_json::json!({
                "address": { "line1": "100 Main St", "line2": null, "city": "Austin", "state": "TX", "zip": "78701" },
                "npi": "1234567893", "tax_id": "12-3456789", "phone": "+15125550100", "time_zone": "America/Chicago",
            })
        );
        let removed = r#"{"address":null,"npi":null,"tax_id":" ","phone":null,"time_zone":null}"#;
        let removed: AskedEdit = parse(removed).unwrap();
        assert_eq!(removed.details(&details), PracticeDetails::default());
        let same: AskedEdit = parse(r#"{"name":"x"}"#).unwrap();
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
            assert_eq!(action(parse(body).ok().as_ref()), expected, "{body}");
        }
    }
}
