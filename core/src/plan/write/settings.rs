//! Changes of the settings of a practice.

use crate::auth::disclosure::PracticeState;
use crate::auth::key::Caller;
use crate::base::id::{AgreementId, ApiKeyId, DataJobId, PracticeId};
use crate::plan::notice::Notice;
use crate::plan::settings::data_jobs::{DestructionPage, JobState, NewJob, Taken};
use crate::plan::settings::practice::{Agreement, ApiKeyRecord, Practice};

/// One change of the settings of a practice.
#[derive(Clone, Debug)]
pub enum SettingsWrite {
    /// Records the use of a key.
    ApiKeyUsed(Caller),
    NewPractice(Practice),
    /// Sets the state of a practice.
    PracticeState {
        practice: PracticeId,
        state: PracticeState,
    },
    /// A signed agreement. It ends the earlier one.
    NewAgreement(Agreement),
    AgreementEnded {
        practice: PracticeId,
        agreement: AgreementId,
    },
    /// An email to the owners of a practice.
    Notice(Notice),
    /// The return or the destruction of a practice's data.
    NewDataJob(NewJob),
    /// Records that a page of the data was read.
    DataJobTaken(Taken),
    DataDestroyed(DestructionPage),
    /// Begins the destruction, and destroys the practice's data key.
    DataJobBegun {
        practice: PracticeId,
        job: DataJobId,
    },
    DataJobEnded {
        practice: PracticeId,
        job: DataJobId,
        state: JobState,
    },
    NewApiKey(ApiKeyRecord),
    ApiKeyRevoked {
        practice: PracticeId,
        key: ApiKeyId,
    },
}
