//! The link to the signing page, for a person of the practice to give to the patient.

use crate::base::ctx::Ctx;
use crate::base::id::PracticeId;
use crate::base::instant::Instant;
use crate::base::sealed::SealedPlace;
use crate::base::time::Time;
use crate::claims::status::{StoredStatus, handed_out};
use crate::plan::change::{Answer, Change};
use crate::plan::signing::link::StoredSigningLink;
use crate::plan::signing::{Url, is_asked};
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use serde::{Deserialize, Serialize};

/// A stored claim with its link.
#[derive(Clone, Debug, Deserialize)]
pub struct ClaimLink {
    pub practice_id: PracticeId,
    /// Whether the practice's appeal button is switched on.
    pub appeal_button: bool,
    pub claim: StoredStatus,
}

/// The link as answered.
#[derive(Debug, Serialize)]
pub struct LinkView {
    link: Url,
    expires_at: Time,
    tries_left: i64,
}

/// Shows the link, and returns the change that records it. `open` builds the URL of a link, `None` if its token cannot
/// be opened.
///
/// # Errors
///
/// [`RequestError::NotFound`] if the practice has no such claim, [`RequestError::Conflict`] if the practice shows no links, no
/// signature is needed, or no link works.
pub fn hand_out(
    stored: Option<&ClaimLink>,
    ctx: &Ctx,
    open: impl FnOnce(SealedPlace, &StoredSigningLink) -> Option<Url>,
) -> Result<(LinkView, Change), RequestError> {
    let stored = stored.ok_or(RequestError::NotFound("no such denial"))?;
    let (link, place) = stored.usable(ctx.now)?;
    let link_url = open(place, link).ok_or(RequestError::Tampered(place))?;
    let entry = handed_out(stored.practice_id, stored.claim.id, link.id, ctx);
    let view = LinkView { link: link_url, expires_at: Time(link.expires_at), tries_left: link.tries_left() };
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

#[cfg(test)]
mod tests;
