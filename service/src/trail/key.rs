//! The keys that authenticate rows and heads of trails.

use super::row::Content;
use super::row::Encoder;
use super::row::TrailRow;
use super::whose::ChainHead;
use super::whose::Trail;
use crate::trail::row::ChainPlace;
use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use overturn_core::base::mac;
use overturn_core::base::sealed::KeyVersion;
use sha2::Sha256;
use std::fmt;

const ROW: &str = "overturn trail row 1";
const HEAD: &str = "overturn trail head 1";
/// How many bytes of a row's MAC are stored.
const SHORT: usize = 16;

/// The result of checking a MAC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The service made it for this content.
    Right,
    /// The service did not make it for this content.
    Wrong,
    /// It was made under a key that is not here.
    KeyUnknown,
    /// There is none.
    Absent,
}

/// The keys of every version, the current one first. `Debug` prints none of them.
#[derive(Clone, Default)]
pub struct TrailKeys(Vec<(KeyVersion, [u8; 32])>);

impl fmt::Debug for TrailKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TrailKeys")
    }
}

impl TrailKeys {
    /// Adds a key of 32 secret bytes after the others.
    pub fn push(&mut self, version: KeyVersion, secret: [u8; 32]) {
        self.0.push((version, secret));
    }

    /// The version for new MACs.
    #[must_use]
    pub fn current(&self) -> Option<KeyVersion> {
        self.0.first().map(|(version, _)| *version)
    }

    /// The MAC of a row: `<key version>:<128 bits of an HMAC in base64url>`.
    #[must_use]
    pub fn row_mac(&self, trail: Trail, content: &Content<'_>) -> Option<String> {
        let (version, key) = self.0.first()?;
        let mac = of_row(key, trail, content).finalize().into_bytes();
        let short = mac.get(..SHORT)?;
        Some(format!("{}:{}", version.0, BASE64URL_NOPAD.encode(short)))
    }

    /// Checks that the service wrote a row.
    #[must_use]
    pub fn check_row(&self, trail: Trail, row: &TrailRow) -> Proof {
        let Some(text) = &row.mac else {
            return Proof::Absent;
        };
        let parsed = text.split_once(':').and_then(|(version, mac)| {
            Some((KeyVersion(version.parse().ok()?), BASE64URL_NOPAD.decode(mac.as_bytes()).ok()?))
        });
        let Some((version, mac)) = parsed.filter(|(_, mac)| mac.len() == SHORT) else {
            return Proof::Wrong;
        };
        self.check(version, |key| of_row(key, trail, &row.content()).verify_truncated_left(&mac))
    }

    /// A head for a place of a trail, under the current key.
    #[must_use]
    pub fn head(&self, trail: Trail, place: &ChainPlace) -> Option<ChainHead> {
        let (key_version, key) = self.0.first()?;
        let mac = of_head(key, trail, place).finalize().into_bytes();
        Some(ChainHead {
            sequence: place.sequence,
            digest: place.digest.clone(),
            key_version: *key_version,
            mac: BASE64URL_NOPAD.encode(&mac),
        })
    }

    /// Checks that the service made a head.
    #[must_use]
    pub fn check_head(&self, trail: Trail, head: &ChainHead) -> Proof {
        let place = ChainPlace { sequence: head.sequence, digest: head.digest.clone() };
        let Ok(mac) = BASE64URL_NOPAD.decode(head.mac.as_bytes()) else {
            return Proof::Wrong;
        };
        self.check(head.key_version, |key| of_head(key, trail, &place).verify_slice(&mac))
    }

    fn check<E>(&self, version: KeyVersion, is: impl Fn(&[u8; 32]) -> Result<(), E>) -> Proof {
        match self.0.iter().find(|(known, _)| *known == version) {
            None => Proof::KeyUnknown,
            Some((_, key)) if is(key).is_ok() => Proof::Right,
            Some(_) => Proof::Wrong,
        }
    }
}

fn hmac(key: &[u8; 32], encoded: &Encoder) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new(&mac::block(key).into());
    mac.update(&encoded.0);
    mac
}

fn of_row(key: &[u8; 32], trail: Trail, content: &Content<'_>) -> Hmac<Sha256> {
    let mut out = Encoder::new(ROW);
    out.field(Some(&trail.to_string()));
    out.content(content);
    hmac(key, &out)
}

fn of_head(key: &[u8; 32], trail: Trail, place: &ChainPlace) -> Hmac<Sha256> {
    let mut out = Encoder::new(HEAD);
    for value in [&trail.to_string(), &place.sequence.to_string(), &place.digest] {
        out.field(Some(value));
    }
    hmac(key, &out)
}
