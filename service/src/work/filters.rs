//! `/api/v1/staff/filters`: the filters of the queue that a staff member has saved under a name. Nobody else sees them.

use crate::prelude::*;
use crate::request::declare::kinds::{Changed, Printable, Trimmed};
use crate::request::declare::{Field, Raw, Terms};
use crate::request::query::{ListQuery, NoQuery};
use crate::work::queue::{QueueOrder, QueueQuery};
use form_urlencoded::Serializer;
use overturn_core::base::id::QueueFilterId;
use overturn_core::claims::ClaimStatus;
use overturn_core::request::field::{self, Problems};
use overturn_core::request::problem::Rule;

/// Most filters of a person.
pub const FILTERS_MAX: usize = 20;

/// The longest query that is read. The longest filter in it is the name of a payer.
const QUERY_MAX: usize = 2_000;

/// What a filter does not keep: the place in the list, days that pass, and a claim number, which may identify a patient.
const NOT_KEPT: [&str; 6] = ["limit", "cursor", "count", "claim_number", "due_from", "due_to"];

const NO_FILTER: RequestError = RequestError::NotFound("no such filter");

body! {
    NewQueueFilter {
        /// What you call it. Do not name a patient. Each of your filters has another name, regardless of the case of ASCII
        /// letters.
        name: Trimmed<Printable<60>>,
        /// A query of `listQueue` with at least one parameter. `limit`, `cursor`, `count`, `claim_number`, `due_from` and
        /// `due_to` are refused. `payer_name` must be a payer that a claim has named.
        query: KeptQuery,
    }
}

body! {
    /// At least one field. Unknown keys are refused.
    edit QueueFilterEdit { name: Changed<Trimmed<Printable<60>>>, query: Changed<KeptQuery> }
}

/// A query of the queue that may be kept, read by the queue itself.
pub struct KeptQuery(QueueQuery);

impl Field for KeptQuery {
    type Value = Self;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<Self> {
        let text = field::required(p, name, raw.text(), QUERY_MAX)?;
        let before = p.count();
        let query = p.inside(name, |p| {
            let pairs = form_urlencoded::parse(text.as_bytes());
            let kept = pairs.filter(|(name, _)| !NOT_KEPT.contains(&&**name));
            let not_kept = NOT_KEPT.into_iter().filter(|not| pairs.clone().any(|(name, _)| name == *not));
            not_kept.for_each(|name| p.add(name, Rule::Form("cannot be saved")));
            let query = QueueQuery::parse(kept);
            query.map_err(|problems| problems.into_iter().for_each(|problem| p.add(problem.field, problem.rule))).ok()
        })?;
        if p.count() == before && text_of(&query).is_empty() {
            p.add(name, Rule::Form("must have a filter"));
        }
        (p.count() == before).then_some(Self(query))
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        json!({ "type": "string", "format": "queue-query", "maxLength": QUERY_MAX })
    }
}

/// The canonical text of a query: what it does not keep and what says the default is left out.
fn text_of(query: &QueueQuery) -> String {
    // A new filter of the queue is missing here, or in `NOT_KEPT`.
    let QueueQuery {
        limit: _,
        cursor: _,
        order,
        count: _,
        status,
        practice_id,
        payer_name,
        claim_number: _,
        denial_code,
        min_age_days,
        max_age_days,
        due_from: _,
        due_to: _,
        taken_by,
        signature,
        ask_before,
    } = query;
    let statuses: Vec<&str> = status.iter().map(|status| ClaimStatus::name(*status)).collect();
    let filters = [
        ("status", (!query.has_default_statuses()).then(|| statuses.join(","))),
        ("practice_id", practice_id.map(|id| id.to_string())),
        ("payer_name", payer_name.clone()),
        ("denial_code", denial_code.clone()),
        ("min_age_days", min_age_days.map(|days| days.to_string())),
        ("max_age_days", max_age_days.map(|days| days.to_string())),
        ("taken_by", taken_by.map(|by| by.holder())),
        ("signature", signature.map(|state| state.name().into())),
        ("ask_before", ask_before.map(|day| day.to_string())),
        ("order", (*order != QueueOrder::Deadline).then(|| order.name().into())),
    ];
    let mut text = Serializer::new(String::new());
    for (name, value) in filters {
        text.extend_pairs(value.map(|value| (name, value)));
    }
    text.finish()
}

