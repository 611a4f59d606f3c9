//! Why a request is refused. One type for all; a host renders it (interface: Errors).

use crate::limit::Verdict;
use crate::scope::Scope;
use alloc::string::String;
use alloc::vec::Vec;

/// A refusal. It holds nothing that the caller sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Denied {
    /// Key missing, malformed, unknown, revoked or expired: `401`, and no telling which.
    NotAuthenticated,
    /// Too many requests: `429`.
    RateLimited(Verdict),
    /// The key lacks the scope: `403`.
    MissingScope(Scope),
    /// The organization is not an active practice: `403`.
    PracticeInactive,
    /// No signed business associate agreement: `403` with code `baa_required`.
    BaaRequired,
    /// The body is larger than the service reads: `413`.
    BodyTooLarge,
    /// The request is invalid, with every problem in the order of the fields: `422`, nothing saved.
    Invalid(Vec<String>),
    /// No claim with that number in this practice: `404`.
    ClaimNotFound,
    /// A claim was sealed under a key that this instance does not hold, as during a rotation: `503`, try again.
    KeyUnavailable,
}
