//! Reads: loaded rows become a body with an `ETag`. A read of patient data is audited before the answer.

use super::all_cells::{gather, others, with_epochs};
use super::authorize::person::{authorize, authorize_standing};
use super::commit::{commit, guards, refused};
use super::forwards::moves;
use super::practice_keys::{self, ReportingKeys};
use super::{etag, patient_limit};
use crate::auth::person::{Person, StoredPerson};
use crate::auth::rights::Action;
use crate::call::Call;
use crate::db::{Patience, statements};
use crate::error::AppError;
use crate::extract::{IfNoneMatch, Presented, ReadRequest};
use crate::plan::audit::Entry;
use crate::plan::change::{Answer, Change};
use crate::plan::{Actor, Guard};
use crate::request::error::RequestError;
use crate::request::page::{CsvRow, Item, Listed};
use crate::request::reason::Reason;
use crate::response::{self, GivesLines, GivesTable, Response, Shows};
use crate::store::data_keys;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::store::{Done, Queries, Query, Statement};
use http::HeaderValue;
use http::header::LINK;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::{ClaimId, PracticeId};
use serde::Serialize;
use std::rc::Rc;

/// How often an export is made again.
const AGAIN: usize = 3;

/// A body, and the version at the beginning of its `ETag`.
pub(crate) struct Versioned<T> {
    pub(crate) body: T,
    pub(crate) version: i64,
}

/// A disclosure: its body, the version at the beginning of its `ETag`, and the audit row that must be committed before
/// the answer.
pub(crate) struct Disclosed<T> {
    pub(crate) body: T,
    pub(crate) version: i64,
    pub(crate) audit: Entry,
}

/// A part of a document, the change that records its read, and the claim whose patient it is about. A document without a
/// claim counts as a patient of its own.
pub(crate) struct Audited<T> {
    pub(crate) shown: T,
    pub(crate) change: Change,
    pub(crate) patient: (PracticeId, ClaimId),
}

impl<P: Clone> ReadRequest<P> {
    /// Answers with `view` of the rows, or with `304`.
    pub(crate) async fn show<Q: Queries, T: Serialize, E: Into<AppError>, R: Shows<T>>(
        &self,
        load: Q,
        view: impl FnOnce(&Person, Q::Rows) -> Result<T, E>,
    ) -> Result<R, AppError> {
        let view = |person: &Person, rows| Ok((None, view(person, rows).map_err(Into::into)?));
        show(self.asked(), statements(&load), &mut text_of(&load, view)).await.map(R::from)
    }

    /// [`show`](Self::show) for a record that is changed with `If-Match`.
    pub(crate) async fn show_versioned<Q: Queries, T: Serialize, R: Shows<T>>(
        &self,
        load: Q,
        view: impl FnOnce(&Person, Q::Rows) -> Result<Versioned<T>, RequestError>,
    ) -> Result<R, AppError> {
        let view = |person: &Person, rows| {
            let Versioned { body, version } = view(person, rows)?;
            Ok((Some(version), body))
        };
        show(self.asked(), statements(&load), &mut text_of(&load, view)).await.map(R::from)
    }

    /// Answers with a page of a list and the `Link` of the next page.
    pub(crate) async fn list<S, T: Item, R: Shows<Listed<T>>>(
        &self,
        load: impl FnOnce(P) -> Query<Option<Vec<S>>>,
        view: impl FnOnce(P, Vec<S>) -> Listed<T>,
    ) -> Result<R, AppError> {
        let view = |_: &Person, page, items| view(page, items);
        self.list_for(load, view).await
    }

    /// [`list`](Self::list) with a view that depends on the person.
    pub(crate) async fn list_for<S, T: Item, R: Shows<Listed<T>>>(
        &self,
        load: impl FnOnce(P) -> Query<Option<Vec<S>>>,
        view: impl FnOnce(&Person, P, Vec<S>) -> Listed<T>,
    ) -> Result<R, AppError> {
        let load = self.page.as_ref().map(|page| load(page.clone()));
        let mut next = None;
        let response = self.show(load.ok(), |person, items| {
            let page = self.page.clone()?;
            // A list gives a row, even an empty one, unless its parent record does not exist.
            let items = items.flatten().ok_or(RequestError::NotFound("no such record"))?;
            let listed = view(person, page, items);
            next = listed.next_cursor().map(|cursor| self.next(cursor));
            Ok::<_, RequestError>(listed)
        });
        let response: Response = response.await?;
        linked(response, next).map(R::from)
    }

