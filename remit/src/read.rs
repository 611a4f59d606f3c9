//! Reads files into records and submitted claims.

use crate::amount::Amount;
use crate::carc::CarcClasses;
use crate::decide::{self, Used, Verdict};
use crate::envelope::{Envelope, Kind, Made, Part};
use crate::explain::{self, Traces};
use crate::record::{Record, Transaction};
use crate::remittance::{self, ClaimPayment, Events, Header};
use crate::report::{FileReport, Skip, Warning};
use crate::segment::Segment;
use crate::submission::{self, Index, SubmittedClaim};
use crate::text::{self, Digest, words};
use crate::tokenizer::{FileError, Tokenizer};
use alloc::boxed::Box;
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
    fn see(&mut self, records: Range<usize>) {
        let records = self.records.get(records).unwrap_or_default();
        self.seen.reserve(records.len(), |digest| low(*digest));
        for Record { digest, .. } in records {
            self.seen
                .insert_unique(low(*digest), *digest, |digest| low(*digest));
        }
    }

    /// Keeps the digest of the next record. False if a record has it already.
    fn is_new(&mut self, digest: Digest) -> bool {
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

/// What the segments of the current transaction are.
enum Body {
    Remittance,
    Submission(Box<submission::Reader>),
    Other,
}

/// A file that is being read.
pub(crate) struct OpenFile {
    tokenizer: Tokenizer,
    envelope: Envelope,
    remittance: remittance::Reader,
    body: Body,
    report: FileReport,
    /// The current transaction, if it has claims.
    transaction: usize,
    /// True if its header came before.
    again: bool,
    ordinal: u32,
}

impl OpenFile {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            tokenizer: Tokenizer::new(),
            envelope: Envelope::default(),
            remittance: remittance::Reader::new(),
            body: Body::Other,
            report: FileReport {
                name: name.into(),
                ..FileReport::default()
            },
            transaction: 0,
            again: false,
            ordinal: 0,
        }
    }

    /// Reads a chunk.
    pub(crate) fn push(&mut self, bytes: &[u8], store: &mut Store) -> Result<(), FileError> {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.report.bytes = self.report.bytes.saturating_add(length);
        let mut tokenizer = core::mem::replace(&mut self.tokenizer, Tokenizer::new());
        let result = tokenizer.push(bytes, |segment| self.segment(segment, store));
        self.tokenizer = tokenizer;
        result
    }

    /// The end of the file. A claim that was not complete does not count.
    pub(crate) fn finish(mut self, store: &mut Store) {
        let mut tokenizer = core::mem::replace(&mut self.tokenizer, Tokenizer::new());
        self.report.error = tokenizer
            .finish(|segment| self.segment(segment, store))
            .err();
        self.report.cut_off |= self.envelope.finish(&mut self.report);
        store.files.push(self.report);
    }

    fn segment(&mut self, segment: Segment<'_>, store: &mut Store) {
        let mut part = self.envelope.read(segment, &mut self.report);
        if matches!(part, Part::Broken) {
            part = self.envelope.read(segment, &mut self.report);
        }
        match part {
            Part::Begin(kind) => self.begin(kind, segment),
            Part::Body | Part::End => self.body(segment, matches!(part, Part::End), store),
            Part::Broken | Part::Envelope => {}
        }
    }

    fn begin(&mut self, kind: Kind, segment: Segment<'_>) {
        self.ordinal = 0;
        self.body = match kind {
            Kind::Remittance => {
                self.report.remittances = self.report.remittances.saturating_add(1);
                self.remittance.begin(segment);
                Body::Remittance
            }
            Kind::Submission => {
                self.report.submissions = self.report.submissions.saturating_add(1);
                Body::Submission(Box::new(submission::Reader::new(self.envelope.made)))
            }
            Kind::Other => {
                self.report
                    .warn(Warning::OtherTransaction, self.envelope.segment);
                Body::Other
            }
        };
    }

    fn body(&mut self, segment: Segment<'_>, ends: bool, store: &mut Store) {
        match &mut self.body {
            Body::Remittance => {
                let mut sink = Sink {
                    store,
                    report: &mut self.report,
                    made: self.envelope.made,
                    segment: self.envelope.segment,
                    transaction: &mut self.transaction,
                    again: &mut self.again,
                    ordinal: &mut self.ordinal,
                };
                if ends {
                    self.remittance.end(&mut sink);
                } else {
                    self.remittance.read(segment, &mut sink);
                }
            }
            Body::Submission(reader) => {
                let counts = &mut self.report.counts;
                let mut sink = |claim: SubmittedClaim| {
                    counts.submitted_claims = counts.submitted_claims.saturating_add(1);
                    store.index.add(claim);
                };
                if ends {
                    reader.end(&mut sink);
                } else {
                    reader.read(segment, &mut sink);
                }
            }
            Body::Other => {}
        }
    }
}

