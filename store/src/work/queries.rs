//! The queries of claims before a change. Each takes the practice, because staff belong to none.

use crate::json::json;
use crate::query::Query;
use crate::statement::{Param, text};
use crate::work::sql;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::plan::work::claim::StoredWorkClaim;
use overturn_core::plan::work::several::{FoundClaim, SeenClaim};

/// A claim before a change by staff.
#[must_use]
pub fn claim(practice: PracticeId, id: ClaimId) -> Query<Option<StoredWorkClaim>> {
    Query::optional("work.claim", sql::CLAIM, [text(practice), text(id)])
}

/// Claims of the practice, in the order of their ids.
#[must_use]
pub fn claims(practice: PracticeId, ids: &[ClaimId]) -> Query<Vec<Option<StoredWorkClaim>>> {
    Query::or_default("work.claims", sql::CLAIMS, [text(practice), Param::Text(json(&ids))])
}

/// Claims that a request names, in its order.
#[must_use]
pub fn found(claims: &[SeenClaim]) -> Query<Vec<FoundClaim>> {
    let named = claims.iter().map(|claim| (claim.practice_id, claim.id));
    let named: Vec<_> = named.collect();
    Query::or_default("work.found", sql::FOUND, [Param::Text(json(&named))])
}