    /// [`show`](Self::show) of the rows of all practices, or of the one that the request names. `load` gets the caller once the
    /// directory knows it. `join` makes the rows of two cells those of one.
    pub(crate) async fn show_of_all<Q: Queries, T: Serialize, R: Shows<T>>(
        &self,
        load: impl Fn(&P, Option<&Person>) -> Q,
        join: impl Fn(&P, Q::Rows, Q::Rows) -> Q::Rows,
        view: impl FnOnce(&P, Q::Rows) -> Result<T, RequestError>,
    ) -> Result<R, AppError> {
        let (_, page, rows) = self.gather(load, join).await?;
        Ok(self.respond(&view(&page, rows)?).into())
    }

    /// [`show_of_all`](Self::show_of_all) for a page of a list, with the `Link` of the next page.
    pub(crate) async fn list_of_all<Q: Queries, T: Item, R: Shows<Listed<T>>>(
        &self,
        load: impl Fn(&P, Option<&Person>) -> Q,
        join: impl Fn(&P, Q::Rows, Q::Rows) -> Q::Rows,
        view: impl FnOnce(&P, Q::Rows) -> Result<Listed<T>, RequestError>,
    ) -> Result<R, AppError> {
        let (_, page, rows) = self.gather(load, join).await?;
        let listed = view(&page, rows)?;
        let next = listed.next_cursor().map(|cursor| self.next(cursor));
        linked(self.respond(&listed), next).map(R::from)
    }

    /// [`list_of_all`](Self::list_of_all) for a search, as JSON or CSV. The row of `audit`, which is of the staff's own trail, is
    /// committed before the answer.
    pub(crate) async fn search<Q: Queries, T: CsvRow>(
        &self,
        load: impl Fn(&P, Option<&Person>) -> Q,
        join: impl Fn(&P, Q::Rows, Q::Rows) -> Q::Rows,
        view: impl FnOnce(&P, Q::Rows, &Person) -> (Listed<T>, Option<Entry>),
    ) -> Result<GivesTable<Listed<T>>, AppError> {
        let (person, page, rows) = self.gather(load, join).await?;
        let (listed, audit) = view(&page, rows, &person);
        if let Some(entry) = audit {
            let change = Change::new(entry, Answer::empty()).guard(Guard::Person(person.clone()));
            let noted = commit(&self.call.at_home(), Actor::from(&person), &change, &[]).await;
            noted.map_err(refused)?;
        }
        self.respond_page(&listed)
    }

    /// Authorizes the caller and loads the rows of all cells: one trip to the directory, and one to the others. A request that
    /// names a practice asks only its cell. If a practice moves meanwhile, all are asked again, because its rows may be there
    /// twice, or be missing.
    async fn gather<Q: Queries>(
        &self,
        load: impl Fn(&P, Option<&Person>) -> Q,
        join: impl Fn(&P, Q::Rows, Q::Rows) -> Q::Rows,
    ) -> Result<(Person, P, Q::Rows), AppError> {
        let asks_all = self.presented.about.is_none() && self.call.app.host.cells.are_several();
        let own = |page: &P| (load(page, None), asks_all.then(moves));
        let (person, rows) = self.read(self.page.as_ref().ok().map(own)).await?;
        let page = self.page.clone()?;
        let (mut rows, mut before) = rows.ok_or(AppError::Internal("nothing was loaded"))?;
        let others = load(&page, Some(&person));
        let (mut patience, mut seen) = (Patience::default(), None);
        while let Some(moves) = before {
            let joined = with_epochs(|all, more| join(&page, all, more));
            let went_on;
            (rows, went_on) = self.with_others(&(&others, moves.went_on(seen)), ((rows, None), joined)).await;
            if went_on.is_none() && moves.switching.is_empty() {
                break;
            }
            if !patience.lasts(&self.call.app.host).await {
                // A practice that went on can be of any cell.
                let all = self.call.app.host.cells.all();
                self.misses(if went_on.is_some() { all.collect() } else { moves.switching });
                break;
            }
            self.missing.borrow_mut().clear();
            seen = seen.max(went_on);
            (rows, before) = self.call.db.read(&own(&page)).await?;
        }
        Ok((person, page, rows))
    }

