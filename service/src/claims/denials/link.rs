//! `GET /api/v1/denials/{id}/signing_link`: the link to the signing page, for a person of the practice to give to the
//! patient.

use super::stored::PRACTICE;
use crate::claims::link::address;
use crate::claims::status::{DATA_KEY, STATUS_OF_CLAIM, StoredStatus, handed_out};
use crate::plan::signing::link::StoredSigningLink;
use crate::plan::signing::{Url, is_asked};
use crate::prelude::*;
use overturn_core::base::id::ClaimId;

/// A stored claim with its link.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ClaimLink {
    practice_id: PracticeId,
    /// Whether the practice's appeal button is switched on.
    appeal_button: bool,
    claim: StoredStatus,
}

/// The link as answered.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SigningLinkView {
    /// The address of the page. It lets its holder try to sign, so give it to the patient only.
    link: Url,
    expires_at: Time,
    /// How many wrong dates of birth are left before the link stops working.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    tries_left: i64,
}

/// Shows the link, and returns the change that records it. `open` builds the URL of a link, `None` if its token cannot
/// be opened.
fn hand_out(
    stored: Option<&ClaimLink>,
    ctx: &Ctx,
    open: impl FnOnce(SealedPlace, &StoredSigningLink) -> Option<Url>,
) -> Result<(SigningLinkView, Change), RequestError> {
    let stored = stored.ok_or(RequestError::NotFound("no such denial"))?;
    let (link, place) = stored.usable(ctx.now)?;
    let link_url = open(place, link).ok_or(RequestError::Tampered(place))?;
    let entry = handed_out(stored.practice_id, stored.claim.id, link.id, ctx);
    let view = SigningLinkView { link: link_url, expires_at: Time(link.expires_at), tries_left: link.tries_left() };
    Ok((view, Change::new(entry, Answer::empty())))
}

impl ClaimLink {
    fn usable(&self, now: Instant) -> Result<(&StoredSigningLink, SealedPlace), RequestError> {
        if !is_asked(self.claim.status, self.claim.signing_status) {
            return Err(RequestError::Conflict(Reason::SignatureNotAsked, "the claim does not wait for a signature"));
        }
        if !self.appeal_button {
            return Err(RequestError::Conflict(
                Reason::LinksOff,
                "the practice has switched off the link for patients in its settings",
            ));
        }
        let link = self.claim.link.as_ref().filter(|link| link.holds(now));
        let link = link.ok_or(RequestError::Conflict(
            Reason::LinkEnded,
            "the link no longer works, and our staff can make a new one",
        ))?;
        Ok((link, self.claim.place(self.practice_id, link)))
    }
}

/// The claim with its link, which is read only if a signature is needed. No row for a claim of another practice.
pub(super) fn read(caller: &str, id: ClaimId) -> Query<Option<ClaimLink>> {
    select!(
        "claims.signing_link",
        "WITH {PRACTICE} SELECT json_object('practice_id', p.id, 'appeal_button', json(iif(p.appeal_button = 1, 'true', 'false')),
           'claim', {STATUS_OF_CLAIM}) AS json
         FROM p JOIN claims c ON c.practice_id = p.id WHERE c.id = {id}"
         [PRACTICE, STATUS_OF_CLAIM, DATA_KEY];
        caller, id
    )
    .optional()
}

/// `showSigningLink`: Show the link to the page on which the patient signs.
///
/// Give the link to the patient: on a screen, on paper, or in a message of your own. It opens a page that asks for
/// the patient's date of birth. The audit trail records who read the link, before it is shown. A billing system
/// gets the same link from `GET /api/v1/claims/status`.
///
/// The answer is `409` if the claim does not wait for a signature (`signature_not_asked`), if the practice has
/// switched off the link for patients (`links_off`), or if the link expired, was revoked, or was tried with too
/// many wrong dates of birth (`link_ended`). Our staff can make a new link.
pub(crate) async fn signing_link(
    PathId(id): PathId<ClaimId>,
    request: ReadRequest,
) -> Result<Gives<SigningLinkView>, AppError> {
    let make = async |stored: Option<ClaimLink>| {
        let open = |place, link: &StoredSigningLink| address(&request.call, place, link);
        let (view, change) = hand_out(stored.as_ref(), request.ctx(), open)?;
        Ok((change, request.respond(&view)))
    };
    request.export(read(request.credential(), id), make).await.map(Gives::from)
}

#[cfg(test)]
mod tests;
