//! What a payer's later decisions do to its earlier ones, in the order of payment.
//!
//! A reversal takes away the adjudication with its CLP07, else one with the same charge. A later adjudication replaces an
//! earlier one, unless it is a duplicate or pending. Claim payments of one transaction with different CLP07 are a split
//! claim and count together.

use crate::claims::Claims;
use crate::record::{Entry, Record, Transaction};
use crate::report::{Hold, Skip};
use crate::text;
use alloc::vec::Vec;

/// A decision of a payer that stands. Its records are parts of one split claim.
pub(crate) struct Adjudication {
    pub(crate) records: Vec<usize>,
    /// Why it may not be the payer's last word.
    pub(crate) doubt: Option<Hold>,
}

/// What became of a record.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It stands.
    Stands,
    /// It never said anything about the claim.
    Silent,
    Lost(Skip),
    /// A reversal that found its adjudication.
    Reversal,
    /// A reversal that found none.
    Unmatched,
}

/// The adjudications that stand, and the fate of each record.
pub(crate) struct History {
    pub(crate) standing: Vec<Adjudication>,
    /// The places of records that stand and deny nothing, where nothing else has their number.
    pub(crate) paid: Vec<u32>,
    pub(crate) fates: Vec<Fate>,
}

/// Goes through all records.
pub(crate) fn history(records: &[Record], transactions: &[Transaction]) -> History {
    let mut history = History {
        standing: Vec::new(),
        paid: Vec::new(),
        fates: alloc::vec![Fate::Stands; records.len()],
    };
    let order = order(records, transactions);
    for hashed in order.chunk_by(|(one, _), (other, _)| one == other) {
        if let [(_, one)] = hashed {
            history.single(*one, records);
            continue;
        }
        history.several(hashed, records, transactions);
    }
    // They are gone through again, and in the order of the records that is faster.
    history.paid.sort_unstable();
    history
}

/// A hash of payer and number, and the place of the record, sorted. Hashes are much faster to compare than numbers.
fn order(records: &[Record], transactions: &[Transaction]) -> Vec<(u64, u32)> {
    let keys = records.iter().zip(0_u32..).map(|(record, at)| {
        let payer = transactions.get(record.transaction());
        let payer = payer.map_or(0, |transaction| transaction.payer_key);
        let hash = text::hash(&[&payer.to_be_bytes(), record.number.as_bytes()]);
        (hash, at)
    });
    let mut keys: Vec<_> = keys.collect();
    keys.sort_unstable();
    keys
}

impl History {
    /// The records with one hash, which belong to one payer and number but for a very rare accident.
    fn several(&mut self, hashed: &[(u64, u32)], records: &[Record], transactions: &[Transaction]) {
        let key = |at: usize| {
            let record = records.get(at)?;
            let transaction = transactions.get(record.transaction())?;
            let order = (transaction.order(), record.ordinal, record.digest);
            Some((transaction.payer_key, &*record.number, order))
        };
        let places = hashed.iter().map(|(_, at)| place(*at));
        let mut order: Vec<usize> = places.collect();
        order.sort_by(|one, other| key(*one).cmp(&key(*other)));
        let same = |one: &usize, other: &usize| {
            let group = |at: usize| key(at).map(|(payer, number, _)| (payer, number));
            group(*one) == group(*other)
        };
        for group in order.chunk_by(same) {
            self.group(group, records);
        }
    }

    /// The records of one payer and number, in the order of payment.
    fn group(&mut self, group: &[usize], records: &[Record]) {
        let mut claims = Claims::default();
        claims.group = group
            .iter()
            .filter_map(|at| Some((*at, records.get(*at)?)))
            .collect();
        let order: Vec<usize> = (0..claims.group.len()).collect();
        let transaction = |at: usize| claims.record(at).map(|record| record.transaction);
        let payments: Vec<_> = order
            .chunk_by(|one, other| transaction(*one) == transaction(*other))
            .collect();
        for payment in payments {
            claims.transaction(payment, &mut self.fates);
        }
        self.standing.extend(claims.standing(&self.fates));
    }

    /// The only record of its payer and number.
    fn single(&mut self, at: u32, records: &[Record]) {
        let Some(record) = records.get(place(at)) else {
            return;
        };
        let fate = match record.entry {
            Entry::Reversal => Fate::Unmatched,
            _ if is_silent(record) => Fate::Silent,
            _ => Fate::Stands,
        };
        set(place(at), fate, &mut self.fates);
        if fate != Fate::Stands {
            return;
        }
        match record.entry {
            Entry::Denial => self.standing.push(Adjudication {
                records: [place(at)].into(),
                doubt: None,
            }),
            Entry::Skip(_) | Entry::Reversal => self.paid.push(at),
        }
    }
}

pub(crate) fn place(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// True for an answer that decides nothing: it replaces no earlier decision.
pub(crate) fn is_silent(record: &Record) -> bool {
    matches!(
        record.entry,
        Entry::Skip(Skip::Duplicate | Skip::Pending | Skip::Predetermination | Skip::Forwarded)
    )
}

pub(crate) fn set(at: usize, fate: Fate, fates: &mut [Fate]) {
    if let Some(place) = fates.get_mut(at) {
        *place = fate;
    }
}
