//! Notes, reports and cases, as written.

use crate::base::id::{CaseId, ClaimId, NoteId, PracticeId, ReportId, SessionId, UserId};
use crate::base::money::Cents;
use crate::plan::claims::status::ClaimStatus;
use crate::plan::work::change::ClosingReason;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewCase {
    pub practice_id: PracticeId,
    pub id: CaseId,
    /// The insurer, as its first claim names it.
    pub payer_name: String,
    /// The person who opens it.
    pub opened_by: UserId,
}

/// The result of a claim in its case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CaseOutcome {
    pub practice_id: PracticeId,
    pub case_id: CaseId,
    pub claim_id: ClaimId,
    /// `recovered` or `closed`.
    pub outcome: ClaimStatus,
    /// The payer's payment in this case.
    pub amount: Option<Cents>,
    /// Why the appeal ended, if the payer did not pay.
    pub reason: Option<ClosingReason>,
}

/// A new note. `Debug` does not print its text.
#[derive(Clone)]
pub struct NewNote {
    pub practice_id: PracticeId,
    pub claim_id: ClaimId,
    pub id: NoteId,
    pub author: UserId,
    pub text: String,
}

impl fmt::Debug for NewNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewNote({})", self.id)
    }
}

#[derive(Clone, Debug)]
pub struct NewReport {
    /// The practice that it is delivered to.
    pub practice_id: PracticeId,
    pub id: ReportId,
    /// The person who delivers it.
    pub delivered_by: UserId,
    pub claims: Vec<ClaimId>,
}

/// The limit on patients that a staff member may open before confirming the second factor again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// The staff member.
    pub user_id: UserId,
    pub session_id: SessionId,
    /// The most patients, in all of the person's sessions together.
    pub limit: u32,
    /// The window in milliseconds. It is shorter if the session's second factor was confirmed more recently.
    pub window_ms: i64,
}
