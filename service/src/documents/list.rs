//! `GET /api/v1/documents`: a practice's documents, newest first.

use super::document::{DATA_KEY, DOCUMENT, DocumentKind, StoredDocument, UseKind};
use super::show::DocumentView;
use crate::extract::PathPractice;
use crate::plan::documents::DocumentState;
use crate::prelude::*;
use crate::request::declare::kinds::Id;
use crate::request::declare::query::kinds::{AnyText, Cursor, Limit, OneOf};
use crate::request::declare::query::query;
use crate::request::query::QueryReader;
use crate::sql::text::OF_CALLER;
use overturn_core::base::id::ClaimId;
use overturn_core::request::problem::Rule;
use uuid::Uuid;

query! {
    /// The query of the list.
    pub(crate) DocumentQuery {
        limit: Limit,
        cursor: Cursor<Uuid>,
        /// Documents of this claim.
        claim_id: Id<ClaimId>,
        /// Documents of the claim with this number, exactly as it was sent.
        claim_number: AnyText,
        /// Only documents that are attached to this case, and those of its claims. `cases` says which are attached. It
        /// cannot be given together with `report_id`.
        case_id: Id<Uuid>,
        /// Only documents that are attached to this report, and those of its claims. `reports` says which are attached. It
        /// cannot be given together with `case_id`.
        report_id: Id<Uuid>,
        /// Documents of this kind.
        kind: OneOf<DocumentKind>,
        /// Documents in this state. Without it, documents that are `available` or `quarantined`.
        state: OneOf<DocumentState>,
    }
    refuses both_records
}

fn both_records(query: &DocumentQuery, reader: &mut QueryReader<'_>) {
    if query.case_id.is_some() && query.report_id.is_some() {
        reader.refuse("report_id", Rule::NotWith("case_id"));
    }
}

impl DocumentQuery {
    /// The record of the staff's work, of which only the documents are listed.
    fn of_record(&self) -> Option<(UseKind, Uuid)> {
        let case = self.case_id.map(|id| (UseKind::Case, id));
        case.or(self.report_id.map(|id| (UseKind::Report, id)))
    }

    /// How many rows to read: one more than requested.
    pub(super) const fn reads(&self) -> usize {
        self.limit.saturating_add(1)
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
        match $query.of_record() {
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
            $whose, after = crate::store::after($query.cursor), most = $query.reads(), claim_id = $query.claim_id,
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

/// `listDocuments`: List the practice's documents.
///
/// For everyone in an active practice that has signed the agreement. The newest comes first. Deleted and infected
/// documents are listed only if `state` asks for them. If `claim_id` and `claim_number` name different claims, the
/// list is empty. `name` is `null` once a document is removed.
pub(crate) async fn list(request: ReadRequest<DocumentQuery>) -> Result<Gives<Listed<DocumentView>>, AppError> {
    let load = |query: DocumentQuery| of_caller(request.credential(), &query);
    // A name whose key is not here is left out.
    let name = |stored: &StoredDocument| stored.name(&stored.keys(&request.call)).ok().flatten();
    let view = |person: &_, query, stored| listed(person, query, stored, name);
    request.list_for(load, view).await
}

/// `listPracticeDocuments`: List a practice's documents.
///
/// Staff only. As the practice's own list, but `name` is always `null`: the name of a file can name the patient. Read
/// the document itself for its name.
pub(crate) async fn list_for_staff(
    PathPractice(practice): PathPractice,
    request: ReadRequest<DocumentQuery>,
) -> Result<Gives<Listed<DocumentView>>, AppError> {
    let load = |query: DocumentQuery| of_practice(practice, &query);
    let view = |person: &_, query, stored| listed(person, query, stored, |_| None);
    request.list_for(load, view).await
}

pub(super) fn listed(
    person: &Person,
    query: DocumentQuery,
    stored: Vec<StoredDocument>,
    name: impl Fn(&StoredDocument) -> Option<String>,
) -> Listed<DocumentView> {
    let views = stored.into_iter().map(|stored| {
        let name = name(&stored);
        DocumentView::of(stored, name, person)
    });
    let cursor = |last: &DocumentView| last.document.id.0.simple().to_string();
    Listed::cut(views.collect(), query.limit, cursor)
}
