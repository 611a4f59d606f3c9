//! A signature as it is written.

use crate::base::id::{ClaimId, PracticeId, SignatureId, SigningLinkId};
use crate::base::instant::Instant;
use crate::plan::signing::drawing::Drawing;
use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};

/// A signature to be kept. `Debug` prints its id only.
#[derive(Clone)]
pub struct NewSignature {
    /// The claim's practice.
    pub practice_id: PracticeId,
    /// The claim that is signed for.
    pub claim_id: ClaimId,
    /// Its id.
    pub id: SignatureId,
    /// The link it came by.
    pub link_id: SigningLinkId,
    /// What is sealed.
    pub secret: SealedSignature,
}

impl fmt::Debug for NewSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewSignature({})", self.id)
    }
}

/// What of a signature is sealed. Its JSON is a stored format: fields may be added, none renamed. `Debug` prints none of it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedSignature {
    /// The version of the text.
    pub version: String,
    /// The text as it was signed.
    pub text: String,
    /// The name as typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What was drawn, on a field of [`crate::plan::signing::drawing::WIDTH`] by [`crate::plan::signing::drawing::HEIGHT`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strokes: Option<Drawing>,
    /// When.
    pub signed_at: Instant,
    /// From which address.
    pub ip: String,
    /// What the browser calls itself.
    pub agent: String,
}

impl fmt::Debug for SealedSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedSignature(…)")
    }
}
