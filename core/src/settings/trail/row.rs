//! A row of a trail, and how it is encoded.

use crate::base::instant::Instant;
use crate::base::time::Time;
use crate::plan::settings::trail::Trail;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use data_encoding::HEXLOWER;
use serde::Deserialize;
use sha2::Digest as _;
use sha2::Sha256;

/// What a row's encoding begins with.
pub(crate) const ROW: &str = "overturn trail 1";

/// What the first row holds in the place of the digest before it.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What a row says. `Debug` prints its id only.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Content<'a> {
    /// Its id.
    pub id: &'a str,
    /// When it was done.
    pub at: Instant,
    /// Who did it.
    pub actor: &'a str,
    /// What was done.
    pub action: &'a str,
    /// To which record.
    pub record: &'a str,
    /// In which request.
    pub request_id: &'a str,
    /// What else there is to say, as it is stored.
    pub detail: Option<&'a str>,
    /// From which address.
    pub address: Option<&'a str>,
    /// In which session.
    pub session_id: Option<&'a str>,
}

impl fmt::Debug for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Content({})", self.id)
    }
}

/// A row as it is stored. `Debug` prints its number and id only.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Row {
    /// Its number in the trail, from 1.
    pub sequence: i64,
    /// Its id.
    pub id: String,
    /// When it was done.
    pub at: Instant,
    /// Who did it.
    pub actor: String,
    /// What was done.
    pub action: String,
    /// To which record.
    pub record: String,
    /// In which request.
    pub request_id: String,
    /// What else there is to say, as it is stored.
    pub detail: Option<String>,
    /// From which address.
    pub address: Option<String>,
    /// In which session.
    pub session_id: Option<String>,
    /// What authenticates it. The operator's rows have none, and neither do those from before there were any.
    pub mac: Option<String>,
    /// The digest of the row before, once it is linked.
    pub previous: Option<String>,
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Row({}, {})", self.sequence, self.id)
    }
}

impl Row {
    /// What it says.
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

    /// The row as it is digested, behind a row with the digest `previous`.
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

    /// The digest of the row behind a row with the digest `previous`, as 64 hexadecimal digits.
    #[must_use]
    pub fn digest(&self, trail: Trail, previous: &str) -> String {
        HEXLOWER.encode(&Sha256::digest(self.encode(trail, previous)))
    }
}

/// Fields one after the other: each as the decimal number of its bytes, a colon and the bytes; `-` stands for one that is absent.
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

/// A place in a chain: everything up to a row, whose digest is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainPlace {
    /// The row's number, 0 before the first.
    pub sequence: i64,
    /// Its digest.
    pub digest: String,
}

impl ChainPlace {
    /// The place before the first row.
    #[must_use]
    pub fn start() -> Self {
        Self {
            sequence: 0,
            digest: GENESIS.into(),
        }
    }

    pub(super) const fn next(&self) -> i64 {
        self.sequence.saturating_add(1)
    }
}
