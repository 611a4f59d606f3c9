//! A change of a claim by staff or the patient: its history, the changed fields, and the messages to the practice.

use crate::base::date::Date;
use crate::base::id::{CaseId, ClaimId, PracticeId, ReportId, UserId};
use crate::base::money::Cents;
use crate::base::names::names;
use crate::plan::claims::deadline::{Deadline, DeadlineFrom};
use crate::plan::claims::number::ClaimNumber;
use crate::plan::claims::status::ClaimStatus;
use crate::plan::message::Data;
use crate::plan::signing::status::SigningStatus;
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::letter::LetterColumns;
use serde::Serialize;
use serde_json::{Map, Value, json};

names! {
    /// The kind of an event in a claim's history. The store writes the first three, when a billing system or the practice
    /// sends a claim.
    ClaimEventKind {
        /// It was sent for the first time.
        Received = "received",
        /// It was sent again with other amounts or another claim number of the payer.
        Corrected = "corrected",
        /// It was sent again with fields that were missing.
        FilledIn = "filled_in",
        /// A staff member took it.
        Taken = "taken",
        /// It moved to another status.
        Moved = "moved",
        /// Staff decided whether a signature is needed, or its link was revoked.
        Signing = "signing",
        /// The patient signed.
        Signed = "signed",
        /// The deadline of its appeal changed, or what is known of the payer's letter.
        Deadline = "deadline",
        /// The recorded payment of the payer was corrected.
        AmountCorrected = "amount_corrected",
    }
}

/// The changed fields besides status and signature. A field that is `None` stays; an inner `None` clears it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(default)]
pub struct ClaimEdit {
    /// The staff member who has taken it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_by: Option<Option<UserId>>,
    /// The report it was delivered in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report_id: Option<ReportId>,
    /// The case it is appealed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case_id: Option<CaseId>,
    /// The payer's payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovered_cents: Option<Option<Cents>>,
    /// Why the appeal ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing_reason: Option<Option<ClosingReason>>,
    /// The deadline of its appeal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub appeal_due: Option<Option<Date>>,
    /// The origin of the deadline. Set together with `appeal_due`, never alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub appeal_due_from: Option<Option<DeadlineFrom>>,
    /// What a person read in the payer's letter.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub letter: Option<LetterColumns>,
}

impl ClaimEdit {
    /// The same with a new deadline, if it differs.
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
    /// Why a claim is closed: its appeal ended without payment, or the review found that it is not appealed.
    ClosingReason {
        /// The payer or a reviewer upheld the denial.
        DenialUpheld = "denial_upheld",
        /// The time to appeal had passed.
        DeadlinePassed = "deadline_passed",
        /// There are no grounds for an appeal.
        NoGrounds = "no_grounds",
        /// The patient does not want it, or did not sign.
        PatientDeclined = "patient_declined",
        /// The practice withdrew it.
        Withdrawn = "withdrawn",
        /// The denial cannot be appealed, for example because the payer wants a corrected claim.
        NotAppealable = "not_appealable",
        /// The payer paid the claim before it was appealed.
        AlreadyPaid = "already_paid",
        /// The practice sent it by mistake.
        SentInError = "sent_in_error",
    }
}

impl ClosingReason {
    /// The reasons to close a claim in review. No one has decided an appeal of it.
    pub const IN_REVIEW: [Self; 7] = [
        Self::DeadlinePassed,
        Self::NotAppealable,
        Self::NoGrounds,
        Self::AlreadyPaid,
        Self::SentInError,
        Self::PatientDeclined,
        Self::Withdrawn,
    ];
    /// The reasons to close a claim in appeal. What the payer pays then is a recovery.
    pub const IN_APPEAL: [Self; 6] = [
        Self::DenialUpheld,
        Self::DeadlinePassed,
        Self::NoGrounds,
        Self::SentInError,
        Self::PatientDeclined,
        Self::Withdrawn,
    ];

    /// The reasons to close a claim with this status.
    #[must_use]
    pub const fn of(status: ClaimStatus) -> &'static [Self] {
        match status {
            ClaimStatus::Reviewing => &Self::IN_REVIEW,
            ClaimStatus::InAppeal => &Self::IN_APPEAL,
            ClaimStatus::Received | ClaimStatus::InReport | ClaimStatus::Recovered | ClaimStatus::Closed => &[],
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
pub struct ClaimChange {
    pub practice_id: PracticeId,
    pub id: ClaimId,
    pub claim_number: ClaimNumber,
    /// The version that was read. If it has changed, nothing is written.
    pub version: i64,
    pub kind: ClaimEventKind,
    /// The status and signing status before the change.
    pub before: (ClaimStatus, SigningStatus),
    /// The deadline before the change.
    pub due_before: Option<Date>,
    /// The new status.
    pub status: ClaimStatus,
    /// The new signing status.
    pub signing: SigningStatus,
    /// The other changed fields.
    pub set: ClaimEdit,
    /// The change of its link. The practice gets a message about it, even if the signing status stays.
    pub link: Option<LinkChange>,
}

impl ClaimChange {
    /// A change that leaves every field as it is.
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

    /// The same with a new status.
    #[must_use]
    pub fn to(self, status: ClaimStatus) -> Self {
        Self { status, ..self }
    }

    /// The same with another signing status.
    #[must_use]
    pub fn signing(self, signing: SigningStatus) -> Self {
        Self { signing, ..self }
    }

    /// The same with a change of its link.
    #[must_use]
    pub fn link(self, link: LinkChange) -> Self {
        Self { link: Some(link), ..self }
    }

    /// The same with more changed fields.
    #[must_use]
    pub fn set(self, set: ClaimEdit) -> Self {
        Self { set, ..self }
    }

    /// The details for its history besides kind and status: ids, amounts, dates, and no patient data.
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
        if let Some(letter) = self.set.letter {
            said.insert("letter".into(), json!(letter.facts()));
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
        // A practice that stored the link must read it again if it was replaced or revoked.
        let is_news = self.signing != self.before.1 || self.link.is_some();
        let signing = is_news.then_some(Data::Signing {
            id: self.id,
            claim_number: self.claim_number.clone(),
            signing_status: self.signing,
        });
        let due = self.set.appeal_due.filter(|due| *due != self.due_before);
        let deadline =
            due.map(|deadline| Data::Deadline { id: self.id, claim_number: self.claim_number.clone(), deadline });
        let is_corrected = self.kind == ClaimEventKind::AmountCorrected;
        let amount = is_corrected.then(|| Data::Amount { id: self.id, claim_number: self.claim_number.clone() });
        let said = status.into_iter().chain(signing);
        said.chain(deadline).chain(amount)
    }
}

/// The `ETag` of the claim begins with this `version` from now on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimAnswer {
    pub id: ClaimId,
    /// The number of its changes.
    pub version: i64,
    pub status: ClaimStatus,
    pub signing_status: SigningStatus,
    /// The staff member who has taken it.
    pub taken_by: Option<UserId>,
}

impl ClaimAnswer {
    /// The answer for an unchanged claim.
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

    /// The answer after a change.
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
