//! A row of a trail, and its encoding.

use super::whose::Trail;
use data_encoding::HEXLOWER;
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use serde::Deserialize;
use sha2::Digest as _;
use sha2::Sha256;
use std::fmt;

/// The start of a row's encoding.
pub(crate) const ROW: &str = "overturn trail 1";

/// The first row has this in place of an earlier digest.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The content of a row. `Debug` prints only its id.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Content<'a> {
    pub id: &'a str,
    pub at: Instant,
    pub actor: &'a str,
    pub action: &'a str,
    pub record: &'a str,
    pub request_id: &'a str,
    /// Further details, as stored.
    pub detail: Option<&'a str>,
    pub address: Option<&'a str>,
    pub session_id: Option<&'a str>,
}

impl fmt::Debug for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Content({})", self.id)
    }
}

/// A stored row. `Debug` prints only its number and id.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct TrailRow {
    /// Its number in the trail, from 1.
    pub sequence: i64,
    pub id: String,
    pub at: Instant,
    pub actor: String,
    pub action: String,
    pub record: String,
    pub request_id: String,
    /// Further details, as stored.
    pub detail: Option<String>,
    pub address: Option<String>,
    pub session_id: Option<String>,
    /// Its MAC. The operator's rows have none.
    pub mac: Option<String>,
    /// The digest of the row before, after linking.
    pub previous: Option<String>,
}

impl fmt::Debug for TrailRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TrailRow({}, {})", self.sequence, self.id)
    }
}

impl TrailRow {
    #[must_use]
    pub fn content(&self) -> Content<'_> {
        Content {
            id: &self.id,
            at: self.at,
            actor: &self.actor,
            action: &self.action,
            record: &self.record,
            request_id: &self.request_id,
            detail: self.detail.as_deref(),
            address: self.address.as_deref(),
            session_id: self.session_id.as_deref(),
        }
    }

    /// The encoding of the row for its digest, after a row with the digest `previous`.
    #[must_use]
    pub fn encode(&self, trail: Trail, previous: &str) -> Vec<u8> {
        let mut out = Encoder::new(ROW);
        out.field(Some(&trail.to_string()));
        out.field(Some(&self.sequence.to_string()));
        out.content(&self.content());
        out.field(self.mac.as_deref());
        out.field(Some(previous));
        out.0
    }

    /// The digest of the row after a row with the digest `previous`, as 64 hexadecimal digits.
    #[must_use]
    pub fn digest(&self, trail: Trail, previous: &str) -> String {
        HEXLOWER.encode(&Sha256::digest(self.encode(trail, previous)))
    }
}

/// Encodes fields one after the other: each as the decimal number of its bytes, a colon and the bytes; `-` stands for
/// an absent one.
pub(crate) struct Encoder(pub(super) Vec<u8>);

impl Encoder {
    pub(super) fn new(what: &str) -> Self {
        let mut out = Self(Vec::with_capacity(512));
        out.field(Some(what));
        out
    }

    pub(super) fn field(&mut self, value: Option<&str>) {
        match value {
            None => self.0.push(b'-'),
            Some(value) => {
                self.0.extend_from_slice(value.len().to_string().as_bytes());
                self.0.push(b':');
                self.0.extend_from_slice(value.as_bytes());
            }
        }
    }

    pub(super) fn content(&mut self, of: &Content<'_>) {
        self.field(Some(of.id));
        self.field(Some(&Time(of.at).to_string()));
        for value in [of.actor, of.action, of.record, of.request_id] {
            self.field(Some(value));
        }
        for value in [of.detail, of.address, of.session_id] {
            self.field(value);
        }
    }
}

/// A place in a chain: a row with a known digest, and everything before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainPlace {
    /// The row's number, 0 before the first.
    pub sequence: i64,
    pub digest: String,
}

impl ChainPlace {
    /// The place before the first row.
    #[must_use]
    pub fn start() -> Self {
        Self { sequence: 0, digest: GENESIS.into() }
    }

    pub(super) const fn next(&self) -> i64 {
        self.sequence.saturating_add(1)
    }
}