/// Gets the claim payments of a transaction.
struct Sink<'a> {
    store: &'a mut Store,
    report: &'a mut FileReport,
    made: Made,
    segment: u64,
    transaction: &'a mut usize,
    again: &'a mut bool,
    ordinal: &'a mut u32,
}

impl Events for Sink<'_> {
    fn header(&mut self, header: &Header, digest: Digest) {
        let made = self.made;
        let next = self.store.transactions.len();
        let at = *self.store.by_digest.entry(digest).or_insert(next);
        *self.transaction = at;
        *self.again = at != next;
        if let Some(known) = self.store.transactions.get_mut(at) {
            known.made = known.made.min(made);
            let unseen = core::mem::take(&mut known.unseen);
            self.store.see(unseen);
            return;
        }
        let payer = header.payer.clone().unwrap_or_default();
        self.store.transactions.push(Transaction {
            payer_key: text::hash(&[words(&payer).as_bytes()]),
            payer,
            paid_on: header.paid_on,
            produced_on: header.produced_on,
            made,
            digest,
            unseen: self.store.records.len()..self.store.records.len(),
        });
    }

    fn claim(&mut self, claim: &ClaimPayment, digest: Digest) {
        let counts = &mut self.report.counts;
        counts.claim_payments = counts.claim_payments.saturating_add(1);
        *self.ordinal = self.ordinal.saturating_add(1);
        if *self.again && !self.store.is_new(digest) {
            counts.skip(Skip::Repeated, 1, Amount::ZERO);
            return;
        }
        let decision = decide::decide(claim, &self.store.classes);
        self.count(claim, &decision);
        let mut record = Record::new(claim, &decision, &self.store.classes);
        record.file = u32::try_from(self.store.files.len()).unwrap_or(u32::MAX);
        record.transaction = u32::try_from(*self.transaction).unwrap_or(u32::MAX);
        record.ordinal = *self.ordinal;
        record.digest = digest;
        let wanted =
            self.store.explain.as_deref().is_some_and(|number| {
                number.starts_with(&*record.number) || record.is_unnumbered()
            });
        if wanted {
            let steps = explain::payment(
                claim,
                &decision,
                &self.store.classes,
                self.report,
                *self.ordinal,
            );
            self.store.traces.0.insert(self.store.records.len(), steps);
        }
        let at = self.store.records.len();
        self.store.records.push(record);
        let first_copy = self.store.transactions.get_mut(*self.transaction);
        if let Some(transaction) = first_copy.filter(|_| !*self.again) {
            transaction.unseen.end = at.saturating_add(1);
        }
    }

    fn end(&mut self, balanced: bool) {
        if !balanced {
            self.report.warn(Warning::PaymentBalance, self.segment);
        }
    }
}

impl Sink<'_> {
    /// Counts everything but a denial, whose end is known only after all files.
    fn count(&mut self, claim: &ClaimPayment, decision: &decide::Decision) {
        if claim.has_unbalanced_line() {
            self.report.warn(Warning::LineBalance, self.segment);
        }
        if claim.unreadable {
            self.report.warn(Warning::Amount, self.segment);
        }
        if decision.used != Used::All || !decision.balanced {
            self.report.warn(Warning::ClaimBalance, self.segment);
        }
        let counts = &mut self.report.counts;
        let all = claim.sum(|_| true);
        let used = claim.sum(|level| decision.used.has(level));
        counts.adjustments.add(all);
        counts.unexplained.add(decision.unexplained);
        counts.skip(Skip::StatedTwice, 0, all.minus(used));
        if !decision.balanced {
            counts.out_of_balance = counts.out_of_balance.saturating_add(1);
        }
        let others: Amount = decision.reasons().map(|(_, sum)| sum).collect();
        let denied = used.minus(others);
        for (reason, sum) in decision.reasons() {
            let whole = decision.verdict == Verdict::Skip(Skip::ContractualWhole)
                && reason == Skip::Contractual;
            counts.skip(
                if whole {
                    Skip::ContractualWhole
                } else {
                    reason
                },
                0,
                sum,
            );
        }
        match decision.verdict {
            Verdict::Skip(reason) => counts.skip(reason, 1, denied),
            Verdict::Reversal => counts.skip(Skip::Reversal, 1, denied),
            Verdict::Denial(amount) | Verdict::Unreadable(amount) => {
                let rest = denied.plus(decision.unexplained).minus(amount);
                counts.skip(Skip::OutOfBalance, 0, rest);
            }
        }
    }
}
