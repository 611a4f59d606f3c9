//! The names that filters offer: `/api/v1/staff/colleagues`, `/api/v1/staff/payers` and `/api/v1/denials/payers`.

use crate::prelude::*;
use crate::request::declare::kinds::Id;
use crate::request::declare::query::query;
use crate::request::page::merged;
use crate::request::query::NoQuery;
use overturn_core::base::id::UserId;

/// The most colleagues in the list.
const COLLEAGUES_MAX: usize = 500;
/// The most payers in a list.
const PAYERS_MAX: usize = 1_000;

/// A staff member who works on claims.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Colleague {
    pub(super) id: UserId,
    /// The person's name, or the email address if there is none.
    pub(super) name: String,
}

/// The staff who work on claims, by name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Colleagues {
    #[cfg_attr(feature = "schema", schemars(length(max = COLLEAGUES_MAX)))]
    pub(super) colleagues: Vec<Colleague>,
}

/// A payer that claims name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Payer {
    /// Its name, as a practice sent it first.
    pub(super) name: String,
}

/// The payers of claims, by name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = crate::request::page::of_all))]
pub(crate) struct Payers {
    #[cfg_attr(feature = "schema", schemars(length(max = PAYERS_MAX)))]
    pub(super) payers: Vec<Payer>,
}

query! {
    /// The query of the staff's list of payers.
    #[derive(Copy)]
    pub(crate) PayersQuery {
        /// Only of this practice.
        practice_id: Id<PracticeId>,
    }
}

/// Staff belong to no practice, and the index of members begins with the practice.
pub(super) fn staff() -> Query<Vec<Colleague>> {
    select!(
        "summaries.colleagues",
        "SELECT json_group_array(json_object('id', id, 'name', name)) AS json FROM (
           SELECT u.id, coalesce(nullif(u.name, ''), u.email) AS name FROM users u
           WHERE u.practice_id IS NULL AND u.role = 'staff' AND u.state = 'active'
           ORDER BY 2 COLLATE NOCASE, 1 LIMIT CAST({most} AS INTEGER))";
        most = COLLEAGUES_MAX
    )
    .one()
}

const LISTED: &str = "json_group_array(json_object('name', name)) AS json";
const SOME: &str = "ORDER BY name LIMIT CAST({most} AS INTEGER)";

pub(super) fn of_caller(caller: &str) -> Query<Vec<Payer>> {
    select!(
        "summaries.payers",
        "SELECT {LISTED} FROM (SELECT name FROM payers WHERE practice_id = {OF_CALLER} {SOME})" [LISTED, SOME];
        caller, most = PAYERS_MAX
    )
    .one()
}

/// The payers of a practice, or of all practices whose patient data may be read: each step looks up the next name in the
/// index, however many practices have the one before.
pub(super) fn of_scope(practice: Option<PracticeId>) -> Query<Vec<Payer>> {
    const READABLE: &str = readable!("q.practice_id");
    match practice {
        Some(practice) => select!(
            "summaries.payers_of",
            "SELECT {LISTED} FROM (SELECT name FROM payers WHERE practice_id = {practice} AND sandbox = 0 {SOME})" [LISTED, SOME];
            practice, most = PAYERS_MAX
        ),
        None => select!(
            "summaries.payers_of",
            "WITH RECURSIVE n(name) AS (
               SELECT (SELECT q.name FROM payers q WHERE q.sandbox = 0 AND {READABLE} ORDER BY q.name LIMIT 1)
               UNION ALL
               SELECT (SELECT q.name FROM payers q WHERE q.sandbox = 0 AND q.name > n.name AND {READABLE} ORDER BY q.name LIMIT 1) FROM n
                 WHERE n.name IS NOT NULL
               LIMIT CAST({most} AS INTEGER))
             SELECT {LISTED} FROM n WHERE name IS NOT NULL" [LISTED, READABLE];
            most = PAYERS_MAX
        ),
    }
    .one()
}

/// `listColleagues`: List the staff who work on claims.
///
/// Staff only. The active staff by name, at most 500. Auditors do not work on claims, so they are not in the list.
/// A person without a name is listed with the email address.
pub(crate) async fn colleagues(request: ReadRequest<NoQuery>) -> Result<Gives<Colleagues>, AppError> {
    let view = request.show(staff(), |_, colleagues| {
        request.page.clone()?;
        Ok::<_, AppError>(Colleagues { colleagues })
    });
    view.await
}

/// `listPayers`: List the payers of the practice's claims.
///
/// For everyone in an active practice that has signed the agreement. Every payer that a claim of the practice has
/// named, by name, at most 1,000. Names that differ only in the case of ASCII letters are listed once, as they
/// first came.
pub(crate) async fn payers(request: ReadRequest<NoQuery>) -> Result<Gives<Payers>, AppError> {
    let load = of_caller(request.credential());
    let view = request.show(load, |_, payers| {
        request.page.clone()?;
        Ok::<_, AppError>(Payers { payers })
    });
    view.await
}

/// `listStaffPayers`: List the payers of the claims of all practices, or of one.
///
/// Staff only. The same as `listPayers`, for all practices or for the one of `practice_id`.
pub(crate) async fn payers_of_all(request: ReadRequest<PayersQuery>) -> Result<Gives<Payers>, AppError> {
    let load = |query: &PayersQuery, _: Option<&Person>| of_scope(query.practice_id);
    request.show_of_all(load, |_, payers, more| joined(payers, more), |_, payers| Ok(Payers { payers })).await
}

/// The first payers of two cells. A name that both have is listed once.
pub(super) fn joined(payers: Vec<Payer>, more: Vec<Payer>) -> Vec<Payer> {
    let key = |payer: &Payer| payer.name.to_ascii_lowercase();
    let order = |a: &Payer, b: &Payer| key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name));
    let mut all = merged([payers, more], PAYERS_MAX.saturating_mul(2), order);
    all.dedup_by_key(|payer| key(payer));
    all.truncate(PAYERS_MAX);
    all
}
