//! What must be bound to one browser between two of its requests: the challenge of a passkey, the state of a sign-in by
//! a provider, and an identity that waits to be joined to an account.
//!
//! It travels in a cookie that scripts cannot read, so that a beginning writes nothing to the database. A MAC under a key
//! of the service binds it to its purpose and its end. The batch that uses it marks it as spent, so it is used once.

use crate::store::keyring::MacKey;
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use hmac::{Hmac, KeyInit, Mac};
use overturn_core::base::instant::Instant;
use overturn_core::base::mac;
use overturn_core::names;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// How long a ceremony lasts: 5 minutes.
pub const CEREMONY_MS: i64 = 5 * 60_000;

/// The longest cookie that is read, and the longest one that browsers keep: its name and its value together.
const COOKIE_MAX: usize = 4096;

names! {
    /// What a ceremony is for.
    CeremonyPurpose {
        /// The registration of a passkey.
        Registration = "registration",
        /// An assertion of a passkey.
        Assertion = "assertion",
        /// A sign-in by an OpenID Connect provider.
        Oidc = "oidc",
        /// A sign-in by a SAML provider.
        Saml = "saml",
        /// An identity that waits to be joined to an account.
        Identity = "identity",
    }
}

/// True if browsers keep a cookie of this name with this value.
pub(crate) const fn is_kept(name: &str, value: &str) -> bool {
    name.len().saturating_add(value.len()) <= COOKIE_MAX
}

/// A ceremony as its cookie holds it.
#[derive(Serialize, Deserialize)]
struct Sealed<T> {
    /// Makes two ceremonies with the same content different.
    nonce: String,
    expires_at: Instant,
    content: T,
}

/// A ceremony that the browser began, and that has not ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenedCeremony<T> {
    pub content: T,
    /// Its mark, which the batch that uses it spends.
    pub spent: SpentProof,
}

/// A proof that is accepted once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpentProof {
    /// Its hash, as the ceremony or the assertion that it belongs to defines it.
    pub hash: String,
    /// When it could not be accepted any more in any case.
    pub expires_at: Instant,
}

/// The value of the cookie for a ceremony that begins now, under the first key.
pub fn seal<T: Serialize>(
    keys: &[MacKey],
    purpose: CeremonyPurpose,
    content: &T,
    (now, random): (Instant, [u8; 16]),
) -> String {
    let sealed = Sealed { nonce: BASE64URL_NOPAD.encode(&random), expires_at: now.plus(CEREMONY_MS), content };
    let json = serde_json::to_vec(&sealed).unwrap_or_default();
    let mac = keys.first().map(|key| mac(key, purpose, &json).finalize().into_bytes());
    let [json, mac] = [&json[..], &mac.unwrap_or_default()].map(|part| BASE64URL_NOPAD.encode(part));
    format!("{json}.{mac}")
}

/// The ceremony in a cookie; `None` if no key made it for the purpose, or if it has ended.
pub fn open<T: DeserializeOwned>(
    keys: &[MacKey],
    purpose: CeremonyPurpose,
    cookie: &str,
    now: Instant,
) -> Option<OpenedCeremony<T>> {
    let (json, code) = cookie.split_once('.').filter(|_| cookie.len() <= COOKIE_MAX)?;
    let decode = |part: &str| -> Option<Vec<u8>> { BASE64URL_NOPAD.decode(part.as_bytes()).ok() };
    let (json, code) = (decode(json)?, decode(code)?);
    let made = |key| mac(key, purpose, &json).verify_slice(&code).is_ok();
    let json = keys.iter().any(made).then_some(&json)?;
    let sealed: Sealed<T> = serde_json::from_slice(json).ok()?;
    let spent = SpentProof { hash: HEXLOWER.encode(&Sha256::digest(json)), expires_at: sealed.expires_at };
    (now < sealed.expires_at).then_some(OpenedCeremony { content: sealed.content, spent })
}

fn mac(key: &MacKey, purpose: CeremonyPurpose, json: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new(&mac::block(&key.0).into());
    mac.update(purpose.name().as_bytes());
    // No purpose contains a line break.
    mac.update(b"\n");
    mac.update(json);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Instant = Instant(1_800_000_000_000);

    const KEY: MacKey = MacKey([1; 32]);

    fn sealed() -> String {
        seal(&[KEY], CeremonyPurpose::Oidc, &"content", (NOW, [7; 16]))
    }

    fn opened(keys: &[MacKey], cookie: &str, now: Instant) -> Option<OpenedCeremony<String>> {
        open(keys, CeremonyPurpose::Oidc, cookie, now)
    }

    #[test]
    fn a_ceremony_is_open_for_five_minutes_under_its_key_and_purpose() {
        let cookie = sealed();
        let found = opened(&[MacKey([2; 32]), KEY], &cookie, NOW.plus(CEREMONY_MS - 1)).unwrap();
        assert_eq!(found.content, "content");
        assert_eq!(found.spent.expires_at, NOW.plus(CEREMONY_MS));
        assert_eq!(opened(&[KEY], &cookie, NOW.plus(CEREMONY_MS)), None);
        assert_eq!(opened(&[MacKey([2; 32])], &cookie, NOW), None);
        for purpose in CeremonyPurpose::ALL {
            let found = open::<String>(&[KEY], purpose, &cookie, NOW);
            assert_eq!(found.is_some(), purpose == CeremonyPurpose::Oidc);
        }
    }

    #[test]
    fn two_ceremonies_with_one_content_are_spent_separately() {
        let other = seal(&[KEY], CeremonyPurpose::Oidc, &"content", (NOW, [8; 16]));
        let spent = |cookie: &str| opened(&[KEY], cookie, NOW).unwrap().spent.hash;
        assert_ne!(spent(&sealed()), spent(&other));
        assert_eq!(spent(&other), spent(&other));
    }

    #[test]
    fn browsers_keep_4096_bytes_of_name_and_value() {
        let value = "x".repeat(COOKIE_MAX - 4);
        assert!(is_kept("name", &value));
        assert!(!is_kept("names", &value));
    }

    #[test]
    fn an_altered_cookie_is_no_ceremony() {
        let cookie = sealed();
        for n in 0..cookie.len() {
            let mut bytes = cookie.clone().into_bytes();
            bytes[n] = if bytes[n] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(bytes).unwrap();
            assert_eq!(opened(&[KEY], &altered, NOW), None, "{n}");
        }
        for cookie in ["", ".", "a.b", cookie.get(..cookie.len() - 2).unwrap()] {
            assert_eq!(opened(&[KEY], cookie, NOW), None);
        }
    }
}
