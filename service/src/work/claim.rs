//! One claim, as staff see it: with its patient and its history.

use crate::extract::InPractice;
use crate::pipeline::Disclosed;
use crate::plan::practice::{PracticeDetails, PracticeName};
use crate::plan::signing::link::{KeptLink, LinkView};
use crate::plan::signing::{SigningStatus, is_asked};
use crate::plan::work::change::{ClaimEventKind, ClosingReason, EVENTS_MAX};
use crate::plan::work::claim::{ClaimState, UNKNOWN};
use crate::prelude::*;
use crate::work::colleague::Colleague;
use crate::work::colleague::colleague;
use crate::work::may::{self, ClaimAction};
use crate::work::sql::{CLAIM_PRACTICE, DEADLINE, KEPT_LINK, LETTER, TAKEN_BY};
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId, NoteId, ReportId};
use overturn_core::base::money::{Amount, Cents};
use overturn_core::base::open::Open;
#[cfg(feature = "schema")]
use overturn_core::claims::PlanType;
use overturn_core::claims::appeal::letter::{self, Letter};
use overturn_core::claims::deadline::{self, Deadline, DueByRule};
use overturn_core::claims::{ClaimStatus, Details};
use serde_json::Value;
use std::fmt;

/// The part of a claim that is not sealed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ClaimFacts {
    pub id: ClaimId,
    pub practice: PracticeName,
    /// The number of its changes; its `ETag` begins with it.
    pub version: i64,
    pub claim_number: String,
    pub status: ClaimStatus,
    pub signing_status: SigningStatus,
    /// The staff member who has taken it.
    pub taken_by: Option<Colleague>,
    /// The deadline of its appeal, if it is known.
    pub deadline: Option<Deadline>,
    pub payer_claim_number: String,
    /// The insurer, as the practice names it.
    pub payer_name: String,
    pub date_of_service: Date,
    /// As it was sent. The payer's `letter` can give another one.
    pub denial_date: Option<Date>,
    /// As it was sent. The payer's `letter` can give another one.
    #[cfg_attr(feature = "schema", schemars(with = "Option<PlanType>"))]
    pub plan_type: Option<String>,
    /// What a person read in the payer's letter.
    pub letter: Option<Letter>,
    pub billed_amount: Option<Amount>,
    pub denied_amount: Option<Amount>,
    /// The payer's payment in the end.
    pub amount_recovered: Option<Amount>,
    /// Why its appeal ended without payment.
    pub closing_reason: Option<ClosingReason>,
    /// The report it was last delivered in.
    pub report_id: Option<ReportId>,
    /// The case in which it is, or was last, appealed.
    pub case_id: Option<CaseId>,
    /// When it was received.
    pub received_at: Time,
    /// When it last changed.
    pub updated_at: Time,
}

/// A row of its history.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct HistoryEntry {
    /// The version after it.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub version: i64,
    /// The time.
    pub at: Time,
    pub kind: ClaimEventKind,
    /// The status after it.
    pub status: ClaimStatus,
    pub actor: String,
    /// The person's name, if the actor is a person.
    pub actor_name: Option<String>,
    /// The name of the staff member who got the claim, if one did.
    pub holder_name: Option<String>,
    /// The values that changed. Amounts are text.
    #[cfg_attr(feature = "schema", schemars(with = "Option<serde_json::Map<String, Value>>"))]
    pub detail: Option<Value>,
}

/// The most notes of a claim that are shown, the latest ones.
pub(crate) const NOTES_MAX: usize = 50;

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct StoredNote {
    pub id: NoteId,
    /// When it was left.
    pub at: Time,
    pub author: Colleague,
    /// The key that seals it.
    pub key_version: KeyVersion,
    /// The sealed text.
    pub sealed: String,
}

// `Debug` does not print its text.
/// A note.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Note {
    pub id: NoteId,
    /// When it was left.
    pub at: Time,
    pub author: Colleague,
    pub text: String,
}

impl fmt::Debug for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Note({})", self.id)
    }
}

