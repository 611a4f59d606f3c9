//! What the store holds about a send, and what became of its plans.

use super::counts::Counts;
use super::fill::OpenedClaim;
use crate::auth::key::Credential;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::ClaimId;
use crate::claims::intake::stored::StoredClaim;
use crate::plan::claims::Bounds;
use crate::plan::{ClaimsGuard, ClaimsWrite, Guard, Plan, Write};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::Deserialize;

/// What the store holds about a send: the caller, and those of its claim numbers that are taken in the caller's
/// practice. `Debug` prints no claim number.
#[derive(Clone, Default)]
pub struct Snapshot {
    /// The presented key, where it is known.
    pub credential: Option<Credential>,
    /// The claims, by number.
    pub claims: BTreeMap<String, StoredClaim>,
    /// The claims that this request created, by the place of their item in it. They are `received`.
    pub(super) created: BTreeMap<usize, ClaimId>,
    /// Today's mismatches of the practice.
    pub(super) mismatches: Counts,
    /// The places of the items whose mismatch this request has counted.
    pub(super) counted: BTreeSet<usize>,
    /// The places of the items whose number the caller sent just now for another patient or claim.
    pub(super) contested: BTreeSet<usize>,
    /// The places of the items whose match the store has confirmed: the bounds were not reached when it looked.
    pub(super) confirmed: BTreeSet<usize>,
    /// Claims that were opened to be filled in.
    pub(super) held: BTreeMap<ClaimId, OpenedClaim>,
    /// Rounds of writing so far.
    pub(super) rounds: usize,
}

/// What the store holds of a plan's claims once it was carried out. The usual case is short: all claims that were to
/// be created are there just as the plan made them, and a count says so.
#[derive(Debug, Default, Deserialize)]
pub struct CommitResult {
    /// How many claims carry the plan's submission and are `received`.
    pub created: usize,
    /// Every other claim of the plan's numbers.
    pub others: Vec<StoredClaim>,
}

/// The store carried out a plan and does not hold all of its claims: nothing can be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the database lacks claims that it took")]
pub struct ClaimsMissing;

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("credential", &self.credential)
            .field("claims", &self.claims.len())
            .field("created", &self.created.len())
            .finish()
    }
}

impl Snapshot {
    /// What was loaded: the presented key where it is known, and the claims of its practice.
    #[must_use]
    pub fn new(
        credential: Option<Credential>,
        claims: impl IntoIterator<Item = StoredClaim>,
    ) -> Self {
        let mut snapshot = Self {
            credential,
            ..Self::default()
        };
        snapshot.update(claims);
        snapshot
    }

    /// The same with today's mismatches of the practice.
    #[must_use]
    pub fn counting(self, mismatches: Counts) -> Self {
        Self { mismatches, ..self }
    }

    /// What was loaded once more, for the same request. What this one has written down stays known.
    #[must_use]
    pub fn again(self, loaded: Self) -> Self {
        Self {
            counted: self.counted,
            contested: self.contested,
            confirmed: self.confirmed,
            rounds: self.rounds,
            ..loaded
        }
    }

    /// Takes over which items, by their places, have a number that the caller sent just now for another patient or claim.
    pub fn contest(&mut self, places: impl IntoIterator<Item = usize>) {
        self.contested.extend(places);
    }

    /// Takes over claims that were opened.
    pub fn hold(&mut self, opened: impl IntoIterator<Item = OpenedClaim>) {
        self.held
            .extend(opened.into_iter().map(|held| (held.id(), held)));
    }

    /// Whether a stored claim was created for this very item of this request.
    pub(super) fn is_own(&self, place: usize, stored: ClaimId, ctx: &Ctx) -> bool {
        self.created.contains_key(&place) || stored == own_id(place, ctx)
    }

    /// Whether a match is answered only once the store has confirmed that no bound is reached: somebody may be guessing.
    pub(super) fn must_confirm(&self, place: usize, claim: ClaimId, bounds: Bounds) -> bool {
        let is_suspicious =
            self.contested.contains(&place) || self.mismatches.is_suspicious(claim, bounds);
        is_suspicious && !self.confirmed.contains(&place)
    }

    fn update(&mut self, claims: impl IntoIterator<Item = StoredClaim>) {
        let numbered = claims
            .into_iter()
            .map(|claim| (claim.claim_number.clone(), claim));
        self.claims.extend(numbered);
    }

    /// Takes over what became of a plan.
    ///
    /// # Errors
    ///
    /// [`ClaimsMissing`].
    pub fn learn(&mut self, plan: &Plan<'_>, outcome: CommitResult) -> Result<(), ClaimsMissing> {
        self.update(outcome.others);
        self.rounds = self.rounds.saturating_add(1);
        for guard in &plan.guards {
            if let Guard::Claims(ClaimsGuard::Mismatches(compared)) = guard {
                self.confirmed
                    .extend(compared.matches.iter().map(|(place, _)| *place));
            }
        }
        for write in &plan.writes {
            match write {
                Write::Claims(ClaimsWrite::Mismatches(found)) if found.closes => {
                    self.mismatches.close()
                }
                Write::Claims(ClaimsWrite::Mismatches(found)) => {
                    self.counted
                        .extend(found.claims.iter().map(|(place, _)| *place));
                }
                // What was opened is not what is stored any more.
                Write::Claims(ClaimsWrite::Fills(fills)) => {
                    for fill in &fills.claims {
                        self.held.remove(&fill.id);
                    }
                }
                _ => {}
            }
        }
        let new = plan.writes.iter().flat_map(|write| match write {
            Write::Claims(ClaimsWrite::New(new)) => &new.claims[..],
            _ => &[],
        });
        // Who lost the race for a number sees the winner's claim among the others.
        let mine = new.filter(|new| !self.claims.contains_key(&*new.item.claim.claim_number));
        let mine: Vec<_> = mine.map(|new| (new.place, new.id)).collect();
        if mine.len() != outcome.created {
            return Err(ClaimsMissing);
        }
        self.created.extend(mine);
        Ok(())
    }
}

/// The id of the claim that an item of this request creates.
pub(crate) fn own_id(place: usize, ctx: &Ctx) -> ClaimId {
    ClaimId(ctx.id(Purpose::Claim, place))
}
