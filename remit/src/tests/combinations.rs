//! Two answers of a payer to one claim: split, repeated, reversed, corrected, sent again and cut off, in one and in several
//! transactions and files, in every order of reading.

mod rows;

use super::history::{marked, part, share};
use super::{claim_payments, era, era_of, jane, run, skipped};
use crate::{Hold, Outcome, Skip};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use rows::{line, rows};

/// What must come out.
#[derive(Clone, Debug, PartialEq)]
enum Out {
    /// `billed_amount` and `denied_amount`.
    Written(&'static str, &'static str),
    Held(Hold),
    /// Nothing stands.
    Nothing,
}

use Out::{Held, Nothing, Written};

/// Where the two answers are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Layout {
    OneTransaction,
    /// The second a week later.
    Two,
    /// On one day, under different trace numbers. Nothing says which is later.
    SameTime,
    /// With one header, as where nothing is paid and the trace number is a dummy.
    SameHeader,
    OneCut,
    FirstCut,
    SecondCut,
    SameTimeCut,
    SameHeaderCut,
}

use Layout::{FirstCut, OneCut, OneTransaction, SameHeader, SameHeaderCut, SameTime, SameTimeCut, SecondCut, Two};

const LAYOUTS: [Layout; 9] =
    [OneTransaction, Two, SameTime, SameHeader, OneCut, FirstCut, SecondCut, SameTimeCut, SameHeaderCut];

struct Row {
    what: &'static str,
    answers: [String; 2],
    /// What comes out of one transaction, of two weeks, of two transactions of one time, and of two with one header.
    out: [Out; 4],
    /// If the first transaction is cut off. It holds all, unless the second one answers the same part.
    first_cut: Out,
    /// How many denials are replaced and reversed in two weeks.
    lost: [u64; 2],
}

impl Row {
    fn expected(&self, layout: Layout) -> Out {
        let [one, two, same_time, same_header] = &self.out;
        match layout {
            OneTransaction => one.clone(),
            Two => two.clone(),
            SameTime => same_time.clone(),
            SameHeader | SameHeaderCut => same_header.clone(),
            FirstCut => self.first_cut.clone(),
            OneCut | SecondCut | SameTimeCut => Held(Hold::CutOff),
        }
    }

    fn files(&self, layout: Layout) -> Vec<String> {
        let [first, second] = &self.answers;
        // After the last answer.
        let cut = |file: String| [file.split("SE*").next().unwrap_or_default(), "LX*2~\n"].concat();
        let traced = |file: String| file.replace("TRN*1*1*", "TRN*1*2*");
        let weeks = [era_of("ACME", "20260201", first), era_of("ACME", "20260208", second)];
        let [earlier, later] = weeks;
        let both = era(&[&**first, second].concat());
        // BPR02 is part of the header.
        let unpaid = |body: &str| {
            let file = era_of("ACME", "20260201", body);
            let (before, rest) = file.split_once("BPR*I*").unwrap();
            let (_, rest) = rest.split_once('*').unwrap();
            format!("{before}BPR*I*0*{rest}")
        };
        let same_time = traced(era_of("ACME", "20260201", second));
        match layout {
            OneTransaction => [both].into(),
            OneCut => [cut(both)].into(),
            Two => [earlier, later].into(),
            FirstCut => [cut(earlier), later].into(),
            SecondCut => [earlier, cut(later)].into(),
            SameTime => [earlier, same_time].into(),
            SameTimeCut => [earlier, cut(same_time)].into(),
            SameHeader => [unpaid(first), unpaid(second)].into(),
            SameHeaderCut => [unpaid(first), cut(unpaid(second))].into(),
        }
    }
}

/// What came out, without what was counted on the way.
fn out(outcome: &Outcome) -> Out {
    match (&*outcome.claims, &*outcome.held) {
        ([_], []) => {
            let amount = |name| super::field(outcome, name).as_str().unwrap().to_string();
            let amounts = [amount("billed_amount"), amount("denied_amount")];
            let known = ["100.00", "60.00", "40.00"];
            let found = amounts.map(|one| known.into_iter().find(|known| *known == one));
            let [Some(billed), Some(denied)] = found else { panic!("{outcome:?}") };
            Written(billed, denied)
        }
        ([], [held]) => Held(held.hold.clone()),
        ([], []) => Nothing,
        _ => panic!("{outcome:?}"),
    }
}

/// Every order of some files.
pub(super) fn orders(files: &[String]) -> Vec<Vec<&str>> {
    let Some((last, others)) = files.split_last() else {
        return [Vec::new()].into();
    };
    let shorter = orders(others);
    let longer = shorter.iter().flat_map(|order| {
        (0..files.len()).map(|at| {
            let mut order = order.clone();
            order.insert(at, last);
            order
        })
    });
    longer.collect()
}

/// Runs remittances in an order. Each CLP that was read is counted once.
pub(super) fn read(files: &[&str]) -> Outcome {
    let outcome = run(files);
    let read: u64 = files.iter().map(|file| claim_payments(file.as_bytes())).sum();
    let counted: u64 = outcome.files.iter().map(|file| file.counts.claim_payments).sum();
    assert_eq!(counted, read);
    outcome
}

#[test]
fn every_combination_comes_out_as_the_table_says() {
    for row in rows() {
        for layout in LAYOUTS {
            let what = format!("{}, {layout:?}", row.what);
            let files = row.files(layout);
            let expected = row.expected(layout);
            let again = files.iter().chain(&files[..1]);
            let again: Vec<String> = again.chain([&jane()]).cloned().collect();
            let once: Vec<String> = files.iter().chain([&jane()]).cloned().collect();
            for order in orders(&once) {
                let joined = read(&[&order.concat()]);
                assert_eq!(out(&joined), expected, "{what}, in one file");
            }
            for all in [once, again] {
                for order in orders(&all) {
                    let outcome = read(&order);
                    assert_eq!(out(&outcome), expected, "{what}: {order:#?}");
                    if layout == Two {
                        let lost = [Skip::Replaced, Skip::Reversed].map(|why| skipped(&outcome, why));
                        assert_eq!(lost, row.lost, "{what}");
                    }
                }
            }
        }
    }
}

/// Without the claim file, the total charge is not known.
#[test]
fn without_a_total_charge_only_marks_and_lines_tell_parts() {
    let births = jane().replace("CLM*A-1*", "CLM*B-1*");
    let whole = part("1", 0, "P-1", "50");
    let [sixty, forty] = [share("1", 60, 0, "P-1", "50"), share("1", 40, 0, "P-2", "96")];
    let paid = part("1", 100, "P-2", "");
    let with_line = |answer: &str| line(answer, "L1", 100, 0).replace("LQ*HE*MA15~", "");
    for (first, second, expected) in [
        (marked(&sixty), marked(&forty), Written("100.00", "100.00")),
        (sixty, forty, Held(Hold::PartsUnclear)),
        (whole.clone(), paid.clone(), Held(Hold::PartsUnclear)),
        (with_line(&whole), with_line(&paid), Nothing),
        (whole.clone(), part("1", 100, "P-1", ""), Nothing),
        // What was paid before makes no denial doubtful.
        (part("1", 100, "P-2", ""), whole, Written("100.00", "100.00")),
    ] {
        let weeks = [era_of("ACME", "20260201", &first), era_of("ACME", "20260208", &second)];
        for order in [[&weeks[0], &weeks[1]], [&weeks[1], &weeks[0]]] {
            let outcome = read(&[order[0], order[1], &births]);
            assert_eq!(out(&outcome), expected, "{first} {second}");
        }
    }
}
