//! `/api/v1/staff/practices/{practice}/reports`: claims that are delivered to a practice together.

use crate::claim_changes::{self, ClaimEdit, Claims, changes};
use crate::extract::{InPractice, PathPractice};
use crate::plan::message::Data;
use crate::plan::practice::PracticeName;
use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use crate::request::declare::body;
use crate::work::colleague::{Colleague, colleague};
use crate::work::named_claims::{self, NamedClaim, ids};
use crate::work::sql::practice;
use overturn_core::base::id::{ClaimId, ReportId};
use overturn_core::base::money::Amount;
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::deadline::Deadline;

/// A report, without its claims.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PracticeReportItem {
    pub(crate) id: ReportId,
    pub(crate) delivered_at: Time,
    /// How many claims it had at delivery.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub(crate) claims: usize,
}

impl Item for PracticeReportItem {
    const LIST: &'static str = "reports";
}

body! {
    ReportedClaims {
        /// Each claim once, in the version that you have seen.
        claims: Claims<NamedClaim>,
    }
}

/// A report in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ReportItem {
    id: ReportId,
    delivered_at: Time,
    /// The person who delivered it.
    delivered_by: Colleague,
    /// The number of claims.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    claims: usize,
}

impl Item for ReportItem {
    const LIST: &'static str = "reports";
}

/// A report with the current state of its claims.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ReportView {
    id: ReportId,
    /// The practice it was delivered to.
    practice: PracticeName,
    delivered_at: Time,
    /// The person who delivered it.
    delivered_by: Colleague,
    /// Its claims, sorted by number.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    claims: Vec<ReportedClaim>,
}

/// A claim of a report. It does not name the patient.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ReportedClaim {
    id: ClaimId,
    claim_number: String,
    /// Its current status.
    status: ClaimStatus,
    /// The deadline of its appeal, if it is known.
    deadline: Option<Deadline>,
    /// The insurer, as the practice names it.
    payer_name: String,
    billed_amount: Option<Amount>,
    denied_amount: Option<Amount>,
    /// The payer's payment in the end.
    amount_recovered: Option<Amount>,
}

/// The claims of a report `r`, as [`ReportedClaim`] reads them.
pub(super) const REPORTED_CLAIMS: &str = concat!(
    "json((SELECT json_group_array(json_object('id', c.id, 'claim_number', c.claim_number, 'status', c.status,
         'deadline', ",
    deadline!(),
    ", 'payer_name', c.payer_name, 'billed_amount', c.billed_cents, 'denied_amount', c.denied_cents,
         'amount_recovered', c.recovered_cents))
       FROM (SELECT c.* FROM report_claims m CROSS JOIN claims c
         WHERE m.practice_id = r.practice_id AND m.report_id = r.id AND c.practice_id = m.practice_id AND c.id = m.claim_id
         ORDER BY c.claim_number) c))"
);
const DELIVERED_BY: &str = colleague!("r.delivered_by");
const PRACTICE: &str = practice!("r");

pub(super) fn page(practice: PracticeId, of: Page) -> Query<Option<Vec<ReportItem>>> {
    select!(
        "work.reports",
        "SELECT json_group_array(json_object('id', r.id, 'delivered_at', r.delivered_at, 'delivered_by', {DELIVERED_BY},
           'claims', (SELECT count(*) FROM report_claims m WHERE m.practice_id = r.practice_id AND m.report_id = r.id))) AS json
         FROM (SELECT * FROM reports WHERE practice_id = {practice} AND id < {after} ORDER BY id DESC
           LIMIT CAST({most} AS INTEGER)) r"
        [DELIVERED_BY]; practice, after = after(of), most = of.reads()
    )
    .optional()
}