/// A stored claim.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct StoredView {
    /// The part that is not sealed.
    pub facts: ClaimFacts,
    /// The key that seals the rest.
    pub key_version: KeyVersion,
    /// The sealed part.
    pub sealed: String,
    /// Its latest 200 events, oldest first.
    pub history: Vec<HistoryEntry>,
    /// Its latest 50 notes, oldest first.
    pub notes: Vec<StoredNote>,
    /// The signing link, if it has one.
    pub signing_link: Option<KeptLink>,
    /// What an appeal says about the practice.
    pub practice_details: PracticeDetails,
}

const HISTORY: &str = history!("{events}");
const AUTHOR: &str = colleague!("n.author");
const PRACTICE_DETAILS: &str = practice_details!();

/// A claim with everything that staff see. One value of the database may have 2 MB, so the events and notes are limited.
pub(super) fn stored_view(practice: PracticeId, id: ClaimId) -> Query<Option<StoredView>> {
    select!(
        "work.claim_view",
        "SELECT json_object('facts', json_object('id', c.id, 'practice', {CLAIM_PRACTICE}, 'version', c.version,
             'claim_number', c.claim_number, 'status', c.status, 'signing_status', c.signing_status, 'taken_by', {TAKEN_BY},
             'deadline', {DEADLINE}, 'payer_claim_number', c.payer_claim_number, 'payer_name', c.payer_name,
             'date_of_service', c.date_of_service, 'denial_date', c.denial_date, 'plan_type', c.plan_type,
             'letter', {LETTER}, 'billed_amount', c.billed_cents, 'denied_amount', c.denied_cents,
             'amount_recovered', c.recovered_cents, 'closing_reason', c.closing_reason, 'report_id', c.report_id,
             'case_id', c.case_id, 'received_at', c.received_at, 'updated_at', c.updated_at),
           'key_version', c.key_version, 'sealed', c.sealed,
           'history', json((SELECT json_group_array(json_object('version', e.version, 'at', e.at, 'kind', e.kind,
               'status', e.status, 'actor', e.actor,
               'actor_name', (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u
                 WHERE e.actor LIKE 'user:%' AND u.id = substr(e.actor, 6)),
               'holder_name', (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u
                 WHERE u.id = e.detail ->> 'taken_by'),
               'detail', json(e.detail))) FROM {HISTORY} e)),
           'notes', json((SELECT json_group_array(json_object('id', n.id, 'at', n.at, 'author', {AUTHOR},
               'key_version', n.key_version, 'sealed', n.sealed))
             FROM (SELECT * FROM (SELECT * FROM claim_notes WHERE practice_id = c.practice_id AND claim_id = c.id
               ORDER BY id DESC LIMIT CAST({notes} AS INTEGER)) ORDER BY id) n)),
           'signing_link', {KEPT_LINK},
           'practice_details', json((SELECT json_object({PRACTICE_DETAILS}) FROM practices p WHERE p.id = c.practice_id)))
           AS json
         FROM claims c WHERE c.practice_id = {practice} AND c.id = {id}"
        [CLAIM_PRACTICE, TAKEN_BY, DEADLINE, LETTER, HISTORY, AUTHOR, KEPT_LINK, PRACTICE_DETAILS];
        practice, id, events = EVENTS_MAX, notes = NOTES_MAX
    )
    .optional()
}

/// `showClaim`: Read one claim with its patient, history and notes.
///
/// Staff only. The answer has the latest 200 events of the claim's history and the latest 50 notes. The practice's
/// audit trail records who reads the claim, before it is shown. A staff member who opens more than 60 patients in
/// an hour must show the second factor again before the next one (`402`). The `ETag` begins with the claim's
/// `version`. Send it as `If-Match` to write to the claim.
pub(crate) async fn show(
    InPractice(practice, id): InPractice<ClaimId>,
    request: ReadRequest,
) -> Result<Gives<StaffClaimView>, AppError> {
    let view = request.disclose((practice, id), stored_view(practice, id), |person, stored, keys| {
        let body = opened(stored, (person, request.ctx().now), keys)?;
        let (version, id) = (body.facts.version, body.facts.id);
        let audit = Entry::new(request.ctx(), 0, Some(practice), Event::ClaimRead, id);
        Ok(Disclosed { version, audit, body })
    });
    view.await
}

