//! The chain of an audit trail: each row holds the digest of the row before it.
//!
//! ```text
//! digest = SHA-256(encoding of the row, which ends with the digest of the row before)
//! ```
//!
//! The digests are a function of the rows in their order and of nothing else. So they are filled in behind the commits, by whoever
//! comes first: two who do it at once write the same. [`link`] fills them in, [`verify`] checks them. The last row of a chain is
//! written down with a MAC ([`Head`]), because somebody who can write to the database could make a whole chain anew. Each row has a
//! MAC of its own from the moment it is written ([`TrailKeys::row_mac`]), which says that the service wrote it.
//!
//! [`Row::encode`] is the encoding, which `docs/TRAIL.md` describes for practices that check an export themselves.

pub mod events;
mod export;
mod key;
mod view;

#[cfg(test)]
mod tests;

pub use export::{Export, LIMIT_MAX as EXPORT_MAX, line};
pub use key::{Proof, TrailKeys};
pub use view::{Start, VerifyView, view};

use crate::base::id::PracticeId;
use crate::base::instant::Instant;
use crate::base::sealed::KeyVersion;
use crate::base::time::Time;
use crate::base::token::hex;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// What a row's encoding begins with.
const ROW: &str = "overturn trail 1";
/// What the first row holds in the place of the digest before it.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Whose trail it is. Its text is the practice's id, or `staff` for what concerns the staff or the whole service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trail(pub Option<PracticeId>);

impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(practice) => practice.fmt(f),
            None => f.write_str("staff"),
        }
    }
}

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
        hex(&Sha256::digest(self.encode(trail, previous)))
    }
}

/// Fields one after the other: each as the decimal number of its bytes, a colon and the bytes; `-` stands for one that is absent.
struct Encoder(Vec<u8>);

impl Encoder {
    fn new(what: &str) -> Self {
        let mut out = Self(Vec::with_capacity(512));
        out.field(Some(what));
        out
    }

    fn field(&mut self, value: Option<&str>) {
        match value {
            None => self.0.push(b'-'),
            Some(value) => {
                self.0.extend_from_slice(value.len().to_string().as_bytes());
                self.0.push(b':');
                self.0.extend_from_slice(value.as_bytes());
            }
        }
    }

    fn content(&mut self, of: &Content<'_>) {
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

/// The last row that is linked, as it is stored.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Head {
    /// The row's number.
    pub sequence: i64,
    /// Its digest.
    pub digest: String,
    /// The key that the MAC is under.
    pub key_version: KeyVersion,
    /// What authenticates it.
    pub mac: String,
}

/// A place in a chain: everything up to a row, whose digest is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The row's number, 0 before the first.
    pub sequence: i64,
    /// Its digest.
    pub digest: String,
}

impl Place {
    /// The place before the first row.
    #[must_use]
    pub fn start() -> Self {
        Self {
            sequence: 0,
            digest: GENESIS.into(),
        }
    }

    const fn next(&self) -> i64 {
        self.sequence.saturating_add(1)
    }
}

/// Why a trail is not as it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// There is no row of this number.
    Missing,
    /// The row, or one before it, does not have the digest that it had.
    Changed,
    /// The row has a MAC that the service did not make.
    Forged,
    /// What is known of the end of the chain does not fit the chain.
    HeadChanged,
    /// The service does not have the key of the MAC.
    KeyUnknown,
}

/// The first row of a trail that is not as it was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Broken {
    /// Its number.
    pub sequence: i64,
    /// Its id, where there is a row.
    pub id: Option<String>,
    /// What is wrong.
    pub reason: Why,
}

impl Broken {
    const fn at(sequence: i64, reason: Why) -> Self {
        Self {
            sequence,
            id: None,
            reason,
        }
    }

    fn row(row: &Row, reason: Why) -> Self {
        Self {
            id: Some(row.id.clone()),
            ..Self::at(row.sequence, reason)
        }
    }
}

/// What linking comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linked {
    /// The ids of the rows, each with the digest of the row before it.
    pub rows: Vec<(String, String)>,
    /// The head from now on, where there is a new one.
    pub head: Option<Head>,
    /// The row at which linking stops, if it is not as it was written.
    pub broken: Option<Broken>,
}

