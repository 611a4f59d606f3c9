//! Changes of the settings of a practice.

use crate::auth::disclosure::PracticeState;
use crate::auth::key::Caller;
use crate::base::id::{AgreementId, ApiKeyId, ApiTokenId, DataJobId, NoticeId, PracticeId};
use crate::base::instant::Instant;
use crate::plan::notice::{Notice, NoticeLease};
use crate::plan::settings::data_jobs::{DestructionPage, JobState, NewJob, Taken};
use crate::plan::settings::practice::{
    Agreement, ApiKeyRecord, ApiTokenRecord, Practice, PracticeEdit,
};
use crate::plan::settings::trail::{TrailHead, TrailLinks};

/// One change of the settings of a practice.
#[derive(Clone, Debug)]
pub enum SettingsWrite {
    /// A key was used.
    ApiKeyUsed(Caller),
    /// A practice.
    NewPractice(Practice),
    /// What a practice may change about itself.
    PracticeEdit {
        /// The practice.
        practice: PracticeId,
        /// The change.
        edit: PracticeEdit,
    },
    /// Whether a practice is active.
    PracticeState {
        /// The practice.
        practice: PracticeId,
        /// Its state.
        state: PracticeState,
    },
    /// A signed agreement. It ends the one before.
    NewAgreement(Agreement),
    /// An agreement is not in force from now on.
    AgreementEnded {
        /// The practice.
        practice: PracticeId,
        /// The agreement.
        agreement: AgreementId,
    },
    /// A letter to the owners of a practice.
    Notice(Notice),
    /// The clock takes a letter to send it.
    NoticeLeased(NoticeLease),
    /// A letter was sent, or is not tried again.
    NoticeDone {
        /// The practice.
        practice: PracticeId,
        /// The letter.
        notice: NoticeId,
    },
    /// The return or the destruction of a practice's data.
    NewDataJob(NewJob),
    /// A page of the data was taken.
    DataJobTaken(Taken),
    /// Destroys a page of the data.
    DataDestroyed(DestructionPage),
    /// The destruction begins, and the practice's data key is destroyed.
    DataJobBegun {
        /// The practice.
        practice: PracticeId,
        /// The job.
        job: DataJobId,
    },
    /// A job has ended.
    DataJobEnded {
        /// The practice.
        practice: PracticeId,
        /// The job.
        job: DataJobId,
        /// Its state.
        state: JobState,
    },
    /// Rows of an audit trail are linked.
    TrailLinked(TrailLinks),
    /// The head of a trail comes under the current key.
    HeadRenewed(TrailHead),
    /// An API key.
    NewApiKey(ApiKeyRecord),
    /// A key is worth nothing from now on.
    ApiKeyRevoked {
        /// The practice.
        practice: PracticeId,
        /// The key.
        key: ApiKeyId,
    },
    /// An API token.
    NewApiToken(ApiTokenRecord),
    /// A token is replaced by another and ends at an instant, if not before.
    ApiTokenReplaced {
        /// The practice.
        practice_id: PracticeId,
        /// The token.
        id: ApiTokenId,
        /// The one that replaces it.
        by: ApiTokenId,
        /// When it ends.
        until: Instant,
    },
    /// A token is worth nothing from now on.
    ApiTokenRevoked {
        /// The practice.
        practice: PracticeId,
        /// The token.
        token: ApiTokenId,
    },
}
