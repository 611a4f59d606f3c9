//! The actor of a change.

use crate::auth::person::{Person, Via};
use overturn_core::base::id::{ApiKeyId, ApiTokenId, SigningLinkId, UserId};
use std::fmt;

/// The actor of a change, as the history and the audit trail name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    /// A billing system, by its key.
    ApiKey(ApiKeyId),
    /// A person, signed in.
    User(UserId),
    /// A person's integration, by its token.
    ApiToken(ApiTokenId),
    /// A patient, by the signing link.
    SigningLink(SigningLinkId),
    /// The service's operator, from the command line.
    Operator,
    /// The service itself.
    Service,
    /// The made-up person of a sandbox, who does the staff's work there.
    Sandbox,
    /// GitHub, which found a leaked key.
    Github,
    /// Somebody who reported a leaked key.
    Anyone,
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
            Self::Sandbox => f.write_str("sandbox"),
            Self::Github => f.write_str("github"),
            Self::Anyone => f.write_str("anyone"),
        }
    }
}

impl From<&Person> for Actor {
    fn from(person: &Person) -> Self {
        match person.via {
            Via::Session(_) => Self::User(person.user_id),
            Via::Token(id) => Self::ApiToken(id),
            Via::Sandbox => Self::Sandbox,
        }
    }
}
