//! Why a request is refused. One type for all refusals; a host renders it (interface: Errors).

use crate::base::sealed::Place;
use crate::base::secret::ContinuationToken;
use crate::request::limit::Verdict;
use crate::request::problem::{Problem, Rule};
use alloc::vec::Vec;

/// A refusal. It contains nothing that the caller sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Denied {
    /// Key missing, malformed, unknown, revoked or expired: `401`, without the reason.
    NotAuthenticated,
    /// Too many requests: `429`.
    RateLimited(Verdict),
    /// Too many resends of the day did not match the claim of their number, so none is compared any more: `429`.
    ResendsStopped {
        /// The indexes of the items that cannot be sent now, empty if the request has one item.
        items: Vec<usize>,
        /// Whole seconds until they can.
        retry_after: i64,
    },
    /// Too many password attempts: `429`. A sign-in link works without a password.
    SignInLimited(Verdict),
    /// The key lacks the scope of this name: `403`.
    MissingScope(&'static str),
    /// The organization is not an active practice: `403`.
    PracticeInactive,
    /// No signed business associate agreement: `403` with code `baa_required`.
    BaaRequired,
    /// The body is larger than the service reads: `413`.
    BodyTooLarge,
    /// The body did not arrive in time: `408`.
    BodyTooSlow,
    /// The request is invalid, with every problem in the order of the fields: `422`, nothing saved.
    Invalid(Vec<Problem>),
    /// No claim with that number in this practice: `404`.
    ClaimNotFound,
    /// No valid session or token: `401`, without the reason.
    NotSignedIn,
    /// An API key where a session or an API token is required: `401`. Its prefix shows that, without a lookup.
    KeyForToken,
    /// An API token where an API key is required: `401`. Its prefix shows that, without a lookup.
    TokenForKey,
    /// A sign-in failed: `401`, the same for an unknown address, a wrong password and a wrong code.
    SignInFailed,
    /// The second factor must be confirmed: `402`, with the continuation token for it.
    TwoFactorRequired(Option<ContinuationToken>),
    /// The account has no second factor and may only enrol one: `402`.
    EnrolmentRequired,
    /// The action is not allowed: `403`.
    NotAuthorized(&'static str),
    /// No such record in this practice: `404`.
    NotFound(&'static str),
    /// The record's state does not allow the action, or the record has changed: `409`.
    Conflict(&'static str),
    /// The state that prevents a change, such as `status is received`: `409`.
    Stuck(Vec<Problem>),
    /// An idempotency key was used with another body: `422`.
    KeyReused,
    /// The body is not a JSON object: `400`.
    Malformed(Problem),
    /// A record was sealed under a key that this instance does not have, as during a rotation: `503`; a retry may
    /// succeed.
    KeyUnavailable,
    /// The key does not open the stored value at this place, so it was changed or moved: `500`.
    Tampered(Place),
}

impl Denied {
    /// A request with one problem.
    pub fn invalid(field: &'static str, rule: Rule) -> Self {
        Self::Invalid([Problem::new(field, rule)].into())
    }

    /// A change that one state prevents.
    pub(crate) fn stuck(field: &'static str, rule: Rule) -> Self {
        Self::Stuck([Problem::new(field, rule)].into())
    }
}
