//! Decides on the denials after all files were read.

use crate::amount::Amount;
use crate::case::{self, Case, End};
use crate::claims::Context;
use crate::coverage::{Denied, Settled, Stands};
use crate::explain::{self, Traces};
use crate::fate::Fate;
use crate::history::{self, History};
use crate::one_payer::one_payer;
use crate::options::Options;
use crate::outcome::{Outcome, WrittenClaim};
use crate::read::Store;
use crate::reasons::{Hold, Skip};
use crate::record::{Entry, Record};
use crate::report::{FileReport, Warning};
use crate::submission::Index;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Decides on all denials. The claims to send go to `sink`.
pub(crate) fn finish(mut store: Store, options: &Options, sink: &mut dyn FnMut(WrittenClaim)) -> Outcome {
    store.index.sort();
    let Store { index, transactions, mut records, lines, mut files, mut traces, explain, by_digest, seen, classes: _ } =
        store;
    drop((by_digest, seen));
    fill_days(&mut records, &index);
    let History { standing, paid, fates } = {
        let context = Context { transactions: &transactions, lines: &lines, index: &index };
        history::history(&records, context)
    };
    count_fates(&records, &fates, &mut files, &mut traces);
    let mut cases: Vec<Case<'_>> =
        standing.iter().filter_map(|adjudication| case::case(adjudication, &records, &index, options)).collect();
    let numbers = cases.iter().map(|case| &*case.joined.number);
    let stands = Stands::new(numbers, &standing, &paid, &records, &transactions);
    for case in &mut cases {
        let payer_key = transactions.get(case.transaction).map_or(0, |one| one.payer_key);
        let reported = records.get(case.first).map_or(0, |record| record.patient);
        let denied = Denied {
            number: &case.joined.number,
            payer_key,
            patients: [reported, case.patient],
            day: case.day,
            amount: case.amount,
        };
        if case.joined.hold.is_none() {
            match stands.settled(denied) {
                Settled::Yes => case.end = End::Skip(Skip::Settled),
                Settled::Maybe(hold) => {
                    case.doubt.get_or_insert_with(|| hold.clone());
                }
                Settled::No => {}
            }
        }
    }
    drop(stands);
    cases.sort_by(|one, other| {
        let order = |case: &Case<'_>| {
            let transaction = transactions.get(case.transaction)?;
            Some((transaction.time(), &*transaction.payer, transaction.digest))
        };
        let key = |case: &Case<'_>| (case.patient, case.day, case.rank);
        let names = one.number.cmp(&other.number).then_with(|| key(one).cmp(&key(other)));
        let orders = names.then_with(|| order(one).cmp(&order(other)));
        let place = |case: &Case<'_>| {
            let first = records.get(case.first);
            let said = first.map(|record| (record.patient, record.charge, record.payer_number));
            (first.map(|record| record.ordinal), said, first.map(|record| record.digest))
        };
        orders.then_with(|| place(one).cmp(&place(other)))
    });
    one_payer(&mut cases, &records, &transactions, &lines);
    hold_shared(&mut cases);
    hold_doubtful(&mut cases);
    let mut outcome = Outcome::default();
    for case in &mut cases {
        case::write(case, &records, &transactions, options, &mut outcome, sink);
        count(case, &records, &mut files, &mut traces);
    }
    outcome.missing_births.sort();
    outcome.missing_births.dedup_by(|one, other| one.key == other.key);
    outcome.explanation = explanation(&records, traces, explain.as_deref(), &cases);
    outcome.files = files;
    outcome
}

/// A payment without a day of service takes that of the claim with its number.
fn fill_days(records: &mut [Record], index: &Index) {
    for record in records.iter_mut().filter(|record| record.day.is_none()) {
        record.day = index.day(&record.number, record.patient);
    }
}

/// Counts the denials that later decisions took away.
fn count_fates(records: &[Record], fates: &[Fate], files: &mut [FileReport], traces: &mut Traces) {
    for (at, (record, fate)) in records.iter().zip(fates).enumerate() {
        let Some(file) = files.get_mut(record.file()) else {
            continue;
        };
        match fate {
            Fate::Lost(reason) => {
                if record.entry == Entry::Denial {
                    file.counts.skip(*reason, 1, record.denied());
                }
                traces.add(at, || format!("not written: {}", reason.text()));
            }
            Fate::Unmatched => {
                file.warn(Warning::UnmatchedReversal, 0);
                traces.add(at, || "no file has the adjudication that it reverses".into());
            }
            Fate::Stands | Fate::Silent | Fate::Reversal => {}
        }
    }
}

/// Holds the denials of different patients or days under one number.
fn hold_shared(cases: &mut [Case<'_>]) {
    for group in cases.chunk_by_mut(|one, other| one.number == other.number) {
        let open = group.iter_mut().filter(|case| case.end == End::Open);
        let open: Vec<_> = open.collect();
        if open.len() > 1 {
            for case in open {
                case.end = End::Hold(case.doubt.take().unwrap_or(Hold::SharedNumber));
            }
        }
    }
}

/// Holds the denials that may not be the payer's last word.
fn hold_doubtful(cases: &mut [Case<'_>]) {
    for case in cases.iter_mut().filter(|case| case.end == End::Open) {
        if let Some(hold) = case.doubt.take() {
            case.end = End::Hold(hold);
        }
    }
}

/// Counts the parts of a case in their files. The case counts once, for its first denied part.
fn count(case: &Case<'_>, records: &[Record], files: &mut [FileReport], traces: &mut Traces) {
    for at in &case.records {
        let Some(record) = records.get(*at) else {
            continue;
        };
        let Some(file) = files.get_mut(record.file()) else {
            continue;
        };
        let amount = record.denied();
        let is_denial = record.denial().is_some();
        let once = u64::from(*at == case.first);
        match &case.end {
            End::Written => file.counts.written.add(once, amount),
            End::Hold(_) | End::Open => file.counts.held.add(once, amount),
            End::Skip(reason) => file.counts.skip(*reason, once, amount),
        }
        if is_denial && once == 0 {
            file.counts.skip(Skip::Split, 1, Amount::ZERO);
        }
        traces.add(*at, || explain::claim(&case.joined));
        traces.add(*at, || explain::birth(&case.joined));
        traces.add(*at, || match &case.end {
            End::Written => format!("written as {}, denied {}", case.number, case.amount),
            End::Hold(hold) => format!("held: {}", hold.text()),
            End::Open => "held".into(),
            End::Skip(reason) => format!("not written: {}", reason.text()),
        });
    }
}

/// The steps of the payments of a claim number.
fn explanation(records: &[Record], traces: Traces, number: Option<&str>, cases: &[Case<'_>]) -> Vec<String> {
    let Some(number) = number else {
        return Vec::new();
    };
    let of_case = |at: usize| {
        let case = cases.iter().find(|case| case.records.contains(&at));
        case.map(|case| case.number == number || case.joined.number == number)
    };
    let mut wanted = Vec::new();
    for (at, steps) in traces.0 {
        let is_same = records.get(at).is_some_and(|record| &*record.number == number);
        if of_case(at).unwrap_or(is_same) || is_same {
            wanted.push(steps);
        }
    }
    wanted.sort();
    wanted.concat()
}
