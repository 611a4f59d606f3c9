//! What all files said.

use crate::carc::CarcClasses;
use crate::explain::Traces;
use crate::lines::Lines;
use crate::record::Record;
use crate::report::FileReport;
use crate::submission::Index;
use crate::text::Digest;
use crate::transaction::Transaction;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::HashTable;

/// What the files said.
#[derive(Default)]
pub(crate) struct Store {
    pub(crate) classes: CarcClasses,
    /// The claim number to explain.
    pub(crate) explain: Option<String>,
    pub(crate) index: Index,
    pub(crate) transactions: Vec<Transaction>,
    pub(crate) records: Vec<Record>,
    pub(crate) lines: Lines,
    pub(crate) files: Vec<FileReport>,
    pub(crate) traces: Traces,
    pub(crate) by_digest: BTreeMap<Digest, usize>,
    /// The records of transactions that came again, by digest. A digest is of its transaction from ST to the end of the
    /// claim. A transaction that comes twice has the same ones, also if one of the two files is cut off.
    pub(crate) seen: HashTable<u32>,
}

impl Store {
    pub(crate) fn new(classes: CarcClasses, explain: Option<String>) -> Self {
        Self { classes, explain, ..Self::default() }
    }

    /// The next record's place.
    pub(super) fn next(&self) -> u32 {
        u32::try_from(self.records.len()).unwrap_or(u32::MAX)
    }

    /// Keeps the records of the first version of a transaction, which came again.
    pub(super) fn see_first(&mut self, transaction: usize) {
        let Some(known) = self.transactions.get_mut(transaction) else {
            return;
        };
        if core::mem::replace(&mut known.is_seen, true) {
            return;
        }
        let first = known.versions.first();
        let places = first.map_or(0..0, |version| version.records.clone());
        places.for_each(|place| self.see(place));
    }

    /// Keeps a record.
    pub(super) fn see(&mut self, place: u32) {
        let digest = digest_of(&self.records, place);
        let hash = |place: &u32| low(digest_of(&self.records, *place));
        self.seen.insert_unique(low(digest), place, hash);
    }

    /// The record with a digest.
    pub(super) fn seen(&self, digest: Digest) -> Option<u32> {
        let is_same = |place: &u32| digest_of(&self.records, *place) == digest;
        self.seen.find(low(digest), is_same).copied()
    }
}

fn digest_of(records: &[Record], place: u32) -> Digest {
    let record = usize::try_from(place).ok().and_then(|at| records.get(at));
    record.map_or_else(Digest::default, |record| record.digest)
}

/// A digest is as good as a hash.
const fn low([_, low]: Digest) -> u64 {
    low
}
