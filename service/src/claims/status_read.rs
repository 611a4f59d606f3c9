//! `GET /api/v1/claims/status`: the status of one claim.

#[cfg(test)]
mod tests;

use crate::auth::key::{self, Caller, Credential};
use crate::auth::scope::Scope;
use crate::base::ctx::Ctx;
use crate::base::id::{ClaimId, PracticeId, SigningLinkId};
use crate::base::sealed::SealedPlace;
use crate::base::text;
use crate::plan::audit::{Entry, Event};
use crate::plan::claims::ClaimStatus;
use crate::plan::claims::NUMBER_MAX;
use crate::plan::signing::link::StoredSigningLink;
use crate::plan::signing::{Signing, SigningStatus, Url, is_asked};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use crate::request::limit::Verdict;
use crate::request::problem::{Problem, Rule};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The claim number of a status query. `Debug` does not print it.
pub struct StatusQuery<'a> {
    /// The number as sent.
    pub claim_number: Cow<'a, str>,
}

impl fmt::Debug for StatusQuery<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StatusQuery(…)")
    }
}

/// Reads the query from every value of its parameter `claim_number`.
///
/// # Errors
///
/// The problems of the query.
pub fn parse<'a>(values: impl IntoIterator<Item = Cow<'a, str>>) -> Result<StatusQuery<'a>, Vec<Problem>> {
    const NAME: &str = "claim_number";
    let mut p = Problems::default();
    let mut values = values.into_iter();
    let claim_number = values.next().filter(|number| !text::is_blank(number));
    if values.next().is_some() {
        p.add(NAME, Rule::Once);
    }
    match claim_number {
        None => p.add(NAME, Rule::Required),
        Some(claim_number) => {
            if field::check_length(&mut p, NAME, &claim_number, NUMBER_MAX) && p.count() == 0 {
                return Ok(StatusQuery { claim_number });
            }
        }
    }
    Err(p.into_list())
}

/// The parts of a stored claim that a status read shows.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredStatus {
    pub id: ClaimId,
    pub status: ClaimStatus,
    pub signing_status: SigningStatus,
    /// The signing link, if a signature is needed and there is a link.
    pub link: Option<StoredSigningLink>,
}

impl StoredStatus {
    /// Where the token of its link is sealed.
    #[must_use]
    pub const fn place(&self, practice: PracticeId, link: &StoredSigningLink) -> SealedPlace {
        SealedPlace::SigningLink { practice, claim: self.id, id: link.id }
    }
}

/// The stored state for a status read.
#[derive(Debug)]
pub struct Snapshot {
    /// The presented key, if it is known.
    pub credential: Option<Credential>,
    /// The claim with this number in the key's practice.
    pub claim: Option<StoredStatus>,
}

/// The status response body.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct StatusResponse<'a> {
    pub claim: ClaimStatusView<'a>,
}

/// What a status read shows of a claim. `Debug` does not print the claim number.
#[derive(PartialEq, Eq, Serialize)]
pub struct ClaimStatusView<'a> {
    pub claim_number: &'a str,
    pub id: ClaimId,
    pub status: ClaimStatus,
    /// Its signature.
    pub signing: Signing,
}

impl fmt::Debug for ClaimStatusView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClaimStatusView")
            .field("id", &self.id)
            .field("status", &self.status)
            .field("signing", &self.signing)
            .finish_non_exhaustive()
    }
}

/// The audit row of a shown signing link. A link is shown only together with this row.
#[must_use]
pub fn handed_out(practice: PracticeId, claim: ClaimId, link: SigningLinkId, ctx: &Ctx) -> Entry {
    let entry = Entry::new(ctx, 0, Some(practice), Event::SigningLinkShown, claim);
    entry.detail(json!({ "link_id": link }))
}

/// Decides a status read. `open` builds the URL of a link, `None` if its token cannot be opened.
///
/// # Errors
///
/// The refusals of [`key::authorise`], then [`RequestError::Invalid`], then [`RequestError::ClaimNotFound`], also for a claim of
/// another practice.
pub fn decide<'a>(
    query: Result<&'a StatusQuery<'_>, &RequestError>,
    snapshot: &Snapshot,
    limit: Option<Verdict>,
    ctx: &Ctx,
    open: impl FnOnce(SealedPlace, &StoredSigningLink) -> Option<Url>,
) -> Result<(Caller, StatusResponse<'a>), RequestError> {
    let caller = key::authorise(snapshot.credential.as_ref(), limit, Scope::ClaimsRead, ctx.now)?;
    let query = query.map_err(RequestError::clone)?;
    let stored = snapshot.claim.as_ref().ok_or(RequestError::ClaimNotFound)?;
    let asked = caller.appeal_button && is_asked(stored.status, stored.signing_status);
    let link = stored.link.as_ref();
    let link = link.filter(|link| asked && link.holds(ctx.now));
    let claim = ClaimStatusView {
        claim_number: &query.claim_number,
        id: stored.id,
        status: stored.status,
        signing: Signing {
            status: stored.signing_status,
            appeal_button: caller.appeal_button,
            link: link.and_then(|link| open(stored.place(caller.practice_id, link), link)),
        },
    };
    Ok((caller, StatusResponse { claim }))
}
