//! `/api/v1/reports` and `/api/v1/appeals`: reports and cases, as the practice sees them. They name no patient, and none
//! of the staff.

use crate::pipeline::practice_keys;
use crate::prelude::*;
use crate::work::attached::{AttachmentView, StoredAttachment};
use crate::work::cases::{CASE_CLAIMS, CaseClaim, CaseStanding, IN_APPEAL, LAST_LEVEL};
use crate::work::reports::{PracticeReportItem, REPORTED_CLAIMS, ReportedClaim};
use crate::work::sql::LEVEL;
use overturn_core::base::id::{CaseId, ReportId};
use overturn_core::claims::appeal::level::Level;

/// A report with the current state of its claims, and its documents.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PracticeReport"))]
pub(crate) struct PracticeReport<D> {
    id: ReportId,
    delivered_at: Time,
    /// Its claims, sorted by number.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    claims: Vec<ReportedClaim>,
    /// The documents that are attached to it, the oldest first.
    documents: Vec<D>,
}

/// An appeal in a list of the practice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct AppealItem {
    id: CaseId,
    /// The payer as the first claim of the appeal names it.
    payer_name: String,
    opened_at: Time,
    /// The number of claims.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    claims: usize,
    /// How many of these claims are appealed in this appeal now.
    in_appeal: usize,
    /// Its last level.
    #[cfg_attr(feature = "schema", schemars(with = "Level"))]
    level: Option<Level>,
}

/// An appeal in a list, as the practice sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ListedAppeal {
    #[serde(flatten)]
    item: AppealItem,
    standing: CaseStanding,
}

impl Item for ListedAppeal {
    const LIST: &'static str = "appeals";
}

/// An appeal with its claims, levels and documents.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Appeal<D> {
    id: CaseId,
    /// The payer as the first claim of the appeal names it.
    payer_name: String,
    opened_at: Time,
    /// Its claims, sorted by number.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    claims: Vec<CaseClaim>,
    /// Its levels, in order.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    levels: Vec<AppealLevel>,
    /// The documents that are attached to it, the oldest first.
    documents: Vec<D>,
}

/// An appeal, as the practice sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Appeal"))]
pub(crate) struct ShownAppeal<D> {
    #[serde(flatten)]
    appeal: Appeal<D>,
    standing: CaseStanding,
}

/// A level of an appeal, as the practice sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct AppealLevel {
    #[serde(flatten)]
    level: Level,
    begun_at: Time,
}

/// The documents that are attached to a record `$of` of a kind, as `StoredAttachment` reads them.
macro_rules! attached {
    ($kind:literal, $of:literal) => {
        concat!(
            "json((SELECT json_group_array(json_object('practice_id', d.practice_id, 'id', d.id, 'key_version', d.key_version,
               'sealed', d.sealed, 'size', d.size, 'content_type', d.content_type,
               'state', d.state, 'data_key', ",
            data_key!("d.practice_id"),
            ")) FROM (SELECT d.* FROM document_uses u CROSS JOIN documents d
               WHERE u.practice_id = ",
            $of,
            ".practice_id AND u.kind = ",
            $kind,
            " AND u.record_id = ",
            $of,
            ".id AND d.practice_id = u.practice_id AND d.id = u.document_id AND d.state IN ('available', 'quarantined')
               ORDER BY d.id) d))"
        )
    };
}
const TO_REPORT: &str = attached!("'report'", "r");
const TO_CASE: &str = attached!("'case'", "k");

fn report_page(caller: &str, of: Page) -> Query<Option<Vec<PracticeReportItem>>> {
    select!(
        "work.practice_reports",
        "SELECT json_group_array(json_object('id', r.id, 'delivered_at', r.delivered_at, 'claims',
           (SELECT count(*) FROM report_claims m WHERE m.practice_id = r.practice_id AND m.report_id = r.id))) AS json
         FROM (SELECT * FROM reports WHERE practice_id = {OF_CALLER} AND id < {after} ORDER BY id DESC
           LIMIT CAST({most} AS INTEGER)) r";
        caller, after = after(of), most = of.reads()
    )
    .optional()
}

fn stored_report(caller: &str, id: ReportId) -> Query<Option<PracticeReport<StoredAttachment>>> {
    select!(
        "work.practice_report",
        "SELECT json_object('id', r.id, 'delivered_at', r.delivered_at, 'claims', {REPORTED_CLAIMS},
           'documents', {TO_REPORT}) AS json FROM reports r WHERE r.practice_id = {OF_CALLER} AND r.id = {id}"
        [REPORTED_CLAIMS, TO_REPORT]; caller, id
    )
    .optional()
}

