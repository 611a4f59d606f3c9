//! Questions about signatures of services that publish their keys.

use super::Question;
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// Checks an ECDSA signature of the curve P-256 over a SHA-256.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckSignature {
    /// The public key, as PEM.
    pub key: String,
    /// The SHA-256 of what is signed, in hexadecimal.
    pub digest: String,
    /// The signature in base64: two numbers in DER.
    pub signature: String,
}

impl Question for CheckSignature {
    const PATH: &'static str = "/signatures/check";
    type Answer = ();
}
