//! `POST /api/v1/staff/claims/signing`: decides for several claims whether the patient has to sign.

use super::staff::{self, Decided};
use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::PracticeId;
use crate::plan::audit::Event;
use crate::plan::change::Change;
use crate::plan::signing::SigningStatus::Needed;
use crate::plan::work::several::{self, Claims, FoundClaim, SeenClaim};
use crate::plan::{SigningWrite, Write};
use crate::request::declare::body;
use crate::request::error::RequestError;
use alloc::vec::Vec;

body! {
    /// A decision about several claims.
    Decisions { decision: staff::SignedOrNot, claims: Claims<SeenClaim> }
}

impl Decisions {
    /// The practices of the claims that may get a link, which their data keys seal.
    #[must_use]
    pub fn seals(&self) -> Vec<PracticeId> {
        let needs = self.claims.iter().filter(|_| self.decision == Needed);
        let mut practices: Vec<PracticeId> = needs.map(|claim| claim.practice_id).collect();
        practices.sort_unstable();
        practices.dedup();
        practices
    }
}

/// Decides about each claim alone. `random` has 32 bytes of a cryptographic source for each claim.
#[must_use]
pub fn decide(asked: &Decisions, found: Vec<FoundClaim>, person: &Person, random: &[[u8; 32]], ctx: &Ctx) -> Change {
    let mut links = Vec::new();
    let mut revoked = Vec::new();
    let change = several::decide((Event::SigningDecided, ctx), &asked.claims, found, |n, practice, stored| {
        // The caller gives as many as there are claims.
        let random = *random.get(n).ok_or(RequestError::KeyUnavailable)?;
        let decision = (stored, asked.decision);
        let decided = staff::decided(practice, decision, person, (random, n), ctx)?;
        Ok(decided.map(|Decided { change, link }| {
            match link {
                Some(link) => links.push(link),
                None => revoked.push((practice, stored.id)),
            }
            change
        }))
    });
    let links = (!links.is_empty()).then_some(SigningWrite::NewLinks(links));
    let revoked = (!revoked.is_empty()).then_some(SigningWrite::LinksRevoked(revoked));
    let writes = links.into_iter().chain(revoked);
    writes.fold(change, |change, write| change.write(Write::Signing(write)))
}

#[cfg(test)]
mod tests;
