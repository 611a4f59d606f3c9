//! Idempotency keys: a write of the wider service that is repeated within 24 hours gets the first answer (interface:
//! Retry rules).
//!
//! The stored answer belongs to the caller. It is found by a hash over route and key, and has an HMAC of the body under
//! the key. A copy of the database has neither the keys nor a way to guess bodies, some of which hold a password.

use crate::request::error::RequestError;
use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use overturn_core::base::id::UserId;
use overturn_core::base::instant::Instant;
use overturn_core::base::mac;
use overturn_core::request::problem::Rule;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt;
use uuid::Uuid;

/// How long an answer is kept: 24 hours.
pub const KEPT_MS: i64 = 24 * 3_600_000;

/// The value of an `Idempotency-Key` header. `Debug` does not print it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct IdempotencyKey(Uuid);

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdempotencyKey(…)")
    }
}

impl IdempotencyKey {
    /// Reads a header.
    ///
    /// # Errors
    ///
    /// [`RequestError::Invalid`] for anything but a UUID.
    pub fn parse(text: &str) -> Result<Self, RequestError> {
        let wrong = || RequestError::invalid("Idempotency-Key", Rule::MustBe("a UUID".into()));
        // The cause stays out: its text repeats characters of the header.
        text.trim().parse().map(Self).map_err(|_| wrong())
    }

    /// A request with this key.
    #[must_use]
    pub fn of(self, method: &str, path: &str, body: &[u8]) -> Repeatable {
        let mut place = Sha256::new();
        for part in [method.as_bytes(), path.as_bytes()] {
            place.update((part.len() as u64).to_be_bytes());
            place.update(part);
        }
        place.update(self.0.as_bytes());
        let mut fingerprint = Hmac::<Sha256>::new(&mac::block(self.0.as_bytes()).into());
        fingerprint.update(body);
        Repeatable {
            place: HEXLOWER.encode(&place.finalize()),
            fingerprint: HEXLOWER.encode(&fingerprint.finalize().into_bytes()),
        }
    }
}

/// A request that is recognized when it is repeated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repeatable {
    /// The hash by which its answer is found among the caller's.
    pub place: String,
    /// The HMAC of its body.
    pub fingerprint: String,
}

/// A stored answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The HMAC of the request's body.
    pub fingerprint: String,
    pub status: u16,
    /// The body, without fields that are shown only once.
    pub body: Value,
    pub at: Instant,
}

/// A new stored answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredAnswer {
    /// Who made the request.
    pub caller: UserId,
    /// The request it answers.
    pub request: Repeatable,
    pub status: u16,
    /// The body, without fields that are shown only once.
    pub body: Value,
    /// When it was given, by the real clock: answers to calls in a sandbox lie beside those of the live practice.
    pub at: Instant,
}

/// The stored answer of a repeated request.
///
/// # Errors
///
/// [`RequestError::KeyReused`] if the key came with another body.
pub fn recall<'k>(
    request: &Repeatable,
    kept: Option<&'k Kept>,
    now: Instant,
) -> Result<Option<&'k Kept>, RequestError> {
    match kept.filter(|kept| now.since(kept.at) < KEPT_MS) {
        Some(kept) if kept.fingerprint == request.fingerprint => Ok(Some(kept)),
        Some(_) => Err(RequestError::KeyReused),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::decisions::said;

    const KEY: &str = "6f1c1f0e-58c3-4f0e-9d5c-0d6a3f6a1b11";
    const NOW: Instant = Instant(1_800_000_000_000);

    fn request(body: &str) -> Repeatable {
        IdempotencyKey::parse(KEY).unwrap().of("POST", "/api/v1/x", body.as_bytes())
    }

    fn kept(body: &str) -> Kept {
        Kept { fingerprint: request(body).fingerprint, status: 201, body: Value::Null, at: NOW }
    }

    #[test]
    fn the_same_body_gets_its_result_for_24_hours_and_another_is_refused() {
        let first = kept("{}");
        let recall = |body, after| recall(&request(body), Some(&first), NOW.plus(after));
        assert_eq!(recall("{}", 0), Ok(Some(&first)));
        assert_eq!(recall("{}", 86_399_999), Ok(Some(&first)));
        assert_eq!(recall("{}", 86_400_000), Ok(None));
        assert_eq!(recall("{ }", 0), Err(RequestError::KeyReused));
        assert_eq!(recall("{ }", 86_400_000), Ok(None));
    }

    #[test]
    fn every_part_of_a_request_tells_it_from_others() {
        let key = IdempotencyKey::parse(KEY).unwrap();
        let first = key.of("POST", "/x", b"");
        for other in [
            key.of("PUT", "/x", b""),
            key.of("POST", "/y", b""),
            key.of("POS", "T/x", b""),
            IdempotencyKey(Uuid::from_u128(3)).of("POST", "/x", b""),
        ] {
            assert_ne!(first.place, other.place);
        }
        assert_eq!(first.place, key.of("POST", "/x", b"other").place);
        assert!(!format!("{key:?}{first:?}").contains("6f1c1f0e"));
    }

    #[test]
    fn a_key_is_a_uuid() {
        for bad in ["", "1", "6f1c1f0e-58c3-4f0e-9d5c", "key"] {
            let problem = ["Idempotency-Key must be a UUID"];
            assert_eq!(said(IdempotencyKey::parse(bad).unwrap_err()), problem, "{bad}");
        }
    }
}
