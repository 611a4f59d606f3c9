//! The staff's actions on a signature: decide whether one is needed, revoke the link, and read the signature.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::{ClaimId, PracticeId, SignatureId};
use crate::base::sealed::{KeyVersion, SealedPlace};
use crate::base::time::Time;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::claim_changes::settle;
use crate::plan::signing::SigningStatus::{self, Needed, NotNeeded, Signed};
use crate::plan::signing::drawing::{Drawing, HEIGHT, WIDTH};
use crate::plan::signing::link::NewSigningLink;
use crate::plan::signing::{SealedSignature, is_asked};
use crate::plan::work::change::{ClaimAnswer, ClaimChange, ClaimEventKind, LinkChange};
use crate::plan::work::claim::{StoredWorkClaim, stuck};
use crate::plan::{SigningWrite, Write};
use crate::request::body::{Text, object};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use crate::request::open::Open;
use crate::request::problem::Rule;
use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};
use serde_json::json;

object! {
    /// The body of a decision, unchecked.
    RawDecided { status: Text<'a>, }
}

/// Reads `{status}`: [`Needed`] or [`NotNeeded`].
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem.
pub fn parse(body: &[u8]) -> Result<SigningStatus, RequestError> {
    let raw: RawDecided<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let decided = |name: &str| {
        [Needed, NotNeeded]
            .into_iter()
            .find(|status| status.name() == name)
    };
    let status = field::one_of(
        &mut p,
        "status",
        raw.status,
        "needed or not_needed",
        decided,
    );
    p.settle(status)
}

/// Decides whether a signature is needed. If it is, a new link replaces any earlier one; if not, the link is revoked.
/// `random` is 32 bytes of a cryptographic source.
///
/// # Errors
///
/// [`RequestError::Stuck`] if the patient has signed, or the claim's appeal has ended.
pub fn decide(
    practice_id: PracticeId,
    (stored, status): (&StoredWorkClaim, SigningStatus),
    person: &Person,
    random: [u8; 32],
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    if stored.signing_status == Signed {
        return Err(RequestError::stuck("signing_status", Rule::Is("signed")));
    }
    if !is_asked(stored.status, Needed) {
        return Err(stuck(stored.status));
    }
    if status == NotNeeded && stored.signing_status == NotNeeded {
        return Ok(Change::nothing(Answer::new(200, &ClaimAnswer::of(stored))));
    }
    let mut change = ClaimChange::of(practice_id, stored, ClaimEventKind::Signing).signing(status);
    let write = if status == Needed {
        change = change.link(LinkChange::Created);
        let claim = (practice_id, stored.id);
        let link = NewSigningLink::new(claim, person.user_id, random, 0, ctx);
        Write::Signing(SigningWrite::NewLink(link))
    } else {
        Write::Signing(SigningWrite::LinksRevoked {
            practice: practice_id,
            claim: stored.id,
        })
    };
    Ok(settle(Event::SigningDecided, stored, change, ctx).write(write))
}

/// Revokes the link of a claim and changes nothing else. `has_link` says whether there is one.
#[must_use]
pub fn revoke_link(
    practice_id: PracticeId,
    stored: &StoredWorkClaim,
    has_link: bool,
    ctx: &Ctx,
) -> Change {
    if !has_link {
        return Change::nothing(Answer::new(200, &ClaimAnswer::of(stored)));
    }
    let change =
        ClaimChange::of(practice_id, stored, ClaimEventKind::Signing).link(LinkChange::Revoked);
    settle(Event::SigningLinkRevoked, stored, change, ctx).write(Write::Signing(
        SigningWrite::LinksRevoked {
            practice: practice_id,
            claim: stored.id,
        },
    ))
}

/// A stored signature.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredSignature {
    /// Its id.
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
    text: String,
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
        let place = SealedPlace::Signature {
            practice,
            claim,
            id,
        };
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
        text: secret.text,
        name: secret.name,
        drawing: secret.strokes.map(|strokes| DrawingView {
            width: WIDTH,
            height: HEIGHT,
            strokes,
        }),
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
