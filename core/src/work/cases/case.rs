//! The stored facts about a case before a change.

use crate::base::id::CaseId;
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::level::Level;
use crate::request::error::RequestError;
use crate::request::if_match::Seen;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The refusal if the practice has no such case.
pub const UNKNOWN: RequestError = RequestError::NotFound("no such case");

/// The stored facts about a case before a change.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredCase {
    pub id: CaseId,
    /// The number of its changes.
    pub version: i64,
    /// Its levels, in order.
    pub levels: Vec<Level>,
    /// The claims that are in appeal in it.
    pub claims: Vec<StoredWorkClaim>,
    /// The claims that were in it and are now in appeal in another case.
    pub elsewhere: Vec<Elsewhere>,
}

/// A claim that was in a case and is now in appeal in another one.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Elsewhere {
    pub claim: StoredWorkClaim,
    /// The last level of the case that it is in.
    pub level: Option<Level>,
}

/// The answer to a change of a case. `version` is the beginning of its `ETag`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangedCase {
    pub id: CaseId,
    /// The number of its changes.
    pub version: i64,
    /// The level that was begun or changed.
    pub level: Level,
}

/// Checks that the caller has seen the current version of the case.
///
/// # Errors
///
/// [`UNKNOWN`], then those of [`Seen::is`].
pub fn seen(stored: Option<StoredCase>, seen: Seen) -> Result<StoredCase, RequestError> {
    let stored = stored.ok_or(UNKNOWN)?;
    seen.is(stored.version)?;
    Ok(stored)
}
