//! The messages between the service and the identity Worker (docs/DECISIONS.md, Sign-in by passkeys and providers).
//!
//! The identity Worker checks what authenticators and identity providers signed. It has no bindings, no secrets and no
//! memory. Each question holds everything that its answer needs, and the answer holds facts. What the facts allow is
//! decided here.

pub mod oidc;
pub mod passkeys;
pub mod saml;
pub mod signatures;

use alloc::string::{String, ToString};
use core::fmt;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A question to the identity Worker.
pub trait Question: Serialize + DeserializeOwned {
    /// The path that it is posted to, such as `/oidc/check`.
    const PATH: &'static str;
    /// The facts that answer it.
    type Answer: Serialize + DeserializeOwned;
}

/// The identity Worker's answer: facts, or the reason why a proof is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict<T> {
    /// The proof is accepted.
    Accepted(T),
    /// The proof is refused.
    Refused(Refusal),
}

/// Why a proof is not accepted. It goes to the log, never to the caller.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// A short stable name, such as `audience`.
    pub reason: String,
    /// What the library said. It never holds a value of the proof.
    pub detail: String,
}

impl Refusal {
    /// The token was signed by a key that is not in the key set. A newer key set may hold it.
    pub const UNKNOWN_KEY: &'static str = "unknown_key";
    /// The question does not make sense: the configuration of the service is wrong.
    pub const CONFIGURATION: &'static str = "configuration";
    /// The proof cannot be read.
    pub const MALFORMED: &'static str = "malformed";
    /// The state of the ceremony cannot be read, or it belongs to another account.
    pub const STATE: &'static str = "state";
    /// The proof or its ceremony has ended.
    pub const EXPIRED: &'static str = "expired";
    /// The proof answers another challenge.
    pub const CHALLENGE: &'static str = "challenge";
    /// The page has an origin that is not allowed, or it was embedded in a page of another origin.
    pub const ORIGIN: &'static str = "origin";
    /// The passkey belongs to another relying party.
    pub const RELYING_PARTY: &'static str = "relying_party";
    /// The authenticator did not verify the person.
    pub const NOT_VERIFIED: &'static str = "not_verified";
    /// The response names another passkey.
    pub const CREDENTIAL: &'static str = "credential";
    /// The response names another account.
    pub const ACCOUNT: &'static str = "account";
    /// The passkey changed what never changes: whether it may be synced.
    pub const BACKUP: &'static str = "backup";
    /// The algorithm is not in the list.
    pub const ALGORITHM: &'static str = "algorithm";
    /// The signature does not fit the key.
    pub const SIGNATURE: &'static str = "signature";
    /// The key may not sign, it is too weak, or it is not clear which key signed.
    pub const KEY: &'static str = "key";
    /// The proof was made by another provider.
    pub const ISSUER: &'static str = "issuer";
    /// The proof was made for another service.
    pub const AUDIENCE: &'static str = "audience";
    /// The proof was made in the future, or it may not be used yet.
    pub const NOT_YET: &'static str = "not_yet";
    /// The proof answers another request of this service.
    pub const NONCE: &'static str = "nonce";
    /// The proof does not name a person.
    pub const SUBJECT: &'static str = "subject";
    /// The provider's description of itself is not acceptable.
    pub const PROVIDER: &'static str = "provider";

    /// A refusal for one of the reasons above. `detail` must not hold a value of the proof.
    #[must_use]
    pub fn new(reason: &str, detail: impl fmt::Display) -> Self {
        Self { reason: reason.into(), detail: detail.to_string() }
    }
}

impl<T> From<Result<T, Refusal>> for Verdict<T> {
    fn from(result: Result<T, Refusal>) -> Self {
        match result {
            Ok(facts) => Self::Accepted(facts),
            Err(refusal) => Self::Refused(refusal),
        }
    }
}
