//! Decides whether a person may make a call. Only this module defines the order of the checks of the wider service.

use crate::auth::disclosure::{self, PracticeState};
use crate::auth::rights::{Action, LEADERS};
use crate::auth::role::Role;
use crate::auth::scope::TokenScopes;
use crate::auth::session::{SessionKind, StoredSession};
use crate::request::error::RequestError;
use crate::request::limit::Verdict;
use crate::request::reason::Reason;
use overturn_core::base::id::{ApiTokenId, PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;

/// The stored facts about a presented session or token, its account and its practice.
#[derive(Clone, Debug)]
pub struct StoredPerson {
    pub user_id: UserId,
    pub role: Role,
    /// The number of changes of the account's rights. A credential from before the last change is invalid.
    pub epoch: i64,
    /// Whether the account is in use.
    pub active: bool,
    /// Whether it has a second factor.
    pub enrolled: bool,
    /// Its practice; `None` for staff.
    pub practice: Option<StoredPractice>,
    /// The presented credential.
    pub held: StoredCredential,
}

/// The stored facts about a person's practice.
#[derive(Clone, Debug)]
pub struct StoredPractice {
    pub id: PracticeId,
    pub state: PracticeState,
    /// Whether it has a signed agreement in force.
    pub baa_signed: bool,
    /// Whether its people except owners must sign in by a provider that it trusts.
    pub sso_required: bool,
    /// How far the clock of a sandbox is ahead, in milliseconds; `None` for a live practice.
    pub clock_ms: Option<i64>,
}

/// The stored facts about a presented credential.
#[derive(Clone, Debug)]
pub enum StoredCredential {
    Session(StoredSession),
    /// An API token.
    Token(StoredToken),
}

/// The stored facts about an API token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredToken {
    /// The token.
    pub id: ApiTokenId,
    pub scopes: TokenScopes,
    pub expires_at: Instant,
    pub revoked: bool,
    /// The stored time of its last use.
    pub last_used_at: Option<Instant>,
}

impl StoredPerson {
    /// True if the account is active and the credential still valid.
    #[must_use]
    pub fn is_in_force(&self, now: Instant) -> bool {
        self.active && self.held.lasts(self.epoch, now)
    }

    /// True if the credential is of a sandbox.
    fn is_in_sandbox(&self) -> bool {
        self.practice.as_ref().is_some_and(|practice| practice.clock_ms.is_some())
    }

    /// True if the practice requires single sign-on and the session began otherwise. Owners keep their password, so that
    /// a broken provider locks nobody out.
    fn lacks_sso(&self) -> bool {
        let required = |practice: &StoredPractice| practice.sso_required;
        self.role != Role::Owner
            && self.practice.as_ref().is_some_and(required)
            && matches!(&self.held, StoredCredential::Session(session) if !session.sso)
    }

    /// Checks that the second factor was confirmed recently, if the action needs it.
    ///
    /// Enrolling the first factor needs a session that is new or may do nothing else. A full session without a factor comes
    /// from a provider that stands for the second one.
    fn shows_factors(&self, action: Action, now: Instant) -> Result<(), RequestError> {
        let enrols = matches!(action, Action::EnrolFactor | Action::EnrolPasskey);
        let StoredCredential::Session(session) = &self.held else {
            return Ok(());
        };
        if session.is_verified(now) || !(action.right().sensitive || enrols) {
            return Ok(());
        }
        match (self.enrolled, session.kind) {
            (true, _) => Err(RequestError::TwoFactorRequired(None)),
            (false, SessionKind::Enrolment) => Ok(()),
            (false, SessionKind::Full) if enrols && session.is_new(now) => Ok(()),
            (false, SessionKind::Full) if enrols => Err(SIGN_IN_AGAIN),
            (false, SessionKind::Full) => Err(RequestError::EnrolmentRequired),
        }
    }

    /// The presented session, if it is still active.
    #[must_use]
    pub fn session_in_force(&self, now: Instant) -> Option<SessionId> {
        match &self.held {
            StoredCredential::Session(session) if self.is_in_force(now) => Some(session.id),
            StoredCredential::Session(_) | StoredCredential::Token(_) => None,
        }
    }
}

/// The kind of credential that a person uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Via {
    Session(SessionId),
    Token(ApiTokenId),
    /// None: the made-up person of a sandbox, who does the staff's work there.
    Sandbox,
}

/// A person that passed every check. Only [`authorise`] makes one, and every change needs one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// The account, the actor of every change.
    pub user_id: UserId,
    /// The practice that every statement of the request names; `None` for staff.
    pub practice_id: Option<PracticeId>,
    pub role: Role,
    /// The epoch that was checked. The writing batch checks it again.
    pub epoch: i64,
    /// The credential.
    pub via: Via,
    /// The allowed action.
    pub action: Action,
    /// Whether the account has a second factor.
    pub enrolled: bool,
    /// True if the stored time of the credential's last use is too old.
    pub touch: bool,
    /// True for a session that began at a provider that the practice trusts.
    pub sso: bool,
    /// True if the practice is a sandbox.
    pub sandbox: bool,
}

