//! What the signing page does with a claim, step by step.
//!
//! ```text
//! token ──► the practice's name ──► date of birth ──► the document, with a proof ──► signature
//! ```

use super::document::{Authorization, AuthorizationFacts, version};
use super::form::SignatureInput;
use super::signature::SealedSignature;
use crate::auth::disclosure::{self, PracticeState};
use crate::call::{Call, ClientOrigin};
use crate::claim_changes::{ClaimChange, ClaimEdit, changes};
use crate::plan::Actor;
use crate::plan::sandbox::Clock;
use crate::plan::signing::link::TRIES_MAX;
use crate::plan::signing::{SigningStatus, is_asked};
use crate::plan::us_zone::UsZone;
use crate::plan::work::change::ClaimEventKind;
use crate::prelude::*;
use crate::request::language::Language;
use overturn_core::base::date::Date;
use overturn_core::base::id::{ClaimId, SignatureId, SigningLinkId};
use overturn_core::base::money::Cents;
use overturn_core::base::open::Open;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::claims::{ClaimNumber, ClaimStatus, OpenedIdentity, Patient};
use std::fmt;
use std::rc::Rc;
use subtle::ConstantTimeEq as _;

/// The stored facts about a link, found by the hash of its token. `Debug` prints only its id.
#[derive(Clone, Deserialize)]
pub struct StoredSigning {
    pub(super) practice_id: PracticeId,
    /// Its name.
    pub(super) practice: String,
    /// Its time zone, if it has set one.
    pub(super) time_zone: Option<UsZone>,
    /// The state of the practice, as stored.
    pub(super) practice_state: String,
    /// Whether its agreement is in force.
    pub(super) agreement_in_force: bool,
    /// How far its clock is ahead if it is a sandbox.
    clock_ms: Option<i64>,
    pub link_id: SigningLinkId,
    pub(super) expires_at: Instant,
    /// When staff revoked it, if they did.
    pub(super) revoked_at: Option<Instant>,
    /// When it was used to sign, if it was.
    pub(super) used_at: Option<Instant>,
    /// How many wrong dates of birth were tried, including one that was just counted.
    pub(super) tries: i64,
    pub(super) claim_id: ClaimId,
    pub(super) version: i64,
    pub(super) status: ClaimStatus,
    pub(super) signing_status: SigningStatus,
    pub(super) claim_number: String,
    /// The insurer.
    pub(super) payer_name: String,
    pub(super) date_of_service: Date,
    /// The billed amount.
    pub(super) billed_cents: Option<Cents>,
    /// The denied amount.
    pub(super) denied_cents: Option<Cents>,
    /// The key that seals the claim.
    pub(super) key_version: KeyVersion,
    /// The sealed part of the claim.
    pub(super) sealed: String,
    /// The newest data key of the practice.
    pub(super) data_key: Option<StoredDataKey>,
}

impl fmt::Debug for StoredSigning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredSigning({})", self.link_id)
    }
}

/// The state of a link, by the hash of its token.
#[must_use]
pub fn link(hash: &str) -> Query<Option<StoredSigning>> {
    const AGREEMENT: &str = usable!("p.id");
    const DATA_KEY: &str = data_key!("l.practice_id");
    select!(
        "signing.link",
        "SELECT json_object('practice_id', l.practice_id, 'practice', p.name, 'time_zone', p.time_zone,
           'practice_state', p.state, 'agreement_in_force', json(iif({AGREEMENT}, 'true', 'false')), 'link_id', l.id,
           'clock_ms', iif(p.sandbox_of IS NULL, NULL, p.clock_ms),
           'expires_at', l.expires_at, 'revoked_at', l.revoked_at, 'used_at', l.used_at, 'tries', l.attempts,
           'claim_id', c.id, 'version', c.version, 'status', c.status, 'signing_status', c.signing_status,
           'claim_number', c.claim_number, 'payer_name', c.payer_name, 'date_of_service', c.date_of_service,
           'billed_cents', c.billed_cents, 'denied_cents', c.denied_cents, 'key_version', c.key_version,
           'sealed', c.sealed, 'data_key', {DATA_KEY}) AS json
         FROM signing_links l
           JOIN practices p ON p.id = l.practice_id
           JOIN claims c ON c.practice_id = l.practice_id AND c.id = l.claim_id
         WHERE l.hash = {hash}" [AGREEMENT, DATA_KEY];
        hash
    )
    .optional()
}

/// Counts a try at the date of birth by the hash of the link's token, before anything is compared. A batch that runs
/// twice counts it twice.
pub(super) fn tried(hash: &str) -> Write {
    sql!("UPDATE signing_links SET attempts = attempts + 1 WHERE hash = {hash}"; hash)
}

