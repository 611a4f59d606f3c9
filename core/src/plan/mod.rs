//! What a decision changes: everything a host needs for one atomic batch, and no choices left.
//!
//! A plan may be carried out twice. Every write says what must be true afterwards, not what to add, so a host that
//! does not know whether a batch was committed runs it again.

pub mod accounts;
pub mod audit;
pub mod change;
pub mod claims;
pub mod notice;
pub mod settings;
pub mod signing;
pub mod webhooks;
pub mod work;

use crate::auth::key::Caller;
use crate::auth::person::{Person, Via};
use crate::auth::role::Role;
use crate::auth::session::NewSession;
use crate::base::ctx::{Ctx, Instant};
use crate::base::date::Date;
use crate::base::id::{
    AgreementId, ApiKeyId, ApiTokenId, AuditId, CaseId, ClaimId, DataJobId, FactorId, MessageId,
    PracticeId, RequestId, SessionId, SigningLinkId, SubmissionId, UserId, WebhookId,
};
use crate::base::money::Cents;
use crate::claims::identity::Tags;
use crate::claims::intake::{Bound, Fills, Mismatches};
use crate::plan::accounts::{
    NewContinuation, NewFactor, NewLink, NewUser, RecoveryCodes, SessionTurn, Which,
};
use crate::plan::audit::Entry;
use crate::plan::claims::Item;
use crate::plan::notice::Notice;
use crate::plan::settings::{
    Agreement, ApiKeyRecord, ApiTokenRecord, Practice, PracticeEdit, State,
};
use crate::plan::signing::link::NewSigningLink;
use crate::plan::webhooks::message::Message;
use crate::plan::webhooks::secret::WebhookSecret;
use crate::plan::webhooks::{NewWebhook, WebhookEdit, WebhookState};
use crate::plan::work::appeal::LevelWrite;
use crate::plan::work::change::ClaimChange;
use crate::request::idempotency::StoredAnswer;
use crate::settings::data_jobs::export::Taken;
use crate::settings::data_jobs::{JobKind, JobState, NewJob};
use crate::signing::patient::NewSignature;
use crate::work::cases::{NewCase, Outcome};
use crate::work::levels::LevelRow;
use crate::work::notes::NewNote;
use crate::work::reports::NewReport;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Who makes a change, as the history and the audit trail name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    /// A billing system, by its key.
    ApiKey(ApiKeyId),
    /// A person, signed in.
    User(UserId),
    /// A person's integration, by its token.
    ApiToken(ApiTokenId),
    /// A patient, by the link to the page on which to sign.
    SigningLink(SigningLinkId),
    /// The service's operator, from the command line.
    Operator,
    /// The service by itself.
    Service,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ApiKey(id) => write!(f, "api_key:{id}"),
            Self::User(id) => write!(f, "user:{id}"),
            Self::ApiToken(id) => write!(f, "api_token:{id}"),
            Self::SigningLink(id) => write!(f, "signing_link:{id}"),
            Self::Operator => f.write_str("operator"),
            Self::Service => f.write_str("service"),
        }
    }
}

impl From<&Person> for Actor {
    fn from(person: &Person) -> Self {
        match person.via {
            Via::Session(_) => Self::User(person.user_id),
            Via::Token(id) => Self::ApiToken(id),
        }
    }
}

/// One atomic batch.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// What must still hold when the batch runs. Only the operator's plans need nothing.
    pub guards: Vec<Guard>,
    /// Who makes the changes.
    pub actor: Actor,
    /// The instant of the request.
    pub at: Instant,
    /// The request.
    pub request_id: RequestId,
    /// The address that the request came from, see [`Plan::address`].
    pub from: Option<String>,
    /// What to change, in this order.
    pub writes: Vec<Write<'a>>,
}

impl<'a> Plan<'a> {
    /// What the operator does from the command line. It is the operator's to know that it may.
    #[must_use]
    pub const fn of_operator(ctx: &Ctx, writes: Vec<Write<'a>>) -> Self {
        Self {
            guards: Vec::new(),
            actor: Actor::Operator,
            at: ctx.now,
            request_id: ctx.request_id,
            from: None,
            writes,
        }
    }

    /// The address that the trail names. A patient's is no business of the trail, which is in the clear: it is sealed with the
    /// signature.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        match self.actor {
            Actor::SigningLink(_) => None,
            _ => self.from.as_deref(),
        }
    }

    /// The session that the trail names: the one that the request came in, or that a sign-in makes.
    #[must_use]
    pub fn session(&self) -> Option<SessionId> {
        let came_in = self.guards.iter().find_map(|guard| match guard {
            Guard::Person(person) => person.session().ok(),
            Guard::Session(_, id) => Some(*id),
            _ => None,
        });
        came_in.or_else(|| {
            self.writes.iter().find_map(|write| match write {
                Write::Session(new) => Some(new.id),
                _ => None,
            })
        })
    }

    /// The row of the audit trail that tells whether this very batch was carried out before.
    #[must_use]
    pub fn evidence(&self) -> Option<&Entry> {
        self.writes.iter().find_map(|write| match write {
            Write::Audit(entry) => Some(entry),
            _ => None,
        })
    }
}

/// One change.
#[derive(Clone, Debug)]
pub enum Write<'a> {
    /// Claims whose numbers were free, with their submission. A number that was taken meanwhile keeps its claim, and
    /// the submission is written only if at least one number was still free.
    Claims(NewClaims<'a>),
    /// Resends that were not for the claim of their number.
    Mismatches(Mismatches),
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

/// What must hold when a batch runs. Where it does not, nothing of the batch is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guard {
    /// So many mismatches more are within the bounds.
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

/// The new claims of one send.
#[derive(Clone, Debug)]
pub struct NewClaims<'a> {
    /// Who sends them.
    pub caller: Caller,
    /// The submission they join.
    pub submission_id: SubmissionId,
    /// The audit row of the submission.
    pub audit_id: AuditId,
    /// The claims.
    pub claims: Vec<NewClaim<'a>>,
}

/// A claim to be created.
#[derive(Clone, Debug)]
pub struct NewClaim<'a> {
    /// The place of its item in the request, counted from 0.
    pub place: usize,
    /// Its id.
    pub id: ClaimId,
    /// What was sent.
    pub item: &'a Item<'a>,
    /// Its fingerprints.
    pub tags: Tags,
}

/// The corrections of one send.
#[derive(Clone, Debug)]
pub struct Corrections<'a> {
    /// Who sends them.
    pub caller: Caller,
    /// The audit row of the corrections.
    pub audit_id: AuditId,
    /// The corrections.
    pub claims: Vec<Correction<'a>>,
}

/// What a resend corrects. An amount that is left out stays as it was. `Debug` prints the claim's id only.
#[derive(Clone)]
pub struct Correction<'a> {
    /// The claim.
    pub id: ClaimId,
    /// Its number, by which the claim is read back.
    pub claim_number: &'a str,
    /// The payer claim number from now on.
    pub payer_claim_number: &'a str,
    /// The billed amount from now on.
    pub billed: Option<Cents>,
    /// The denied amount from now on.
    pub denied: Option<Cents>,
}

impl fmt::Debug for Correction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Correction")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