fn appeal_page(caller: &str, of: Page) -> Query<Option<Vec<AppealItem>>> {
    select!(
        "work.appeals",
        "SELECT json_group_array(json_object('id', k.id, 'payer_name', k.payer_name, 'opened_at', k.opened_at,
           'claims', (SELECT count(*) FROM case_claims m WHERE m.practice_id = k.practice_id AND m.case_id = k.id),
           'in_appeal', {IN_APPEAL}, 'level', {LAST_LEVEL})) AS json
         FROM (SELECT * FROM cases WHERE practice_id = {OF_CALLER} AND id < {after} ORDER BY id DESC
           LIMIT CAST({most} AS INTEGER)) k"
        [IN_APPEAL, LAST_LEVEL, LEVEL]; caller, after = after(of), most = of.reads()
    )
    .optional()
}

fn stored_appeal(caller: &str, id: CaseId) -> Query<Option<Appeal<StoredAttachment>>> {
    select!(
        "work.appeal",
        "SELECT json_object('id', k.id, 'payer_name', k.payer_name, 'opened_at', k.opened_at, 'claims', {CASE_CLAIMS},
           'levels', json((SELECT json_group_array(json_object({LEVEL}, 'begun_at', l.begun_at))
             FROM (SELECT * FROM case_levels WHERE practice_id = k.practice_id AND case_id = k.id ORDER BY level) l)),
           'documents', {TO_CASE}) AS json FROM cases k WHERE k.practice_id = {OF_CALLER} AND k.id = {id}"
        [CASE_CLAIMS, LEVEL, TO_CASE]; caller, id
    )
    .optional()
}

/// `listPracticeReports`: List the reports that we delivered to the practice.
///
/// For everyone in an active practice that has signed the agreement. The newest comes first.
pub(crate) async fn reports(request: ReadRequest<Page>) -> Result<Gives<Listed<PracticeReportItem>>, AppError> {
    let load = |of| report_page(request.credential(), of);
    let view = |of: Page, all| -> Listed<PracticeReportItem> { of.list(all, |report| report.id.0) };
    request.list(load, view).await
}

/// `showPracticeReport`: Read one report with its claims and documents.
///
/// For everyone in an active practice that has signed the agreement. The claims are in their current state. For an
/// API token, the `name` of a document is `null`, because it can name the patient.
pub(crate) async fn report(
    PathId(id): PathId<ReportId>,
    request: ReadRequest,
) -> Result<Gives<PracticeReport<AttachmentView>>, AppError> {
    let load = stored_report(request.credential(), id);
    let view = |person: &Person, stored: Option<PracticeReport<StoredAttachment>>| {
        let PracticeReport { id, delivered_at, claims, documents } =
            stored.ok_or(RequestError::NotFound("no such report"))?;
        let documents = shown(&request, person, documents);
        Ok::<_, RequestError>(PracticeReport { id, delivered_at, claims, documents })
    };
    request.show(load, view).await
}

/// `listAppeals`: List the practice's appeals.
///
/// For everyone in an active practice that has signed the agreement. The newest comes first. `level` is the current
/// level of the appeal.
pub(crate) async fn appeals(request: ReadRequest<Page>) -> Result<Gives<Listed<ListedAppeal>>, AppError> {
    let load = |of| appeal_page(request.credential(), of);
    let view = |of: Page, found: Vec<AppealItem>| -> Listed<ListedAppeal> {
        let found = found
            .into_iter()
            .map(|item| ListedAppeal { standing: CaseStanding::of(item.level.as_ref(), item.in_appeal > 0), item });
        of.list(found.collect(), |appeal| appeal.item.id.0)
    };
    request.list(load, view).await
}

/// `showAppeal`: Read one appeal with its claims, levels and documents.
///
/// For everyone in an active practice that has signed the agreement. For an API token, the `name` of a document is
/// `null`, because it can name the patient.
pub(crate) async fn appeal(
    PathId(id): PathId<CaseId>,
    request: ReadRequest,
) -> Result<Gives<ShownAppeal<AttachmentView>>, AppError> {
    let load = stored_appeal(request.credential(), id);
    let view = |person: &Person, stored: Option<Appeal<StoredAttachment>>| {
        let Appeal { id, payer_name, opened_at, claims, levels, documents } =
            stored.ok_or(RequestError::NotFound("no such appeal"))?;
        let in_appeal = claims.iter().any(|claim| claim.outcome.is_none());
        let standing = CaseStanding::of(levels.last().map(|last| &last.level), in_appeal);
        let documents = shown(&request, person, documents);
        let appeal = Appeal { id, payer_name, opened_at, claims, levels, documents };
        Ok::<_, RequestError>(ShownAppeal { appeal, standing })
    };
    request.show(load, view).await
}

fn shown(request: &ReadRequest, person: &Person, stored: Vec<StoredAttachment>) -> Vec<AttachmentView> {
    let shown = stored.into_iter().map(|one| {
        let data_key = one.data_key.clone();
        let keys = practice_keys::to_open(&request.call, one.practice_id, data_key.as_ref());
        one.view(person, &keys)
    });
    shown.collect()
}
