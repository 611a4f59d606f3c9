//! What must hold in every run.

use super::{Counts, Outcome};

/// Checks that the amounts add up, each claim payment of each file is counted once, and no claim comes twice.
///
/// # Panics
///
/// If that does not hold.
pub(super) fn balance(outcome: &Outcome) {
    let mut all = Counts::default();
    outcome.files.iter().for_each(|file| all.add(&file.counts));
    let skipped: i64 = all.skipped.values().map(|tally| tally.amount.0).sum();
    assert_eq!(all.written.amount.0 + all.held.amount.0 + skipped, all.adjustments.0 + all.unexplained.0, "{all:?}");
    for Counts { written, held, skipped, claim_payments, .. } in outcome.files.iter().map(|file| &file.counts) {
        let skipped: u64 = skipped.values().map(|tally| tally.count).sum();
        assert_eq!(written.count + held.count + skipped, *claim_payments, "{all:?}");
    }
    assert_eq!(all.written.count, outcome.claims.len() as u64);
    assert_eq!(all.held.count, outcome.held.len() as u64);
    let written: i64 = outcome.claims.iter().map(|claim| claim.denied.0).sum();
    assert_eq!(written, all.written.amount.0);
    let ordered = outcome.claims.is_sorted_by(|one, next| one.claim_number < next.claim_number);
    assert!(ordered, "a claim comes twice");
}
