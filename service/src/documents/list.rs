//! `GET /api/v1/documents`: a practice's documents, newest first.

use super::document::{DATA_KEY, DOCUMENT, DocumentKind, StoredDocument, UseKind};
use super::show::DocumentFor;
use crate::extract::PathPractice;
use crate::prelude::*;
use crate::sql::OF_CALLER;
use overturn_core::base::id::ClaimId;
use overturn_core::plan::documents::DocumentState;
use overturn_core::request::accept::ListForm;
use overturn_core::request::problem::{Problem, Rule};
use overturn_core::request::query::{ListQuery, Pair, QueryReader};
use std::borrow::Cow;
use uuid::Uuid;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DocumentQuery {
    /// Most items.
    pub(super) limit: usize,
    /// The document to start after.
    after: Option<Uuid>,
    /// Only of this claim.
    claim_id: Option<ClaimId>,
    /// Only of the claim with this number.
    pub(super) claim_number: Option<String>,
    /// Only what is attached to a record of the staff's work, or belongs to one of its claims.
    of_record: Option<(UseKind, Uuid)>,
    pub(super) kind: Option<DocumentKind>,
    /// Only in this state. Deleted documents are listed only if the query asks for them.
    pub(super) state: Option<DocumentState>,
}

impl DocumentQuery {
    /// How many rows to read: one more than requested.
    pub(super) const fn reads(&self) -> usize {
        self.limit.saturating_add(1)
    }
}

const NAMES: [&str; 8] = ["limit", "cursor", "claim_id", "claim_number", "case_id", "report_id", "kind", "state"];

impl ListQuery for DocumentQuery {
    fn parse_for<'a>(query: impl IntoIterator<Item = Pair<'a>>, _: ListForm) -> Result<Self, Vec<Problem>> {
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

/// The practice of the staff's request.
const OF_PRACTICE: &str = "{practice}";

/// Every document of a practice, whatever its claim.
const OF_ANY_CLAIM: &str = "{claim_id} IS NULL AND {claim_number} IS NULL";

/// The documents of one claim, by its id or its number.
const OF_CLAIM: &str = "claim_id = coalesce({claim_id},
       (SELECT c.id FROM claims c WHERE c.practice_id = {PRACTICE} AND c.claim_number = {claim_number}))
     AND ({claim_number} IS NULL OR EXISTS (SELECT 1 FROM claims c WHERE c.practice_id = {PRACTICE}
       AND c.claim_number = {claim_number} AND c.id = claim_id))";

/// The documents that are attached to the record, and those of its claims, which `$claims` has. A claim narrows them.
macro_rules! of_record {
    ($kind:literal, $claims:literal, $record:literal) => {
        concat!(
            "id IN (SELECT u.document_id FROM document_uses u
                 WHERE u.practice_id = {PRACTICE} AND u.record_id = {record} AND u.kind = '",
            $kind,
            "'
               UNION SELECT e.id FROM ",
            $claims,
            " m CROSS JOIN documents e WHERE m.practice_id = {PRACTICE} AND m.",
            $record,
            " = {record} AND e.practice_id = m.practice_id AND e.claim_id = m.claim_id)
             AND ({claim_id} IS NULL OR claim_id = {claim_id}) AND ({claim_number} IS NULL OR claim_id =
               (SELECT c.id FROM claims c WHERE c.practice_id = {PRACTICE} AND c.claim_number = {claim_number}))"
        )
    };
}

const OF_CASE: &str = of_record!("case", "case_claims", "case_id");
const OF_REPORT: &str = of_record!("report", "report_claims", "report_id");

/// A page of the practice that `$practice` says, with the statement of the narrowest filter, which decides the index.
macro_rules! pages {
    ($name:literal, $practice:ident; $whose:ident, $query:ident) => {{
        const PRACTICE: &str = $practice;
        match $query.of_record {
            Some((UseKind::Case, record)) => page!($name, OF_CASE; $whose, $query, record),
            Some((UseKind::Report, record)) => page!($name, OF_REPORT; $whose, $query, record),
            None if $query.claim_id.is_some() || $query.claim_number.is_some() => {
                page!($name, OF_CLAIM; $whose, $query)
            }
            None => page!($name, OF_ANY_CLAIM; $whose, $query),
        }
    }};
}

macro_rules! page {
    ($name:literal, $narrowed:ident; $whose:ident, $query:ident $(, $record:ident)?) => {{
        const NARROWED: &str = $narrowed;
        select!(
            $name,
            "SELECT json_group_array(json({DOCUMENT})) AS json FROM (SELECT * FROM documents WHERE practice_id = {PRACTICE}
               AND id < {after} AND {NARROWED} AND ({kind} IS NULL OR kind = {kind})
               AND (state = {state} OR ({state} IS NULL AND state IN ('available', 'quarantined')))
               ORDER BY id DESC LIMIT CAST({most} AS INTEGER)) d
             HAVING EXISTS (SELECT 1 FROM practices p WHERE p.id = {PRACTICE})"
            [DOCUMENT, DATA_KEY, PRACTICE, NARROWED];
            $whose, after = crate::store::after($query.after), most = $query.reads(), claim_id = $query.claim_id,
            claim_number = $query.claim_number.as_ref(), kind = $query.kind, state = $query.state $(, record = $record.to_string())?
        )
        .optional()
    }};
}

/// No row if there is no such practice.
pub(super) fn of_practice(practice: PracticeId, query: &DocumentQuery) -> Query<Option<Vec<StoredDocument>>> {
    pages!("documents.list", OF_PRACTICE; practice, query)
}

pub(super) fn of_caller(caller: &str, query: &DocumentQuery) -> Query<Option<Vec<StoredDocument>>> {
    pages!("documents.list_of_caller", OF_CALLER; caller, query)
}

/// `GET`: a page of the practice's documents.
pub(crate) async fn list(request: ReadRequest<DocumentQuery>) -> Result<Response, AppError> {
    let load = |query: DocumentQuery| of_caller(request.credential(), &query);
    // A name whose key is not here is left out.
    let name = |stored: &StoredDocument| stored.name(&stored.keys(&request.call)).ok().flatten();
    let view = |person: &_, query, stored| listed(person, query, stored, name);
    request.list_for(load, view).await
}

/// `GET /api/v1/staff/practices/{practice}/documents`: the same for staff, without the names of the files.
pub(crate) async fn list_for_staff(
    PathPractice(practice): PathPractice,
    request: ReadRequest<DocumentQuery>,
) -> Result<Response, AppError> {
    let load = |query: DocumentQuery| of_practice(practice, &query);
    let view = |person: &_, query, stored| listed(person, query, stored, |_| None);
    request.list_for(load, view).await
}

pub(super) fn listed(
    person: &Person,
    query: DocumentQuery,
    stored: Vec<StoredDocument>,
    name: impl Fn(&StoredDocument) -> Option<String>,
) -> Listed<DocumentFor> {
    let views = stored.into_iter().map(|stored| {
        let name = name(&stored);
        DocumentFor::of(stored, name, person)
    });
    let cursor = |last: &DocumentFor| last.document.id.0.simple().to_string();
    Listed::cut(views.collect(), query.limit, cursor)
}