    /// Notes cells that are missing.
    fn misses(&self, cells: Vec<Cell>) {
        let mut all = self.missing.borrow_mut();
        all.extend(cells);
        all.sort_unstable();
        all.dedup();
    }

    /// These rows with those of the cells beside the directory, for a caller whom it has authorized. Notes the cells that are
    /// missing.
    pub(crate) async fn with_others<Q: Queries>(
        &self,
        load: &Q,
        joined: (Q::Rows, impl Fn(Q::Rows, Q::Rows) -> Q::Rows),
    ) -> Q::Rows {
        let (rows, missing) = gather(&self.call, others(&self.call.app.host), load, joined).await;
        self.misses(missing);
        rows
    }

    /// Answers with the patient's data of a claim, which `view` opens with the keys of the practice. The audit row is
    /// committed before the answer.
    pub(crate) async fn disclose<Q: Queries, T: Serialize, R: Shows<T>>(
        &self,
        (practice, claim): (PracticeId, ClaimId),
        load: Q,
        view: impl FnOnce(&Person, Q::Rows, &ReportingKeys<'_>) -> Result<Disclosed<T>, RequestError>,
    ) -> Result<R, AppError> {
        let load = (load, data_keys::of_practice(practice));
        let (person, done) = self.load(statements(&load)).await?;
        let (stored, data_key) = load.rows(&mut done.iter())?;
        let keys = practice_keys::to_open(&self.call, practice, data_key.as_ref());
        let shown = view(&person, stored, &keys)?;
        let mut change = Change::new(shown.audit, Answer::empty());
        change.guards = guards(&person, &self.presented);
        match patient_limit::open(&self.call, &person, change, Some((practice, claim))).await? {
            // The rights or the practice have changed. They are read again, for the reason to refuse.
            Err(DatabaseError::Conflict(FailedGuard::Credential)) => {
                authorize(&self.call, &self.presented, self.action, (Vec::new(), false)).await?;
                return Err(RequestError::Conflict(Reason::RightsChanged, "the practice has changed, try again").into());
            }
            noted => noted.map_err(refused)?,
        }
        Ok(etag::versioned(&self.known, shown.version, json(&shown.body)).into())
    }

    /// Reads something of a document, unless the caller has it already. Its change, which records the read, is committed before
    /// anything is shown. A member of staff opens a patient.
    pub(crate) async fn audited<Q: Queries, T>(
        &self,
        load: Q,
        view: impl FnOnce(&Person, Q::Rows) -> Result<Option<Audited<T>>, AppError>,
    ) -> Result<Option<T>, AppError> {
        let (person, done) = self.load(statements(&load)).await?;
        let Some(Audited { shown, mut change, patient }) = view(&person, load.rows(&mut done.iter())?)? else {
            return Ok(None);
        };
        change.guards.splice(0..0, guards(&person, &self.presented));
        let noted = if person.practice_id.is_none() {
            patient_limit::open(&self.call, &person, change, Some(patient)).await?
        } else {
            commit(&self.call, Actor::from(&person), &change, &[]).await.map(drop)
        };
        noted.map_err(refused)?;
        Ok(Some(shown))
    }

    /// Answers with a response that takes several batches. `make` loads its rows. The change that records the read is
    /// committed before the first byte of the answer. If somebody read the same meanwhile, such as the same client that gave up, it
    /// is made again.
    pub(crate) async fn export<Q: Queries>(
        &self,
        load: Q,
        make: impl AsyncFn(Q::Rows) -> Result<(Change, Response), AppError>,
    ) -> Result<Response, AppError> {
        let (mut again, mut counted) = (0..AGAIN, true);
        loop {
            let loaded = (statements(&load), counted);
            let (person, done) = authorize(&self.call, &self.presented, self.action, loaded).await?;
            let (mut change, response) = make(load.rows(&mut done.iter())?).await?;
            change.guards.splice(0..0, guards(&person, &self.presented));
            match commit(&self.call, Actor::from(&person), &change, &[]).await {
                Err(DatabaseError::Conflict(FailedGuard::Record)) if again.next().is_some() => counted = false,
                noted => return noted.map(|_| response).map_err(refused),
            }
        }
    }

    /// Authorizes the caller and loads nothing else.
    pub(crate) async fn authorize(&self) -> Result<Person, AppError> {
        let (person, _) = self.load(Vec::new()).await?;
        Ok(person)
    }

    /// Answers with `view` of the facts about the caller, or with `304`.
    pub(crate) async fn show_caller<Q: Queries, T: Serialize, R: Shows<T>>(
        &self,
        load: Q,
        view: impl FnOnce(&StoredPerson, Q::Rows) -> Result<T, RequestError>,
    ) -> Result<R, AppError> {
        let statements = (statements(&load), true);
        let (_, standing, done) = authorize_standing(&self.call, &self.presented, self.action, statements).await?;
        let body = view(&standing, load.rows(&mut done.iter())?)?;
        Ok(self.respond(&body).into())
    }

    /// Authorizes the caller and loads rows.
    pub(super) async fn read<Q: Queries>(&self, load: Q) -> Result<(Person, Q::Rows), AppError> {
        let (person, done) = self.load(statements(&load)).await?;
        let rows = load.rows(&mut done.iter())?;
        Ok((person, rows))
    }

    fn asked(&self) -> UntypedRead<'_> {
        (&self.call, &self.presented, self.action, &self.known)
    }