pub(super) const NO_LINK: RequestError = RequestError::NotFound("no such link");

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
    /// A call about the link, by the clock of its practice.
    pub(super) fn timed(stored: Option<&Self>, call: &Rc<Call>) -> Rc<Call> {
        call.by_clock(stored.and_then(|stored| Clock::of(stored.practice_id, stored.clock_ms)))
    }

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

    /// Checks on every step of the page that patient data of the practice may be shown. If not, the link does not work.
    pub(super) fn readable(&self) -> Result<(), RequestError> {
        let state = PracticeState::stored(&self.practice_state);
        // The answer does not tell the patient which agreement the practice lacks.
        disclosure::allowed(state, self.agreement_in_force).map_err(|_| NO_LINK)
    }

    /// True if a date of birth is the patient's. The comparison takes constant time.
    pub(super) fn is_born(&self, patient: &Patient<'_>, on: Date) -> bool {
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
    pub(super) fn refusal(&self, place: &ClientOrigin, ctx: &Ctx) -> Entry {
        let detail = json!({ "link_id": self.link_id, "tries": self.tries, "ip": place.ip });
        self.entry(Event::SigningRefused, ctx).detail(detail)
    }

    /// Shows the document. The correct attempt does not count.
    #[must_use]
    pub fn show(&self, ctx: &Ctx) -> Change {
        let entry = self.entry(Event::SigningShown, ctx).detail(json!({ "link_id": self.link_id }));
        self.discloses(entry).write(sql!(
            "UPDATE signing_links SET attempts = max(attempts - 1, 0)
             WHERE practice_id = {practice} AND claim_id = {claim} AND id = {link}";
            practice = self.practice_id, claim = self.claim_id, link = self.link_id
        ))
    }

    /// Shows the document again, in its old or current text, to a person with the proof of a correct date of birth.
    pub(super) fn show_again(&self, ctx: &Ctx) -> Change {
        let detail = json!({ "link_id": self.link_id, "again": true });
        self.discloses(self.entry(Event::SigningShown, ctx).detail(detail))
    }

    /// Shows the signed copy again to the person who signed.
    pub(super) fn show_copy(&self, ctx: &Ctx) -> Change {
        self.discloses(self.entry(Event::SignedCopyShown, ctx).detail(json!({ "link_id": self.link_id })))
    }

    fn discloses(&self, entry: Entry) -> Change {
        Change::new(entry, Answer::empty()).guard(Guard::Usable(self.practice_id))
    }

    /// Signs the document that was shown.
    #[must_use]
    pub fn sign(&self, given: SignatureInput, document: &Authorization, place: &ClientOrigin, ctx: &Ctx) -> Change {
        let (practice, claim, link) = (self.practice_id, self.claim_id, self.link_id);
        let id = SignatureId(ctx.id(Purpose::Record, 0));
        let entry = self.entry(Event::Signed, ctx).detail(json!({ "link_id": link, "signature_id": id }));
        let secret = SealedSignature {
            version: version(document.language).into(),
            language: document.language,
            text: document.text(),
            relation: given.relation,
            name: given.name,
            strokes: given.drawing,
            signed_at: ctx.now,
            ip: place.ip.clone(),
            agent: place.agent.clone(),
        };
        let (unchanged, writes) = changes([self.signed()].into(), [], Actor::SigningLink(link), ctx);
        let sealed_in = SealedPlace::Signature { practice, claim, id };
        let signed = self
            .discloses(entry)
            .guard(abort_if!(
                Secret,
                "NOT EXISTS (SELECT 1 FROM signing_links WHERE practice_id = {practice} AND claim_id = {claim}
                   AND id = {link} AND revoked_at IS NULL AND used_at IS NULL AND expires_at > {now}
                   AND attempts < {most})";
                practice, claim, link, now = ctx.now, most = TRIES_MAX
            ))
            .guard(unchanged)
            .write(sql!(
                "INSERT INTO signatures (practice_id, claim_id, id, link_id, signed_at, key_version, sealed)
                 VALUES ({practice}, {claim}, {id}, {link}, {now}, {key}, {sealed})
                 ON CONFLICT (practice_id, claim_id, id) DO NOTHING";
                practice, claim, id, link, now = ctx.now, key = KeyOf(sealed_in),
                sealed = Seal::json(sealed_in, &secret)
            ))
            .write(sql!(
                "UPDATE signing_links SET used_at = {now}
                 WHERE practice_id = {practice} AND claim_id = {claim} AND id = {link} AND used_at IS NULL";
                practice, claim, link, now = ctx.now
            ));
        writes.into_iter().fold(signed, Change::write)
    }

    /// The claim's change when the patient signs. It sets no deadline.
    fn signed(&self) -> ClaimChange {
        ClaimChange {
            practice_id: self.practice_id,
            id: self.claim_id,
            claim_number: ClaimNumber(self.claim_number.clone()),
            version: self.version,
            kind: ClaimEventKind::Signed,
            before: (self.status, self.signing_status),
            due_before: None,
            status: self.status,
            signing: SigningStatus::Signed,
            set: ClaimEdit::default(),
            link: None,
        }
    }
}

#[cfg(test)]
mod tests;
