//! `…/claims/{id}/notes`: staff notes about a claim. They may name the patient, so they are sealed like the claim.

use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{NoteId, PracticeId};
use crate::base::time::Time;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::work::claim::{StoredWorkClaim, UNKNOWN};
use crate::plan::work::records::NewNote;
use crate::plan::{WorkWrite, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::Text;
use crate::request::error::RequestError;
use serde::Serialize;
use serde_json::json;

body! {
    NoteText { text: Text<5000> }
}

/// The answer to a new note, without its text.
#[derive(Clone, Copy, Debug, Serialize)]
struct Written {
    id: NoteId,
    at: Time,
}

/// Adds a note. It overwrites nothing, so it needs no version of the claim.
///
/// # Errors
///
/// [`UNKNOWN`].
pub fn add(
    practice_id: PracticeId,
    stored: Option<&StoredWorkClaim>,
    NoteText { text }: NoteText,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let stored = stored.ok_or(UNKNOWN)?;
    let note = NewNote {
        practice_id,
        claim_id: stored.id,
        id: NoteId(ctx.id(Purpose::Record, 0)),
        author: person.user_id,
        text,
    };
    let written = Written { id: note.id, at: Time(ctx.now) };
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::ClaimNoted, stored.id);
    let audit = audit.detail(json!({ "note_id": note.id }));
    Ok(Change::new(audit, Answer::new(201, &written)).write(Write::Work(WorkWrite::NewNote(note))))
}
