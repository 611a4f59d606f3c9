//! `…/claims/{id}/notes`: staff notes about a claim. They may name the patient, so they are sealed like the claim.

use crate::claim_changes;
use crate::extract::InPractice;
use crate::plan::work::claim::{StoredWorkClaim, UNKNOWN};
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Text;
use overturn_core::base::id::{ClaimId, NoteId};

body! {
    NoteText { text: Text<5000> }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct WrittenNote {
    id: NoteId,
    at: Time,
}

/// `noteClaim`: Write a note about a claim.
///
/// Staff only. Only staff see notes, when they read the claim. A new note does not overwrite other notes, so it
/// needs no `If-Match`.
pub(crate) async fn add(
    InPractice(practice, id): InPractice<ClaimId>,
    request: WriteRequest<NoteText>,
) -> Result<Gives<WrittenNote, 201>, AppError> {
    let load = (claim_changes::claim(practice, id), Sealing::Of(practice));
    let decide = request.change_sealed(load, |person, (stored, _), note| {
        added(practice, stored.as_ref(), &note, person, request.ctx())
    });
    decide.await
}

/// A note overwrites nothing, so it needs no version of the claim. The answer does not have its text.
pub fn added(
    practice: PracticeId,
    stored: Option<&StoredWorkClaim>,
    NoteText { text }: &NoteText,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let claim = stored.ok_or(UNKNOWN)?.id;
    let id = NoteId(ctx.id(Purpose::Record, 0));
    let audit = Entry::new(ctx, 0, Some(practice), Event::ClaimNoted, claim).detail(json!({ "note_id": id }));
    let answer = WrittenNote { id, at: Time(ctx.now) };
    let place = SealedPlace::Note { practice, claim, id };
    Ok(Change::new(audit, Answer::new(201, &answer)).write(sql!(
        "INSERT INTO claim_notes (practice_id, claim_id, id, at, author, key_version, sealed)
         VALUES ({practice}, {claim}, {id}, {now}, {author}, {key}, {sealed})
         ON CONFLICT (practice_id, claim_id, id) DO NOTHING";
        practice, claim, id, now = ctx.now, author = person.user_id, key = KeyOf(place),
        sealed = Seal::new(place, text.as_bytes())
    )))
}
