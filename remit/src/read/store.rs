//! What all files said.

use crate::carc::CarcClasses;
use crate::explain::Traces;
use crate::record::{Record, Transaction};
use crate::report::FileReport;
use crate::submission::Index;
use crate::text::Digest;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// What the files said.
#[derive(Default)]
pub(crate) struct Store {
    pub(crate) classes: CarcClasses,
    /// The claim number to explain.
    pub(crate) explain: Option<String>,
    pub(crate) index: Index,
    pub(crate) transactions: Vec<Transaction>,
    pub(crate) records: Vec<Record>,
    pub(crate) files: Vec<FileReport>,
    pub(crate) traces: Traces,
    pub(crate) by_digest: BTreeMap<Digest, usize>,
    /// The digests of the records of transactions that came again. A digest is of its transaction from ST to the end of the
    /// claim. A transaction that comes twice has the same ones, also if one of the two files is cut off.
    pub(crate) seen: HashTable<Digest>,
}

impl Store {
    pub(crate) fn new(classes: CarcClasses, explain: Option<String>) -> Self {
        Self {
            classes,
            explain,
            ..Self::default()
        }
    }

    /// Keeps the digests of records.
    pub(super) fn see(&mut self, records: Range<usize>) {
        let records = self.records.get(records).unwrap_or_default();
        self.seen.reserve(records.len(), |digest| low(*digest));
        for Record { digest, .. } in records {
            self.seen
                .insert_unique(low(*digest), *digest, |digest| low(*digest));
        }
    }

    /// Keeps the digest of the next record. False if a record has it already.
    pub(super) fn is_new(&mut self, digest: Digest) -> bool {
        let hash = |digest: &Digest| low(*digest);
        match self.seen.entry(low(digest), |seen| *seen == digest, hash) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(digest);
                true
            }
        }
    }
}

/// A digest is as good as a hash.
const fn low([_, low]: Digest) -> u64 {
    low
}
