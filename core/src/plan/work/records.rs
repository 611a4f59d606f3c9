//! Notes, reports and cases as they are written.

use crate::base::id::{CaseId, ClaimId, NoteId, PracticeId, ReportId, SessionId, UserId};
use crate::base::money::Cents;
use crate::plan::claims::status::ClaimStatus;
use crate::plan::work::change::ClosingReason;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A case to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewCase {
    /// The practice.
    pub practice_id: PracticeId,
    /// Its id.
    pub id: CaseId,
    /// The insurer as its first claim names it.
    pub payer_name: String,
    /// Who opens it.
    pub opened_by: UserId,
}

/// What came of a claim in its case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CaseOutcome {
    /// The practice.
    pub practice_id: PracticeId,
    /// The case.
    pub case_id: CaseId,
    /// The claim.
    pub claim_id: ClaimId,
    /// `recovered` or `closed`.
    pub outcome: ClaimStatus,
    /// What the payer paid in this case.
    pub amount: Option<Cents>,
    /// Why the appeal ended, where the payer did not pay.
    pub reason: Option<ClosingReason>,
}

/// A note to be written. `Debug` does not print its text.
#[derive(Clone)]
pub struct NewNote {
    /// The claim's practice.
    pub practice_id: PracticeId,
    /// The claim.
    pub claim_id: ClaimId,
    /// Its id.
    pub id: NoteId,
    /// Who wrote it.
    pub author: UserId,
    /// What it says.
    pub text: String,
}

impl fmt::Debug for NewNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewNote({})", self.id)
    }
}

/// A report to be written.
#[derive(Clone, Debug)]
pub struct NewReport {
    /// The practice it is delivered to.
    pub practice_id: PracticeId,
    /// Its id.
    pub id: ReportId,
    /// Who delivers it.
    pub delivered_by: UserId,
    /// Its claims.
    pub claims: Vec<ClaimId>,
}

/// How many patients somebody of the staff may open before the second factor is asked for again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// Who opens them.
    pub user_id: UserId,
    /// In which session.
    pub session_id: SessionId,
    /// So many at most, those of all the person's sessions together.
    pub limit: u32,
    /// In so many milliseconds, or since the second factor was last shown in the session where that is less.
    pub window_ms: i64,
}
