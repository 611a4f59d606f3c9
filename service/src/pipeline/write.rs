//! Writes: a plain function decides on the loaded rows, and one batch commits the change together with the answer for a repeated
//! request.

mod once;
mod several;

use super::authorize::person::authorize;
use super::authorize::standing::practice_standing;
use super::route::{self, Following};
use super::visit;
use crate::auth::person::Person;
use crate::db::statements;
use crate::error::AppError;
use crate::extract::{ParseBody, WriteRequest};
use crate::plan::Write;
use crate::plan::change::Change;
use crate::request::error::RequestError;
use crate::response::Response;
use crate::store::{Done, Queries, Query};
pub(crate) use once::Sealing;
use once::{Asked, Attempt, Load, UntypedWrite, commit_once};
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::StoredDataKey;
pub(crate) use several::OfPractices;
use std::cell::RefCell;
use std::rc::Rc;

impl WriteRequest {
    /// Authorizes the caller of a write whose body is received outside of the pipeline, and counts the request.
    pub(crate) async fn authorize(&self) -> Result<Person, AppError> {
        let load = (Vec::new(), true);
        let (person, _) = authorize(&self.call, &self.presented, self.action, load).await?;
        Ok(person)
    }

    /// Goes on in the cell of a practice, and authorizes the caller for its records, which must be readable. Does not count the
    /// request again.
    pub(crate) async fn visit(&mut self, practice: PracticeId) -> Result<(), AppError> {
        let places = visit::places(&self.call, [practice]).await?;
        self.call = places.get(&practice).map_or_else(|| self.call.at_home(), |cell| self.call.visiting(*cell));
        let presented = self.presented.about(practice);
        let known = practice_standing(practice);
        let load = (statements(&known), false);
        let (_, done) = authorize(&self.call, &presented, self.action, load).await?;
        match known.rows(&mut done.iter())? {
            Some(_) => Ok(()),
            None => Err(RequestError::NotFound("no such practice").into()),
        }
    }

    /// Commits the decision on what [`authorize`](Self::authorize) let the caller send for a practice. A repeated request is
    /// recognized by its `fingerprint`. The caller is authorized again, because much can happen while a body arrives. `finish` ends
    /// the move of the practice that somebody broke off.
    pub(crate) async fn change_received<Q: Queries, R: From<Response>>(
        &self,
        (practice, fingerprint): (PracticeId, Vec<u8>),
        load: Q,
        mut decide: impl FnMut(&Person, Q::Rows) -> Result<Change, AppError>,
        mut finish: impl AsyncFnMut() -> Result<(), AppError>,
    ) -> Result<R, AppError> {
        let (presented, body) = (self.presented.about(practice), Ok(fingerprint));
        let mut decide =
            |person: &Person, (done, _): (&[Done], Option<&str>)| decide(person, load.rows(&mut done.iter())?);
        let mut call = Rc::clone(&self.call);
        let mut following = Following::default();
        loop {
            let asked = (&call, &presented, self.action, &self.once, &body);
            let sealing = Some(Sealing::Of(practice));
            let load = Load { sealing, counted: false, of_any_cell: true, ..Load::of(&load) };
            let answered = commit_once(asked, load, &mut decide).await;
            if !following.leads(&call, &answered).await? {
                if !following.is_over(&answered) {
                    return answered.map(R::from);
                }
                finish().await?;
                following = Following::default();
            }
            call = route::rerouted(&call, practice).await?;
        }
    }
}

