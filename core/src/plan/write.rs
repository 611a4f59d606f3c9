//! Every change that a plan can make.

use crate::auth::disclosure::State;
use crate::auth::key::Caller;
use crate::auth::person::Person;
use crate::auth::role::Role;
use crate::base::date::Date;
use crate::base::id::{
    AgreementId, ApiKeyId, ApiTokenId, CaseId, ClaimId, DataJobId, FactorId, MessageId, PracticeId,
    SessionId, SigningLinkId, UserId, WebhookId,
};
use crate::base::instant::Instant;
use crate::plan::accounts::{
    NewContinuation, NewFactor, NewLink, NewSession, NewUser, RecoveryCodes, SessionTurn, Which,
};
use crate::plan::audit::Entry;
use crate::plan::claims::fills::Fills;
use crate::plan::claims::mismatches::{Alarm, Bound, Mismatches};
use crate::plan::claims::writes::{Corrections, NewClaims};
use crate::plan::notice::Notice;
use crate::plan::settings::data_jobs::{JobState, NewJob, Taken};
use crate::plan::settings::practice::{
    Agreement, ApiKeyRecord, ApiTokenRecord, Practice, PracticeEdit,
};
use crate::plan::signing::NewSignature;
use crate::plan::signing::link::NewSigningLink;
use crate::plan::webhooks::endpoint::{NewWebhook, WebhookEdit};
use crate::plan::webhooks::message::Message;
use crate::plan::webhooks::secret::WebhookSecret;
use crate::plan::work::appeal::LevelWrite;
use crate::plan::work::change::ClaimChange;
use crate::plan::work::level::LevelRow;
use crate::plan::work::records::{NewCase, NewNote, NewReport, Outcome, Pace};
use crate::request::idempotency::StoredAnswer;
use alloc::string::String;
use alloc::vec::Vec;

