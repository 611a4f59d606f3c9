//! The proof that connects the date of birth with the signature.
//!
//! ```text
//! <when it was made, in milliseconds>.<SHA-256 of the text that was shown>.<HMAC of both and of the link>
//! ```
//!
//! It is a field of the form. So the date of birth is sent only once, and nothing has to be stored. It names the text,
//! so a patient cannot sign a text other than the one that was shown.

use crate::base::instant::Instant;
use crate::base::mac;
use alloc::format;
use alloc::string::String;
use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// How long a proof is valid: 30 minutes.
pub const PROOF_MS: i64 = 30 * 60_000;

/// A key for proofs. `Debug` does not print it.
#[derive(Clone)]
pub struct ProofKey([u8; 32]);

impl core::fmt::Debug for ProofKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("ProofKey")
    }
}

/// The content of a proof: the date of birth was correct, and this text was shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The time.
    pub at: Instant,
    /// The digest of the text.
    pub digest: [u8; 32],
}

impl Shown {
    /// True if it is still valid.
    #[must_use]
    pub const fn holds(&self, now: Instant) -> bool {
        let age = now.since(self.at);
        0 <= age && age < PROOF_MS
    }
}

impl ProofKey {
    /// A key from 32 secret bytes.
    #[must_use]
    pub const fn new(secret: [u8; 32]) -> Self {
        Self(secret)
    }

    /// The proof for a link, by the hash of its token.
    #[must_use]
    pub fn prove(&self, link: &str, shown: Shown) -> String {
        let (at, digest) = (shown.at.0, BASE64URL_NOPAD.encode(&shown.digest));
        let mac = self.mac(link, shown).finalize().into_bytes();
        format!("{at}.{digest}.{}", BASE64URL_NOPAD.encode(&mac))
    }

    /// The content of a proof, `None` if this key did not make it for this link.
    #[must_use]
    pub fn read(&self, link: &str, proof: &str) -> Option<Shown> {
        let mut parts = proof.splitn(3, '.');
        let at = Instant(parts.next()?.parse().ok()?);
        let digest = BASE64URL_NOPAD.decode(parts.next()?.as_bytes()).ok()?;
        let digest = digest.try_into().ok()?;
        let mac = BASE64URL_NOPAD.decode(parts.next()?.as_bytes()).ok()?;
        let shown = Shown { at, digest };
        self.mac(link, shown).verify_slice(&mac).ok()?;
        Some(shown)
    }

    fn mac(&self, link: &str, shown: Shown) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new(&mac::block(&self.0).into());
        // Both have a fixed length, so the rest can only be the link.
        mac.update(&shown.at.0.to_be_bytes());
        mac.update(&shown.digest);
        mac.update(link.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;

    const SHOWN: Shown = Shown { at: Instant(1_772_625_600_000), digest: [7; 32] };

    #[test]
    fn a_proof_is_for_its_link_and_its_text_alone() {
        let key = ProofKey::new([1; 32]);
        let proof = key.prove("link", SHOWN);
        assert_eq!(key.read("link", &proof), Some(SHOWN));
        assert_eq!(key.read("another", &proof), None);
        assert_eq!(ProofKey::new([2; 32]).read("link", &proof), None);
        let (_, rest) = proof.split_once('.').unwrap();
        let (digest, mac) = rest.split_once('.').unwrap();
        let other = BASE64URL_NOPAD.encode(&[8; 32]);
        for forged in [
            format!("1772625600001.{rest}"),
            format!("1772625600000.{other}.{mac}"),
            format!("1772625600000.{digest}.{other}"),
            format!("1772625600000.{digest}."),
            format!("{proof}.{mac}"),
            format!("1772625600000.{digest}"),
            String::new(),
            "..".into(),
        ] {
            assert_eq!(key.read("link", &forged), None, "{forged}");
        }
    }

    #[test]
    fn a_proof_counts_for_half_an_hour_and_not_before_it_was_made() {
        for (ms, holds) in [(-1, false), (0, true), (PROOF_MS - 1, true), (PROOF_MS, false)] {
            assert_eq!(SHOWN.holds(SHOWN.at.plus(ms)), holds, "{ms}");
        }
    }
}
