//! The proof that connects the date of birth with the signature.
//!
//! ```text
//! <when it was made, in milliseconds>.<SHA-256 of the text that was shown>.<HMAC of both and of the link>
//! ```
//!
//! It is a field of the form. So the date of birth is sent only once, and nothing has to be stored. It names the text,
//! so a patient cannot sign a text other than the one that was shown.

use super::document::Authorization;
use crate::store::keyring::MacKey;
use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use overturn_core::base::instant::Instant;
use overturn_core::base::mac;
use sha2::Sha256;

/// How long a proof is valid: 30 minutes.
const PROOF_MS: i64 = 30 * 60_000;

/// The content of a proof: the date of birth was correct, and this text was shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shown {
    /// The time.
    pub(super) at: Instant,
    /// The digest of the text.
    pub(super) digest: [u8; 32],
}

impl Shown {
    /// True if it is still valid.
    pub(super) const fn holds(&self, now: Instant) -> bool {
        let age = now.since(self.at);
        0 <= age && age < PROOF_MS
    }

    /// True if the text is still the one that was shown.
    pub(super) fn is_of(&self, text: &Authorization) -> bool {
        self.digest == text.digest()
    }

    /// The proof for a link, by the hash of its token, under the first key.
    pub(super) fn prove(self, keys: &[MacKey], link: &str) -> String {
        let (at, digest) = (self.at.0, BASE64URL_NOPAD.encode(&self.digest));
        let mac = keys.first().map(|key| self.mac(key, link).finalize().into_bytes());
        format!("{at}.{digest}.{}", BASE64URL_NOPAD.encode(&mac.unwrap_or_default()))
    }

    /// The content of a proof, `None` if no key made it for this link.
    pub(super) fn proven(keys: &[MacKey], link: &str, proof: &str) -> Option<Self> {
        let mut parts = proof.splitn(3, '.');
        let at = Instant(parts.next()?.parse().ok()?);
        let digest = BASE64URL_NOPAD.decode(parts.next()?.as_bytes()).ok()?;
        let shown = Self { at, digest: digest.try_into().ok()? };
        let mac = BASE64URL_NOPAD.decode(parts.next()?.as_bytes()).ok()?;
        let proves = |key| shown.mac(key, link).verify_slice(&mac).is_ok();
        keys.iter().any(proves).then_some(shown)
    }

    fn mac(self, key: &MacKey, link: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new(&mac::block(&key.0).into());
        // Both have a fixed length, so the rest can only be the link.
        mac.update(&self.at.0.to_be_bytes());
        mac.update(&self.digest);
        mac.update(link.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: Shown = Shown { at: Instant(1_772_625_600_000), digest: [7; 32] };
    const KEY: MacKey = MacKey([1; 32]);

    #[test]
    fn a_proof_is_for_its_link_and_its_text_alone() {
        let proof = SHOWN.prove(&[KEY], "link");
        let read = |link, proof: &str| Shown::proven(&[KEY], link, proof);
        assert_eq!(read("link", &proof), Some(SHOWN));
        assert_eq!(read("another", &proof), None);
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
            assert_eq!(read("link", &forged), None, "{forged}");
        }
    }

    #[test]
    fn a_proof_stays_valid_while_its_key_is_known() {
        let proof = SHOWN.prove(&[KEY], "link");
        assert_eq!(Shown::proven(&[MacKey([2; 32]), KEY], "link", &proof), Some(SHOWN));
        assert_eq!(Shown::proven(&[MacKey([2; 32])], "link", &proof), None);
        assert_ne!(SHOWN.prove(&[MacKey([2; 32]), KEY], "link"), proof);
    }

    #[test]
    fn a_proof_counts_for_half_an_hour_and_not_before_it_was_made() {
        for (ms, holds) in [(-1, false), (0, true), (PROOF_MS - 1, true), (PROOF_MS, false)] {
            assert_eq!(SHOWN.holds(SHOWN.at.plus(ms)), holds, "{ms}");
        }
    }
}
