//! A signature as it is written.

use crate::base::id::{ClaimId, PracticeId, SignatureId, SigningLinkId};
use crate::base::instant::Instant;
use crate::base::language::Language;
use crate::base::names::names;
use crate::plan::signing::drawing::Drawing;
use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};

/// A new signature. `Debug` prints only its id.
#[derive(Clone)]
pub struct NewSignature {
    pub practice_id: PracticeId,
    pub claim_id: ClaimId,
    pub id: SignatureId,
    pub link_id: SigningLinkId,
    /// The part to seal.
    pub secret: SealedSignature,
}

impl fmt::Debug for NewSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewSignature({})", self.id)
    }
}

names! {
    /// Who signed. A representative's authority belongs in an authorization (45 CFR 164.508(c)(1)(vi)).
    Relation {
        Patient = "patient",
        /// A parent of a minor.
        Parent = "parent",
        /// A guardian whom a court appointed.
        Guardian = "guardian",
        /// The agent of a power of attorney for health care.
        HealthCareAgent = "health_care_agent",
        /// The executor or administrator of a dead patient's estate.
        Executor = "executor",
        /// Another person who may act for the patient under the law.
        OtherRepresentative = "other_representative",
    }
}

/// The sealed part of a signature. Its JSON is a stored format: fields may be added, but not renamed. `Debug` prints
/// nothing of it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedSignature {
    /// The version of the text.
    pub version: String,
    /// The language of the text.
    pub language: Language,
    /// The signed text.
    pub text: String,
    /// Who signed.
    pub relation: Relation,
    /// The name as typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The drawing, on a field of [`crate::plan::signing::drawing::WIDTH`] by
    /// [`crate::plan::signing::drawing::HEIGHT`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strokes: Option<Drawing>,
    /// When it was signed.
    pub signed_at: Instant,
    pub ip: String,
    /// The browser's user agent.
    pub agent: String,
}

impl fmt::Debug for SealedSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedSignature(…)")
    }
}