/// A claim, as staff see it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct StaffClaimView {
    // The part that was not sealed.
    #[serde(flatten)]
    pub facts: ClaimFacts,
    // The opened part: the patient, the codes and the free text.
    #[serde(flatten)]
    pub details: Details,
    /// The date that the rule gives.
    pub deadline_by_rule: Option<DueByRule>,
    /// What an appeal says about the practice.
    pub practice_details: PracticeDetails,
    /// The link with which the patient can sign now. The status read returns it to the practice. `null` if there is no
    /// link, if no signature is needed, or if the link was used or revoked, has expired, or was tried with too many wrong
    /// dates of birth.
    pub signing_link: Option<LinkView>,
    /// Its history, oldest first.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub history: Vec<HistoryEntry>,
    /// Its notes, oldest first.
    pub notes: Vec<Note>,
    /// What the staff member may do with it.
    pub may: Vec<ClaimAction>,
}

/// Opens a claim for a staff member.
///
/// # Errors
///
/// [`UNKNOWN`], and those of [`Open::open`].
fn opened(
    stored: Option<StoredView>,
    (person, now): (&Person, Instant),
    keys: &impl Open,
) -> Result<StaffClaimView, RequestError> {
    let stored = stored.ok_or(UNKNOWN)?;
    let (practice, claim) = (stored.facts.practice.id, stored.facts.id);
    let place = SealedPlace::Claim { practice, id: claim };
    let details = keys.open_json(place, stored.key_version, &stored.sealed)?;
    let notes = stored.notes.into_iter().map(|note| {
        let id = note.id;
        let place = SealedPlace::Note { practice, claim, id };
        Ok(Note { id, at: note.at, author: note.author, text: keys.open_text(place, note.key_version, &note.sealed)? })
    });
    let state = ClaimState {
        status: stored.facts.status,
        signing_status: stored.facts.signing_status,
        taken_by: stored.facts.taken_by.as_ref().map(|taken_by| taken_by.id),
        was_appealed: stored.facts.case_id.is_some(),
        was_paid: stored.facts.amount_recovered.is_some(),
    };
    let facts = &stored.facts;
    let sent = (facts.plan_type.as_deref(), facts.denial_date);
    let (plan_type, denied) = letter::known(facts.letter, sent);
    let has_link = stored.signing_link.is_some();
    let is_asked = is_asked(stored.facts.status, stored.facts.signing_status);
    let link = stored.signing_link.filter(|_| is_asked);
    Ok(StaffClaimView {
        details,
        deadline_by_rule: deadline::of(plan_type, denied).map(Into::into),
        practice_details: stored.practice_details,
        signing_link: link.and_then(|link| link.view(now)),
        notes: notes.collect::<Result<_, RequestError>>()?,
        facts: stored.facts,
        history: stored.history.into_iter().map(HistoryEntry::shown).collect(),
        may: may::on_claim(state, has_link, person.user_id),
    })
}

impl HistoryEntry {
    /// The same with amounts as text: a reader that knows only doubles cannot hold cents above 2^53 exactly.
    fn shown(self) -> Self {
        Self { detail: self.detail.map(in_text), ..self }
    }
}

fn in_text(detail: Value) -> Value {
    let Value::Object(fields) = detail else {
        return detail;
    };
    let fields = fields.into_iter().map(|(name, value)| {
        let shown = match &*name {
            "recovered_cents" => "amount_recovered",
            "billed_cents" => "billed_amount",
            "denied_cents" => "denied_amount",
            _ => return (name, in_text(value)),
        };
        let amount = value.as_i64().and_then(Cents::new).map(Amount);
        (String::from(shown), json!(amount))
    });
    Value::Object(fields.collect())
}