/// A filter of the queue that the caller has saved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct QueueFilter {
    id: QueueFilterId,
    name: String,
    /// The query of `listQueue`. It has its parameters in a fixed order, and none that says the default. `ask_before` is the
    /// day that was saved: put the current one in its place.
    query: String,
}

/// The caller's filters, by name.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct QueueFilters {
    #[cfg_attr(feature = "schema", schemars(length(max = FILTERS_MAX)))]
    filters: Vec<QueueFilter>,
}

/// The filters of the caller, by name.
fn of_caller(caller: &str) -> Query<Vec<QueueFilter>> {
    select!(
        "work.filters",
        "SELECT json_group_array(json_object('id', id, 'name', name, 'query', query)) AS json FROM (
           SELECT id, name, query FROM queue_filters WHERE user_id = {ACCOUNT_OF_CALLER} ORDER BY name)";
        caller
    )
    .one()
}

/// A payer that a claim has named, as one of the practices spells it whose patient data may be read.
fn payer(name: &str) -> Query<Option<String>> {
    const READABLE: &str = readable!("q.practice_id");
    select!(
        "work.filter_payer",
        "SELECT json_quote(q.name) AS json FROM payers q WHERE q.sandbox = 0 AND q.name = {name} AND {READABLE} LIMIT 1" [READABLE]; name
    )
    .optional()
}

/// `listQueueFilters`: List your saved filters of the queue.
///
/// Staff only. Your own, at most 20, by name. Nobody else sees them.
pub(crate) async fn list(request: ReadRequest<NoQuery>) -> Result<Gives<QueueFilters>, AppError> {
    let view = request.show(of_caller(request.credential()), |_, filters| {
        request.page.clone()?;
        Ok::<_, AppError>(QueueFilters { filters })
    });
    view.await
}

/// `saveQueueFilter`: Save a filter of the queue under a name.
///
/// Staff only. You can have at most 20 (`409`), each with another name (`409`).
pub(crate) async fn save(request: WriteRequest<NewQueueFilter>) -> Result<Gives<QueueFilter, 201>, AppError> {
    let named = request.body().ok().and_then(|new| new.query.0.payer_name);
    let load = (of_caller(request.credential()), named.as_deref().map(payer));
    let decide = request
        .change(load, |person, (filters, payer), new| saved(new, (&filters, payer.flatten()), person, request.ctx()));
    decide.await
}

/// `changeQueueFilter`: Change a saved filter.
///
/// Staff only, for your own filters. A field that you leave out stays as it is. Unknown keys are refused.
pub(crate) async fn change(
    PathId(id): PathId<QueueFilterId>,
    request: WriteRequest<QueueFilterEdit>,
) -> Result<Gives<QueueFilter>, AppError> {
    let named = request.body().ok().and_then(|edit| edit.query?.0.payer_name);
    let load = (of_caller(request.credential()), named.as_deref().map(payer));
    let decide = request.change(load, |person, (filters, payer), edit| {
        changed((id, edit), (&filters, payer.flatten()), person, request.ctx())
    });
    decide.await
}

/// `removeQueueFilter`: Remove a saved filter.
///
/// Staff only, for your own filters.
pub(crate) async fn remove(
    PathId(id): PathId<QueueFilterId>,
    request: WriteRequest,
) -> Result<Gives<(), 204>, AppError> {
    let load = of_caller(request.credential());
    request.change(load, |person, filters, _| removed(id, &filters, person, request.ctx())).await
}

/// What is kept of a query: its payer is the one that was found. So the text has no words of the caller.
fn kept(KeptQuery(query): KeptQuery, payer: Option<String>) -> Result<String, RequestError> {
    if query.payer_name.is_some() && payer.is_none() {
        return Err(RequestError::invalid("query.payer_name", Rule::MustBe("a payer that a claim has named".into())));
    }
    Ok(text_of(&QueueQuery { payer_name: payer, ..query }))
}

