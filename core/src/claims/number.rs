//! A claim number, protected from logs.

use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};

/// Most characters of `claim_number` and `payer_claim_number` (interface: Limits).
pub const NUMBER_MAX: usize = 128;

/// The claim number of a claim. It is the caller's own text and may contain anything, so `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClaimNumber(pub String);

impl fmt::Debug for ClaimNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClaimNumber(…)")
    }
}
