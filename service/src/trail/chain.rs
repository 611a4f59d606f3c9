//! Linking and verifying the rows of a chain.

#[cfg(test)]
mod tests;

use super::key::{Proof, TrailKeys};
use super::whose::{ChainHead, Trail};
use crate::trail::row::{ChainPlace, TrailRow};
use overturn_core::names;
use serde::Serialize;

names! {
    /// Why the verification of a trail fails.
    Why {
        /// There is no row with this number.
        Missing = "missing",
        /// The row or an earlier one does not have its original digest.
        Changed = "changed",
        /// The row has a MAC that the service did not make.
        Forged = "forged",
        /// The stored head does not match the chain.
        HeadChanged = "head_changed",
        /// The service does not have the key of the MAC.
        KeyUnknown = "key_unknown",
    }
}

/// The first row of a trail that fails the verification.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Broken {
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub sequence: i64,
    /// `null` if there is no such row.
    pub id: Option<String>,
    /// - `missing`: no row has this number
    /// - `changed`: the row, or the row before it, does not match its digest
    /// - `forged`: the row does not have the code that the service made for it
    /// - `head_changed`: the end of the chain is not the one that the service stored
    /// - `key_unknown`: the service does not have the key for this check
    pub reason: Why,
}

impl Broken {
    const fn at(sequence: i64, reason: Why) -> Self {
        Self { sequence, id: None, reason }
    }

    fn row(row: &TrailRow, reason: Why) -> Self {
        Self { id: Some(row.id.clone()), ..Self::at(row.sequence, reason) }
    }
}

/// The result of linking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linked {
    /// The ids of the rows, each with the digest of the row before it.
    pub rows: Vec<(String, String)>,
    /// The new head, if there is one.
    pub head: Option<ChainHead>,
    /// The row at which linking stops, if it fails the verification.
    pub broken: Option<Broken>,
}

/// Signs heads again with the current key, if their stored code is right. `heads` are trails by their text, each with
/// its head. Each comes with the head that it was.
#[must_use]
pub fn renew<'a>(heads: &'a [(String, ChainHead)], keys: &TrailKeys) -> Vec<(Trail, &'a ChainHead, ChainHead)> {
    let renewed = heads.iter().filter_map(|(of, was)| {
        let trail = Trail::parse(of)?;
        let place = ChainPlace { sequence: was.sequence, digest: was.digest.clone() };
        let is_right = keys.check_head(trail, was) == Proof::Right;
        let head = keys.head(trail, &place).filter(|_| is_right)?;
        Some((trail, was, head))
    });
    renewed.collect()
}

/// Links the rows after the head, in order. It stops at a row that does not follow, or that the service did not write.
#[must_use]
pub fn link(trail: Trail, head: Option<&ChainHead>, rows: &[TrailRow], keys: &TrailKeys) -> Linked {
    let mut linked = Linked { rows: Vec::new(), head: None, broken: None };
    let mut place = ChainPlace::start();
    if let Some(head) = head {
        place.sequence = head.sequence;
        place.digest.clone_from(&head.digest);
        linked.broken = check_head(trail, head, keys);
    } else if let Some(row) = rows.iter().find(|row| row.previous.is_some()) {
        // One batch writes digests and the head. A digest without a head means that the head was removed.
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
            place = ChainPlace { sequence: row.sequence, digest };
        }
    }
    if !linked.rows.is_empty() {
        linked.head = keys.head(trail, &place);
    }
    linked
}

/// Checks that a row is the next one, by its own fields.
fn follows(row: &TrailRow, place: &ChainPlace) -> Option<Broken> {
    if row.sequence != place.next() {
        return Some(Broken::at(place.next(), Why::Missing));
    }
    let previous = row.previous.as_ref();
    let other = previous.is_some_and(|previous| *previous != place.digest);
    other.then(|| Broken::row(row, Why::Changed))
}

/// The progress of a verification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The last verified place.
    pub place: ChainPlace,
    /// How many rows were checked.
    pub rows: usize,
    /// How many of them have no MAC.
    pub without_mac: usize,
    /// The first row that fails.
    pub broken: Option<Broken>,
    /// True if the first unlinked row was reached, so that there is nothing more to check.
    pub is_end: bool,
}

impl Checked {
    /// The start of a verification after a place.
    #[must_use]
    pub const fn behind(place: ChainPlace) -> Self {
        Self { place, rows: 0, without_mac: 0, broken: None, is_end: false }
    }
}

/// Verifies the linked rows that follow. Without keys, only the digests are compared.
pub fn verify(trail: Trail, checked: &mut Checked, rows: &[TrailRow], keys: Option<&TrailKeys>) {
    for row in rows {
        if checked.broken.is_some() || checked.is_end {
            return;
        }
        if row.previous.is_none() && row.sequence == checked.place.next() {
            checked.is_end = true;
            return;
        }
        checked.broken = follows(row, &checked.place).or_else(|| {
            // If the key is gone, the chain vouches for the row, which was checked when it was linked.
            let proof = keys.map(|keys| keys.check_row(trail, row));
            (proof == Some(Proof::Wrong)).then(|| Broken::row(row, Why::Forged))
        });
        if checked.broken.is_none() {
            checked.rows = checked.rows.saturating_add(1);
            let absent = usize::from(row.mac.is_none());
            checked.without_mac = checked.without_mac.saturating_add(absent);
            checked.place = ChainPlace { sequence: row.sequence, digest: row.digest(trail, &checked.place.digest) };
        }
    }
}

/// Compares the end of the verified rows with the head.
#[must_use]
pub fn finish(trail: Trail, checked: &Checked, head: Option<&ChainHead>, keys: Option<&TrailKeys>) -> Option<Broken> {
    let place = &checked.place;
    let Some(head) = head else {
        let begun = place.sequence > 0;
        return begun.then(|| Broken::at(place.sequence, Why::HeadChanged));
    };
    if place.sequence < head.sequence {
        let why = if checked.is_end { Why::Changed } else { Why::Missing };
        return Some(Broken::at(place.next(), why));
    }
    if place.sequence > head.sequence || place.digest != head.digest {
        return Some(Broken::at(head.sequence, Why::HeadChanged));
    }
    keys.and_then(|keys| check_head(trail, head, keys))
}

fn check_head(trail: Trail, head: &ChainHead, keys: &TrailKeys) -> Option<Broken> {
    let why = match keys.check_head(trail, head) {
        Proof::Right => return None,
        Proof::KeyUnknown => Why::KeyUnknown,
        Proof::Wrong | Proof::Absent => Why::HeadChanged,
    };
    Some(Broken::at(head.sequence, why))
}
