//! Decides whether a resend has the same patient and the same claim (interface: `POST /api/v1/claims`, rules 2 and 3).
//!
//! A stored claim does not show its patient. It has keyed fingerprints ("tags") of the identity fields, and a resend is
//! compared tag by tag. All fields in a tag are set when the claim is created and never corrected, so a tag stays
//! valid.

#[cfg(test)]
mod tests;

use crate::base::date::Date;
use crate::base::id::PracticeId;
use crate::base::mac;
use crate::base::sealed::KeyVersion;
use crate::base::text::normalise;
use crate::claims::{Item, Patient};
use alloc::string::{String, ToString};
use core::fmt;
use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The fingerprints of an item under one key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tags {
    /// The key that made them.
    pub key_version: KeyVersion,
    /// Name and date of birth.
    pub patient: String,
    /// The procedure code, if there is one.
    pub procedure: Option<String>,
}

/// A key for tags. `Debug` does not print it.
#[derive(Clone)]
pub struct IdentityKey {
    version: KeyVersion,
    mac: Hmac<Sha256>,
}

impl fmt::Debug for IdentityKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IdentityKey({})", self.version.0)
    }
}

impl IdentityKey {
    /// A key from 32 secret bytes.
    #[must_use]
    pub fn new(version: KeyVersion, secret: &[u8; 32]) -> Self {
        Self { version, mac: Hmac::new(&mac::block(secret).into()) }
    }

    #[must_use]
    pub const fn version(&self) -> KeyVersion {
        self.version
    }

    /// The tags of an item under this key.
    #[must_use]
    pub fn tags(&self, practice: PracticeId, item: &Item<'_>) -> Tags {
        let claim = &item.claim;
        let procedure = claim.procedure_code.as_deref();
        Tags {
            key_version: self.version,
            patient: self.patient(practice, &item.patient),
            procedure: procedure.map(|code| self.procedure(practice, &claim.claim_number, code)),
        }
    }

    /// Equal for two patients of a practice exactly when their normalized names and dates of birth are equal.
    #[must_use]
    pub fn patient(&self, practice: PracticeId, patient: &Patient<'_>) -> String {
        self.tag(&[
            b"patient",
            practice.0.as_bytes(),
            normalise(&patient.first_name).as_bytes(),
            normalise(&patient.last_name).as_bytes(),
            patient.date_of_birth.to_string().as_bytes(),
        ])
    }

    /// Bound to the claim number, because codes are only compared within one number. There are so few procedure codes
    /// that equal tags across claims would reveal them.
    fn procedure(&self, practice: PracticeId, number: &str, code: &str) -> String {
        self.tag(&[b"procedure", practice.0.as_bytes(), number.as_bytes(), normalise(code).as_bytes()])
    }

    /// 128 bits of an HMAC over the parts. Each part follows its length, so that two lists of parts never make the same
    /// bytes.
    fn tag(&self, parts: &[&[u8]]) -> String {
        let mut mac = self.mac.clone();
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        HEXLOWER.encode(mac.finalize().as_bytes().get(..16).unwrap_or_default())
    }
}

/// Why an item does not match the claim of its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// Another name or date of birth.
    DifferentPatient,
    /// Another date of service or procedure code.
    DifferentClaim,
}

impl Mismatch {
    /// The `error` of a refused item.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::DifferentPatient => "claim.claim_number is already used for a different patient",
            Self::DifferentClaim => "claim.claim_number is already used for a different claim",
        }
    }
}

/// Compares an item with the stored claim of the same number, both tagged under the same key.
///
/// The patient is compared first. A procedure code that is absent on either side matches.
#[must_use]
pub fn mismatch(sent: &Tags, sent_on: Date, stored: &Tags, stored_on: Date) -> Option<Mismatch> {
    if sent.patient != stored.patient {
        return Some(Mismatch::DifferentPatient);
    }
    let other_procedure = match (&sent.procedure, &stored.procedure) {
        (Some(sent), Some(stored)) => sent != stored,
        (None, _) | (_, None) => false,
    };
    (sent_on != stored_on || other_procedure).then_some(Mismatch::DifferentClaim)
}
