//! What must hold when a batch runs.

use crate::auth::key::Caller;
use crate::auth::person::Person;
use crate::base::date::Date;
use crate::base::id::{
    AgreementId, ApiTokenId, CaseId, ClaimId, DataJobId, FactorId, PracticeId, SessionId,
    SigningLinkId, UserId, WebhookId,
};
use crate::base::instant::Instant;
use crate::plan::claims::mismatches::{Bound, Mismatches};
use crate::plan::settings::data_jobs::JobKind;
use crate::plan::webhooks::endpoint::WebhookState;
use crate::plan::work::records::Pace;
use alloc::string::String;
use alloc::vec::Vec;

/// What must hold when a batch runs. Where it does not, nothing of the batch is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guard {
    /// So many mismatches more are within the bounds, and the claims of the matches have room for one.
    Mismatches(Mismatches),
    /// The owners were not told yet that this bound was reached on this day.
    MismatchesUntold(PracticeId, Date, Bound),
    /// The password of an account is not closed.
    PasswordOpen(UserId),
    /// The key, its practice and its agreement still allow the call.
    Key(Caller),
    /// The person's credential, rights and practice still allow the call.
    Person(Person),
    /// Patient data of the practice may still be read and changed, see [`crate::auth::disclosure`].
    Readable(PracticeId),
    /// The account is in use and its rights are those that were read.
    Account(UserId, i64),
    /// The account is still there as it was read, in use or invited.
    Member(Option<PracticeId>, UserId, i64),
    /// The continuation token of this hash can still be used.
    Continuation(String),
    /// The link of this hash can still be used.
    Link(String),
    /// No code of this time step or a later one was accepted yet.
    Step(UserId, FactorId, i64),
    /// The recovery code of this hash was not used yet.
    RecoveryCode(UserId, String),
    /// The practice has another owner.
    AnotherOwner(PracticeId, UserId),
    /// The practice has not signed this version, except by this very agreement.
    Unsigned(PracticeId, String, AgreementId),
    /// The agreement is still in force.
    AgreementInForce(PracticeId, AgreementId),
    /// The practice has no agreement in force.
    NoAgreement(PracticeId),
    /// No other job of the kind is open, and the practice's data is not being destroyed.
    NoDataJob(PracticeId, JobKind, DataJobId),
    /// No destruction of the practice's data waits or is under way.
    NoDestructionOpen(PracticeId),
    /// The practice's data is not being destroyed.
    NoDestruction(PracticeId),
    /// No claim of the practice is left, and nothing that belongs to one.
    NothingLeft(PracticeId),
    /// The job still has this version.
    DataJob(PracticeId, DataJobId, i64),
    /// The token can still be replaced.
    ApiToken(PracticeId, ApiTokenId),
    /// The session is still there.
    Session(UserId, SessionId),
    /// The practice has fewer endpoints than this.
    WebhooksBelow(PracticeId, usize),
    /// The endpoint is as it was read.
    Webhook {
        /// The practice.
        practice_id: PracticeId,
        /// The endpoint.
        id: WebhookId,
        /// Where it is.
        url: String,
        /// The names of what it is told.
        events: String,
        /// Whether it is told anything.
        state: WebhookState,
        /// When the secret before the last rotation ends.
        old_until: Option<Instant>,
    },
    /// The endpoint is in use.
    WebhookActive(PracticeId, WebhookId),
    /// The link can still be signed with.
    SigningLink(PracticeId, ClaimId, SigningLinkId),
    /// The claims of the practice still have these versions.
    Claims(PracticeId, Vec<(ClaimId, i64)>),
    /// The case of the practice still has this version.
    Case(PracticeId, CaseId, i64),
    /// The person may open the patient of a claim without showing the second factor again.
    Patients(Pace, PracticeId, ClaimId),
    /// No alert was left yet about what the session has opened since its second factor was last shown.
    NotAlerted(UserId, SessionId),
}
