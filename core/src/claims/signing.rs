//! The signing status of a claim.

use crate::base::names::names;

names! {
    /// The signing status of a claim.
    SigningStatus {
        /// Staff have not decided yet.
        NotDecided = "not_decided",
        /// The appeal needs no signature.
        NotNeeded = "not_needed",
        /// The patient has to sign.
        Needed = "needed",
        /// The patient has signed.
        Signed = "signed",
    }
}
