//! Whether a patient's signature is needed (interface: status response body).

use serde::{Deserialize, Serialize};

/// Where a claim's signature stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SigningStatus {
    /// Nobody has decided yet.
    NotDecided,
    /// The appeal goes without a signature.
    NotNeeded,
    /// The patient has to sign.
    Needed,
    /// The patient has signed.
    Signed,
}

impl SigningStatus {
    /// The name in the interface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotDecided => "not_decided",
            Self::NotNeeded => "not_needed",
            Self::Needed => "needed",
            Self::Signed => "signed",
        }
    }
}

/// The `signing` object of a status response.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Signing {
    /// Whether a signature is needed.
    pub status: SigningStatus,
    /// Whether the practice's appeal button is switched on.
    pub appeal_button: bool,
}
