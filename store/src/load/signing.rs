//! The statements that load what a patient signs.

use crate::{Statement, sql::signing as sql, text};
use overturn_core::base::id::{ClaimId, PracticeId};

/// What a link is worth, by the hash of its token.
#[must_use]
pub fn link(hash: &str) -> Statement {
    Statement::new(sql::LINK, [text(hash)])
}

/// The same after a try at the date of birth was counted.
#[must_use]
pub fn tried(hash: &str) -> [Statement; 2] {
    [Statement::new(sql::COUNT_TRY, [text(hash)]), link(hash)]
}

/// The signature of a claim.
#[must_use]
pub fn signature(practice: PracticeId, claim: ClaimId) -> Statement {
    Statement::new(sql::SIGNATURE, [text(practice), text(claim)])
}

/// Whether a claim has a link that was neither revoked nor used.
#[must_use]
pub fn has_link(practice: PracticeId, claim: ClaimId) -> Statement {
    Statement::new(sql::HAS_LINK, [text(practice), text(claim)])
}
