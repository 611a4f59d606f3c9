//! `GET /api/v1/staff/practices`: the practices by name, with the number of their open claims.

use crate::auth::disclosure::{AgreementState, PracticeState};
use crate::base::id::PracticeId;
use crate::request::page::Listed;
use crate::summaries::query::PracticesQuery;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// Open claims of a practice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenClaims {
    /// All of them.
    pub open: i64,
    /// Those whose deadline has passed.
    pub late: i64,
    /// Those whose deadline is today or in the next seven days.
    pub due_soon: i64,
}

/// A practice, as staff find it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ListedPractice {
    pub id: PracticeId,
    pub name: String,
    /// Whether it may use the service.
    pub status: PracticeState,
    /// Whether it has signed the agreement.
    pub agreement: AgreementState,
    pub claims: OpenClaims,
}

/// A page of the practices.
#[must_use]
pub fn list(query: &PracticesQuery, practices: Vec<ListedPractice>) -> Listed<ListedPractice> {
    Listed::cut("practices", practices, query.limit, |last| last.id.0.simple().to_string())
}