/// Links the rows that follow the head, in their order. It stops at a row that does not follow, or that the service did not write.
#[must_use]
pub fn link(trail: Trail, head: Option<&Head>, rows: &[Row], keys: &TrailKeys) -> Linked {
    let mut linked = Linked {
        rows: Vec::new(),
        head: None,
        broken: None,
    };
    let mut place = Place::start();
    if let Some(head) = head {
        place.sequence = head.sequence;
        place.digest.clone_from(&head.digest);
        linked.broken = check_head(trail, head, keys);
    } else if let Some(row) = rows.iter().find(|row| row.previous.is_some()) {
        // Digests and the head are written in one batch. A digest without a head means that somebody removed the head.
        linked.broken = Some(Broken::at(row.sequence, Why::HeadChanged));
    }
    for row in rows {
        if linked.broken.is_some() {
            break;
        }
        linked.broken = follows(row, &place).or_else(|| match keys.check_row(trail, row) {
            Proof::Right | Proof::Absent => None,
            Proof::Wrong => Some(Broken::row(row, Why::Forged)),
            Proof::KeyUnknown => Some(Broken::row(row, Why::KeyUnknown)),
        });
        if linked.broken.is_none() {
            let digest = row.digest(trail, &place.digest);
            linked.rows.push((row.id.clone(), place.digest));
            place = Place {
                sequence: row.sequence,
                digest,
            };
        }
    }
    if !linked.rows.is_empty() {
        linked.head = keys.head(trail, &place);
    }
    linked
}

/// Whether a row is the next one, as far as it says.
fn follows(row: &Row, place: &Place) -> Option<Broken> {
    if row.sequence != place.next() {
        return Some(Broken::at(place.next(), Why::Missing));
    }
    let previous = row.previous.as_ref();
    let other = previous.is_some_and(|previous| *previous != place.digest);
    other.then(|| Broken::row(row, Why::Changed))
}

/// How far a trail was verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Up to here it is as it was written.
    pub place: Place,
    /// How many rows were checked.
    pub rows: usize,
    /// How many of them have no MAC.
    pub without_mac: usize,
    /// The first row that is not as it was written.
    pub broken: Option<Broken>,
    /// The first row that is not linked was seen: there is nothing more to check.
    pub is_end: bool,
}

impl Checked {
    /// Nothing was checked yet; it is to begin behind a place.
    #[must_use]
    pub const fn behind(place: Place) -> Self {
        Self {
            place,
            rows: 0,
            without_mac: 0,
            broken: None,
            is_end: false,
        }
    }
}

/// Verifies the linked rows that follow. Without keys, only what is in the rows is compared.
pub fn verify(trail: Trail, checked: &mut Checked, rows: &[Row], keys: Option<&TrailKeys>) {
    for row in rows {
        if checked.broken.is_some() || checked.is_end {
            return;
        }
        if row.previous.is_none() && row.sequence == checked.place.next() {
            checked.is_end = true;
            return;
        }
        checked.broken = follows(row, &checked.place).or_else(|| {
            // Where the key is gone, the chain answers for the row: it was checked when it was linked.
            let proof = keys.map(|keys| keys.check_row(trail, row));
            (proof == Some(Proof::Wrong)).then(|| Broken::row(row, Why::Forged))
        });
        if checked.broken.is_none() {
            checked.rows = checked.rows.saturating_add(1);
            let absent = usize::from(row.mac.is_none());
            checked.without_mac = checked.without_mac.saturating_add(absent);
            checked.place = Place {
                sequence: row.sequence,
                digest: row.digest(trail, &checked.place.digest),
            };
        }
    }
}

/// Compares the end of what was verified with the head.
#[must_use]
pub fn finish(
    trail: Trail,
    checked: &Checked,
    head: Option<&Head>,
    keys: Option<&TrailKeys>,
) -> Option<Broken> {
    let place = &checked.place;
    let Some(head) = head else {
        let begun = place.sequence > 0;
        return begun.then(|| Broken::at(place.sequence, Why::HeadChanged));
    };
    if place.sequence < head.sequence {
        let why = if checked.is_end {
            Why::Changed
        } else {
            Why::Missing
        };
        return Some(Broken::at(place.next(), why));
    }
    if place.sequence > head.sequence || place.digest != head.digest {
        return Some(Broken::at(head.sequence, Why::HeadChanged));
    }
    keys.and_then(|keys| check_head(trail, head, keys))
}

fn check_head(trail: Trail, head: &Head, keys: &TrailKeys) -> Option<Broken> {
    let why = match keys.check_head(trail, head) {
        Proof::Right => return None,
        Proof::KeyUnknown => Why::KeyUnknown,
        Proof::Wrong | Proof::Absent => Why::HeadChanged,
    };
    Some(Broken::at(head.sequence, why))
}
