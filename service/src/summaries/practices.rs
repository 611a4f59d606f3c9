//! `GET /api/v1/staff/practices`: the practices by name, with the number of their open claims.

use super::today::{Today, later};
use crate::auth::disclosure::{AgreementState, PracticeState};
use crate::pipeline::linked;
use crate::prelude::*;
use crate::request::declare::query::kinds::{Cursor, Limit, TextOf};
use crate::request::declare::query::query;
use overturn_core::base::date::Date;
use uuid::Uuid;

/// How many days after today a deadline is soon.
const SOON_DAYS: i32 = 7;

query! {
    /// The query of the list of practices.
    pub(crate) PracticesQuery {
        limit: Limit,
        cursor: Cursor<Uuid>,
        /// Only practices whose name begins with this text.
        name: TextOf<200>,
        today: Today,
    }
}

impl PracticesQuery {
    /// How many practices to read: one more than requested, which shows whether there is another page.
    const fn reads(&self) -> usize {
        self.limit.saturating_add(1)
    }
}

/// Open claims of a practice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct OpenClaims {
    /// All of them.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    open: i64,
    /// Those whose deadline has passed.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    late: i64,
    /// Those whose deadline is today or in the next seven days.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    due_soon: i64,
}

/// A practice with its open claims.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ListedPractice {
    pub(super) id: PracticeId,
    pub(super) name: String,
    status: PracticeState,
    /// Whether the practice has an agreement in force, had one that ended, or never signed one.
    agreement: AgreementState,
    claims: OpenClaims,
}

impl Item for ListedPractice {
    const LIST: &'static str = "practices";
}

/// A page of the practices. Their open claims are those that the queue lists: none if patient data may not be read.
pub(super) fn page(query: &PracticesQuery, today: Date) -> Query<Vec<ListedPractice>> {
    const AGREEMENT: &str = agreement!("p.id");
    // SQLite does not look for one practice in `claim_figures` if its id comes from another table.
    const OPEN: &str =
        "(SELECT coalesce(sum(n.claims), 0) FROM (SELECT status, due, claims FROM claim_counts WHERE scope = p.id
         UNION ALL SELECT status, due, claims FROM uncounted_claims WHERE scope = p.id) n
       WHERE n.status IN ('received', 'reviewing', 'in_report', 'in_appeal')";
    const SHOWN: &str = "AND p.state = 'active' AND {AGREEMENT})";
    select!(
        "summaries.practices",
        "SELECT json_group_array(json_object('id', p.id, 'name', p.name, 'status', p.state, 'agreement',
           CASE WHEN {AGREEMENT} THEN 'in_force'
             WHEN EXISTS (SELECT 1 FROM agreements e WHERE e.practice_id = p.id AND e.kind = 'baa') THEN 'ended'
             ELSE 'missing' END,
           'claims', json_object('open', {OPEN} {SHOWN}, 'late', {OPEN} AND n.due < {today} {SHOWN},
             'due_soon', {OPEN} AND n.due BETWEEN {today} AND {soon} {SHOWN}))) AS json
         FROM (SELECT p.* FROM practices p
           WHERE p.sandbox_of IS NULL AND p.name COLLATE NOCASE >= {name} AND p.name COLLATE NOCASE < {name} || char(1114111)
             AND ({after} IS NULL
               OR (p.name COLLATE NOCASE, p.id) > (SELECT a.name, a.id FROM practices a WHERE a.id = {after}))
           ORDER BY p.name COLLATE NOCASE, p.id LIMIT CAST({most} AS INTEGER)) p" [AGREEMENT, OPEN, SHOWN];
        name = query.name.as_deref().unwrap_or_default(), after = query.cursor.map(PracticeId), most = query.reads(),
        today, soon = later(today, SOON_DAYS)
    )
    .one()
}

/// `listPractices`: List the practices.
///
/// Staff only. The practices by name, with the number of their open claims. Upper and lower case of ASCII letters
/// does not matter for the order and the filter. `late` counts open claims whose deadline has passed, and
/// `due_soon` those whose deadline is today or in the next seven days. All three are 0 for a practice that is
/// inactive or has no agreement in force, because the queue does not list its claims.
pub(crate) async fn list(request: ReadRequest<PracticesQuery>) -> Result<Gives<Listed<ListedPractice>>, AppError> {
    let query = request.page.clone();
    let query = query.and_then(|query| Ok((query.today.at(request.ctx().now)?, query)));
    let load = query.as_ref().ok().map(|(today, query)| page(query, *today));
    let mut next = None;
    let view = request.show(load, |_, found| {
        let page = query.map(|(_, query)| {
            let found = found.unwrap_or_default();
            Listed::cut(found, query.limit, |last: &ListedPractice| last.id.0.simple().to_string())
        });
        let cursor = page.as_ref().ok().and_then(|page| page.next_cursor());
        next = cursor.map(|cursor| request.next(cursor));
        page
    });
    let response: Response = view.await?;
    linked(response, next).map(Into::into)
}
