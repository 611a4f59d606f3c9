//! One claim with its history, as the practice may see it.

use super::list::DenialView;
use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::base::instant::Instant;
use crate::base::money::Amount;
use crate::base::names::names;
use crate::base::time::Time;
use crate::claims::denials::list::StoredDenial;
use crate::plan::claims::ClaimStatus;
use crate::plan::claims::deadline::DueByRule;
use crate::plan::signing::SigningStatus;
use crate::plan::work::change::ClaimEventKind;
use crate::plan::work::letter::LetterFacts;
use crate::request::error::RequestError;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The most events in a history, the latest ones.
pub const EVENTS_MAX: usize = 200;

/// A stored claim and its latest events.
#[derive(Clone, Debug, Deserialize)]
pub struct One {
    /// Whether the practice's appeal button is switched on.
    pub appeal_button: bool,
    /// The number of the claim's changes; its `ETag` begins with it.
    pub version: i64,
    pub claim: StoredDenial,
    /// Its latest events, in order.
    pub history: Vec<StoredClaimEvent>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct StoredClaimEvent {
    version: i64,
    at: Time,
    kind: ClaimEventKind,
    status: ClaimStatus,
    actor: String,
    /// True if the actor is a person of a practice.
    of_practice: bool,
    /// Further details. Only the named fields are read and shown.
    #[serde(default)]
    detail: Option<Detail>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Detail {
    signing: Option<SigningStatus>,
    before: Option<Figures>,
    after: Option<Figures>,
    /// The names of the fields that a resend filled in.
    filled_in: Option<Vec<String>>,
    /// What a person read in the payer's letter.
    letter: Option<LetterFacts>,
}

/// The stored values that a correction can change.
#[derive(Clone, Debug, Deserialize)]
struct Figures {
    payer_claim_number: String,
    billed_cents: Option<Amount>,
    denied_cents: Option<Amount>,
}

/// The shown values that a correction can change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct FiguresView {
    payer_claim_number: String,
    billed_amount: Option<Amount>,
    denied_amount: Option<Amount>,
}

impl From<Figures> for FiguresView {
    fn from(stored: Figures) -> Self {
        Self {
            payer_claim_number: stored.payer_claim_number,
            billed_amount: stored.billed_cents,
            denied_amount: stored.denied_cents,
        }
    }
}

names! {
    /// Who made a change. The practice does not learn which person it was.
    By {
        /// The practice's billing system, with an API key.
        BillingSystem = "billing_system",
        /// A person of the practice, or their integration.
        Practice = "practice",
        /// The service's staff.
        Staff = "staff",
        /// The patient, through the signing link.
        Patient = "patient",
    }
}

/// A shown event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct EventView {
    version: i64,
    at: Time,
    kind: ClaimEventKind,
    status: ClaimStatus,
    signing: Option<SigningStatus>,
    by: By,
    before: Option<FiguresView>,
    after: Option<FiguresView>,
    filled_in: Option<Vec<String>>,
    letter: Option<LetterFacts>,
}

impl StoredClaimEvent {
    fn by(&self) -> By {
        let actor = self.actor.split_once(':').map_or(&*self.actor, |(kind, _)| kind);
        match actor {
            "api_key" => By::BillingSystem,
            "user" if self.of_practice => By::Practice,
            // Staff have no API tokens.
            "api_token" => By::Practice,
            "signing_link" => By::Patient,
            // Staff, the operator, or the service itself.
            _ => By::Staff,
        }
    }

    fn view(self) -> EventView {
        let by = self.by();
        let detail = self.detail.unwrap_or_default();
        EventView {
            version: self.version,
            at: self.at,
            kind: self.kind,
            status: self.status,
            signing: detail.signing,
            by,
            before: detail.before.map(Into::into),
            after: detail.after.map(Into::into),
            filled_in: detail.filled_in,
            letter: detail.letter,
        }
    }
}

/// A claim with its history, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OneView {
    #[serde(flatten)]
    claim: DenialView,
    version: i64,
    deadline_by_rule: Option<DueByRule>,
    history: Vec<EventView>,
    may: Vec<DenialAction>,
}

names! {
    /// An action of the practice's people on a claim.
    DenialAction {
        /// Record what the payer's letter says.
        SetLetter = "set_letter",
    }
}

/// What a person of the practice may do with a claim that has this status.
fn may(person: &Person, status: ClaimStatus) -> Vec<DenialAction> {
    let allowed = |action: &DenialAction| match action {
        DenialAction::SetLetter => person.may_in_session(Action::SetLetter) && ClaimStatus::OPEN.contains(&status),
    };
    DenialAction::ALL.into_iter().filter(allowed).collect()
}

/// One claim with its history, for a person at this instant.
///
/// # Errors
///
/// [`RequestError::NotFound`] if the practice has no such claim.
pub fn one(stored: Option<One>, (person, now): (&Person, Instant)) -> Result<OneView, RequestError> {
    let stored = stored.ok_or(RequestError::NotFound("no such denial"))?;
    let history = stored.history.into_iter().map(StoredClaimEvent::view);
    Ok(OneView {
        version: stored.version,
        deadline_by_rule: stored.claim.by_rule().map(Into::into),
        may: may(person, stored.claim.status),
        claim: stored.claim.view(stored.appeal_button, now),
        history: history.collect(),
    })
}
