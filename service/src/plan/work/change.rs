//! The kinds of events in the history of a claim, and why it is closed.

use overturn_core::claims::ClaimStatus;
use overturn_core::names;

/// The most events of a history that are shown, the latest ones.
pub const EVENTS_MAX: usize = 200;

names! {
    /// What happened to a claim.
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
