//! Is this the same patient, and the same claim? (Interface: `POST /api/v1/claims`, rules 2 and 3.)
//!
//! A stored claim does not show its patient. It carries keyed fingerprints ("tags") of what identity is made of,
//! and a resend is compared tag with tag. Everything a tag depends on is set when the claim is created and never
//! corrected, so a comparison cannot go stale.

use crate::claim::{Item, Patient};
use crate::date::Date;
use crate::id::PracticeId;
use crate::token::hex;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use caseless::Caseless;
use core::fmt;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use unicode_normalization::UnicodeNormalization;

/// Which of the service's keys made a tag or a ciphertext.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyVersion(pub u32);

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

/// The keys in use: the first makes new tags, the others only compare with old ones.
#[derive(Clone, Debug)]
pub struct IdentityKeys {
    current: IdentityKey,
    older: Vec<IdentityKey>,
}

impl IdentityKey {
    /// A key from 32 secret bytes.
    #[must_use]
    pub fn new(version: KeyVersion, secret: &[u8; 32]) -> Self {
        // HMAC takes a key of any length; a 32 byte key is one block padded with zeros.
        let mut block = [0_u8; 64];
        for (to, from) in block.iter_mut().zip(secret) {
            *to = *from;
        }
        Self {
            version,
            mac: Hmac::new(&block.into()),
        }
    }

    /// The version of the key.
    #[must_use]
    pub const fn version(&self) -> KeyVersion {
        self.version
    }

    /// The tags of an item under this key.
    #[must_use]
    pub fn tags(&self, practice: PracticeId, item: &Item<'_>) -> Tags {
        Tags {
            key_version: self.version,
            patient: self.patient(practice, &item.patient),
            procedure: self.procedure(practice, item),
        }
    }

    /// Equal for two patients of a practice exactly when names (normalised) and date of birth are equal.
    fn patient(&self, practice: PracticeId, patient: &Patient<'_>) -> String {
        self.tag(&[
            b"patient",
            practice.0.as_bytes(),
            normalise(&patient.first_name).as_bytes(),
            normalise(&patient.last_name).as_bytes(),
            patient.date_of_birth.to_string().as_bytes(),
        ])
    }

    /// Bound to the claim number, because it is only ever compared within one: there are so few procedure codes
    /// that equal tags across claims would tell them.
    fn procedure(&self, practice: PracticeId, item: &Item<'_>) -> Option<String> {
        let code = normalise(item.claim.procedure_code.as_deref()?);
        let number = item.claim.claim_number.as_bytes();
        Some(self.tag(&[b"procedure", practice.0.as_bytes(), number, code.as_bytes()]))
    }

    /// 128 bits of an HMAC over the parts, each preceded by its length so that no two lists of parts run together.
    fn tag(&self, parts: &[&[u8]]) -> String {
        let mut mac = self.mac.clone();
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        hex(mac.finalize().as_bytes().get(..16).unwrap_or_default())
    }
}

impl IdentityKeys {
    /// The keys in use, the one for new tags first.
    #[must_use]
    pub const fn new(current: IdentityKey, older: Vec<IdentityKey>) -> Self {
        Self { current, older }
    }

    /// The key for new tags.
    #[must_use]
    pub const fn current(&self) -> &IdentityKey {
        &self.current
    }

    /// The key of a version, `None` when this instance does not hold it.
    #[must_use]
    pub fn get(&self, version: KeyVersion) -> Option<&IdentityKey> {
        core::iter::once(&self.current)
            .chain(&self.older)
            .find(|key| key.version == version)
    }
}

/// The fingerprints of an item under one key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tags {
    /// The key that made them.
    pub key_version: KeyVersion,
    /// Name and date of birth.
    pub patient: String,
    /// The procedure code, where there is one.
    pub procedure: Option<String>,
}

/// Why a claim number cannot mean what an item says it does.
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
/// The patient is compared before the claim. A procedure code that is absent on either side contradicts nothing.
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

/// Text as identity sees it: Unicode NFKC, trimmed, white space collapsed, case folded.
fn normalise(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for word in folded(text).split_whitespace() {
        if !normal.is_empty() {
            normal.push(' ');
        }
        normal.push_str(word);
    }
    normal
}

fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Folding can denormalise, so the form is taken again behind it.
    text.nfkc().default_case_fold().nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{item, test};
    use proptest::prelude::*;
    use uuid::Uuid;

    fn key() -> IdentityKey {
        IdentityKey::new(KeyVersion(1), &[3; 32])
    }
    const PRACTICE: PracticeId = PracticeId(Uuid::nil());

    fn tags_of(first: &str, last: &str) -> Tags {
        let mut item = item();
        item.patient.first_name = first.to_string().into();
        item.patient.last_name = last.to_string().into();
        key().tags(PRACTICE, &item)
    }

    #[test]
    fn spellings_of_one_name_are_one_patient() {
        for (a, b) in [
            ("Jane", "JANE"),
            ("Jane", "  jane "),
            ("Mary Ann", "mary\u{a0}\t ann"),
            ("José", "Jose\u{301}"),
            ("ﬁona", "Fiona"),
            ("STRAẞE", "strasse"),
            ("Ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ"),
            ("Ａｎｎ", "ann"),
            ("Å", "Å"),
        ] {
            assert_eq!(tags_of(a, "Doe"), tags_of(b, "doe"), "{a} {b}");
        }
    }

    #[test]
    fn different_names_are_different_patients() {
        let jane = tags_of("Jane", "Doe");
        for (first, last) in [
            ("Janet", "Doe"),
            ("Doe", "Jane"),
            ("JaneD", "oe"),
            ("Jane Doe", ""),
            ("Jané", "Doe"),
            ("Ja ne", "Doe"),
        ] {
            assert_ne!(jane.patient, tags_of(first, last).patient, "{first} {last}");
        }
    }

    #[test]
    fn which_mismatch_is_found() {
        let day = |text| Date::parse(text).unwrap();
        let (one, other) = (day("2026-01-02"), day("2026-01-03"));
        let tags = |patient: &str, procedure: Option<&str>| Tags {
            key_version: KeyVersion(1),
            patient: patient.to_string(),
            procedure: procedure.map(ToString::to_string),
        };
        let stored = tags("p", Some("x"));
        use Mismatch::{DifferentClaim, DifferentPatient};
        for (sent, on, found) in [
            (tags("p", Some("x")), one, None),
            (tags("p", None), one, None),
            (tags("p", Some("y")), one, Some(DifferentClaim)),
            (tags("p", Some("x")), other, Some(DifferentClaim)),
            (tags("p", None), other, Some(DifferentClaim)),
            (tags("q", Some("x")), one, Some(DifferentPatient)),
            (tags("q", Some("y")), other, Some(DifferentPatient)),
        ] {
            assert_eq!(mismatch(&sent, on, &stored, one), found);
        }
        assert_eq!(
            mismatch(&tags("p", Some("y")), one, &tags("p", None), one),
            None
        );
    }

    #[test]
    fn tags_are_pinned_and_depend_on_key_practice_and_number() {
        let item = item();
        let tags = key().tags(PRACTICE, &item);
        assert_eq!(tags.patient, "ba5a72a209ed2874bdf4ff8e89c447a3");
        assert_eq!(
            tags.procedure.as_deref(),
            Some("8c09cdb397396bf2a2512887485b182a")
        );
        let elsewhere = key().tags(PracticeId(Uuid::max()), &item);
        assert_ne!(tags.patient, elsewhere.patient);
        assert_ne!(
            IdentityKey::new(KeyVersion(1), &[4; 32])
                .tags(PRACTICE, &item)
                .patient,
            tags.patient
        );
        let mut renumbered = item.clone();
        renumbered.claim.claim_number = "other".into();
        let renumbered = key().tags(PRACTICE, &renumbered);
        assert_eq!(renumbered.patient, tags.patient);
        assert_ne!(renumbered.procedure, tags.procedure);
    }

    #[test]
    fn a_key_is_not_printed() {
        let keys = IdentityKeys::new(key(), Vec::new());
        assert_eq!(
            alloc::format!("{keys:?}"),
            "IdentityKeys { current: IdentityKey(1), older: [] }"
        );
        assert!(keys.get(KeyVersion(2)).is_none());
    }

    proptest! {
        #![proptest_config(crate::testing::config())]
        #[test]
        fn normalising_twice_changes_nothing(text in "\\PC{0,40}") {
            let once = normalise(&text);
            prop_assert_eq!(normalise(&once), once);
        }

        #[test]
        fn the_short_way_for_ascii_is_the_long_way(text in "[ -~\\t]{0,40}") {
            let long: String = text.nfkc().default_case_fold().nfkc().collect();
            prop_assert_eq!(folded(&text), long);
        }
    }
}
