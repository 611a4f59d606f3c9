//! The queries of the signing page.

use super::sql;
use crate::query::Query;
use crate::statement::text;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::signing::patient::StoredSigning;
use overturn_core::signing::staff::StoredSignature;

/// The state of a link, by the hash of its token.
#[must_use]
pub fn link(hash: &str) -> Query<Option<StoredSigning>> {
    Query::optional("signing.link", sql::LINK, [text(hash)])
}

#[must_use]
pub fn signature(practice: PracticeId, claim: ClaimId) -> Query<Option<StoredSignature>> {
    Query::optional("signing.signature", sql::SIGNATURE, [text(practice), text(claim)])
}

/// True if a claim has a link that was neither revoked nor used.
#[must_use]
pub fn has_link(practice: PracticeId, claim: ClaimId) -> Query<bool> {
    Query::or_default("signing.has_link", sql::HAS_LINK, [text(practice), text(claim)])
}
