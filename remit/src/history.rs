//! What a payer's later decisions do to its earlier ones, in the order of payment.
//!
//! A reversal takes away the adjudication with its CLP07, else one with the same charge. A later adjudication replaces an
//! earlier one of the same part of the claim, unless it is a duplicate or pending. Parts of a claim count together. What nothing
//! tells apart stands, with a doubt.

use crate::claims::{Claims, Context};
use crate::fate::{Adjudication, Fate, is_silent, set};
use crate::reasons::Hold;
use crate::record::{Entry, Record};
use crate::text::{self, place};
use crate::transaction::Transaction;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// The adjudications that stand, and the fate of each record.
pub(crate) struct History {
    pub(crate) standing: Vec<Adjudication>,
    /// The places of records that stand and deny nothing, where nothing else has their number.
    pub(crate) paid: Vec<u32>,
    pub(crate) fates: Vec<Fate>,
}

/// Goes through all records.
pub(crate) fn history(records: &[Record], context: Context<'_>) -> History {
    let mut history =
        History { standing: Vec::new(), paid: Vec::new(), fates: alloc::vec![Fate::Stands; records.len()] };
    let order = order(records, context.transactions);
    for hashed in order.chunk_by(|(one, _), (other, _)| one == other) {
        if let [(_, one)] = hashed {
            history.single(*one, records, context.transactions);
            continue;
        }
        history.several(hashed, records, context);
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
    ///
    /// Of transactions of one time, those with a reversal come last, since it follows what it reverses. Otherwise the digest only
    /// makes the order the same in each run.
    fn several(&mut self, hashed: &[(u64, u32)], records: &[Record], context: Context<'_>) {
        let reversals = hashed.iter().filter_map(|(_, at)| records.get(place(*at)));
        let reversals = reversals.filter(|one| one.entry == Entry::Reversal);
        let reversing: BTreeSet<u32> = reversals.map(|one| one.transaction).collect();
        let key = |at: usize| {
            let record = records.get(at)?;
            let transaction = context.transactions.get(record.transaction())?;
            let reverses = reversing.contains(&record.transaction);
            let order = (transaction.time(), reverses, transaction.digest);
            let within = (record.ordinal, record.digest);
            Some((transaction.payer_key, &*record.number, (order, within)))
        };
        let places = hashed.iter().map(|(_, at)| place(*at));
        let mut order: Vec<usize> = places.collect();
        order.sort_by(|one, other| key(*one).cmp(&key(*other)));
        let same = |one: &usize, other: &usize| {
            let group = |at: usize| key(at).map(|(payer, number, _)| (payer, number));
            group(*one) == group(*other)
        };
        for group in order.chunk_by(same) {
            let group = group.iter().filter_map(|at| Some((*at, records.get(*at)?)));
            let standing = Claims::new(group.collect(), context).decide(&mut self.fates);
            self.standing.extend(standing);
        }
    }

    /// The only record of its payer and number.
    fn single(&mut self, at: u32, records: &[Record], transactions: &[Transaction]) {
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
                doubt: transactions
                    .get(record.transaction())
                    .filter(|transaction| !transaction.is_complete(at, record.ordinal))
                    .map(|_| Hold::CutOff),
            }),
            Entry::Skip(_) | Entry::Reversal => self.paid.push(at),
        }
    }
}
