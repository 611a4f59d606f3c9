//! `/api/v1/settings/documents`: how long a practice keeps documents, and whether a legal hold forbids any deletion.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::PracticeId;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::documents::{DocumentPlace, DocumentSettings, DocumentState};
use crate::plan::version::{EditedRecord, RecordVersion};
use crate::plan::{DocumentsWrite, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::{Changed, Flag, Whole};
use crate::request::error::RequestError;
use crate::request::if_match::Seen;
use serde::Deserialize;
use serde_json::json;

body! {
    #[derive(Clone, Copy, Default)]
    edit SettingsEdit {
        /// Medical records must be kept for years, but not for longer than a life.
        retention_days: Changed<Whole<30, 36_500>>,
        legal_hold: Changed<Flag>,
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
    use crate::testing::{parse, person, takes_version, test};

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
}
