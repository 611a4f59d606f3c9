//! Makes records of the claim payments of a transaction, and counts them.

use super::store::Store;
use crate::amount::Amount;
use crate::decide::{self, Used, Verdict};
use crate::envelope::CreatedAt;
use crate::explain;
use crate::reasons::Skip;
use crate::record::Record;
use crate::remittance::{ClaimPayment, Events, Header};
use crate::report::{FileReport, Warning};
use crate::text::{self, Digest, words};
use crate::transaction::{Progress, Transaction};
use alloc::vec::Vec;

/// Gets the claim payments of a transaction.
pub(super) struct Sink<'a> {
    pub(super) store: &'a mut Store,
    pub(super) report: &'a mut FileReport,
    pub(super) created: CreatedAt,
    pub(super) segment: u64,
    pub(super) progress: &'a mut Progress,
}

impl Events for Sink<'_> {
    fn header(&mut self, header: &Header, digest: Digest) {
        let created = self.created;
        let next = self.store.transactions.len();
        let at = *self.store.by_digest.entry(digest).or_insert(next);
        self.progress.transaction = Some(at);
        self.progress.again = at != next;
        if let Some(known) = self.store.transactions.get_mut(at) {
            known.created = known.created.min(created);
            self.store.see_first(at);
            return;
        }
        let payer = header.payer.clone().unwrap_or_default();
        self.store.transactions.push(Transaction {
            payer_key: text::hash(&[words(&payer).as_bytes()]),
            payer,
            paid_on: header.paid_on,
            produced_on: header.produced_on,
            created,
            digest,
            is_seen: false,
            versions: Vec::new(),
        });
    }

    fn claim(&mut self, claim: &ClaimPayment, digest: Digest) {
        let counts = &mut self.report.counts;
        counts.claim_payments = counts.claim_payments.saturating_add(1);
        self.progress.count = self.progress.count.saturating_add(1);
        let known = self.store.seen(digest).filter(|_| self.progress.again);
        if known.is_some() {
            self.progress.shared = known;
            counts.skip(Skip::Repeated, 1, Amount::ZERO);
            return;
        }
        let decision = decide::decide(claim, &self.store.classes);
        self.count(claim, &decision);
        let transaction = self.progress.transaction.unwrap_or(usize::MAX);
        let store = &mut *self.store;
        let mut record = Record::new(claim, &decision, &store.classes, &mut store.lines);
        record.file = u32::try_from(store.files.len()).unwrap_or(u32::MAX);
        record.transaction = u32::try_from(transaction).unwrap_or(u32::MAX);
        record.ordinal = self.progress.count;
        record.digest = digest;
        let wanted = self
            .store
            .explain
            .as_deref()
            .is_some_and(|number| number.starts_with(&*record.number) || record.is_unnumbered());
        if wanted {
            let steps = explain::payment(claim, &decision, &self.store.classes, self.report, self.progress.count);
            self.store.traces.0.insert(self.store.records.len(), steps);
        }
        let at = self.store.next();
        self.store.records.push(record);
        if let Some(transaction) = self.store.transactions.get_mut(transaction) {
            transaction.add(at, self.progress);
        }
        if self.progress.again {
            self.store.see(at);
        }
    }

    fn end(&mut self, balanced: bool) {
        if !balanced {
            self.report.warn(Warning::PaymentBalance, self.segment);
        }
        let next = self.store.next();
        let transaction = self.progress.transaction;
        if let Some(transaction) = transaction.and_then(|at| self.store.transactions.get_mut(at)) {
            transaction.complete(next, self.progress);
        }
    }

    fn broken(&mut self) {
        let counts = &mut self.report.counts;
        counts.claim_payments = counts.claim_payments.saturating_add(1);
        counts.skip(Skip::BrokenOff, 1, Amount::ZERO);
    }
}

impl Sink<'_> {
    /// Counts everything but a denial, whose end is known only after all files.
    fn count(&mut self, claim: &ClaimPayment, decision: &decide::Decision) {
        if claim.has_unbalanced_line() {
            self.report.warn(Warning::LineBalance, self.segment);
        }
        if decision.flaw.is_some() {
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
            let whole = decision.verdict == Verdict::Skip(Skip::ContractualWhole) && reason == Skip::Contractual;
            counts.skip(if whole { Skip::ContractualWhole } else { reason }, 0, sum);
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
