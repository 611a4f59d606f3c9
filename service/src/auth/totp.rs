//! Codes of an authenticator app as the second factor (RFC 6238): SHA-1, six digits, thirty seconds. The common apps
//! support only these.
//!
//! The algorithm is ten lines over HMAC. A library would lack the important part: the time step of an accepted code, so
//! that each code works once.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use overturn_core::base::instant::Instant;
use overturn_core::base::mac;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha1::Sha1;
use std::fmt;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// How long a code is shown, in milliseconds.
const STEP_MS: i64 = 30_000;
/// By how many steps a phone's clock may be off, or a code late.
const DRIFT: i64 = 1;
/// How many digits a code has.
const DIGITS: usize = 6;

/// Every character except those that a URI need not encode (RFC 3986, 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The secret shared by the authenticator app and the service. `Debug` does not print it.
#[derive(Clone)]
pub struct TotpSecret([u8; 20]);

impl TotpSecret {
    /// A new secret from 20 bytes of a cryptographic source, as long as the output of SHA-1 (RFC 4226, 4).
    #[must_use]
    pub const fn new(random: [u8; 20]) -> Self {
        Self(random)
    }

    /// A stored secret, `None` if it is not 20 bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The bytes to seal and store.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The secret in 32 characters of base32, for a person who cannot scan the URI.
    #[must_use]
    pub fn expose_base32(&self) -> String {
        BASE32_NOPAD.encode(&self.0)
    }

    /// Parses the form of [`TotpSecret::expose_base32`], `None` for any other text.
    #[must_use]
    pub fn from_base32(text: &str) -> Option<Self> {
        Self::from_bytes(&BASE32_NOPAD.decode(text.as_bytes()).ok()?)
    }

    /// The six digits that an authenticator app shows at an instant.
    #[must_use]
    pub fn code_at(&self, now: Instant) -> String {
        format!("{:06}", self.code(now.0.div_euclid(STEP_MS)))
    }

    /// The content of the QR code for an authenticator app. It holds the secret.
    ///
    /// `issuer` and `account` are what the app shows beside the code.
    #[must_use]
    pub fn otpauth_uri(&self, issuer: &str, account: &str) -> String {
        let issuer = utf8_percent_encode(issuer, RESERVED);
        let account = utf8_percent_encode(account, RESERVED);
        let secret = self.expose_base32();
        format!("otpauth://totp/{issuer}:{account}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits=6&period=30")
    }

    /// The time step of a correct code: the current one, or the one before or after it. `None` for a wrong code.
    ///
    /// No step up to `last_step` is accepted. A caller that stores the returned step in the same commit makes each code
    /// work once. White space in the code is skipped. The check takes constant time.
    #[must_use]
    pub fn accept(&self, code: &str, now: Instant, last_step: Option<i64>) -> Option<i64> {
        let given = number(code)?;
        let current = now.0.div_euclid(STEP_MS);
        let mut accepted = i64::MIN;
        // Ascending: if two steps have the same code, the later one counts. Otherwise the code would work twice.
        for step in current.saturating_sub(DRIFT)..=current.saturating_add(DRIFT) {
            let is_fresh = Choice::from(u8::from(last_step.is_none_or(|last| step > last)));
            let is_right = given.ct_eq(&self.code(step)) & is_fresh;
            accepted.conditional_assign(&step, is_right);
        }
        (accepted != i64::MIN).then_some(accepted)
    }

    /// The code of a step (RFC 4226, 5.3).
    fn code(&self, step: i64) -> u32 {
        let mut mac = Hmac::<Sha1>::new(&mac::block(&self.0).into());
        mac.update(&step.to_be_bytes());
        let bytes = mac.finalize().into_bytes();
        let offset = usize::from(bytes.last().copied().unwrap_or_default() & 15);
        let word = bytes.iter().skip(offset).take(4).fold(0, |word, byte| (word << 8) | u32::from(*byte));
        (word & 0x7fff_ffff) % 1_000_000
    }
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(…)")
    }
}

/// The number of a code, `None` if it is not six digits.
fn number(code: &str) -> Option<u32> {
    let digits: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let is_code = digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_code.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests;
