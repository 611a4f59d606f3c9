//! The signing page: opening it, and the signature.
//!
//! ```text
//! token ──► the practice's name ──► date of birth ──► the document, with a proof ──► signature
//! ```

use super::document::{Authorization, AuthorizationFacts, version};
use super::form::SignatureInput;
use super::proof::Shown;
use crate::auth::disclosure::{self, PracticeState};
use crate::base::ctx::{Ctx, Purpose};
use crate::base::date::Date;
use crate::base::id::{ClaimId, PracticeId, SignatureId, SigningLinkId};
use crate::base::instant::Instant;
use crate::base::language::Language;
use crate::base::money::Cents;
use crate::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use crate::base::us_zone::UsZone;
use crate::plan::accounts::ClientOrigin;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::claim_changes::changes;
use crate::plan::claims::{ClaimNumber, ClaimStatus, OpenedIdentity, Patient};
use crate::plan::signing::link::TRIES_MAX;
use crate::plan::signing::{NewSignature, SealedSignature, SigningStatus, is_asked};
use crate::plan::work::change::{ClaimChange, ClaimEdit, ClaimEventKind};
use crate::plan::{Guard, SigningGuard, SigningWrite, Write};
use crate::request::error::RequestError;
use crate::request::open::Open;
use alloc::string::{String, ToString};
use core::fmt;
use serde::Deserialize;
use serde_json::json;
use subtle::ConstantTimeEq;

/// The stored facts about a link, found by the hash of its token. `Debug` prints only its id.
#[derive(Clone, Deserialize)]
pub struct StoredSigning {
    pub practice_id: PracticeId,
    /// Its name.
    pub practice: String,
    /// Its time zone, if it has set one.
    pub time_zone: Option<UsZone>,
    /// The state of the practice, as stored.
    pub practice_state: String,
    /// Whether its agreement is in force.
    pub agreement_in_force: bool,
    pub link_id: SigningLinkId,
    pub expires_at: Instant,
    /// When staff revoked it, if they did.
    pub revoked_at: Option<Instant>,
    /// When it was used to sign, if it was.
    pub used_at: Option<Instant>,
    /// How many wrong dates of birth were tried, including one that was just counted.
    pub tries: i64,
    pub claim_id: ClaimId,
    pub version: i64,
    pub status: ClaimStatus,
    pub signing_status: SigningStatus,
    pub claim_number: String,
    /// The insurer.
    pub payer_name: String,
    pub date_of_service: Date,
    /// The billed amount.
    pub billed_cents: Option<Cents>,
    /// The denied amount.
    pub denied_cents: Option<Cents>,
    /// The key that seals the claim.
    pub key_version: KeyVersion,
    /// The sealed part of the claim.
    pub sealed: String,
    /// The newest data key of the practice.
    pub data_key: Option<StoredDataKey>,
}

impl fmt::Debug for StoredSigning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredSigning({})", self.link_id)
    }
}

/// Counts a try at the date of birth by the hash of the link's token, before anything is compared. A batch that runs
/// twice counts it twice.
#[must_use]
pub fn count_try(hash: &str) -> Write<'static> {
    Write::Signing(SigningWrite::Tried(hash.into()))
}

const NO_LINK: RequestError = RequestError::NotFound("no such link");

/// Opens a link that can be used to sign. `tried` says whether an attempt was counted just before the load.
///
/// # Errors
///
/// [`RequestError::NotFound`], without the reason, for a link that is unknown, revoked, expired, used, or out of
/// attempts, and if a signature is no longer needed.
pub fn open(stored: Option<&StoredSigning>, tried: bool, now: Instant) -> Result<&StoredSigning, RequestError> {
    let before = |stored: &StoredSigning| stored.tries.saturating_sub(i64::from(tried));
    let holds = |stored: &&StoredSigning| {
        stored.revoked_at.is_none()
            && stored.used_at.is_none()
            && now < stored.expires_at
            && before(stored) < TRIES_MAX
            && stored.readable().is_ok()
            && is_asked(stored.status, stored.signing_status)
    };
    stored.filter(holds).ok_or(NO_LINK)
}

