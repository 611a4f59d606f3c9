//! The query of a list of documents.

use crate::base::id::ClaimId;
use crate::plan::documents::{DocumentKind, DocumentState, UseKind};
use crate::request::accept::ListForm;
use crate::request::problem::{Problem, Rule};
use crate::request::query::{ListQuery, QueryReader};
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
    /// Only what is attached to a record of the staff's work, or belongs to one of its claims.
    pub of_record: Option<(UseKind, Uuid)>,
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

const NAMES: [&str; 8] = ["limit", "cursor", "claim_id", "claim_number", "case_id", "report_id", "kind", "state"];

impl ListQuery for DocumentQuery {
    fn parse<'a>(query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Result<Self, Vec<Problem>> {
        let mut query = QueryReader::new(query, &NAMES);
        let limit = query.limit(ListForm::Json);
        let after = query.cursor(|text| text.parse().ok());
        let claim_id = query.id("claim_id");
        let claim_number = query.value("claim_number").map(Cow::into_owned);
        let case = query.id("case_id").map(|id| (UseKind::Case, id));
        let report = query.id("report_id").map(|id| (UseKind::Report, id));
        if case.is_some() && report.is_some() {
            query.refuse("report_id", Rule::NotWith("case_id"));
        }
        let known = "denial_letter, medical_record, remittance, authorization, correspondence or other";
        let kind = query.read("kind", known, DocumentKind::parse);
        let known = "available, quarantined, infected or deleted";
        let state = query.read("state", known, DocumentState::parse);
        query.settle(Self { limit, after, claim_id, claim_number, of_record: case.or(report), kind, state })
    }
}
