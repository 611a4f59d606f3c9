//! Two payers and one claim: what the other payer settled, and whose denial is written.

use crate::amount::Amount;
use crate::day::Day;
use crate::fate::Adjudication;
use crate::reasons::Hold;
use crate::record::Record;
use crate::text::{self, CUT, cut, place};
use crate::transaction::Transaction;
use alloc::vec::Vec;
use hashbrown::HashTable;

/// What one payer's decision that stands says about a claim.
#[derive(Clone, Copy)]
pub(crate) struct Stand<'a> {
    pub(crate) number: &'a str,
    pub(crate) payer_key: u64,
    pub(crate) patient: u64,
    pub(crate) day: Option<Day>,
    pub(crate) covered: Amount,
    pub(crate) left: Amount,
    /// Why it may not be what the payer said: answers that may not add up, or a transaction that breaks off.
    pub(crate) doubt: Option<&'a Hold>,
}

/// Whether another payer settled what was denied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Settled<'a> {
    No,
    /// Only if there is nothing behind this doubt.
    Maybe(&'a Hold),
    Yes,
}

/// The decisions that stand, by claim number: those that may concern a denial.
pub(crate) struct Stands<'a>(Vec<Stand<'a>>);

impl<'a> Stands<'a> {
    /// The decisions under these claim numbers, cut or not. `paid` are the records that stand and deny nothing.
    pub(crate) fn new<'n>(
        numbers: impl Iterator<Item = &'n str>,
        standing: &'a [Adjudication],
        paid: &[u32],
        records: &'a [Record],
        transactions: &[Transaction],
    ) -> Self {
        let mut wanted: Vec<u64> = numbers.flat_map(cuts).flatten().map(hash).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut is_wanted = HashTable::with_capacity(wanted.len());
        for hash in wanted {
            is_wanted.insert_unique(hash, hash, |hash| *hash);
        }
        let of = |parts: &[usize], doubt: Option<&'a Hold>| {
            let mut parts = parts.iter().filter_map(|at| records.get(*at));
            let first = parts.next()?;
            let number = text::hash(&[first.number.as_bytes()]);
            is_wanted.find(number, |hash| *hash == number)?;
            let start = Stand {
                number: &first.number,
                payer_key: transactions.get(first.transaction())?.payer_key,
                patient: first.patient,
                day: first.day,
                covered: first.covered,
                left: first.left,
                doubt,
            };
            Some(parts.fold(start, |stand, part| Stand {
                covered: stand.covered.plus(part.covered),
                left: stand.left.plus(part.left),
                ..stand
            }))
        };
        // Of answers that may repeat each other, each counts by itself, and their sum may count.
        let standing = standing.iter().flat_map(|one| {
            let doubt = one.doubt.as_ref().filter(|hold| **hold != Hold::LaterAnswer);
            let is_certain = !matches!(doubt, None | Some(Hold::CutOff | Hold::Contradiction));
            let each = one.records.iter().filter(move |_| is_certain);
            let each = each.filter_map(|at| of(&[*at], None));
            each.chain(of(&one.records, doubt))
        });
        let paid = paid.iter().filter_map(|at| {
            let record = records.get(place(*at))?;
            let transaction = transactions.get(record.transaction())?;
            let is_complete = transaction.is_complete(*at, record.ordinal);
            of(&[place(*at)], (!is_complete).then_some(&Hold::CutOff))
        });
        let mut stands: Vec<_> = standing.chain(paid).collect();
        stands.sort_by_key(|stand| stand.number);
        Self(stands)
    }

    /// Whether another payer settled what was denied: its payment and contractual adjustments cover the amount, and what it
    /// left open is less. A primary payer that paid most of a charge does not settle the secondary's denial of the rest.
    pub(crate) fn settled(&self, denial: Denied<'_>) -> Settled<'a> {
        let numbers = cuts(denial.number).into_iter().flatten();
        let found = numbers.flat_map(|number| {
            let from = self.0.partition_point(|stand| stand.number < number);
            let others = self.0.iter().skip(from).take_while(move |stand| stand.number == number);
            others.filter(move |other| {
                other.payer_key != denial.payer_key
                    && denial.patients.contains(&other.patient)
                    && other.day == denial.day
                    && other.covered >= denial.amount
                    && other.left < denial.amount
            })
        });
        let mut settled = Settled::No;
        for other in found {
            match other.doubt {
                None => return Settled::Yes,
                Some(hold) => settled = Settled::Maybe(hold),
            }
        }
        settled
    }
}

/// A claim number, and what is left of it where a payer cuts it.
fn cuts(number: &str) -> [Option<&str>; 3] {
    let [long, short] = CUT.map(|length| cut(number, length));
    [Some(number), long, short]
}

fn hash(number: &str) -> u64 {
    text::hash(&[number.as_bytes()])
}

/// A denial that another payer may have settled.
#[derive(Clone, Copy)]
pub(crate) struct Denied<'a> {
    /// The whole claim number.
    pub(crate) number: &'a str,
    pub(crate) payer_key: u64,
    /// The patient's names as the payer and as the practice wrote them.
    pub(crate) patients: [u64; 2],
    pub(crate) day: Option<Day>,
    pub(crate) amount: Amount,
}
