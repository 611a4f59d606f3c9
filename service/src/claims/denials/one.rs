//! `GET /api/v1/denials/{id}`: one claim with its history, as the practice may see it.

use super::stored::{DENIAL, DUE_FROM, DenialView, KEPT_LINK, LETTER, PRACTICE, StoredDenial};
use crate::auth::rights::Action;
use crate::plan::signing::SigningStatus;
use crate::plan::work::change::{ClaimEventKind, EVENTS_MAX};
use crate::prelude::*;
use overturn_core::base::id::ClaimId;
use overturn_core::base::money::Amount;
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::letter::LetterFacts;
use overturn_core::claims::deadline::DueByRule;

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

/// The fields that a correction can change. `null` for every other event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DenialFigures {
    payer_claim_number: String,
    billed_amount: Option<Amount>,
    denied_amount: Option<Amount>,
}

impl From<Figures> for DenialFigures {
    fn from(stored: Figures) -> Self {
        Self {
            payer_claim_number: stored.payer_claim_number,
            billed_amount: stored.billed_cents,
            denied_amount: stored.denied_cents,
        }
    }
}

names! {
    /// Who made the change. For our staff, it does not name the person.
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

/// A change of a claim.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DenialEvent {
    /// The version after it.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    version: i64,
    at: Time,
    #[cfg_attr(feature = "schema", schemars(with = "String", regex(pattern = "^[a-z_]+$")))]
    kind: ClaimEventKind,
    status: ClaimStatus,
    /// The signing status after this change. `null` if the change did not affect it.
    signing: Option<SigningStatus>,
    by: By,
    before: Option<DenialFigures>,
    after: Option<DenialFigures>,
    /// The missing fields that a resend added. `null` for every other event.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<overturn_core::claims::Part>>"))]
    filled_in: Option<Vec<String>>,
    /// What a person recorded of the payer's letter. `null` for every other event, and if it was removed.
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

    fn view(self) -> DenialEvent {
        let by = self.by();
        let detail = self.detail.unwrap_or_default();
        DenialEvent {
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

/// A claim with its history.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct DenialWithHistory {
    #[serde(flatten)]
    claim: DenialView,
    version: i64,
    /// `null` if no rule is known.
    deadline_by_rule: Option<DueByRule>,
    #[cfg_attr(feature = "schema", schemars(length(max = EVENTS_MAX)))]
    history: Vec<DenialEvent>,
    /// What the caller may do with the claim now. `set_letter` is *setLetter*.
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
pub(super) fn one(
    stored: Option<One>,
    (person, now): (&Person, Instant),
) -> Result<Versioned<DenialWithHistory>, RequestError> {
    let stored = stored.ok_or(RequestError::NotFound("no such denial"))?;
    let version = stored.version;
    let history = stored.history.into_iter().map(StoredClaimEvent::view);
    let body = DenialWithHistory {
        version,
        deadline_by_rule: stored.claim.by_rule().map(Into::into),
        may: may(person, stored.claim.status),
        claim: stored.claim.view(stored.appeal_button, now),
        history: history.collect(),
    };
    Ok(Versioned { body, version })
}

/// `showDenial`: Read one claim with its history.
///
/// The claim as in the list, with `history`. The history has the latest 200 changes, and the oldest of them comes
/// first. `kind` names the change. We may add kinds. The `ETag` begins with the claim's `version`.
///
/// | kind | what happened |
/// | --- | --- |
/// | `received` | the claim was sent for the first time |
/// | `corrected` | a resend changed an amount or the payer claim number; see `before` and `after` |
/// | `filled_in` | a resend added missing fields; `filled_in` names them, and `before` and `after` show what it corrected |
/// | `taken`, `moved` | our staff took the claim, or its `status` changed |
/// | `signing`, `signed` | our staff decided whether a signature is needed, or the patient signed; see `signing` |
/// | `deadline` | the deadline of the appeal changed, or a person recorded what the payer's letter says; see `letter` |
/// | `amount_corrected` | our staff corrected the amount that the payer paid |
pub(crate) async fn show(
    PathId(id): PathId<ClaimId>,
    request: ReadRequest,
) -> Result<Gives<DenialWithHistory>, AppError> {
    let load = read(request.credential(), id);
    request.show_versioned(load, |person, stored| one(stored, (person, request.ctx().now))).await
}
