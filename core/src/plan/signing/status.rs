//! Where a claim's signature stands, and what the status of a claim shows of it.

use crate::base::names::names;
use crate::plan::claims::status::ClaimStatus;
use alloc::string::String;
use serde::Serialize;

names! {
    /// Where a claim's signature stands.
    SigningStatus {
        /// Nobody has decided yet.
        NotDecided = "not_decided",
        /// The appeal goes without a signature.
        NotNeeded = "not_needed",
        /// The patient has to sign.
        Needed = "needed",
        /// The patient has signed.
        Signed = "signed",
    }
}

/// Whether a patient is asked to sign for a claim. One whose appeal has ended has nothing to be signed for.
#[must_use]
pub const fn is_asked(claim: ClaimStatus, signing: SigningStatus) -> bool {
    let ended = matches!(claim, ClaimStatus::Recovered | ClaimStatus::Closed);
    matches!(signing, SigningStatus::Needed) && !ended
}

/// The `signing` object of a status response.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Signing {
    /// Whether a signature is needed.
    pub status: SigningStatus,
    /// Whether the practice's appeal button is switched on.
    pub appeal_button: bool,
    /// Where the patient signs, while that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<Url>,
}

/// An address that lets whoever has it try to sign. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Url(pub String);

impl core::fmt::Debug for Url {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Url(…)")
    }
}
