//! The stored state for a send, and the results of its rounds.

use super::changes::Changes;
use super::counts::{Bounds, MismatchCounts};
use super::fill::OpenedClaim;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::ClaimId;
use crate::claims::intake::stored::StoredClaim;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::Deserialize;

/// The stored state for a send: the claims of the practice with its numbers. `Debug` prints no
/// claim number.
#[derive(Clone, Default)]
pub struct Snapshot {
    /// The claims, by number.
    pub claims: BTreeMap<String, StoredClaim>,
    /// The claims that this request created, by the index of their item. Their status is `received`.
    pub(super) created: BTreeMap<usize, ClaimId>,
    /// Today's mismatches of the practice.
    pub(super) mismatches: MismatchCounts,
    /// The indexes of the items whose mismatch this request has counted.
    pub(super) counted: BTreeSet<usize>,
    /// The indexes of the items whose number the caller sent for another patient or claim just now.
    pub(super) contested: BTreeSet<usize>,
    /// The indexes of the items whose match the store has confirmed: the limits were not reached at that time.
    pub(super) confirmed: BTreeSet<usize>,
    /// The claims that this request has corrected. What others corrected since stays.
    pub(super) corrected: BTreeSet<ClaimId>,
    /// Claims that were opened for a fill-in.
    pub(super) held: BTreeMap<ClaimId, OpenedClaim>,
    /// Rounds of writing so far.
    pub(super) rounds: usize,
}

/// The stored claims of a round after its batch. In the usual case it is short: every new claim is exactly as sent,
/// and only a count is needed.
#[derive(Debug, Default, Deserialize)]
pub struct CommitResult {
    /// How many claims have the round's submission and the status `received`.
    pub created: usize,
    /// Every other claim with the round's numbers.
    pub others: Vec<StoredClaim>,
}

/// The store ran a batch and does not have all of its claims, so there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the database lacks claims that it took")]
pub struct ClaimsMissingError;

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("claims", &self.claims.len()).field("created", &self.created.len()).finish()
    }
}

impl Snapshot {
    /// The loaded claims of the practice.
    #[must_use]
    pub fn new(claims: impl IntoIterator<Item = StoredClaim>) -> Self {
        let mut snapshot = Self::default();
        snapshot.update(claims);
        snapshot
    }

    /// The same with today's mismatches of the practice.
    #[must_use]
    pub fn counting(self, mismatches: MismatchCounts) -> Self {
        Self { mismatches, ..self }
    }

    /// A second load for the same request. What this request has recorded is kept.
    #[must_use]
    pub fn again(self, loaded: Self) -> Self {
        Self {
            counted: self.counted,
            contested: self.contested.union(&loaded.contested).copied().collect(),
            confirmed: self.confirmed,
            corrected: self.corrected,
            rounds: self.rounds,
            ..loaded
        }
    }

    /// Marks the items, by index, whose number the caller sent for another patient or claim just now.
    pub fn contest(&mut self, places: impl IntoIterator<Item = usize>) {
        self.contested.extend(places);
    }

    /// Adds opened claims.
    pub fn hold(&mut self, opened: impl IntoIterator<Item = OpenedClaim>) {
        self.held.extend(opened.into_iter().map(|held| (held.id(), held)));
    }

    /// True if a stored claim was created for this item of this request.
    pub(super) fn is_own(&self, place: usize, stored: ClaimId, ctx: &Ctx) -> bool {
        self.created.contains_key(&place) || is_own_id(stored, place, ctx)
    }

    /// True if the store must confirm a match before the answer, because the sender may be guessing.
    pub(super) fn must_confirm(&self, place: usize, claim: ClaimId, bounds: Bounds) -> bool {
        let is_suspicious = self.contested.contains(&place) || self.mismatches.is_suspicious(claim, bounds);
        is_suspicious && !self.confirmed.contains(&place)
    }

    fn update(&mut self, claims: impl IntoIterator<Item = StoredClaim>) {
        let numbered = claims.into_iter().map(|claim| (claim.claim_number.clone(), claim));
        self.claims.extend(numbered);
    }

    /// Applies the result of a round.
    ///
    /// # Errors
    ///
    /// [`ClaimsMissingError`].
    pub fn learn(&mut self, changes: &Changes<'_>, outcome: CommitResult) -> Result<(), ClaimsMissingError> {
        self.update(outcome.others);
        self.rounds = self.rounds.saturating_add(1);
        match &changes.compared {
            Some(compared) if compared.closes => self.mismatches.close(),
            Some(compared) => {
                self.confirmed.extend(compared.matches.iter().map(|(place, _)| *place));
                self.counted.extend(compared.found.iter().map(|(place, ..)| *place));
            }
            None => {}
        }
        self.corrected.extend(changes.corrections.iter().map(|to| to.id));
        for fill in &changes.fills {
            // The opened part is out of date now.
            self.held.remove(&fill.id);
        }
        // An item that lost the race for its number finds the winner's claim among the others.
        let new = changes.new.iter().filter(|new| !self.claims.contains_key(&*new.item.claim.claim_number));
        let mine: Vec<_> = new.map(|new| (new.place, new.id)).collect();
        if mine.len() != outcome.created {
            return Err(ClaimsMissingError);
        }
        self.created.extend(mine);
        Ok(())
    }
}

/// The id of the claim that an item of this request creates.
pub(crate) fn own_id(place: usize, ctx: &Ctx) -> ClaimId {
    ClaimId(ctx.id(Purpose::Claim, place))
}

pub(crate) fn is_own_id(id: ClaimId, place: usize, ctx: &Ctx) -> bool {
    ctx.has_made(id.0, Purpose::Claim, place)
}
