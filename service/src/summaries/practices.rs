//! `GET /api/v1/staff/practices`: the practices by name, with the number of their open claims.

use super::today::{Today, later};
use crate::auth::disclosure::{AgreementState, PracticeState};
use crate::prelude::*;
use crate::request::declare::query::kinds::{Cursor, Limit, Place, TextOf};
use crate::request::declare::query::query;
use crate::request::page::merged;
use data_encoding::HEXLOWER;
use overturn_core::base::date::Date;
use std::fmt;
use uuid::Uuid;

/// How many days after today a deadline is soon.
const SOON_DAYS: i32 = 7;

/// A place in the list. It has the name, because the practice may live in another cell than the next one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PracticePlace {
    /// The name as it is compared: upper and lower case of ASCII letters does not matter.
    name: String,
    id: PracticeId,
}

impl PracticePlace {
    fn of(practice: &ListedPractice) -> Self {
        Self { name: practice.name.to_ascii_lowercase(), id: practice.id }
    }
}

impl Place for PracticePlace {
    fn parse(text: &str) -> Option<Self> {
        let (name, id) = text.rsplit_once('_')?;
        let name = HEXLOWER.decode(name.as_bytes()).ok()?;
        Some(Self { name: String::from_utf8_lossy(&name).into(), id: PracticeId(Uuid::try_parse(id).ok()?) })
    }

    #[cfg(feature = "schema")]
    const FORM: &'static str = "^([0-9a-f]{2})*_[0-9a-f]{32}$";
}

impl fmt::Display for PracticePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", HEXLOWER.encode(self.name.as_bytes()), self.id.0.simple())
    }
}

query! {
    /// The query of the list of practices.
    pub(crate) PracticesQuery {
        limit: Limit,
        cursor: Cursor<PracticePlace>,
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
    #[cfg(feature = "schema")]
    const CURSOR: &'static str = <PracticePlace as Place>::FORM;
    #[cfg(feature = "schema")]
    const OF_ALL: bool = true;
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
           WHERE p.sandbox_of IS NULL AND p.state IN ('active', 'inactive') AND p.name COLLATE NOCASE >= {name} AND p.name COLLATE NOCASE < {name} || char(1114111)
             AND ({after} IS NULL OR (p.name COLLATE NOCASE, p.id) > ({after}, {id}))
           ORDER BY p.name COLLATE NOCASE, p.id LIMIT CAST({most} AS INTEGER)) p" [AGREEMENT, OPEN, SHOWN];
        name = query.name.as_deref().unwrap_or_default(), after = query.cursor.as_ref().map(|place| &*place.name),
        id = query.cursor.as_ref().map(|place| place.id), most = query.reads(), today, soon = later(today, SOON_DAYS)
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
    let now = request.ctx().now;
    let load = |query: &PracticesQuery, _: Option<&Person>| query.today.at(now).ok().map(|today| page(query, today));
    let view = request.list_of_all(load, joined, |query, found| {
        query.today.at(now)?;
        Ok(Listed::cut(found.unwrap_or_default(), query.limit, cursor))
    });
    view.await
}

pub(super) fn cursor(last: &ListedPractice) -> String {
    PracticePlace::of(last).to_string()
}

/// The first practices of two cells.
pub(super) fn joined(
    query: &PracticesQuery,
    found: Option<Vec<ListedPractice>>,
    more: Option<Vec<ListedPractice>>,
) -> Option<Vec<ListedPractice>> {
    let order = |a: &ListedPractice, b: &ListedPractice| PracticePlace::of(a).cmp(&PracticePlace::of(b));
    Some(merged([found?, more?], query.reads(), order))
}
