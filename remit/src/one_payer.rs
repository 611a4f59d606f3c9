//! Several denials of one claim. One payer may write the name in two ways, and several payers may deny it.

use crate::case::{Case, End};
use crate::lines::Lines;
use crate::parts::{self, PARTS_MAX, Relation};
use crate::reasons::{Hold, Skip};
use crate::record::Record;
use crate::transaction::{Time, Transaction};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Of one payer's denials of one claim, the latest counts if it answers the same parts. Of several payers', the primary
/// payer's is written. The cases are in that order.
pub(crate) fn one_payer(cases: &mut [Case<'_>], records: &[Record], transactions: &[Transaction], lines: &Lines) {
    let same = |one: &Case<'_>, other: &Case<'_>| {
        one.joined.hold.is_none() && (&one.number, one.patient, one.day) == (&other.number, other.patient, other.day)
    };
    for group in cases.chunk_by_mut(same) {
        if group.len() > 1 {
            spellings(group, records, transactions, lines);
            payers(group);
        }
    }
}

/// The payer and the time of the last answer of a case.
fn said(case: &Case<'_>, records: &[Record], transactions: &[Transaction]) -> Option<(u64, Time)> {
    let last = records.get(*case.records.last()?)?;
    let transaction = transactions.get(last.transaction())?;
    Some((transaction.payer_key, transaction.time()))
}

/// What one payer's latest denial does to its earlier ones with another spelling of the name.
fn spellings(group: &mut [Case<'_>], records: &[Record], transactions: &[Transaction], lines: &Lines) {
    let said: Vec<_> = group.iter().map(|case| said(case, records, transactions)).collect();
    let mut latest: BTreeMap<u64, (Time, usize)> = BTreeMap::new();
    for (at, said) in said.iter().enumerate() {
        let Some((payer, time)) = said else { continue };
        let last = latest.entry(*payer).or_insert((*time, at));
        *last = (*last).max((*time, at));
    }
    let mut ends = Vec::new();
    for (at, said) in said.iter().enumerate() {
        let last = said.and_then(|(payer, time)| Some((time, latest.get(&payer)?)));
        let Some((time, (last_time, last))) = last.filter(|(_, (_, last))| *last != at) else {
            continue;
        };
        let (Some(one), Some(other)) = (group.get(at), group.get(*last)) else {
            continue;
        };
        let hold = if one.transaction == other.transaction {
            Some(Hold::AnsweredTwice)
        } else if time == *last_time {
            Some(Hold::Contradiction)
        } else {
            (!is_replaced(one, other, records, lines)).then_some(Hold::PartsUnclear)
        };
        ends.push((at, *last, hold));
    }
    for (at, last, hold) in ends {
        for at in [at, last] {
            if let (Some(case), Some(hold)) = (group.get_mut(at), &hold) {
                case.doubt.get_or_insert_with(|| hold.clone());
            }
        }
        let replaced = group.get_mut(at).filter(|case| hold.is_none() && case.end == End::Open);
        if let Some(case) = replaced {
            case.end = End::Skip(Skip::Replaced);
        }
    }
}

/// True if each denied part of a case has a later answer.
fn is_replaced(case: &Case<'_>, later: &Case<'_>, records: &[Record], lines: &Lines) -> bool {
    let parts = |case: &Case<'_>| -> Vec<&Record> {
        let records = case.records.iter().filter_map(|at| records.get(*at));
        records.collect()
    };
    let (parts, later_parts) = (parts(case), parts(later));
    let total = later.joined.total();
    let is_answered = |part: &&Record| {
        let mut answers = later_parts.iter();
        answers.any(|answer| parts::relation(part, answer, total, lines) == Relation::Same)
    };
    let are_few = parts.len().max(later_parts.len()) <= PARTS_MAX;
    let mut denied = parts.iter().filter(|part| part.denial().is_some());
    are_few && case.doubt.is_none() && denied.all(is_answered)
}

/// The first payer's denial counts, unless it is doubtful.
fn payers(group: &mut [Case<'_>]) {
    let open = group.iter_mut().filter(|case| case.end == End::Open);
    let mut open: Vec<_> = open.collect();
    let [first, others @ ..] = &mut *open else {
        return;
    };
    for other in others {
        match &first.doubt {
            Some(doubt) => other.doubt = Some(doubt.clone()),
            None => other.end = End::Skip(Skip::PrimaryDenied),
        }
    }
}
