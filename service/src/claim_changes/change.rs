//! A change of a claim by staff or the patient: its history, the changed fields, and the messages to the practice.

use crate::plan::message::Data;
use crate::plan::signing::SigningStatus;
use crate::plan::work::change::{ClaimEventKind, ClosingReason};
use crate::plan::work::claim::StoredWorkClaim;
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId, PracticeId, ReportId, UserId};
use overturn_core::base::money::Cents;
use overturn_core::claims::appeal::letter::LetterColumns;
use overturn_core::claims::deadline::{Deadline, DeadlineFrom};
use overturn_core::claims::{ClaimNumber, ClaimStatus};
use overturn_core::names;
use overturn_core::webhooks::news::{ChangedClaim, ClaimState, news};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The changed fields besides status and signature. A field that is `None` stays; an inner `None` clears it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct ClaimEdit {
    /// The staff member who has taken it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) taken_by: Option<Option<UserId>>,
    /// The report it was delivered in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) report_id: Option<ReportId>,
    /// The case it is appealed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) case_id: Option<CaseId>,
    /// The payer's payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recovered_cents: Option<Option<Cents>>,
    /// Why the appeal ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) closing_reason: Option<Option<ClosingReason>>,
    /// The deadline of its appeal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) appeal_due: Option<Option<Date>>,
    /// The origin of the deadline. Set together with `appeal_due`, never alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) appeal_due_from: Option<Option<DeadlineFrom>>,
    /// What a person read in the payer's letter.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) letter: Option<LetterColumns>,
}

impl ClaimEdit {
    /// The same with a new deadline, if it differs.
    pub(crate) fn due(self, claim: &StoredWorkClaim, deadline: Option<Deadline>) -> Self {
        if deadline == claim.appeal.deadline {
            return self;
        }
        Self {
            appeal_due: Some(deadline.map(|due| due.date)),
            appeal_due_from: Some(deadline.map(|due| due.from)),
            ..self
        }
    }
}

names! {
    /// A change of the signing link.
    LinkChange {
        /// There is a new one. Earlier ones no longer work.
        Created = "created",
        /// It no longer works.
        Revoked = "revoked",
    }
}

/// One claim's change. Its version increases by one, and its history gets a row.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ClaimChange {
    pub(crate) practice_id: PracticeId,
    pub(crate) id: ClaimId,
    pub(crate) claim_number: ClaimNumber,
    /// The version that was read. If it has changed, nothing is written.
    pub(crate) version: i64,
    pub(crate) kind: ClaimEventKind,
    /// The status and signing status before the change.
    pub(crate) before: (ClaimStatus, SigningStatus),
    /// The deadline before the change.
    pub(crate) due_before: Option<Date>,
    /// The new status.
    pub(crate) status: ClaimStatus,
    /// The new signing status.
    pub(crate) signing: SigningStatus,
    /// The other changed fields.
    pub(crate) set: ClaimEdit,
    /// The change of its link. The practice gets a message about it, even if the signing status stays.
    pub(crate) link: Option<LinkChange>,
}

impl ClaimChange {
    /// A change that leaves every field as it is.
    pub(crate) fn of(practice_id: PracticeId, claim: &StoredWorkClaim, kind: ClaimEventKind) -> Self {
        Self {
            practice_id,
            id: claim.id,
            claim_number: claim.claim_number.clone(),
            version: claim.version,
            kind,
            before: (claim.status, claim.signing_status),
            due_before: claim.appeal.deadline.map(|due| due.date),
            status: claim.status,
            signing: claim.signing_status,
            set: ClaimEdit::default(),
            link: None,
        }
    }

    /// The same with a new status.
    pub(crate) fn to(self, status: ClaimStatus) -> Self {
        Self { status, ..self }
    }

    /// The same with another signing status.
    pub(crate) fn signing(self, signing: SigningStatus) -> Self {
        Self { signing, ..self }
    }

    /// The same with a change of its link.
    pub(crate) fn link(self, link: LinkChange) -> Self {
        Self { link: Some(link), ..self }
    }

    /// The same with more changed fields.
    pub(crate) fn set(self, set: ClaimEdit) -> Self {
        Self { set, ..self }
    }

    /// The details for its history besides kind and status: ids, amounts, dates, and no patient data.
    fn history(&self) -> Option<Value> {
        let mut said = Map::new();
        if let Some(link) = self.link {
            said.insert("link".into(), json!(link));
        }
        if self.signing != self.before.1 {
            said.insert("signing".into(), json!(self.signing));
        }
        if let Some(taken_by) = self.set.taken_by {
            said.insert("taken_by".into(), json!(taken_by));
        }
        if let Some(report) = self.set.report_id {
            said.insert("report_id".into(), json!(report));
        }
        if let Some(case) = self.set.case_id {
            said.insert("case_id".into(), json!(case));
        }
        if let Some(amount) = self.set.recovered_cents {
            said.insert("recovered_cents".into(), json!(amount));
        }
        if let Some(Some(reason)) = self.set.closing_reason {
            said.insert("closing_reason".into(), json!(reason));
        }
        if let Some(letter) = self.set.letter {
            said.insert("letter".into(), json!(letter.facts()));
        }
        if let Some(due) = self.set.appeal_due {
            said.insert("appeal_due".into(), json!(due));
        }
        (!said.is_empty()).then_some(Value::Object(said))
    }

    /// The row that the statements read.
    pub(super) fn row(&self) -> Row<'_> {
        Row {
            practice: self.practice_id,
            id: self.id,
            version: self.version,
            kind: self.kind,
            status: self.status,
            signing: self.signing,
            set: &self.set,
            detail: self.history(),
        }
    }

    /// The messages to endpoints.
    pub(super) fn news(&self) -> impl Iterator<Item = Data> {
        let (status, signing) = self.before;
        let before = ClaimState { status, signing, deadline: self.due_before };
        let deadline = self.set.appeal_due.unwrap_or(self.due_before);
        news(ChangedClaim {
            id: self.id,
            claim_number: &self.claim_number,
            before,
            after: ClaimState { status: self.status, signing: self.signing, deadline },
            link: self.link.is_some(),
            amount: self.kind == ClaimEventKind::AmountCorrected,
        })
    }
}

#[derive(Serialize)]
pub(super) struct Row<'a> {
    practice: PracticeId,
    id: ClaimId,
    version: i64,
    kind: ClaimEventKind,
    status: ClaimStatus,
    signing: SigningStatus,
    set: &'a ClaimEdit,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<Value>,
}

/// The `ETag` of the claim begins with this `version` from now on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ClaimAnswer {
    pub(crate) id: ClaimId,
    /// The number of its changes.
    pub(crate) version: i64,
    pub(crate) status: ClaimStatus,
    pub(crate) signing_status: SigningStatus,
    /// The staff member who has taken it.
    pub(crate) taken_by: Option<UserId>,
}

impl ClaimAnswer {
    /// The answer for an unchanged claim.
    pub(crate) const fn of(stored: &StoredWorkClaim) -> Self {
        Self {
            id: stored.id,
            version: stored.version,
            status: stored.status,
            signing_status: stored.signing_status,
            taken_by: stored.taken_by,
        }
    }

    /// The answer after a change.
    pub(crate) fn after(stored: &StoredWorkClaim, change: &ClaimChange) -> Self {
        Self {
            id: stored.id,
            version: stored.version.saturating_add(1),
            status: change.status,
            signing_status: change.signing,
            taken_by: change.set.taken_by.unwrap_or(stored.taken_by),
        }
    }
}
