//! The staff's actions on a signature: decide whether one is needed, revoke the link, and read the signature.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::{ClaimId, PracticeId, SignatureId};
use crate::base::language::Language;
use crate::base::sealed::{KeyVersion, SealedPlace};
use crate::base::time::Time;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::claim_changes::settle;
use crate::plan::signing::SigningStatus::{self, Needed, NotNeeded};
use crate::plan::signing::drawing::{Drawing, HEIGHT, WIDTH};
use crate::plan::signing::link::NewSigningLink;
use crate::plan::signing::{Relation, SealedSignature};
use crate::plan::work::change::{ClaimAnswer, ClaimChange, ClaimEventKind, LinkChange};
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::{SigningWrite, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::some_of;
use crate::request::error::RequestError;
use crate::request::open::Open;
use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};
use serde_json::json;

body! {
    SigningDecision { status: SignedOrNot }
}

some_of! { SignedOrNot: SigningStatus = [Needed, NotNeeded] }

/// Decides whether a signature is needed. If it is, a new link replaces any earlier one; if not, the link is revoked.
/// `random` is 32 bytes of a cryptographic source.
///
/// # Errors
///
/// [`RequestError::Stuck`] if the patient has signed, or the claim's appeal has ended.
pub fn decide(
    practice_id: PracticeId,
    decision: (&StoredWorkClaim, SigningStatus),
    person: &Person,
    random: [u8; 32],
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let stored = decision.0;
    let decided = decided(practice_id, decision, person, (random, 0), ctx)?;
    let Some(Decided { change, link }) = decided else {
        return Ok(Change::nothing(Answer::new(200, &ClaimAnswer::of(stored))));
    };
    let write = link.map_or_else(
        || SigningWrite::LinksRevoked([(practice_id, stored.id)].into()),
        |link| SigningWrite::NewLinks([link].into()),
    );
    Ok(settle(Event::SigningDecided, stored, change, ctx).write(Write::Signing(write)))
}

/// A decision that changes a claim.
#[derive(Debug)]
pub struct Decided {
    pub change: ClaimChange,
    /// The new link; `None` if the earlier one is revoked.
    pub link: Option<NewSigningLink>,
}

/// The decision for a claim, `None` if it changes nothing. `random` is 32 bytes of a cryptographic source for the link,
/// which is the nth record of the request.
///
/// # Errors
///
/// Those of [`decide`].
pub fn decided(
    practice_id: PracticeId,
    (stored, status): (&StoredWorkClaim, SigningStatus),
    person: &Person,
    (random, n): ([u8; 32], usize),
    ctx: &Ctx,
) -> Result<Option<Decided>, RequestError> {
    stored.state().signing_is_open()?;
    if status == NotNeeded && stored.signing_status == NotNeeded {
        return Ok(None);
    }
    let change = ClaimChange::of(practice_id, stored, ClaimEventKind::Signing).signing(status);
    if status == NotNeeded {
        return Ok(Some(Decided { change, link: None }));
    }
    let claim = (practice_id, stored.id);
    let link = NewSigningLink::new(claim, person.user_id, random, n, ctx);
    Ok(Some(Decided { change: change.link(LinkChange::Created), link: Some(link) }))
}

/// Revokes the link of a claim and changes nothing else. `has_link` says whether there is one.
#[must_use]
pub fn revoke_link(practice_id: PracticeId, stored: &StoredWorkClaim, has_link: bool, ctx: &Ctx) -> Change {
    if !has_link {
        return Change::nothing(Answer::new(200, &ClaimAnswer::of(stored)));
    }
    let change = ClaimChange::of(practice_id, stored, ClaimEventKind::Signing).link(LinkChange::Revoked);
    let revoked = SigningWrite::LinksRevoked([(practice_id, stored.id)].into());
    settle(Event::SigningLinkRevoked, stored, change, ctx).write(Write::Signing(revoked))
}

#[derive(Clone, Debug, Deserialize)]
pub struct StoredSignature {
    pub id: SignatureId,
    /// The version of its claim.
    pub version: i64,
    /// The key that seals it.
    pub key_version: KeyVersion,
    /// The sealed part.
    pub sealed: String,
}

/// A signature as staff see it. `Debug` prints its id only.
#[derive(Serialize)]
pub struct SignatureView {
    id: SignatureId,
    signed_at: Time,
    ip: String,
    user_agent: String,
    text_version: String,
    language: Language,
    text: String,
    relation: Relation,
    name: Option<String>,
    drawing: Option<DrawingView>,
}

impl StoredSignature {
    /// Opens the signature of a practice's claim.
    ///
    /// # Errors
    ///
    /// Those of [`Open::open`].
    pub fn secret(
        &self,
        (practice, claim): (PracticeId, ClaimId),
        keys: &impl Open,
    ) -> Result<SealedSignature, RequestError> {
        let id = self.id;
        let place = SealedPlace::Signature { practice, claim, id };
        keys.open_json(place, self.key_version, &self.sealed)
    }
}

impl fmt::Debug for SignatureView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SignatureView({})", self.id)
    }
}

/// A drawing with the size of its field.
#[derive(Serialize)]
struct DrawingView {
    width: u16,
    height: u16,
    strokes: Drawing,
}

/// Opens the signature of a claim, like [`StoredSignature::secret`].
///
/// # Errors
///
/// [`RequestError::NotFound`] if there is none, and those of [`Open::open`].
pub fn show(
    of: (PracticeId, ClaimId),
    stored: Option<StoredSignature>,
    keys: &impl Open,
) -> Result<(i64, SignatureView), RequestError> {
    let stored = stored.ok_or(RequestError::NotFound("no signature for this claim"))?;
    let secret = stored.secret(of, keys)?;
    let view = SignatureView {
        id: stored.id,
        signed_at: Time(secret.signed_at),
        ip: secret.ip,
        user_agent: secret.agent,
        text_version: secret.version,
        language: secret.language,
        text: secret.text,
        relation: secret.relation,
        name: secret.name,
        drawing: secret.strokes.map(|strokes| DrawingView { width: WIDTH, height: HEIGHT, strokes }),
    };
    Ok((stored.version, view))
}

/// Its audit row in the practice's trail.
#[must_use]
pub fn audit(practice: PracticeId, claim: ClaimId, view: &SignatureView, ctx: &Ctx) -> Entry {
    let said = json!({ "signature_id": view.id });
    Entry::new(ctx, 0, Some(practice), Event::SignatureRead, claim).detail(said)
}

#[cfg(test)]
mod tests;