    async fn load(&self, load: Vec<Statement>) -> Result<(Person, Vec<Done>), AppError> {
        authorize(&self.call, &self.presented, self.action, (load, true)).await
    }

    /// A body with its `ETag`, and with the `Link` of the next page if there is one.
    pub(crate) fn respond(&self, body: &impl Serialize) -> Response {
        match &**self.missing.borrow() {
            [] => etag::tagged(&self.known, json(body)),
            missing => etag::tagged(&IfNoneMatch(None), json(&Partial { body, missing_cells: missing })),
        }
    }

    /// [`respond`](Self::respond) with lines of JSON, and with the `Link` of the next page.
    pub(crate) fn respond_lines(&self, lines: String, next: Option<&str>) -> Result<GivesLines, AppError> {
        let next = next.map(|cursor| self.next(cursor));
        linked(etag::tagged_as(&self.known, lines, response::lines), next).map(GivesLines)
    }
}

/// A body without what some cells would have given.
#[derive(Serialize)]
pub(super) struct Partial<'a, T> {
    #[serde(flatten)]
    pub(super) body: &'a T,
    pub(super) missing_cells: &'a [Cell],
}

/// A read without the type of its query.
type UntypedRead<'a> = (&'a Rc<Call>, &'a Presented, Action, &'a IfNoneMatch);

/// The text of a body, and its version if it has one.
type BodyText = (Option<i64>, String);

/// Makes the text of a body from the rows that a batch read.
type View<'v> = dyn FnMut(&Person, &[Done]) -> Result<BodyText, AppError> + 'v;

fn text_of<Q: Queries, T: Serialize>(
    load: &Q,
    view: impl FnOnce(&Person, Q::Rows) -> Result<(Option<i64>, T), AppError>,
) -> impl FnMut(&Person, &[Done]) -> Result<BodyText, AppError> {
    let mut view = Some(view);
    move |person, done| {
        let view = view.take().ok_or(AppError::Internal("shown twice"))?;
        let (version, body) = view(person, load.rows(&mut done.iter())?)?;
        Ok((version, json(&body)))
    }
}

/// The text of a body. Views have text for every key, so this cannot fail.
fn json(body: &impl Serialize) -> String {
    serde_json::to_string(body).unwrap_or_default()
}

/// Answers a read. It is not generic, so the Worker holds it once.
async fn show(
    (call, presented, action, known): UntypedRead<'_>,
    load: Vec<Statement>,
    text: &mut View<'_>,
) -> Result<Response, AppError> {
    let (person, done) = authorize(call, presented, action, (load, true)).await?;
    let (version, body) = text(&person, &done)?;
    Ok(match version {
        Some(version) => etag::versioned(known, version, body),
        None => etag::tagged(known, body),
    })
}

/// Adds the `Link` of the next page.
pub(crate) fn linked(mut response: Response, next: Option<String>) -> Result<Response, AppError> {
    if let Some(next) = next {
        // The cause adds nothing.
        let next = HeaderValue::try_from(next).map_err(|_| AppError::Internal("link"))?;
        response.headers_mut().insert(LINK, next);
    }
    Ok(response)
}