impl Person {
    /// The practice.
    ///
    /// # Errors
    ///
    /// [`RequestError::NotAuthorized`] for staff, who belong to none.
    pub fn practice(&self) -> Result<PracticeId, RequestError> {
        self.practice_id.ok_or(NOT_YOURS)
    }

    /// True if the person manages the practice.
    #[must_use]
    pub fn leads(&self) -> bool {
        LEADERS.contains(&self.role)
    }

    /// The session.
    ///
    /// # Errors
    ///
    /// [`RequestError::NotAuthorized`] for a token.
    pub const fn session(&self) -> Result<SessionId, RequestError> {
        match self.via {
            Via::Session(id) => Ok(id),
            Via::Token(_) | Via::Sandbox => Err(NO_TOKEN),
        }
    }
}

/// The proof that the person's own page sent a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageProof {
    /// Not needed: the request only reads, or has a token, which browsers do not send on their own.
    NotNeeded,
    /// The session's CSRF token.
    Given,
    /// Missing or wrong.
    Missing,
}

pub const NOT_YOURS: RequestError =
    RequestError::NotAuthorized(Reason::RoleNotAllowed, "your role does not allow this");
const SSO_ONLY: RequestError = RequestError::NotAuthorized(
    Reason::SsoRequired,
    "your practice requires single sign-on: sign out, and sign in with its identity provider",
);
const SIGN_IN_AGAIN: RequestError =
    RequestError::NotAuthorized(Reason::SignInTooOld, "your sign-in is too old for this: sign out, and sign in again");
const NO_TOKEN: RequestError = RequestError::NotAuthorized(Reason::TokenNotAllowed, "an API token does not allow this");

/// Checks credential, limit, CSRF token, enrollment, scope, role, practice, its agreement, required single sign-on and
/// second factor, in this order.
///
/// `limit` is the limiter's answer, `None` if limits are off.
///
/// # Errors
///
/// The first check that fails, as its [`RequestError`]. For a missing second factor it is [`RequestError::TwoFactorRequired`] if it
/// must be confirmed again, and [`RequestError::EnrolmentRequired`] if there is none yet.
pub fn authorise(
    standing: Option<&StoredPerson>,
    limit: Option<Verdict>,
    proof: PageProof,
    action: Action,
    now: Instant,
) -> Result<Person, RequestError> {
    let standing = standing.filter(|standing| standing.is_in_force(now)).ok_or(RequestError::NotSignedIn)?;
    if let Some(verdict) = limit.filter(|verdict| !verdict.allowed) {
        return Err(RequestError::RateLimited(verdict));
    }
    if proof == PageProof::Missing {
        return Err(RequestError::NotAuthorized(Reason::CsrfMismatch, "X-CSRF-Token is missing or wrong"));
    }
    let right = action.right();
    match &standing.held {
        StoredCredential::Session(session)
            if session.kind == SessionKind::Enrolment && (!right.own || right.sensitive) =>
        {
            return Err(RequestError::EnrolmentRequired);
        }
        StoredCredential::Session(_) => {}
        StoredCredential::Token(_) if standing.is_in_sandbox() && !action.is_of_sandbox() => return Err(NO_TOKEN),
        StoredCredential::Token(token) => match right.scope {
            Some(scope) if token.scopes.allow(scope) => {}
            Some(scope) => return Err(RequestError::MissingTokenScope(scope.name())),
            None if standing.is_in_sandbox() => {}
            None => return Err(NO_TOKEN),
        },
    }
    if !right.roles.contains(&standing.role) {
        return Err(NOT_YOURS);
    }
    let practice = standing.practice.as_ref();
    // An inactive practice stops all of its tokens. A person may still read their own session and sign out.
    let stops = !right.own || matches!(standing.held, StoredCredential::Token(_));
    if let Some(practice) = practice.filter(|_| stops) {
        let signed = practice.baa_signed || !right.agreement;
        disclosure::allowed(practice.state, signed)?;
    }
    if !right.own && standing.lacks_sso() {
        return Err(SSO_ONLY);
    }
    standing.shows_factors(action, now)?;
    Ok(Person {
        user_id: standing.user_id,
        practice_id: practice.map(|practice| practice.id),
        role: standing.role,
        epoch: standing.epoch,
        via: standing.held.via(),
        action,
        enrolled: standing.enrolled,
        touch: standing.held.lags(now),
        sso: standing.held.is_sso(),
        sandbox: standing.is_in_sandbox(),
    })
}

impl StoredCredential {
    fn lasts(&self, epoch: i64, now: Instant) -> bool {
        match self {
            Self::Session(session) => session.epoch == epoch && session.lasts(now),
            Self::Token(token) => !token.revoked && now < token.expires_at,
        }
    }

    const fn is_sso(&self) -> bool {
        match self {
            Self::Session(session) => session.sso,
            Self::Token(_) => false,
        }
    }

    const fn via(&self) -> Via {
        match self {
            Self::Session(session) => Via::Session(session.id),
            Self::Token(token) => Via::Token(token.id),
        }
    }

    fn lags(&self, now: Instant) -> bool {
        match self {
            Self::Session(session) => session.lags(now),
            Self::Token(token) => {
                token.last_used_at.is_none_or(|at| now.since(at) >= crate::auth::key::LAST_USED_LAG_MS)
            }
        }
    }
}

#[cfg(test)]
mod tests;
