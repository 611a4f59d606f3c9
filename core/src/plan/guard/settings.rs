//! Conditions on the settings of a practice.

use crate::base::id::{AgreementId, DataJobId, PracticeId};
use crate::plan::settings::data_jobs::JobKind;

/// A condition on the settings of a practice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettingsGuard {
    /// The agreement is still in force.
    AgreementInForce { practice: PracticeId, agreement: AgreementId },
    /// The practice has no agreement in force.
    NoAgreement(PracticeId),
    /// No other job of this kind is open, and the practice's data is not being destroyed, nor destroyed already.
    NoDataJob { practice: PracticeId, kind: JobKind, job: DataJobId },
    /// The practice's data is not being destroyed.
    NoDestruction(PracticeId),
    /// No claim of the practice is left, and no row that belongs to one.
    NothingLeft(PracticeId),
    /// The job still has this version.
    DataJob { practice: PracticeId, job: DataJobId, version: i64 },
}
