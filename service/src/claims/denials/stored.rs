//! A claim as it is read, and as the practice sees it.

use crate::plan::signing::link::KeptLink;
use crate::plan::signing::{SigningStatus, is_asked};
use crate::plan::work::change::ClosingReason;
use crate::prelude::*;
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId, ReportId};
use overturn_core::base::money::Amount;
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::letter::{self, Letter};
use overturn_core::claims::deadline::{self, DeadlineFrom, Due};
use std::fmt;

/// The practice `p` of a caller.
pub(super) const PRACTICE: &str =
    "p AS MATERIALIZED (SELECT p.id, p.appeal_button FROM callers k JOIN practices p ON p.id = k.practice_id
           WHERE k.hash = {caller})";

/// A claim `c`, as [`StoredDenial`] reads it.
pub(super) const DENIAL: &str = "json_object('id', c.id, 'claim_number', c.claim_number, 'payer_claim_number', c.payer_claim_number,
           'payer_name', c.payer_name, 'status', c.status, 'signing_status', c.signing_status, 'link', {KEPT_LINK},
           'date_of_service', c.date_of_service, 'denial_date', c.denial_date, 'plan_type', c.plan_type,
           'billed_cents', c.billed_cents, 'denied_cents', c.denied_cents, 'adjustment_codes', json(c.adjustment_codes),
           'appeal_due', c.appeal_due, 'appeal_due_from', {DUE_FROM}, 'letter', {LETTER}, 'report_id', c.report_id,
           'case_id', c.case_id, 'recovered_cents', c.recovered_cents, 'closing_reason', c.closing_reason, 'received_at', c.received_at,
           'updated_at', c.updated_at, 'changed', c.changed)";
pub(super) const KEPT_LINK: &str = kept_link!();
pub(super) const DUE_FROM: &str = due_from!();
pub(super) const LETTER: &str = letter!();

/// A stored claim. `Debug` prints only its id.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub(super) struct StoredDenial {
    pub(super) id: ClaimId,
    pub(super) claim_number: String,
    pub(super) payer_claim_number: String,
    pub(super) payer_name: String,
    pub(super) status: ClaimStatus,
    pub(super) signing_status: SigningStatus,
    pub(super) link: Option<KeptLink>,
    pub(super) date_of_service: Date,
    pub(super) denial_date: Option<Date>,
    pub(super) plan_type: Option<String>,
    pub(super) letter: Option<Letter>,
    pub(super) billed_cents: Option<Amount>,
    pub(super) denied_cents: Option<Amount>,
    pub(super) adjustment_codes: Vec<String>,
    pub(super) appeal_due: Option<Date>,
    pub(super) appeal_due_from: Option<DeadlineFrom>,
    pub(super) report_id: Option<ReportId>,
    pub(super) case_id: Option<CaseId>,
    pub(super) recovered_cents: Option<Amount>,
    pub(super) closing_reason: Option<ClosingReason>,
    pub(super) received_at: Time,
    pub(super) updated_at: Time,
    pub(super) changed: i64,
}

impl fmt::Debug for StoredDenial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredDenial({})", self.id)
    }
}

/// The deadline of the appeal, if it is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct DenialDeadline {
    /// The last day.
    date: Date,
    from: DeadlineFrom,
    /// The regulation, if the day follows from a rule.
    source: Option<&'static str>,
}

/// The link for the patient is not here. `GET /api/v1/claims/status` returns it to an API key of the practice, and
/// *showSigningLink* to its people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DenialSigning {
    status: SigningStatus,
    /// Whether the practice's appeal button is on. It is the same for all its claims.
    appeal_button: bool,
    /// When the link for the patient stops working. `null` if no link works. A claim with the status `needed` and
    /// `null` cannot be signed for until our staff make a new link.
    link_expires_at: Option<Time>,
}

/// A claim, as its practice sees it.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct DenialView {
    id: ClaimId,
    claim_number: String,
    payer_claim_number: String,
    payer_name: String,
    status: ClaimStatus,
    signing: DenialSigning,
    date_of_service: Date,
    /// As it was sent. The payer's `letter` can give another one.
    denial_date: Option<Date>,
    /// As it was sent.
    #[cfg_attr(feature = "schema", schemars(with = "Option<overturn_core::claims::PlanType>"))]
    plan_type: Option<String>,
    letter: Option<Letter>,
    billed_amount: Option<Amount>,
    denied_amount: Option<Amount>,
    /// Those of the sent denial codes that have the form of an adjustment or remark code.
    adjustment_codes: Vec<String>,
    deadline: Option<DenialDeadline>,
    /// The report in which the claim was last delivered.
    report_id: Option<ReportId>,
    /// The appeal that the claim was last in, see `GET /api/v1/appeals`.
    case_id: Option<CaseId>,
    amount_recovered: Option<Amount>,
    closing_reason: Option<ClosingReason>,
    received_at: Time,
    updated_at: Time,
}

impl fmt::Debug for DenialView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DenialView({})", self.id)
    }
}

impl StoredDenial {
    /// The rule for the claim, with the date that it gives today.
    pub(super) fn by_rule(&self) -> Option<Due> {
        let sent = (self.plan_type.as_deref(), self.denial_date);
        let (plan_type, denied) = letter::known(self.letter, sent);
        deadline::of(plan_type, denied)
    }

    pub(super) fn deadline(&self) -> Option<DenialDeadline> {
        let (date, from) = self.appeal_due.zip(self.appeal_due_from)?;
        // If the rule has changed since, it is not the source of the date.
        let due = self.by_rule().filter(|due| from == DeadlineFrom::Rule && due.on == date);
        let source = due.map(|due| due.rule.source);
        Some(DenialDeadline { date, from, source })
    }

    pub(super) fn view(self, appeal_button: bool, now: Instant) -> DenialView {
        let asked = is_asked(self.status, self.signing_status);
        let link = self.link.filter(|_| asked);
        DenialView {
            deadline: self.deadline(),
            signing: DenialSigning {
                status: self.signing_status,
                appeal_button,
                link_expires_at: link.and_then(|link| link.works_until(now)),
            },
            id: self.id,
            claim_number: self.claim_number,
            payer_claim_number: self.payer_claim_number,
            payer_name: self.payer_name,
            status: self.status,
            date_of_service: self.date_of_service,
            denial_date: self.denial_date,
            plan_type: self.plan_type,
            letter: self.letter,
            billed_amount: self.billed_cents,
            denied_amount: self.denied_cents,
            adjustment_codes: self.adjustment_codes,
            report_id: self.report_id,
            case_id: self.case_id,
            amount_recovered: self.recovered_cents,
            closing_reason: self.closing_reason,
            received_at: self.received_at,
            updated_at: self.updated_at,
        }
    }
}
