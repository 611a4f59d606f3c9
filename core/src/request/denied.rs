//! Why a request is refused. One type for all; a host renders it (interface: Errors).

use crate::base::sealed::Place;
use crate::base::secret::ContinuationToken;
use crate::request::limit::Verdict;
use crate::request::problem::{Problem, Rule};
use alloc::vec::Vec;

/// A refusal. It holds nothing that the caller sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Denied {
    /// Key missing, malformed, unknown, revoked or expired: `401`, and no telling which.
    NotAuthenticated,
    /// Too many requests: `429`.
    RateLimited(Verdict),
    /// Too many resends of the day were not for the claim of their number, so none is compared any more: `429`.
    ResendsStopped {
        /// The places of the items that cannot be sent now, empty where the request has one item.
        items: Vec<usize>,
        /// Whole seconds until they can.
        retry_after: i64,
    },
    /// Too many attempts at passwords: `429`, and a sign-in link needs none.
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
    /// No valid session or token: `401`, and no telling why.
    NotSignedIn,
    /// An API key where a session or an API token is taken: `401`. The form of the text tells, and no look-up.
    KeyForToken,
    /// An API token where an API key is taken: `401`. The form of the text tells, and no look-up.
    TokenForKey,
    /// A sign-in failed: `401`, the same for an unknown address, a wrong password and a code that is not right.
    SignInFailed,
    /// A second factor has to be shown: `402`, with the token to show it with.
    TwoFactorRequired(Option<ContinuationToken>),
    /// The account has no second factor and may only enrol one: `402`.
    EnrolmentRequired,
    /// The action is not allowed: `403`.
    NotAuthorized(&'static str),
    /// No such record in this practice: `404`.
    NotFound(&'static str),
    /// The record is not in a state for this, or changed meanwhile: `409`.
    Conflict(&'static str),
    /// What stands in the way of a change, such as `status is received`: `409`.
    Stuck(Vec<Problem>),
    /// An idempotency key came with another body: `422`.
    KeyReused,
    /// The body is no JSON object: `400`.
    Malformed(Problem),
    /// A record was sealed under a key that this instance does not hold, as during a rotation: `503`, try again.
    KeyUnavailable,
    /// The key is at hand and does not open what is stored at this place: somebody changed or moved it. `500`.
    Tampered(Place),
}

impl Denied {
    /// A request with one problem.
    pub fn invalid(field: &'static str, rule: Rule) -> Self {
        Self::Invalid([Problem::new(field, rule)].into())
    }

    /// A change with one state in its way.
    pub(crate) fn stuck(field: &'static str, rule: Rule) -> Self {
        Self::Stuck([Problem::new(field, rule)].into())
    }
}