impl StoredSigning {
    /// The patient of the claim.
    ///
    /// # Errors
    ///
    /// Those of [`Open::open`].
    pub fn patient(&self, keys: &impl Open) -> Result<Patient<'static>, RequestError> {
        let place = SealedPlace::Claim { practice: self.practice_id, id: self.claim_id };
        let opened: OpenedIdentity = keys.open_json(place, self.key_version, &self.sealed)?;
        Ok(opened.patient)
    }

    /// Checks on every step of the page that patient data of the practice may be shown.
    ///
    /// # Errors
    ///
    /// [`RequestError::NotFound`], as for a link that does not work.
    pub fn readable(&self) -> Result<(), RequestError> {
        let state = PracticeState::stored(&self.practice_state);
        // The answer does not tell the patient which agreement the practice lacks.
        disclosure::allowed(state, self.agreement_in_force).map_err(|_| NO_LINK)
    }

    /// True if a date of birth is the patient's. The comparison takes constant time.
    #[must_use]
    pub fn is_born(&self, patient: &Patient<'_>, on: Date) -> bool {
        let (theirs, given) = (patient.date_of_birth.to_string(), on.to_string());
        theirs.as_bytes().ct_eq(given.as_bytes()).into()
    }

    /// The document to sign, with the text of an instant, in this language.
    #[must_use]
    pub fn document(&self, patient: &Patient<'_>, at: Instant, language: Language) -> Authorization {
        let facts = AuthorizationFacts {
            language,
            patient: [patient.first_name.clone(), patient.last_name.clone()],
            practice: &self.practice,
            payer: &self.payer_name,
            member_id: patient.member_id.as_deref(),
            claim_number: &self.claim_number,
            date_of_service: self.date_of_service,
            billed: self.billed_cents,
            denied: self.denied_cents,
            at,
            zone: self.time_zone,
        };
        facts.document()
    }

    fn entry(&self, event: Event, ctx: &Ctx) -> Entry {
        Entry::new(ctx, 0, Some(self.practice_id), event, self.claim_id)
    }

    /// The audit row of a wrong date of birth. Only this row has the IP address: the address of a correct date is the
    /// patient's, and is sealed with the signature.
    #[must_use]
    pub fn refusal(&self, place: &ClientOrigin, ctx: &Ctx) -> Entry {
        let detail = json!({ "link_id": self.link_id, "tries": self.tries, "ip": place.ip });
        self.entry(Event::SigningRefused, ctx).detail(detail)
    }

    /// Shows the document. The correct attempt does not count.
    #[must_use]
    pub fn show(&self, ctx: &Ctx) -> Change {
        let detail = json!({ "link_id": self.link_id });
        let entry = self.entry(Event::SigningShown, ctx).detail(detail);
        let (practice, claim, link) = (self.practice_id, self.claim_id, self.link_id);
        Change::new(entry, Answer::empty())
            .guard(Guard::Readable(practice))
            .write(Write::Signing(SigningWrite::TryReturned { practice, claim, link }))
    }

    /// Shows the document again, in its old or current text, to a person with the proof of a correct date of birth.
    #[must_use]
    pub fn show_again(&self, ctx: &Ctx) -> Change {
        let detail = json!({ "link_id": self.link_id, "again": true });
        let entry = self.entry(Event::SigningShown, ctx).detail(detail);
        Change::new(entry, Answer::empty()).guard(Guard::Readable(self.practice_id))
    }

    /// Shows the signed copy again to the person who signed.
    #[must_use]
    pub fn show_copy(&self, ctx: &Ctx) -> Change {
        let detail = json!({ "link_id": self.link_id });
        let entry = self.entry(Event::SignedCopyShown, ctx).detail(detail);
        Change::new(entry, Answer::empty()).guard(Guard::Readable(self.practice_id))
    }

    /// Signs the document that was shown.
    #[must_use]
    pub fn sign(&self, given: SignatureInput, document: &Authorization, place: &ClientOrigin, ctx: &Ctx) -> Change {
        let (practice_id, claim_id, link_id) = (self.practice_id, self.claim_id, self.link_id);
        let id = SignatureId(ctx.id(Purpose::Record, 0));
        let detail = json!({ "link_id": link_id, "signature_id": id });
        let entry = self.entry(Event::Signed, ctx).detail(detail);
        let signature = NewSignature {
            practice_id,
            claim_id,
            id,
            link_id,
            secret: SealedSignature {
                version: version(document.language).into(),
                language: document.language,
                text: document.text(),
                relation: given.relation,
                name: given.name,
                strokes: given.drawing,
                signed_at: ctx.now,
                ip: place.ip.clone(),
                agent: place.agent.clone(),
            },
        };
        let change = ClaimChange {
            practice_id,
            id: claim_id,
            claim_number: ClaimNumber(self.claim_number.clone()),
            version: self.version,
            kind: ClaimEventKind::Signed,
            before: (self.status, self.signing_status),
            // Signing sets no deadline.
            due_before: None,
            status: self.status,
            signing: SigningStatus::Signed,
            set: ClaimEdit::default(),
            link: None,
        };
        let (guard, writes) = changes([change].into(), [], ctx);
        let guards = [
            Guard::Readable(practice_id),
            Guard::Signing(SigningGuard::LinkUsable { practice: practice_id, claim: claim_id, link: link_id }),
            guard,
        ];
        let signed = Change::new(entry, Answer::empty()).write(Write::Signing(SigningWrite::NewSignature(signature)));
        let signed = guards.into_iter().fold(signed, Change::guard);
        writes.into_iter().fold(signed, Change::write)
    }
}

/// True if a proof is still valid for the current text.
#[must_use]
pub fn is_current(shown: Shown, document: &Authorization) -> bool {
    shown.digest == document.digest()
}

#[cfg(test)]
mod tests;
