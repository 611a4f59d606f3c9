//! The conditions when a batch runs.

use crate::auth::key::Caller;
use crate::auth::person::Person;
use crate::plan::statement::Statement;
use crate::plan::version::RecordVersion;
use overturn_core::base::id::{PracticeId, SubmissionId};

/// A condition when a batch runs. If it does not hold, the batch writes nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guard {
    /// The practice may delete documents.
    NoHold(PracticeId),
    /// A statement that aborts the batch if the condition fails, of a context whose decisions stand beside their SQL.
    Sql(Statement),
    /// The same about an account of the staff. The cell of a practice has a copy of it, so the directory is asked, too.
    OfStaff(Statement),
    /// The record still has this version.
    Version(RecordVersion),
    /// The key, its practice and its agreement still allow the call.
    Key(Caller),
    /// The same, and no claim of the practice with one of these numbers, a JSON list, came with another submission.
    AllNew(Caller, SubmissionId, String),
    /// The person's credential, rights and practice still allow the call.
    Person(Person),
    /// Patient data of the practice may still be read and changed, see [`crate::auth::disclosure`].
    Readable(PracticeId),
    /// The patient of a link and the jobs of a sandbox may still use the practice: it is readable, or a sandbox.
    Usable(PracticeId),
    /// Patient data of several practices may still be read and changed.
    AllReadable(Vec<PracticeId>),
}

impl Guard {
    /// The same about an account of the staff.
    #[must_use]
    pub(crate) fn of_staff(self) -> Self {
        match self {
            Self::Sql(statement) => Self::OfStaff(statement),
            other => other,
        }
    }
}