impl<B: ParseBody> WriteRequest<B> {
    fn asked(&self) -> UntypedWrite<'_> {
        (&self.call, &self.presented, self.action, &self.once, &self.bytes)
    }

    /// Authorizes the caller, counts the request, and loads rows for work that comes before the decision.
    pub(crate) async fn load<Q: Queries>(&self, load: Q) -> Result<(Person, Q::Rows), AppError> {
        self.load_again(load, true).await
    }

    /// [`load`](Self::load), which counts the request only if it is `counted`.
    pub(crate) async fn load_again<Q: Queries>(&self, load: Q, counted: bool) -> Result<(Person, Q::Rows), AppError> {
        let statements = (statements(&load), counted);
        let (person, done) = authorize(&self.call, &self.presented, self.action, statements).await?;
        Ok((person, load.rows(&mut done.iter())?))
    }

    /// [`change`](Self::change) after [`load`](Self::load), which counted the request. The caller is authorized again, because much
    /// can happen in between.
    pub(crate) async fn change_counted_before<Q: Queries, R: From<Response>>(
        &self,
        load: Q,
        mut decide: impl FnMut(&Person, Q::Rows, B) -> Result<Change, AppError>,
    ) -> Result<R, AppError> {
        let mut decide = |person: &Person, (done, _): (&[Done], Option<&str>)| {
            decide(person, load.rows(&mut done.iter())?, self.body()?)
        };
        let load = Load { counted: false, ..Load::of(&load) };
        commit_once(self.asked(), load, &mut decide).await.map(R::from)
    }

    /// Commits the decision of `decide` on the rows and the body. A request that is repeated with its idempotency key
    /// gets the first answer.
    pub(crate) async fn change<Q: Queries, E: Into<AppError>, R: From<Response>>(
        &self,
        load: Q,
        mut decide: impl FnMut(&Person, Q::Rows, B) -> Result<Change, E>,
    ) -> Result<R, AppError> {
        let mut decide = |person: &Person, (done, _): (&[Done], Option<&str>)| {
            let rows = load.rows(&mut done.iter())?;
            decide(person, rows, self.body()?).map_err(Into::into)
        };
        let load = Load::of(&load);
        commit_once(self.asked(), load, &mut decide).await.map(R::from)
    }

    /// [`change`](Self::change) that compares a secret. `attempt` gives the write that counts the attempt and the query that reads
    /// the count, which are committed after the caller is authorized and before the decision. It gives `None` if nothing is tried.
    pub(crate) async fn change_counted<Q: Queries, C, R: From<Response>>(
        &self,
        load: Q,
        attempt: impl Fn(&Person, &Q::Rows, B) -> Option<(Write, Query<C>)>,
        mut decide: impl FnMut(&Person, (Q::Rows, Option<C>), B) -> Result<Change, AppError>,
    ) -> Result<R, AppError> {
        let attempt = |person: &Person, rows: &Q::Rows| attempt(person, rows, self.body().ok()?);
        let count = |person: &Person, done: &[Done]| {
            let rows = load.rows(&mut done.iter())?;
            Ok(attempt(person, &rows).map(|(count, read)| (count, read.into())))
        };
        let mut decide = |person: &Person, (done, counted): (&[Done], Option<&str>)| {
            let rows = load.rows(&mut done.iter())?;
            let counted = attempt(person, &rows).map(|(_, read)| read.row(counted));
            let counted = counted.transpose()?;
            decide(person, (rows, counted), self.body()?)
        };
        let load = Load { attempt: Some(&count as Attempt<'_>), ..Load::of(&load) };
        commit_once(self.asked(), load, &mut decide).await.map(R::from)
    }

    /// [`change`](Self::change) whose decision needs the answer of another service. `ask` runs once, after the caller is
    /// authorized, and not for a request that is repeated with its idempotency key. The guards of the batch notice what
    /// has changed until the answer came.
    pub(crate) async fn change_asking<Q: Queries, A: Clone, E: Into<AppError>, R: From<Response>>(
        &self,
        load: Q,
        ask: impl AsyncFnOnce(Q::Rows, B) -> Result<A, AppError>,
        mut decide: impl FnMut(&Person, (Q::Rows, A), B) -> Result<Change, E>,
    ) -> Result<R, AppError> {
        let answer = RefCell::new(None);
        let (rows, kept) = (&load, &answer);
        let ask = move |done: Vec<Done>| -> Asked<'_> {
            Box::pin(async move {
                let rows = rows.rows(&mut done.iter())?;
                let answer = ask(rows, self.body()?).await?;
                kept.replace(Some(answer));
                Ok(())
            })
        };
        let mut decide = |person: &Person, (done, _): (&[Done], Option<&str>)| {
            let rows = load.rows(&mut done.iter())?;
            let answer = answer.borrow().clone();
            let answer = answer.ok_or(AppError::Internal("not asked"))?;
            decide(person, (rows, answer), self.body()?).map_err(Into::into)
        };
        let load = Load { ask: Some(Box::new(ask)), ..Load::of(&load) };
        commit_once(self.asked(), load, &mut decide).await.map(R::from)
    }

    /// [`change`](Self::change) that seals a value. The newest data key of the practice is loaded after the rows.
    pub(crate) async fn change_sealed<Q: Queries, E: Into<AppError>, R: From<Response>>(
        &self,
        (load, sealing): (Q, Sealing),
        mut decide: impl FnMut(&Person, (Q::Rows, Option<StoredDataKey>), B) -> Result<Change, E>,
    ) -> Result<R, AppError> {
        let sealing_key = sealing.key(self.credential());
        let mut decide = |person: &Person, (done, _): (&[Done], Option<&str>)| {
            let mut done = done.iter();
            let rows = load.rows(&mut done)?;
            let key = sealing_key.rows(&mut done)?;
            decide(person, (rows, key), self.body()?).map_err(Into::into)
        };
        let load = Load { sealing: Some(sealing), ..Load::of(&load) };
        commit_once(self.asked(), load, &mut decide).await.map(R::from)
    }
}
