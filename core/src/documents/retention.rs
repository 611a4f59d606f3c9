//! `/api/v1/settings/documents`: how long a practice keeps documents, and whether a legal hold forbids any deletion.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::PracticeId;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::documents::{DocumentPlace, DocumentSettings, DocumentState};
use crate::plan::version::{EditedRecord, RecordVersion};
use crate::plan::{DocumentsWrite, Write};
use crate::request::body::{Flag, Scalar, object};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use crate::request::if_match::Seen;
use crate::request::problem::Rule;
use serde::Deserialize;
use serde_json::json;

/// The allowed days. Medical records must be kept for years, but not for longer than a life.
pub const DAYS: core::ops::RangeInclusive<i64> = 30..=36_500;

object! {
    /// The body that changes the settings, unchecked.
    RawSettings { retention_days: Scalar<'a>, legal_hold: Flag, }
}

/// The requested change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SettingsEdit {
    pub retention_days: Option<i64>,
    /// Whether nothing may be deleted.
    pub legal_hold: Option<bool>,
}

/// Reads `{retention_days, legal_hold}`. At least one must be present.
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem.
pub fn parse(body: &[u8]) -> Result<SettingsEdit, RequestError> {
    let raw: RawSettings<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    if raw.unknown {
        p.add("body", Rule::OnlyKeys("retention_days and legal_hold"));
    }
    let edit = SettingsEdit {
        retention_days: days(&mut p, &raw.retention_days),
        legal_hold: field::flag(&mut p, "legal_hold", &raw.legal_hold),
    };
    if p.count() == 0 && edit == SettingsEdit::default() {
        p.add("body", Rule::SomeKeys("retention_days or legal_hold"));
    }
    p.settle(Some(edit))
}

fn days(p: &mut Problems, value: &Scalar<'_>) -> Option<i64> {
    match value {
        Scalar::Absent => None,
        Scalar::Whole(days) if DAYS.contains(days) => Some(*days),
        Scalar::Whole(_) | Scalar::Text(_) | Scalar::Wrong => {
            p.add("retention_days", Rule::Whole(*DAYS.start(), *DAYS.end()));
            None
        }
    }
}

/// Changes the settings.
///
/// # Errors
///
/// Those of [`Seen::is`], [`RequestError::NotAuthorized`] for a person without a practice.
pub fn edit(
    edit: SettingsEdit,
    (stored, seen): (DocumentSettings, Seen),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    seen.is(stored.version)?;
    let read = RecordVersion { record: EditedRecord::DocumentSettings(practice), version: stored.version };
    let mut to = DocumentSettings {
        version: stored.version,
        retention_days: edit.retention_days.unwrap_or(stored.retention_days),
        legal_hold: edit.legal_hold.unwrap_or(stored.legal_hold),
    };
    if to == stored {
        return Ok(Change::nothing(Answer::new(200, &to)));
    }
    to.version = read.next().version;
    let entry = Entry::new(ctx, 0, Some(practice), Event::DocumentSettings, practice);
    let detail = json!({ "retention_days": to.retention_days, "legal_hold": to.legal_hold });
    let change = Change::new(entry.detail(detail), Answer::new(200, &to));
    let write = DocumentsWrite::Settings { practice, to };
    Ok(change.write(Write::Documents(write)).edits(read))
}

/// A document whose time is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Expired {
    pub practice_id: PracticeId,
    pub id: crate::base::id::DocumentId,
    pub state: DocumentState,
}

impl Expired {
    #[must_use]
    pub const fn place(self) -> DocumentPlace {
        DocumentPlace { practice_id: self.practice_id, id: self.id }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::rights::Action;
    use crate::auth::role::Role;
    use crate::base::instant::Instant;
    use crate::testing::{person, said, takes_version, test};

    #[test]
    fn one_of_the_settings_must_be_given() {
        let parsed = parse(br#"{"retention_days":3650}"#).unwrap();
        assert_eq!(parsed.retention_days, Some(3650));
        assert!(parse(br#"{"legal_hold":true}"#).unwrap().legal_hold.unwrap());
        assert_eq!(said(parse(b"{}").unwrap_err()), ["body must have retention_days or legal_hold"]);
    }

    #[test]
    fn the_settings_are_edited_in_the_version_that_the_person_has_seen() {
        let person = person(Role::Owner, Action::EditRetention);
        let ctx = Ctx::new(Instant(1_800_000_000_000), [1; 32]);
        for version in [1, 6] {
            let stored = DocumentSettings { version, ..DocumentSettings::default() };
            let read = RecordVersion { record: EditedRecord::DocumentSettings(person.practice_id.unwrap()), version };
            takes_version(read, |seen| {
                let asked = parse(br#"{"legal_hold":true}"#).unwrap();
                edit(asked, (stored, seen), &person, &ctx)
            });
        }
    }

    #[test]
    fn absurd_times_are_refused() {
        for wrong in ["0", "29", "36501", "-1", "1.5", "\"30\"", "true"] {
            let body = alloc::format!(r#"{{"retention_days":{wrong}}}"#);
            assert_eq!(said(parse(body.as_bytes()).unwrap_err()).len(), 1, "{wrong}");
        }
    }
}
