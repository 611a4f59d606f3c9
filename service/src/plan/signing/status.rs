//! What a status read shows of the signing status of a claim.

use overturn_core::claims::{ClaimStatus, SigningStatus};
use serde::Serialize;

/// True if a patient is asked to sign for a claim. A claim whose appeal has ended needs no signature.
#[must_use]
pub const fn is_asked(claim: ClaimStatus, signing: SigningStatus) -> bool {
    let ended = matches!(claim, ClaimStatus::Recovered | ClaimStatus::Closed);
    matches!(signing, SigningStatus::Needed) && !ended
}

/// The `signing` object of a status response.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Signing {
    pub status: SigningStatus,
    /// True if the practice's appeal button is on.
    pub appeal_button: bool,
    /// The URL of the signing page, while a signature is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<Url>,
}

/// A URL that lets its holder try to sign. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Url(pub String);

#[cfg(feature = "schema")]
overturn_core::base::described::described! { Url = { "type": "string", "format": "uri" } }

impl std::fmt::Debug for Url {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Url(…)")
    }
}
