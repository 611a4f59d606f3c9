//! What a reversal (CLP02 is 22) takes away.

use super::{Claims, Named};
use crate::amount::Amount;
use crate::fate::Fate;
use crate::reasons::{Hold, Skip};
use crate::record::{ClaimKey, Record};

impl Claims<'_> {
    /// Takes away the adjudication that a reversal means, of its own transaction or of earlier ones. True if there is one.
    pub(super) fn reverse(&mut self, at: usize, reversal: &Record, own: bool, fates: &mut [Fate]) -> bool {
        let by_number = self.payer_numbers.get(&reversal.payer_number).copied();
        let by_number = by_number.filter(|_| reversal.payer_number != 0);
        // Where its adjudication is known and gone, another one of the same charge is not meant.
        let named = match by_number {
            Some(_) => Named::Number(reversal.payer_number),
            None => Named::Charge(reversal.patient, reversal.charge.negated()),
        };
        let found = self.named_parts(named, by_number).next();
        let found = found.filter(|(_, lost)| {
            let lost = self.record(*lost);
            // A correction may stand before the reversal that it belongs to, in one transaction. It has a number of its own.
            let is_correction =
                |lost: &Record| own && by_number.is_none() && lost.payer_number != 0 && reversal.payer_number != 0;
            lost.is_some_and(|lost| (lost.transaction == reversal.transaction) == own && !is_correction(lost))
        });
        let Some((claim_key, lost)) = found else {
            self.set(at, Fate::Unmatched, fates);
            return false;
        };
        self.set(at, Fate::Reversal, fates);
        let mut of_claim = self.named_parts(named, Some(claim_key)).skip(1);
        let another = of_claim.next().filter(|_| by_number.is_none());
        drop(of_claim);
        let hold = another.map(|_| Hold::PartsUnclear);
        match self.uncertain(at).or(hold) {
            // What one reversal leaves of two answers is as unclear as before.
            None => self.remove_all(&[lost], claim_key, Skip::Reversed, fates),
            Some(hold) => drop(self.doubts.insert(lost, hold)),
        }
        true
    }

    /// The parts of this name that stand, of a claim or of any.
    fn named_parts(&self, named: Named, claim: Option<ClaimKey>) -> impl Iterator<Item = (ClaimKey, usize)> {
        let first = claim.unwrap_or((0, None, Amount(i64::MIN)));
        let found = self.named.range((named, first, 0)..);
        let found = found
            .take_while(move |(found, claim_key, _)| *found == named && claim.is_none_or(|claim| claim == *claim_key));
        found.map(|(_, claim_key, at)| (*claim_key, *at))
    }
}
