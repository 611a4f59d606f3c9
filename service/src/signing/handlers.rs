//! `/api/v1/staff/practices/{practice}/claims/{id}/signing` and `…/signature`.

use crate::error::AppError;
use crate::extract::{IfMatch, InPractice, ReadRequest, WriteRequest};
use crate::pipeline::{Disclosed, Sealing};
use crate::response::Response;
use overturn_core::base::id::ClaimId;
use overturn_core::plan::work::claim::StoredWorkClaim;
use overturn_core::request::error::RequestError;
use overturn_core::signing::several::{self, Decisions};
use overturn_core::signing::staff::{self, SigningDecision};
use overturn_store::signing::queries as signing_queries;
use overturn_store::work::queries as work_queries;

/// `POST …/signing`: decides whether the patient's signature is needed.
pub(crate) async fn decide(
    InPractice(practice, id): InPractice<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<SigningDecision>,
) -> Result<Response, AppError> {
    let random = request.call.app.host.bytes()?;
    let load = (work_queries::claim(practice, id), Sealing::Of(practice));
    let decide = request.change_sealed(load, |person, (stored, _), decision| {
        let stored = StoredWorkClaim::seen(stored, seen)?;
        staff::decide(practice, (&stored, decision.status), person, random, request.ctx())
    });
    decide.await
}

/// `POST /api/v1/staff/claims/signing`: decides about several claims.
pub(crate) async fn decide_all(request: WriteRequest<Decisions>) -> Result<Response, AppError> {
    let asked = request.body().ok();
    let claims = asked.as_ref().map(|asked| &*asked.claims);
    let load = claims.map(work_queries::found);
    let seals = asked.as_ref().map(Decisions::seals).unwrap_or_default();
    let random = request.call.app.host.secrets(claims.map_or(0, <[_]>::len))?;
    let decide = request.change_several((load, seals), |person, found, asked| {
        let found = found.unwrap_or_default();
        let decided = several::decide(&asked, found, person, &random, request.ctx());
        Ok(decided)
    });
    decide.await
}

/// `DELETE …/signing/link`: revokes the link.
pub(crate) async fn revoke_link(
    InPractice(practice, id): InPractice<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest,
) -> Result<Response, AppError> {
    let load = (work_queries::claim(practice, id), signing_queries::has_link(practice, id));
    let decide = request.change(load, |_, (stored, has_link), _| {
        let stored = StoredWorkClaim::seen(stored, seen)?;
        Ok::<_, RequestError>(staff::revoke_link(practice, &stored, has_link, request.ctx()))
    });
    decide.await
}

/// `GET …/signature`: reads the signature.
pub(crate) async fn show(
    InPractice(practice, id): InPractice<ClaimId>,
    request: ReadRequest,
) -> Result<Response, AppError> {
    let load = signing_queries::signature(practice, id);
    let view = request.disclose((practice, id), load, |_, stored, keys| {
        let (version, body) = staff::show((practice, id), stored, keys)?;
        Ok(Disclosed { version, audit: staff::audit(practice, id, &body, request.ctx()), body })
    });
    view.await
}
