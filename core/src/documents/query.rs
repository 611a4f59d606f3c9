//! The query of a list of documents.

use crate::base::id::ClaimId;
use crate::plan::documents::{DocumentKind, DocumentState};
use crate::request::field::Problems;
use crate::request::page::{ListQuery, once, only, read, read_cursor, read_limit};
use crate::request::problem::Problem;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use uuid::Uuid;

/// The query of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentQuery {
    /// Most items.
    pub limit: usize,
    /// The document to start after.
    pub after: Option<Uuid>,
    /// Only of this claim.
    pub claim_id: Option<ClaimId>,
    /// Only of the claim with this number.
    pub claim_number: Option<String>,
    /// Only of this kind.
    pub kind: Option<DocumentKind>,
    /// Only in this state. Deleted documents are listed only if the query asks for them.
    pub state: Option<DocumentState>,
}

impl DocumentQuery {
    /// How many rows to read: one more than requested.
    #[must_use]
    pub const fn reads(&self) -> usize {
        self.limit.saturating_add(1)
    }
}

const NAMES: [&str; 6] = [
    "limit",
    "cursor",
    "claim_id",
    "claim_number",
    "kind",
    "state",
];

impl ListQuery for DocumentQuery {
    fn parse<'a>(
        query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) -> Result<Self, Vec<Problem>> {
        let query: Vec<_> = query.into_iter().collect();
        let mut p = Problems::default();
        only(&mut p, &query, &NAMES);
        let [limit, cursor, claim, number, kind, state] = once(&mut p, query, NAMES);
        let limit = read_limit(&mut p, limit);
        let after = read_cursor(&mut p, cursor, |text| text.parse().ok());
        let claim_id = read(&mut p, "claim_id", "an id", claim, |text| {
            text.trim().parse().ok().map(ClaimId)
        });
        let known =
            "denial_letter, medical_record, remittance, authorization, correspondence or other";
        let kind = read(&mut p, "kind", known, kind, DocumentKind::parse);
        let known = "available, quarantined, infected or deleted";
        let state = read(&mut p, "state", known, state, DocumentState::parse);
        match limit {
            Some(limit) if p.count() == 0 => Ok(Self {
                limit,
                after,
                claim_id,
                claim_number: number.map(Cow::into_owned),
                kind,
                state,
            }),
            _ => Err(p.into_list()),
        }
    }
}