/// Refuses a name that another filter of the person has. SQLite compares the names in the same way.
fn is_free(filter: &QueueFilter, filters: &[QueueFilter]) -> Result<(), RequestError> {
    if filters.iter().any(|other| other.id != filter.id && other.name.eq_ignore_ascii_case(&filter.name)) {
        return Err(RequestError::Conflict(Reason::AlreadyExists, "another filter of yours has this name"));
    }
    Ok(())
}

fn saved(
    new: NewQueueFilter,
    (filters, payer): (&[QueueFilter], Option<String>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let id = QueueFilterId(ctx.id(Purpose::Record, 0));
    let filter = QueueFilter { id, name: new.name, query: kept(new.query, payer)? };
    is_free(&filter, filters)?;
    if filters.len() >= FILTERS_MAX {
        return Err(RequestError::Conflict(Reason::LimitReached, "a person has at most 20 filters"));
    }
    let user = person.user_id;
    let audit = Entry::new(ctx, 0, None, Event::QueueFilterSaved, id);
    Ok(Change::new(audit, Answer::new(201, &filter))
        .guard(abort_if!(
            Record,
            "(SELECT count(*) FROM queue_filters WHERE user_id = {user}) >= CAST({most} AS INTEGER)
               OR EXISTS (SELECT 1 FROM queue_filters WHERE user_id = {user} AND name = {name})";
            user, most = FILTERS_MAX, name = &filter.name
        ))
        .write(sql!(
            "INSERT INTO queue_filters (user_id, id, name, query) VALUES ({user}, {id}, {name}, {query})
             ON CONFLICT (user_id, id) DO NOTHING";
            user, id, name = &filter.name, query = &filter.query
        )))
}

fn changed(
    (id, edit): (QueueFilterId, QueueFilterEdit),
    (filters, payer): (&[QueueFilter], Option<String>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let stored = filters.iter().find(|filter| filter.id == id).ok_or(NO_FILTER)?;
    let query = edit.query.map(|query| kept(query, payer)).transpose()?;
    let filter = QueueFilter {
        id,
        name: edit.name.unwrap_or_else(|| stored.name.clone()),
        query: query.unwrap_or_else(|| stored.query.clone()),
    };
    is_free(&filter, filters)?;
    let answer = Answer::new(200, &filter);
    if filter == *stored {
        return Ok(Change::nothing(answer));
    }
    let user = person.user_id;
    let audit = Entry::new(ctx, 0, None, Event::QueueFilterSaved, id);
    Ok(Change::new(audit, answer)
        .guard(abort_if!(
            Record,
            "EXISTS (SELECT 1 FROM queue_filters WHERE user_id = {user} AND name = {name} AND id <> {id})";
            user, id, name = &filter.name
        ))
        // The answer has what the edit leaves out. If another tab has changed it since, the next round reads it again.
        .guard(abort_if!(
            Secret,
            "NOT EXISTS (SELECT 1 FROM queue_filters WHERE user_id = {user} AND id = {id}
               AND name = {name} COLLATE BINARY AND query = {query})";
            user, id, name = &stored.name, query = &stored.query
        ))
        .write(sql!(
            "UPDATE queue_filters SET name = {name}, query = {query} WHERE user_id = {user} AND id = {id}";
            user, id, name = &filter.name, query = &filter.query
        )))
}

fn removed(id: QueueFilterId, filters: &[QueueFilter], person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    if !filters.iter().any(|filter| filter.id == id) {
        return Err(NO_FILTER);
    }
    let user = person.user_id;
    let audit = Entry::new(ctx, 0, None, Event::QueueFilterRemoved, id);
    Ok(Change::new(audit, Answer::empty())
        // Of several parallel removals, one is in the trail.
        .guard(abort_if!(
            Secret, "NOT EXISTS (SELECT 1 FROM queue_filters WHERE user_id = {user} AND id = {id})"; user, id
        ))
        .write(sql!("DELETE FROM queue_filters WHERE user_id = {user} AND id = {id}"; user, id)))
}

/// Removes every filter of an account.
pub(crate) fn all_removed(user: UserId) -> Write {
    sql!("DELETE FROM queue_filters WHERE user_id = {user}"; user)
}

#[cfg(test)]
mod tests;
