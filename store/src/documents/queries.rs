//! What is read of documents.

use super::sql;
use crate::json::json;
use crate::query::Query;
use crate::statement::{Param, after, count, optional, text};
use overturn_core::base::id::{DocumentId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::documents::query::DocumentQuery;
use overturn_core::documents::retention::Expired;
use overturn_core::documents::target::{FoundClaim, Target};
use overturn_core::documents::view::StoredDocument;
use overturn_core::plan::documents::{DocumentSettings, RETENTION_DAYS, UseKind};
use serde::Deserialize;

#[must_use]
pub fn document(practice: PracticeId, id: DocumentId) -> Query<Option<StoredDocument>> {
    Query::optional("documents.document", sql::ONE, [text(practice), text(id)])
}

/// A document of the caller's practice, by the hash of the credential.
#[must_use]
pub fn of_caller(caller: &str, id: DocumentId) -> Query<Option<StoredDocument>> {
    Query::optional("documents.of_caller", sql::ONE_OF_CALLER, [text(caller), text(id)])
}

/// A page of a practice's documents.
#[must_use]
pub fn list(practice: PracticeId, query: &DocumentQuery) -> Query<Option<Vec<StoredDocument>>> {
    let sql = narrowed(query, [sql::LIST, sql::LIST_OF_CLAIM, sql::LIST_OF_CASE, sql::LIST_OF_REPORT]);
    Query::optional("documents.list", sql, page(&practice.to_string(), query))
}

/// A page of the documents of the caller's practice, by the hash of the credential.
#[must_use]
pub fn list_of_caller(caller: &str, query: &DocumentQuery) -> Query<Option<Vec<StoredDocument>>> {
    let sql = narrowed(
        query,
        [sql::LIST_OF_CALLER, sql::LIST_OF_CALLERS_CLAIM, sql::LIST_OF_CALLERS_CASE, sql::LIST_OF_CALLERS_REPORT],
    );
    Query::optional("documents.list_of_caller", sql, page(caller, query))
}

/// The statement for the narrowest filter of a query, which decides the index.
const fn narrowed(query: &DocumentQuery, [any, of_claim, of_case, of_report]: [&'static str; 4]) -> &'static str {
    match query.of_record {
        Some((UseKind::Case, _)) => of_case,
        Some((UseKind::Report, _)) => of_report,
        None if query.claim_id.is_some() || query.claim_number.is_some() => of_claim,
        None => any,
    }
}

fn page(whose: &str, query: &DocumentQuery) -> Vec<Param> {
    let record = query.of_record.map(|(_, id)| text(id));
    let page = [
        text(whose),
        after(query.after),
        count(query.reads()),
        optional(query.claim_id),
        optional(query.claim_number.as_ref()),
        optional(query.kind.map(|kind| kind.name())),
        optional(query.state.map(|state| state.name())),
    ];
    page.into_iter().chain(record).collect()
}

/// The claims that targets name, in the same order; `None` for one that the practice does not have.
#[must_use]
pub fn claims(practice: PracticeId, targets: &[&Target]) -> Query<Vec<Option<FoundClaim>>> {
    let named: Vec<_> = targets.iter().map(|target| (target.claim_id, target.claim_number.as_ref())).collect();
    Query::or_default("documents.claims", sql::CLAIMS, [text(practice), Param::Text(json(&named))])
}

/// The settings of the caller's practice, by the hash of the credential.
#[must_use]
pub fn settings(caller: &str) -> Query<DocumentSettings> {
    Query::or_default("documents.settings", sql::SETTINGS, [text(caller)])
}

/// Quarantined documents whose virus scan is due.
#[must_use]
pub fn to_scan(now: Instant) -> Query<Vec<StoredDocument>> {
    Query::or_default("documents.to_scan", sql::TO_SCAN, [Param::Int(now.0)])
}

/// An object that no document has.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct LooseObject {
    /// The document that it was meant for or belonged to.
    pub id: DocumentId,
    /// The bucket's id of the multipart upload, if there was one.
    pub upload_id: Option<String>,
}

/// Objects that are due to be removed.
#[must_use]
pub fn loose(now: Instant) -> Query<Vec<LooseObject>> {
    Query::or_default("documents.loose", sql::LOOSE, [Param::Int(now.0)])
}

/// An object, if no document has it.
#[must_use]
pub fn loose_object(id: DocumentId) -> Query<Option<LooseObject>> {
    Query::optional("documents.loose_object", sql::LOOSE_OBJECT, [text(id)])
}

/// How many documents [`expired`] reads at once.
pub const EXPIRED_MAX: usize = 100;

/// Documents whose time is over.
#[must_use]
pub fn expired(now: Instant) -> Query<Vec<Expired>> {
    let params = [Param::Int(now.0), Param::Int(RETENTION_DAYS), count(EXPIRED_MAX)];
    Query::or_default("documents.expired", sql::EXPIRED, params)
}
