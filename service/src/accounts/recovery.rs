//! Recovery codes. Each replaces the second factor once, for a person who lost the phone.
//!
//! ```text
//! 4z8k-0m3t-x9qa-h7wd-2c5r-8nyb     120 random bits in the base32 of Crockford
//! ```

use crate::request::secret::SecretError;
use crate::shown_once::ShownOnce;
use data_encoding::{Encoding, HEXLOWER};
use data_encoding_macro::new_encoding;
use overturn_core::base::id::UserId;
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// How many codes a person gets. New ones replace all earlier ones.
pub const CODES: usize = 10;

/// The codes of an answer.
pub(crate) enum RecoveryCodes {}

impl ShownOnce for RecoveryCodes {
    const KEY: &'static str = "recovery_codes";
}

#[cfg(feature = "schema")]
overturn_core::described! {
    RecoveryCodes = {
        "type": "array", "minItems": CODES, "maxItems": CODES, "uniqueItems": true,
        "items": { "type": "string", "pattern": "^[0-9a-z]{4}(-[0-9a-z]{4}){5}$" },
    }
}

/// The positions of the dashes.
const GAPS: [usize; 5] = [4, 9, 14, 19, 24];

/// The random bytes of a code. NIST SP 800-63B-4, 3.1.2.2, asks for a salt and a password hash below 112 bits.
const BYTES: usize = 15;

/// The base32 of Crockford: no two of its symbols look alike.
const CROCKFORD: Encoding = new_encoding! {
    symbols: "0123456789abcdefghjkmnpqrstvwxyz",
    translate_from: "ABCDEFGHJKMNPQRSTVWXYZOoIiLl",
    translate_to: "abcdefghjkmnpqrstvwxyz001111",
};

/// The text of a recovery code, in the form that is shown. `Debug` does not print it.
#[derive(Clone)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    /// A new code from random bytes of a cryptographic source.
    pub fn mint(random: [u8; BYTES]) -> Self {
        let mut text = CROCKFORD.encode(&random);
        for gap in GAPS {
            text.insert(gap, '-');
        }
        Self(text)
    }

    /// The code as text, to be shown once: `xxxx-xxxx-xxxx-xxxx-xxxx-xxxx`.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// SHA-256 in hexadecimal over a label, the person and the code: the stored form. It is bound to the person, so a
    /// code is only looked up among the person's own. The code has 120 random bits, so a slow hash would add no
    /// protection.
    pub fn hash(&self, user: UserId) -> String {
        let mut hash = Sha256::new();
        hash.update(b"overturn recovery v1");
        hash.update(user.0.as_bytes());
        hash.update(self.0.as_bytes());
        HEXLOWER.encode(&hash.finalize())
    }
}

impl FromStr for RecoveryCode {
    type Err = SecretError;

    /// Reads a code as people type it: in any case, with or without dashes and spaces, with `o` for `0` and `i` or `l`
    /// for `1`.
    fn from_str(text: &str) -> Result<Self, SecretError> {
        let symbols: String = text.chars().filter(|c| !is_between(*c)).collect();
        let random = CROCKFORD.decode(symbols.as_bytes());
        let random = random.ok().and_then(|random| random.try_into().ok());
        random.map(Self::mint).ok_or(SecretError)
    }
}

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(…)")
    }
}

/// White space and dashes, including those that a word processor makes from a hyphen.
fn is_between(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use uuid::Uuid;

    const DANA: UserId = UserId(Uuid::from_u128(1));
    const EVE: UserId = UserId(Uuid::from_u128(2));

    fn read(text: &str) -> Option<String> {
        let code: RecoveryCode = text.parse().ok()?;
        Some(code.expose().into())
    }

    #[test]
    fn the_form_of_a_code_and_its_hash_are_pinned() {
        let code = RecoveryCode::mint([
            0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32,
        ]);
        assert_eq!(code.expose(), "04hm-asw9-nf6y-zzpw-qac7-cn1j");
        // Fewer bits would need a password hash.
        const { assert!(BYTES * 8 >= 112) };
        assert_eq!(code.hash(DANA), "74df4d3c8239ec5336eff183ba37d7319e5b632de283aa834113f8331c841270");
        assert_eq!(format!("{code:?}"), "RecoveryCode(…)");
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let shown = Some("0110-abcd-efgh-jk10-mnpq-rstv".into());
        for typed in [
            "0110-abcd-efgh-jk10-mnpq-rstv",
            "0110abcdefghjk10mnpqrstv",
            " O1L0 ABCD EFGH JKIO MNPQ RSTV \n",
            "oilo\u{2013}abcd\u{2010}efgh\u{2212}jklo mnpqrstv",
            "01-10ab-cdefghj-k10-mnpqrstv-",
        ] {
            assert_eq!(read(typed), shown, "{typed:?}");
        }
    }

    #[test]
    fn text_that_is_not_a_code_is_refused() {
        for text in [
            "",
            "----",
            "0110-abcd-efgh-jk10",
            "0110-abcd-efgh-jk10-mnpq-rst",
            "0110-abcd-efgh-jk10-mnpq-rstv0",
            "0110-abcd-efgh-jku0-mnpq-rstv",
            "0110-abcd-efgh-jk1é-mnpq-rstv",
            "0110_abcd_efgh_jk10_mnpq_rstv",
            "123456",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn a_code_reads_back_and_belongs_to_one_person(random in any::<[u8; BYTES]>(), other in any::<[u8; BYTES]>()) {
            let code = RecoveryCode::mint(random);
            let typed = code.expose().replace('-', " ").to_uppercase();
            let again: RecoveryCode = typed.parse().unwrap();
            prop_assert_eq!(code.expose().len(), 29);
            prop_assert_eq!(again.hash(DANA), code.hash(DANA));
            prop_assert_ne!(code.hash(DANA), code.hash(EVE));
            let other = RecoveryCode::mint(other);
            prop_assert_eq!(other.expose() == code.expose(), other.hash(DANA) == code.hash(DANA));
        }
    }
}
