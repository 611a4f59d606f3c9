//! Changes of the settings of a practice.

use crate::auth::disclosure::PracticeState;
use crate::auth::key::Caller;
use crate::base::id::{AgreementId, ApiKeyId, ApiTokenId, DataJobId, NoticeId, PracticeId};
use crate::base::instant::Instant;
use crate::plan::notice::{Notice, NoticeLease};
use crate::plan::settings::data_jobs::{DestructionPage, JobState, NewJob, Taken};
use crate::plan::settings::practice::{Agreement, ApiKeyRecord, ApiTokenRecord, Practice, PracticeEdit};
use crate::plan::settings::trail::{TrailHead, TrailLinks};

/// One change of the settings of a practice.
#[derive(Clone, Debug)]
pub enum SettingsWrite {
    /// Records the use of a key.
    ApiKeyUsed(Caller),
    /// A practice.
    NewPractice(Practice),
    /// An edit of a practice's own record.
    PracticeEdit {
        /// The practice.
        practice: PracticeId,
        /// The change.
        edit: PracticeEdit,
    },
    /// Sets the state of a practice.
    PracticeState {
        /// The practice.
        practice: PracticeId,
        /// Its state.
        state: PracticeState,
    },
    /// A signed agreement. It ends the earlier one.
    NewAgreement(Agreement),
    /// Ends an agreement.
    AgreementEnded {
        /// The practice.
        practice: PracticeId,
        /// The agreement.
        agreement: AgreementId,
    },
    /// An email to the owners of a practice.
    Notice(Notice),
    /// A sweep leases an email to send it.
    NoticeLeased(NoticeLease),
    /// An email was sent, or is not tried again.
    NoticeDone {
        /// The practice.
        practice: PracticeId,
        /// The letter.
        notice: NoticeId,
    },
    /// The return or the destruction of a practice's data.
    NewDataJob(NewJob),
    /// Records that a page of the data was read.
    DataJobTaken(Taken),
    /// Destroys a page of the data.
    DataDestroyed(DestructionPage),
    /// Begins the destruction, and destroys the practice's data key.
    DataJobBegun {
        /// The practice.
        practice: PracticeId,
        /// The job.
        job: DataJobId,
    },
    /// Ends a job.
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
    /// Revokes a key.
    ApiKeyRevoked {
        /// The practice.
        practice: PracticeId,
        /// The key.
        key: ApiKeyId,
    },
    /// An API token.
    NewApiToken(ApiTokenRecord),
    /// Replaces a token, which ends at an instant, or earlier if it expires.
    ApiTokenReplaced {
        /// The practice.
        practice_id: PracticeId,
        /// The token.
        id: ApiTokenId,
        /// Its replacement.
        by: ApiTokenId,
        /// When it ends.
        until: Instant,
    },
    /// Revokes a token.
    ApiTokenRevoked {
        /// The practice.
        practice: PracticeId,
        /// The token.
        token: ApiTokenId,
    },
}
