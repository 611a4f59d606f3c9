//! `GET /api/v1/denials/{id}`: one claim with its history, as the practice may see it.

use super::stored::{DENIAL, DUE_FROM, DenialView, KEPT_LINK, LETTER, PRACTICE, StoredDenial};
use crate::prelude::*;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::ClaimId;
use overturn_core::base::money::Amount;
use overturn_core::plan::claims::ClaimStatus;
use overturn_core::plan::claims::deadline::DueByRule;
use overturn_core::plan::signing::SigningStatus;
use overturn_core::plan::work::change::{ClaimEventKind, EVENTS_MAX};
use overturn_core::plan::work::letter::LetterFacts;

/// A stored claim and its latest events.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct One {
    /// Whether the practice's appeal button is switched on.
    appeal_button: bool,
    /// The number of the claim's changes; its `ETag` begins with it.
    version: i64,
    claim: StoredDenial,
    /// Its latest events, in order.
    history: Vec<StoredClaimEvent>,
}

#[derive(Clone, Debug, Deserialize)]
struct StoredClaimEvent {
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
pub(super) struct OneView {
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

const HISTORY: &str = history!("{events}");

/// The claim, as [`One`] reads it. An actor `user:<id>` is a person. No row for a claim of another practice.
pub(super) fn read(caller: &str, id: ClaimId) -> Query<Option<One>> {
    select!(
        "claims.denial",
        "WITH {PRACTICE} SELECT json_object('appeal_button', json(iif(p.appeal_button = 1, 'true', 'false')), 'version', c.version, 'claim', {DENIAL},
           'history', json((SELECT json_group_array(json_object('version', e.version, 'at', e.at, 'kind', e.kind,
         'status', e.status, 'actor', e.actor, 'detail', json(e.detail),
         'of_practice', json(iif(EXISTS (SELECT 1 FROM users u
           WHERE u.id = substr(e.actor, 6) AND u.practice_id = e.practice_id), 'true', 'false'))))
       FROM {HISTORY} e))) AS json
         FROM p JOIN claims c ON c.practice_id = p.id WHERE c.id = {id}"
         [PRACTICE, DENIAL, KEPT_LINK, DUE_FROM, LETTER, HISTORY];
        caller, id, events = EVENTS_MAX
    )
    .optional()
}

/// One claim with its history, for a person at this instant.
pub(super) fn one(stored: Option<One>, (person, now): (&Person, Instant)) -> Result<Versioned<OneView>, RequestError> {
    let stored = stored.ok_or(RequestError::NotFound("no such denial"))?;
    let version = stored.version;
    let history = stored.history.into_iter().map(StoredClaimEvent::view);
    let body = OneView {
        version,
        deadline_by_rule: stored.claim.by_rule().map(Into::into),
        may: may(person, stored.claim.status),
        claim: stored.claim.view(stored.appeal_button, now),
        history: history.collect(),
    };
    Ok(Versioned { body, version })
}

/// `GET …/{id}`: one claim with its history.
pub(crate) async fn show(PathId(id): PathId<ClaimId>, request: ReadRequest) -> Result<Response, AppError> {
    let load = read(request.credential(), id);
    request.show_versioned(load, |person, stored| one(stored, (person, request.ctx().now))).await
}
