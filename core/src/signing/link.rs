//! The link to the page on which a patient signs.
//!
//! The practice gets it from the status read and shows it to the patient. So its token is kept twice: as a hash, by which the
//! page finds it, and sealed, so that every status read can show it again.

use crate::ctx::{Ctx, Instant, Purpose};
use crate::id::{ClaimId, PracticeId, SigningLinkId, UserId};
use crate::identity::KeyVersion;
use crate::secret::SigningToken;
use alloc::string::String;
use core::fmt;
use serde::Deserialize;

/// How long a link can be used: 30 days.
pub const LINK_MS: i64 = 30 * 86_400_000;
/// How many dates of birth may be tried and be wrong. After that the link is worth nothing.
pub const TRIES_MAX: i64 = 5;

/// A link to be kept. `Debug` does not print its token.
#[derive(Clone, Debug)]
pub struct NewSigningLink {
    /// The claim's practice.
    pub practice_id: PracticeId,
    /// The claim that is signed for.
    pub claim_id: ClaimId,
    /// Its id.
    pub id: SigningLinkId,
    /// What whoever has it knows.
    pub token: SigningToken,
    /// Who of the staff made it.
    pub created_by: UserId,
    /// From this instant on it is worth nothing.
    pub expires_at: Instant,
}

impl NewSigningLink {
    /// A link of a claim from 32 bytes of a cryptographic source, as the n-th record of a request.
    #[must_use]
    pub fn new(
        (practice_id, claim_id): (PracticeId, ClaimId),
        created_by: UserId,
        random: [u8; 32],
        n: usize,
        ctx: &Ctx,
    ) -> Self {
        Self {
            practice_id,
            claim_id,
            id: SigningLinkId(ctx.id(Purpose::Record, n)),
            token: SigningToken::mint(random),
            created_by,
            expires_at: ctx.now.plus(LINK_MS),
        }
    }
}

/// What a status read loads of the newest link of a claim that was neither revoked nor used.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct StoredLink {
    /// Its id.
    pub id: SigningLinkId,
    /// The key that its token is sealed under.
    pub key_version: KeyVersion,
    /// The sealed token.
    pub sealed: String,
    /// From this instant on it is worth nothing.
    pub expires_at: Instant,
    /// How many dates of birth were tried and not right.
    pub tries: i64,
}

impl fmt::Debug for StoredLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredLink({})", self.id)
    }
}

impl StoredLink {
    /// Whether a patient can still sign by it.
    #[must_use]
    pub fn holds(&self, now: Instant) -> bool {
        now < self.expires_at && self.tries < TRIES_MAX
    }
}
