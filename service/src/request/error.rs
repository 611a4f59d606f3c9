//! Why a request is refused. One type for all refusals; a host renders it (interface: Errors).

use crate::request::limit::Verdict;
use crate::request::reason::Reason;
use crate::request::secret::ContinuationToken;
use overturn_core::base::open::Unopened;
use overturn_core::base::sealed::SealedPlace;
use overturn_core::request::problem::{Problem, Rule, texts};

/// A refusal. It contains nothing that the caller sent, and no cause: the text of a cause could repeat a value. Its text is the
/// message of the answer, unless the service itself failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RequestError {
    /// Key missing, malformed, unknown, revoked or expired: `401`, without the reason.
    #[error("a valid API key is required")]
    NotAuthenticated,
    /// Too many requests: `429`.
    #[error("too many requests")]
    RateLimited(Verdict),
    /// Too many resends of the day did not match the claim of their number, so the service stops comparing: `429`.
    #[error("too many resends of today were for a different patient or claim")]
    ResendsStopped {
        /// The indexes of the items that cannot be sent now, empty if the request has one item.
        items: Vec<usize>,
        /// Whole seconds until they can.
        retry_after: i64,
    },
    /// Too many password attempts: `429`. A sign-in link works without a password.
    #[error("too many sign-in attempts: wait, or ask for a sign-in link, which needs no password")]
    SignInLimited(Verdict),
    /// The key lacks the scope of this name: `403`.
    #[error("the API key lacks the permission {0}")]
    MissingScope(&'static str),
    /// The API token lacks the scope of this name: `403`.
    #[error("the API token lacks the scope {0}")]
    MissingTokenScope(&'static str),
    /// The organization is not an active practice: `403`.
    #[error("the organization is not an active practice")]
    PracticeInactive,
    /// No signed business associate agreement: `403` with code `baa_required`.
    #[error("a signed business associate agreement is required")]
    BaaRequired,
    /// The body is larger than the service reads: `413`.
    #[error("{}", Problem::of_body(Rule::BodySize))]
    BodyTooLarge,
    /// The file is larger than 50 MiB, or the files of a bulk upload together than 200 MiB: `413`.
    #[error("{0}")]
    FileTooLarge(&'static str),
    /// The virus scanner found something in the file: `422`, nothing saved.
    #[error("the virus scanner found something in the file")]
    VirusDetected,
    /// The body did not arrive in time: `408`.
    #[error("the body did not arrive in time")]
    BodyTooSlow,
    /// The request is invalid, with every problem in the order of the fields: `422`, nothing saved.
    #[error("Invalid request")]
    Invalid(Vec<Problem>),
    /// No claim with that number in this practice: `404`.
    #[error("no claim with that claim_number")]
    ClaimNotFound,
    /// No valid session or token: `401`, without the reason.
    #[error("sign in first")]
    NotSignedIn,
    /// An API key where a session or an API token is required: `401`. Its prefix shows that, without a lookup.
    #[error(
        "this takes a session or an API token, which starts with ovu_; an API key, which starts with ovt_, is for /api/v1/claims only"
    )]
    KeyForToken,
    /// An API token where an API key is required: `401`. Its prefix shows that, without a lookup.
    #[error(
        "this takes an API key, which starts with ovt_; an API token, which starts with ovu_, is not for /api/v1/claims"
    )]
    TokenForKey,
    /// A sign-in failed: `401`, the same for an unknown address, a wrong password and a wrong code.
    #[error("the sign-in failed")]
    SignInFailed,
    /// The second factor must be confirmed: `402`, with the continuation token for it.
    #[error("show a second factor to continue")]
    TwoFactorRequired(Option<ContinuationToken>),
    /// The account has no second factor and may only enroll one: `402`.
    #[error("enroll a second factor first")]
    EnrolmentRequired,
    /// The action is not allowed: `403`.
    #[error("{1}")]
    NotAuthorized(Reason, &'static str),
    /// No such record in this practice: `404`.
    #[error("{0}")]
    NotFound(&'static str),
    /// The record's state does not allow the action, or the record has changed: `409`.
    #[error("{1}")]
    Conflict(Reason, &'static str),
    /// The state that prevents a change, such as `status is received`: `409`.
    #[error("this cannot be done now: {}", texts(.1).join("; "))]
    Stuck(Reason, Vec<Problem>),
    /// An idempotency key was used with another body: `422`.
    #[error("Invalid request")]
    KeyReused,
    /// The body is not a JSON object: `400`.
    #[error("{0}")]
    Malformed(Problem),
    /// A record was sealed under a key that this instance does not have, as during a rotation: `503`; a retry may
    /// succeed.
    #[error("a record's key is not in the keyring")]
    KeyUnavailable,
    /// The key does not open the stored value at this place, so it was changed or moved: `500`.
    #[error("tampered: {}", .0.column())]
    Tampered(SealedPlace),
}

impl From<Unopened> for RequestError {
    fn from(why: Unopened) -> Self {
        match why {
            Unopened::KeyUnavailable => Self::KeyUnavailable,
            Unopened::Tampered(place) => Self::Tampered(place),
        }
    }
}

impl RequestError {
    /// A request with one problem.
    pub fn invalid(field: &'static str, rule: Rule) -> Self {
        Self::Invalid([Problem::new(field, rule)].into())
    }

    /// A change that one state prevents.
    #[must_use]
    pub fn stuck(reason: Reason, field: &'static str, rule: Rule) -> Self {
        Self::Stuck(reason, [Problem::new(field, rule)].into())
    }

    /// The cause, for programs. Every refusal with `402`, `403` or `409` has one, and no other.
    #[must_use]
    pub const fn reason(&self) -> Option<Reason> {
        match self {
            Self::NotAuthorized(reason, _) | Self::Conflict(reason, _) | Self::Stuck(reason, _) => Some(*reason),
            Self::MissingScope(_) | Self::MissingTokenScope(_) => Some(Reason::ScopeMissing),
            Self::PracticeInactive => Some(Reason::PracticeInactive),
            Self::BaaRequired => Some(Reason::AgreementRequired),
            Self::TwoFactorRequired(_) => Some(Reason::SecondFactorNeeded),
            Self::EnrolmentRequired => Some(Reason::EnrolmentNeeded),
            Self::NotAuthenticated
            | Self::RateLimited(_)
            | Self::ResendsStopped { .. }
            | Self::SignInLimited(_)
            | Self::BodyTooLarge
            | Self::FileTooLarge(_)
            | Self::VirusDetected
            | Self::BodyTooSlow
            | Self::Invalid(_)
            | Self::ClaimNotFound
            | Self::NotSignedIn
            | Self::KeyForToken
            | Self::TokenForKey
            | Self::SignInFailed
            | Self::NotFound(_)
            | Self::KeyReused
            | Self::Malformed(_)
            | Self::KeyUnavailable
            | Self::Tampered(_) => None,
        }
    }
}