pub(super) fn report(practice: PracticeId, id: ReportId) -> Query<Option<ReportView>> {
    select!(
        "work.report",
        "SELECT json_object('id', r.id, 'practice', {PRACTICE}, 'delivered_at', r.delivered_at,
           'delivered_by', {DELIVERED_BY}, 'claims', {REPORTED_CLAIMS}) AS json
         FROM reports r WHERE r.practice_id = {practice} AND r.id = {id}"
        [PRACTICE, DELIVERED_BY, REPORTED_CLAIMS]; practice, id
    )
    .optional()
}

/// `listReports`: List the practice's reports.
///
/// Staff only. The newest comes first.
pub(crate) async fn list(
    PathPractice(practice): PathPractice,
    request: ReadRequest<Page>,
) -> Result<Gives<Listed<ReportItem>>, AppError> {
    let view = |of: Page, all| -> Listed<ReportItem> { of.list(all, |report| report.id.0) };
    request.list(|of| page(practice, of), view).await
}

/// `showReport`: Read one report with its claims.
///
/// Staff only. The claims show their current status. The report does not name a patient.
pub(crate) async fn show(
    InPractice(practice, id): InPractice<ReportId>,
    request: ReadRequest,
) -> Result<Gives<ReportView>, AppError> {
    let view = |_: &_, stored: Option<ReportView>| stored.ok_or(RequestError::NotFound("no such report"));
    request.show(report(practice, id), view).await
}

/// `deliverReport`: Deliver a report.
///
/// Staff only. Either all of its claims go to `in_report`, or none does. If a claim cannot go there or is no longer
/// in the `version` that you have seen, the answer is `409` and names each such claim. If one is not a claim of the
/// practice, the answer is `422`. The practice's webhooks get a message.
pub(crate) async fn deliver(
    PathPractice(practice): PathPractice,
    request: WriteRequest<ReportedClaims>,
) -> Result<Gives<PracticeReportItem, 201>, AppError> {
    let named = request.body().ok();
    let load = named.map(|named| claim_changes::claims(practice, &ids(&named.claims)));
    let decide = request.change(load, |person, found, named| {
        delivered(practice, (&named.claims, found.unwrap_or_default()), person, request.ctx())
    });
    decide.await
}

/// Each claim becomes `in_report`. All of them must be under review.
pub fn delivered(
    practice: PracticeId,
    (asked, found): (&[NamedClaim], Vec<Option<StoredWorkClaim>>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let claims = named_claims::all(asked, found, |claim| claim.version)?;
    let id = ReportId(ctx.id(Purpose::Record, 0));
    let set = ClaimEdit { report_id: Some(id), ..ClaimEdit::default() };
    let to = (ClaimStatus::InReport, |_: &StoredWorkClaim| set);
    let moved = named_claims::moved(practice, &claims, to, person.user_id)?;
    let claims: Vec<ClaimId> = claims.iter().map(|claim| claim.id).collect();
    let audit = Entry::new(ctx, 0, Some(practice), Event::ReportDelivered, id).detail(json!({ "claims": claims }));
    let count = claims.len();
    let answer = PracticeReportItem { id, delivered_at: Time(ctx.now), claims: count };
    let told = Data::Report { id, claims: count };
    let (guard, writes) = changes(moved, [(practice, told)], person, ctx);
    let change = Change::new(audit, Answer::new(201, &answer))
        .guard(guard)
        .write(sql!(
            "INSERT INTO reports (practice_id, id, delivered_at, delivered_by) VALUES ({practice}, {id}, {now}, {by})
             ON CONFLICT (practice_id, id) DO NOTHING";
            practice, id, now = ctx.now, by = person.user_id
        ))
        .write(sql!(
            "INSERT INTO report_claims (practice_id, report_id, claim_id)
             SELECT {practice}, {id}, j.value FROM json_each({claims}) j WHERE true
             ON CONFLICT (practice_id, report_id, claim_id) DO NOTHING";
            practice, id, claims = Json(claims)
        ));
    Ok(writes.into_iter().fold(change, Change::write))
}
