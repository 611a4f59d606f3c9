//! `/api/v1/staff/claims` and `/api/v1/staff/practices/{practice}/claims/{id}`.

use crate::error::AppError;
use crate::extract::{IfMatch, InPractice, MaybeBody, ReadRequest, WriteRequest};
use crate::pipeline::{Disclosed, Sealing};
use crate::response::Response;
use overturn_core::base::id::ClaimId;
use overturn_core::work::amount::PaidAmount;
use overturn_core::work::claims::MoveRequest;
use overturn_core::work::letter::LetterEdit;
use overturn_core::work::notes::NoteText;
use overturn_core::work::queue::{self, QueueQuery};
use overturn_core::work::take::{SeveralToTake, ToTake};
use overturn_core::work::{amount, cases, claims, letter, notes, related, take, view};
use overturn_store::work::queries;

/// `GET /api/v1/staff/claims`: a page of the queue.
pub(crate) async fn list(request: ReadRequest<QueueQuery>) -> Result<Response, AppError> {
    let ctx = request.ctx();
    let load = |query: QueueQuery| queries::queue(request.credential(), &query, ctx.now);
    let found = request.search(
        load,
        |query, found, person| queue::list(query, found, person, ctx.now),
        |query, found, person| queue::searched(query, found, person, ctx),
    );
    found.await
}

/// `GET`: one claim with its patient, its history and its notes.
pub(crate) async fn show(
    InPractice(practice, id): InPractice<ClaimId>,
    request: ReadRequest,
) -> Result<Response, AppError> {
    let load = queries::claim_view(practice, id);
    let view = request.disclose((practice, id), load, |person, stored, keys| {
        let body = view::show(stored, (person, request.ctx().now), keys)?;
        Ok(Disclosed { version: body.facts.version, audit: view::audit(&body, request.ctx()), body })
    });
    view.await
}

/// `GET …/related`: the other claims of the same patient and payer.
pub(crate) async fn related(
    InPractice(practice, id): InPractice<ClaimId>,
    request: ReadRequest,
) -> Result<Response, AppError> {
    let load = queries::related(practice, id);
    request.show(load, |person, stored| related::list(stored, person)).await
}

/// `POST …/take`: assigns the claim to the caller or a colleague.
pub(crate) async fn take(
    InPractice(practice, id): InPractice<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<MaybeBody<ToTake>>,
) -> Result<Response, AppError> {
    let user = request.body().ok().and_then(|MaybeBody(to)| to.user_id);
    let load = (queries::claim(practice, id), user.map(queries::worker));
    let decide = request.change(load, |person, (stored, worker), MaybeBody(to)| {
        let stored = claims::seen(stored, seen)?;
        let to = (to.user_id, worker.flatten());
        take::take(practice, &stored, to, person, request.ctx())
    });
    decide.await
}

/// `POST /api/v1/staff/claims/take`: assigns several claims to the caller or a colleague.
pub(crate) async fn take_all(request: WriteRequest<SeveralToTake>) -> Result<Response, AppError> {
    let named = request.body().ok();
    let user = named.as_ref().and_then(|named| named.user_id);
    let claims = named.map(|named| queries::found(&named.claims));
    let load = ((claims, user.map(queries::worker)), Vec::new());
    let decide = request.change_several(load, |person, (found, worker), named| {
        let found = (found.unwrap_or_default(), worker.flatten());
        take::take_all(&named, found, person, request.ctx())
    });
    decide.await
}

/// `POST …/moves`: moves the claim to another status.
pub(crate) async fn step(
    InPractice(practice, id): InPractice<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<MoveRequest>,
) -> Result<Response, AppError> {
    let case = request.body().ok().and_then(|step| step.case_id);
    let case = case.map(|case| queries::joining(practice, id, case));
    let load = (queries::claim(practice, id), case);
    let decide = request.change(load, |person, (stored, case), step| {
        let stored = claims::seen(stored, seen)?;
        let case = cases::fitting(case.flatten());
        let moving = (&stored, step);
        claims::step(practice, moving, case.as_ref(), person, request.ctx())
    });
    decide.await
}

/// `PATCH …/letter`: sets what the payer's letter says.
pub(crate) async fn set_letter(
    InPractice(practice, id): InPractice<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<LetterEdit>,
) -> Result<Response, AppError> {
    let load = queries::claim_of_letter(practice, id);
    let decide = request.change(load, |person, stored, edit| letter::set((stored, seen), edit, person, request.ctx()));
    decide.await
}

/// `PATCH …/amount`: corrects the payer's payment for a recovered claim.
pub(crate) async fn correct_amount(
    InPractice(practice, id): InPractice<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<PaidAmount>,
) -> Result<Response, AppError> {
    let load = queries::claim(practice, id);
    let decide = request.change(load, |_, stored, paid| {
        let stored = claims::seen(stored, seen)?;
        amount::correct(practice, &stored, paid.amount_recovered, request.ctx())
    });
    decide.await
}

/// `POST …/notes`: adds a note.
pub(crate) async fn note(
    InPractice(practice, id): InPractice<ClaimId>,
    request: WriteRequest<NoteText>,
) -> Result<Response, AppError> {
    let load = (queries::claim(practice, id), Sealing::Of(practice));
    let decide = request.change_sealed(load, |person, (stored, _), note| {
        notes::add(practice, stored.as_ref(), note, person, request.ctx())
    });
    decide.await
}