/// One change.
#[derive(Clone, Debug)]
pub enum Write<'a> {
    /// Claims whose numbers were free, with their submission. A number that was taken meanwhile keeps its claim, and
    /// the submission is written only if at least one number was still free.
    Claims(NewClaims<'a>),
    /// Resends that were not for the claim of their number.
    Mismatches(Mismatches),
    /// What tells the owners where the mismatches of this batch reach a bound.
    MismatchAlarm(Alarm),
    /// The owners of a practice are told that a bound was reached on a day.
    MismatchesTold(PracticeId, Date, Bound),
    /// What resends fill in of claims that exist, before they are corrected.
    Fills(Fills<'a>),
    /// Corrected amounts and payer claim numbers of claims that exist. What already is as it should be gets no event.
    Corrections(Corrections<'a>),
    /// A key was used.
    Touch(Caller),
    /// A practice.
    Practice(Practice),
    /// What a practice may change about itself.
    PracticeEdit(PracticeId, PracticeEdit),
    /// Whether a practice is active.
    PracticeState(PracticeId, State),
    /// A signed agreement. It ends the one before.
    Agreement(Agreement),
    /// An agreement is not in force from now on.
    AgreementEnded(PracticeId, AgreementId),
    /// A letter to the owners of a practice.
    Notice(Notice),
    /// The return or the destruction of a practice's data.
    DataJob(NewJob),
    /// A page of the data was taken.
    DataJobTaken(Taken),
    /// The destruction begins, and the practice's data key is destroyed.
    DataJobBegun(PracticeId, DataJobId),
    /// A job has ended.
    DataJobEnded(PracticeId, DataJobId, JobState),
    /// An API key.
    ApiKey(ApiKeyRecord),
    /// A key is worth nothing from now on.
    ApiKeyRevoked(PracticeId, ApiKeyId),
    /// An API token.
    ApiToken(ApiTokenRecord),
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
    ApiTokenRevoked(PracticeId, ApiTokenId),
    /// An account.
    User(NewUser),
    /// An invited person accepts: name, password hash, and the account is in use.
    UserJoined(UserId, String, String),
    /// A password hash. The same password under newer parameters changes no rights.
    Password(UserId, String),
    /// No password is right for an account from now on.
    PasswordClosed(UserId),
    /// Attempts at the password of an account count from the start, and it is closed no longer.
    PasswordOpened(UserId),
    /// A member's role.
    UserRole(PracticeId, UserId, Role),
    /// An account is no longer in use.
    UserRemoved(UserId),
    /// The rights of an account have changed: they count as this number from now on, and what was made under another
    /// is worth nothing.
    Epoch(UserId, i64),
    /// A session.
    Session(NewSession),
    /// A session goes on under a new token.
    SessionTurned(SessionTurn),
    /// Sessions end.
    SessionsEnded(Which),
    /// A person's credential was used.
    Seen(Person),
    /// A sign-in, or a sensitive action, waits for its second factor.
    Continuation(NewContinuation),
    /// A continuation token, by its hash, has done its work.
    ContinuationUsed(String),
    /// A link that goes out by mail.
    Link(NewLink),
    /// A link, by its hash, has done its work.
    LinkUsed(String),
    /// A second factor that is not confirmed yet. It replaces every other that is not.
    Factor(NewFactor),
    /// A second factor is confirmed and replaces the one before.
    FactorConfirmed(UserId, FactorId),
    /// Every second factor of an account goes, with its recovery codes.
    FactorsRemoved(UserId),
    /// The time step of the last code that was accepted.
    FactorStep(UserId, FactorId, i64),
    /// Recovery codes, which replace those before.
    RecoveryCodes(RecoveryCodes),
    /// A recovery code, by its hash, was used.
    RecoveryCodeUsed(UserId, String),
    /// An endpoint.
    Webhook(NewWebhook),
    /// An endpoint as it is from now on.
    WebhookEdit(WebhookEdit),
    /// An endpoint's new secret. The one before signs as well until an instant.
    WebhookSecret {
        /// The practice.
        practice_id: PracticeId,
        /// The endpoint.
        id: WebhookId,
        /// The secret.
        secret: WebhookSecret,
        /// The one before.
        old: WebhookSecret,
        /// When the one before ends.
        old_until: Instant,
    },
    /// An endpoint is told nothing more, and nobody sees it.
    WebhookRemoved(PracticeId, WebhookId),
    /// An endpoint is told nothing until somebody sets it to active again.
    WebhookDisabled(PracticeId, WebhookId),
    /// A message is told to an endpoint again.
    DeliveryReplayed(PracticeId, WebhookId, MessageId),
    /// Messages that an endpoint did not take are told to it again.
    MissedReplayed(PracticeId, WebhookId, Vec<MessageId>),
    /// A link to the page on which a patient signs. It revokes those of the claim before it.
    SigningLink(NewSigningLink),
    /// Every link of a claim that can still be used is worth nothing from now on.
    SigningLinksRevoked(PracticeId, ClaimId),
    /// A try at the date of birth was right, and does not count.
    SigningTryReturned(PracticeId, ClaimId, SigningLinkId),
    /// A patient's signature, for which its link was used.
    Signature(NewSignature),
    /// Changes of claims by those who work on them, all of one practice.
    ClaimChanges(Vec<ClaimChange>),
    /// A practice's endpoints are told, as far as they want to be.
    Told(Vec<Message>),
    /// A note about a claim.
    Note(NewNote),
    /// A report, with its claims.
    Report(NewReport),
    /// A case.
    Case(NewCase),
    /// The version of a case from now on.
    CaseVersion(PracticeId, CaseId, i64),
    /// A level of a case, as it is from now on.
    CaseLevel(LevelRow),
    /// Claims join a case, or are in it again.
    CaseClaims(PracticeId, CaseId, Vec<ClaimId>),
    /// What came of a claim in its case.
    CaseOutcome(Outcome),
    /// What came of claims at a level of a case.
    Level(LevelWrite),
    /// Somebody of the staff opens the patient of a claim.
    PatientOpened(Pace, PracticeId, ClaimId),
    /// An alert is left about a session that opened too many patients.
    PatientsAlerted(UserId, SessionId),
    /// A row of the audit trail.
    Audit(Entry),
    /// What a request that comes again under its idempotency key is answered.
    Answer(StoredAnswer),
}
