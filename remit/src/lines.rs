//! The service lines of claim payments, as keys that compare them within one run.

use crate::remittance::ClaimPayment;
use crate::text;
use alloc::vec::Vec;

/// The lines of all records, one after the other. Those of a record are sorted.
#[derive(Default)]
pub(crate) struct Lines(Vec<u32>);

impl Lines {
    /// Adds the lines of a claim payment. Returns their place and number.
    pub(crate) fn add(&mut self, claim: &ClaimPayment) -> (u32, u16) {
        let from = self.0.len();
        let began = claim.service_began;
        let keys = claim.lines.iter().map(|line| {
            let day = line.began.or(began).map_or(0, |day| day.digits());
            let about = text::hash(&[claim.bytes(line.control)]) ^ line.service.rotate_left(32);
            let sums = line.charge.0.cast_unsigned() ^ (u64::from(day) << 40);
            low(mixed(about ^ mixed(sums)))
        });
        self.0.extend(keys);
        let added = self.0.get_mut(from..).unwrap_or_default();
        added.sort_unstable();
        let count = u16::try_from(added.len()).unwrap_or(u16::MAX);
        (u32::try_from(from).unwrap_or(u32::MAX), count)
    }

    /// The lines at a place, as many as this number.
    pub(crate) fn of(&self, (from, count): (u32, u16)) -> &[u32] {
        let from = text::place(from);
        let end = from.saturating_add(usize::from(count));
        self.0.get(from..end).unwrap_or_default()
    }
}

/// True if the lines are also among the others, as often as they come.
pub(crate) fn has_all(others: &[u32], lines: &[u32]) -> bool {
    if lines.len() > others.len() {
        return false;
    }
    let mut others = others.iter();
    lines.iter().all(|line| others.any(|other| other == line))
}

/// True if a line is among the others. The shorter list is looked up in the longer one.
pub(crate) fn overlap(one: &[u32], other: &[u32]) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.iter().any(|line| long.binary_search(line).is_ok())
}

/// A hash of a member id, 0 if there is none.
pub(crate) fn member(id: &[u8]) -> u32 {
    if id.is_empty() {
        return 0;
    }
    low(text::hash(&[id])).max(1)
}

/// Spreads a number over all bits (SplitMix64).
const fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[expect(clippy::cast_possible_truncation, reason = "a half is as good a hash")]
const fn low(hash: u64) -> u32 {
    hash as u32
}
