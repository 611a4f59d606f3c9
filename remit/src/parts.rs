//! Whether two answers of a payer are about the same part of a claim, and whether several parts make one claim.
//!
//! A payer may split a claim and answer its parts apart. MA15 says so. Otherwise the total charge of the claim tells.

use crate::amount::Amount;
use crate::lines::{Lines, has_all, overlap};
use crate::reasons::Hold;
use crate::record::Record;

/// The most parts of a claim that are compared. A claim with more is held.
pub(crate) const PARTS_MAX: usize = 20;

/// How a later answer stands to an earlier one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// It answers the same part.
    Same,
    /// It answers another part, or one that is not known to be the same.
    Other,
    /// It has the same claim number of the payer, but it is marked as a part and has other lines.
    Unclear,
}

/// The same part is meant by the same claim number of the payer (CLP07), by the same lines, and by an answer to the claim as a
/// whole. Lines without control numbers may be twins.
pub(crate) fn relation(earlier: &Record, later: &Record, total: Option<Amount>, lines: &Lines) -> Relation {
    if !later.is_part && later.says_as(earlier, lines) {
        return Relation::Same;
    }
    let [old, new] = [earlier, later].map(|record| lines.of(record.lines));
    let has_lines = !old.is_empty() && !new.is_empty();
    if later.payer_number != 0 && later.payer_number == earlier.payer_number {
        let is_part = earlier.is_part || later.is_part;
        return if is_part && has_lines && !overlap(old, new) { Relation::Unclear } else { Relation::Same };
    }
    if has_lines && has_all(new, old) {
        let are_parts = earlier.is_part && later.is_part;
        let add_up = total == Some(earlier.charge.plus(later.charge));
        return if !later.is_controlled && (are_parts || add_up) { Relation::Other } else { Relation::Same };
    }
    if total == Some(later.charge) && !later.is_part {
        return Relation::Same;
    }
    Relation::Other
}

/// Why these answers cannot be added up. Of parts that are marked (MA15), one may have no mark: the first or the last.
pub(crate) fn doubt(parts: &[&Record], total: Option<Amount>, lines: &Lines) -> Option<Hold> {
    let [first, others @ ..] = parts else {
        return None;
    };
    if others.is_empty() {
        return None;
    }
    let mut members = parts.iter().map(|part| part.member).filter(|id| *id != 0);
    let member = members.next();
    if members.any(|other| Some(other) != member) {
        return Some(Hold::MemberIdsDiffer);
    }
    if parts.len() > PARTS_MAX || any_overlap(parts, lines) {
        return Some(Hold::PartsUnclear);
    }
    let sum: Amount = parts.iter().map(|part| part.charge).collect();
    let are_marked = parts.iter().filter(|part| !part.is_part).count() < 2;
    let is_one = others.iter().all(|part| part.transaction == first.transaction);
    match total {
        Some(total) if sum == total || (are_marked && sum < total) => None,
        None if are_marked => None,
        Some(_) if are_marked || is_one => Some(Hold::SplitSum),
        _ => Some(Hold::PartsUnclear),
    }
}

fn any_overlap(parts: &[&Record], lines: &Lines) -> bool {
    let mut rest = parts;
    while let [first, others @ ..] = rest {
        let of_first = lines.of(first.lines);
        if others.iter().any(|other| overlap(of_first, lines.of(other.lines))) {
            return true;
        }
        rest = others;
    }
    false
}
