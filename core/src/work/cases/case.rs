//! A case to be changed, as far as the store knows it.

use crate::base::id::CaseId;
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::level::Level;
use crate::request::denied::Denied;
use crate::request::if_match::Seen;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// That there is no such case in the practice.
pub const UNKNOWN: Denied = Denied::NotFound("no such case");

/// A case to be changed, as far as the store knows it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredCase {
    /// The case.
    pub id: CaseId,
    /// Counts its changes.
    pub version: i64,
    /// Its levels, the first one first.
    pub levels: Vec<Level>,
    /// The claims that are appealed in it now.
    pub claims: Vec<StoredWorkClaim>,
    /// Those that were in it and are appealed in another case now.
    pub elsewhere: Vec<Elsewhere>,
}

/// A claim that was in a case and is appealed in another one.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Elsewhere {
    /// The claim.
    pub claim: StoredWorkClaim,
    /// The last level of the case that it is in.
    pub level: Option<Level>,
}

/// What a change of a case answers. `version` is what its `ETag` begins with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Changed {
    /// The case.
    pub id: CaseId,
    /// Counts its changes.
    pub version: i64,
    /// The level that was begun or changed.
    pub level: Level,
}

/// The case as the caller has seen it.
///
/// # Errors
///
/// [`UNKNOWN`], then those of [`Seen::is`].
pub fn seen(stored: Option<StoredCase>, seen: Seen) -> Result<StoredCase, Denied> {
    let stored = stored.ok_or(UNKNOWN)?;
    seen.is(stored.version)?;
    Ok(stored)
}
