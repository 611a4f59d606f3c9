//! A change of a claim by those who work on it: what its history says, what it sets, and what the practice is told.

use crate::base::date::Date;
use crate::base::id::{CaseId, ClaimId, PracticeId, ReportId, UserId};
use crate::base::money::Cents;
use crate::base::names::names;
use crate::plan::claims::deadline::{Deadline, DeadlineFrom};
use crate::plan::claims::number::ClaimNumber;
use crate::plan::claims::status::ClaimStatus;
use crate::plan::signing::status::SigningStatus;
use crate::plan::webhooks::message::Data;
use crate::plan::work::claim::StoredWorkClaim;
use serde::Serialize;
use serde_json::{Map, Value, json};

names! {
    /// What happened to a claim, as its history names it. `received` and `corrected` are the billing system's.
    ClaimEventKind {
        /// Somebody of the staff took it.
        Taken = "taken",
        /// It moved to another status.
        Moved = "moved",
        /// Staff decided whether a signature is needed, or its link was revoked.
        Signing = "signing",
        /// The patient signed.
        Signed = "signed",
        /// The date by which its appeal is due is another.
        Deadline = "deadline",
    }
}

/// What a change sets beside status and signature. What is `None` stays as it is; an inner `None` clears it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(default)]
pub struct ClaimEdit {
    /// Who has taken it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_by: Option<Option<UserId>>,
    /// The report it was delivered in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report_id: Option<ReportId>,
    /// The case it is appealed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case_id: Option<CaseId>,
    /// What the payer paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovered_cents: Option<Option<Cents>>,
    /// Why the appeal ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing_reason: Option<Option<ClosingReason>>,
    /// By when its appeal is due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub appeal_due: Option<Option<Date>>,
    /// Who says so. Set with `appeal_due`, and never alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub appeal_due_from: Option<Option<DeadlineFrom>>,
}

impl ClaimEdit {
    /// The same with the claim due by a deadline, where it is not so already.
    #[must_use]
    pub fn due(self, claim: &StoredWorkClaim, deadline: Option<Deadline>) -> Self {
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
    /// Why an appeal ended without payment.
    ClosingReason {
        /// The payer, or who reviewed it, stood by the denial.
        DenialUpheld = "denial_upheld",
        /// The time to appeal had passed.
        DeadlinePassed = "deadline_passed",
        /// There is nothing to appeal with.
        NoGrounds = "no_grounds",
        /// The patient does not want it, or did not sign.
        PatientDeclined = "patient_declined",
        /// The practice took it back.
        Withdrawn = "withdrawn",
    }
}

names! {
    /// What happened to the link that a patient signs by.
    LinkChange {
        /// There is a new one, and any before it is worth nothing.
        Created = "created",
        /// It is worth nothing from now on.
        Revoked = "revoked",
    }
}

/// One claim's change: its version goes up by one, and its history has a row more.
#[derive(Clone, PartialEq, Debug)]
pub struct ClaimChange {
    /// The claim's practice.
    pub practice_id: PracticeId,
    /// The claim.
    pub id: ClaimId,
    /// The practice's number for it.
    pub claim_number: ClaimNumber,
    /// Its version as it was read. Where it has another by now, nothing is changed.
    pub version: i64,
    /// What happened.
    pub kind: ClaimEventKind,
    /// Where it and its signature stood.
    pub before: (ClaimStatus, SigningStatus),
    /// By when its appeal had to be filed.
    pub due_before: Option<Date>,
    /// Where it stands from now on.
    pub status: ClaimStatus,
    /// Where its signature stands from now on.
    pub signing: SigningStatus,
    /// What else is set.
    pub set: ClaimEdit,
    /// What happened to its link. The practice is told of it, also where the signature stands as it did.
    pub link: Option<LinkChange>,
}

impl ClaimChange {
    /// A change that leaves all as it is.
    #[must_use]
    pub fn of(practice_id: PracticeId, claim: &StoredWorkClaim, kind: ClaimEventKind) -> Self {
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

    /// The same to another status.
    #[must_use]
    pub fn to(self, status: ClaimStatus) -> Self {
        Self { status, ..self }
    }

    /// The same with another signing status.
    #[must_use]
    pub fn signing(self, signing: SigningStatus) -> Self {
        Self { signing, ..self }
    }

    /// The same with something that happened to its link.
    #[must_use]
    pub fn link(self, link: LinkChange) -> Self {
        Self {
            link: Some(link),
            ..self
        }
    }

    /// The same with more to set.
    #[must_use]
    pub fn set(self, set: ClaimEdit) -> Self {
        Self { set, ..self }
    }

    /// What its history says beside kind and status: ids, amounts, dates. Nothing of the patient.
    #[must_use]
    pub fn history(&self) -> Option<Value> {
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
        if let Some(due) = self.set.appeal_due {
            said.insert("appeal_due".into(), json!(due));
        }
        (!said.is_empty()).then_some(Value::Object(said))
    }

    pub(crate) fn news(&self) -> impl Iterator<Item = Data> {
        let status = (self.status != self.before.0).then_some(Data::Status {
            id: self.id,
            claim_number: self.claim_number.clone(),
            status: self.status,
        });
        // Whoever keeps the link has to read it again where it is another one, or none.
        let is_news = self.signing != self.before.1 || self.link.is_some();
        let signing = is_news.then_some(Data::Signing {
            id: self.id,
            claim_number: self.claim_number.clone(),
            signing_status: self.signing,
        });
        let due = self.set.appeal_due.filter(|due| *due != self.due_before);
        let deadline = due.map(|deadline| Data::Deadline {
            id: self.id,
            claim_number: self.claim_number.clone(),
            deadline,
        });
        status.into_iter().chain(signing).chain(deadline)
    }
}

/// What a change of a claim answers: where it stands from now on. `version` is what its `ETag` begins with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ClaimAnswer {
    /// The claim.
    pub id: ClaimId,
    /// Counts its changes.
    pub version: i64,
    /// Where it stands.
    pub status: ClaimStatus,
    /// Where its signature stands.
    pub signing_status: SigningStatus,
    /// Who has taken it.
    pub taken_by: Option<UserId>,
}

impl ClaimAnswer {
    /// Where a claim stands that is not changed.
    #[must_use]
    pub const fn of(stored: &StoredWorkClaim) -> Self {
        Self {
            id: stored.id,
            version: stored.version,
            status: stored.status,
            signing_status: stored.signing_status,
            taken_by: stored.taken_by,
        }
    }

    /// Where a claim stands after a change.
    #[must_use]
    pub fn after(stored: &StoredWorkClaim, change: &ClaimChange) -> Self {
        Self {
            id: stored.id,
            version: stored.version.saturating_add(1),
            status: change.status,
            signing_status: change.signing,
            taken_by: change.set.taken_by.unwrap_or(stored.taken_by),
        }
    }
}
