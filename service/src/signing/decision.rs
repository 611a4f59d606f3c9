//! `…/claims/{id}/signing` and `/api/v1/staff/claims/signing`: staff decide whether the patient has to sign.

use super::link::{NewLink, ended, replaced};
use crate::call::Call;
use crate::claim_changes::{
    self, ClaimAnswer, ClaimChange, ClaimResults, Claims, FoundClaim, LinkChange, SeenClaim, decide_each, settle,
};
use crate::extract::InPractice;
use crate::pipeline::OfPractices;
use crate::plan::signing::SigningStatus::{self, Needed, NotNeeded};
use crate::plan::work::change::ClaimEventKind;
use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::some_of;
use overturn_core::base::id::ClaimId;

body! {
    SigningDecision { status: SignedOrNot }
}

body! {
    /// A decision about several claims.
    Decisions { decision: SignedOrNot, claims: Claims<SeenClaim> }
}

some_of! { SignedOrNot: SigningStatus = [Needed, NotNeeded] }

impl Decisions {
    /// The practices of the claims that may get a link, which their data keys seal.
    pub(super) fn seals(&self) -> Vec<PracticeId> {
        let needs = self.claims.iter().filter(|_| self.decision == Needed);
        let mut practices: Vec<PracticeId> = needs.map(|claim| claim.practice_id).collect();
        practices.sort_unstable();
        practices.dedup();
        practices
    }
}

/// `decideSigning`: Decide whether the patient has to sign.
///
/// Staff only. `needed` makes a link to the page on which the patient signs. The practice reads the link with the
/// claim's status, and its people read it with *showSigningLink*. A second `needed` makes a new link, and the
/// previous link stops working. `not_needed` revokes the link. The answer is `409` if the patient has signed for
/// the claim or if its appeal has ended. Any staff member may decide, even if another one has taken the claim.
/// Staff can move the claim without the signature.
pub(crate) async fn decide(
    InPractice(practice, id): InPractice<ClaimId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<SigningDecision>,
) -> Result<Gives<ClaimAnswer>, AppError> {
    let random = request.call.random()?;
    let load = (claim_changes::claim(practice, id), Sealing::Of(practice));
    let decide = request.change_sealed(load, |person, (stored, _), decision| {
        let stored = StoredWorkClaim::seen(stored, seen)?;
        decided(practice, (&stored, decision.status), person, random, request.ctx())
    });
    decide.await
}

/// `decideSigningOfClaims`: Decide for several claims whether the patient has to sign.
///
/// Staff only. Each claim is decided alone, as `decideSigning` does it, and `version` takes the place of
/// `If-Match`. The claims may belong to several practices. Everything that can be done is done at once. `results`
/// has one entry for each claim, in the order sent. Each claim may be named once.
pub(crate) async fn decide_all(request: WriteRequest<Decisions>) -> Result<Gives<ClaimResults>, AppError> {
    let needs = |call: &Call, asked: Option<&Decisions>| {
        let claims = asked.map(|asked| &*asked.claims);
        let random = call.secrets(claims.map_or(0, <[_]>::len))?;
        Ok((claims.map(claim_changes::found), asked.map(Decisions::seals).unwrap_or_default(), random))
    };
    let decide = request.change_several(needs, |call, person, (found, random), asked| {
        Ok(all_decided(&asked, found.unwrap_or_default(), person, random, &call.ctx))
    });
    decide.await
}

impl OfPractices for Decisions {
    fn records(&self) -> Vec<(PracticeId, ClaimId)> {
        claim_changes::records(&self.claims)
    }

    fn only(self, places: &[usize]) -> Self {
        Self { claims: claim_changes::only(self.claims, places), ..self }
    }
}

/// If a signature is needed, a new link replaces any earlier one; if not, the link is ended. `random` is 32 bytes of a
/// cryptographic source.
pub(crate) fn decided(
    practice: PracticeId,
    (stored, status): (&StoredWorkClaim, SigningStatus),
    person: &Person,
    random: [u8; 32],
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let Some((change, link)) = of_claim(practice, (stored, status), person, (random, 0), ctx)? else {
        return Ok(Change::nothing(Answer::new(200, &ClaimAnswer::of(stored))));
    };
    let settled = settle(Event::SigningDecided, stored, change, person, ctx);
    Ok(match link {
        Some(link) => replaced(&[link], ctx.now).into_iter().fold(settled, Change::write),
        None => settled.write(ended(&[(practice, stored.id, None)], ctx.now)),
    })
}

/// Decides about each claim alone. `random` has 32 bytes of a cryptographic source for each claim, which become the token
/// of its link.
#[must_use]
pub fn all_decided(
    asked: &Decisions,
    found: Vec<FoundClaim>,
    person: &Person,
    random: &[[u8; 32]],
    ctx: &Ctx,
) -> Change {
    let (mut links, mut without) = (Vec::new(), Vec::new());
    let change = decide_each((Event::SigningDecided, person, ctx), &asked.claims, found, |n, practice, stored| {
        // The caller gives as many as there are claims.
        let random = *random.get(n).ok_or(RequestError::KeyUnavailable)?;
        let decided = of_claim(practice, (stored, asked.decision), person, (random, n), ctx)?;
        Ok(decided.map(|(change, link)| {
            match link {
                Some(link) => links.push(link),
                None => without.push((practice, stored.id, None)),
            }
            change
        }))
    });
    let links = (!links.is_empty()).then(|| replaced(&links, ctx.now));
    let ended = (!without.is_empty()).then(|| ended(&without, ctx.now));
    links.into_iter().flatten().chain(ended).fold(change, Change::write)
}

/// The change of a claim and its new link, which is the nth record of the request. Without one, the earlier link ends.
/// `None` if the decision changes nothing.
fn of_claim(
    practice: PracticeId,
    (stored, status): (&StoredWorkClaim, SigningStatus),
    person: &Person,
    random: ([u8; 32], usize),
    ctx: &Ctx,
) -> Result<Option<(ClaimChange, Option<NewLink>)>, RequestError> {
    stored.state().signing_is_open()?;
    if status == NotNeeded && stored.signing_status == NotNeeded {
        return Ok(None);
    }
    let change = ClaimChange::of(practice, stored, ClaimEventKind::Signing).signing(status);
    if status == NotNeeded {
        return Ok(Some((change, None)));
    }
    let link = NewLink::new((practice, stored.id), person.user_id, random, ctx);
    Ok(Some((change.link(LinkChange::Created), Some(link))))
}

#[cfg(test)]
mod tests;
