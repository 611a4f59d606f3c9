//! Writes about records of several practices. Each record is decided alone, so those of each practice are committed alone.

use super::once::{Load, commit_once};
use crate::auth::person::Person;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::{Once, ParseBody, WriteRequest};
use crate::pipeline::all_cells::each;
use crate::pipeline::{after_commit, visit};
use crate::plan::change::Change;
use crate::request::error::RequestError;
use crate::response::{Body, Response};
use crate::store::{Done, Queries};
use futures_util::StreamExt as _;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::PracticeId;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A body about records of several practices. Its answer has a result for each in `results`.
pub(crate) trait OfPractices: ParseBody {
    /// The practice of each record, in the order sent.
    fn practices(&self) -> Vec<PracticeId>;

    /// The same with only these records.
    #[must_use]
    fn only(self, places: &[usize]) -> Self;
}

/// What a change of several records needs besides its body: what to load, the practices whose data keys seal values, and more.
pub(crate) type Needs<Q, X> = (Q, Vec<PracticeId>, X);

impl<B: OfPractices> WriteRequest<B> {
    /// [`change`](Self::change) that decides about several records, each alone. If somebody else changes one of them before
    /// the commit, all are read and decided again, so that the others are changed all the same. If there are several cells, the
    /// records of each practice are a change with an answer of its own: if one fails, those of the others may be changed, as a
    /// request that is repeated with its idempotency key learns, also when a practice has moved by then.
    pub(crate) async fn change_several<Q: Queries, X, R: From<Response>>(
        &self,
        needs: impl Fn(&Call, Option<&B>) -> Result<Needs<Q, X>, AppError>,
        decide: impl Fn(&Call, &Person, (Q::Rows, &X), B) -> Result<Change, RequestError>,
    ) -> Result<R, AppError> {
        let practices = self.body().map(|body| body.practices());
        let Some(practices) = practices.ok().filter(|_| self.call.app.host.cells.are_several()) else {
            return self.part((&self.call, &self.once), (None, true), &needs, &decide).await.map(R::from);
        };
        let (_, moved) = self.load(visit::moved(&practices)).await?;
        let moved: BTreeMap<PracticeId, Cell> = moved.into_iter().collect();
        let mut of_each: BTreeMap<PracticeId, Vec<usize>> = BTreeMap::new();
        practices.iter().enumerate().for_each(|(place, practice)| of_each.entry(*practice).or_default().push(place));
        let (needs, decide) = (&needs, &decide);
        let parts = each(of_each, async |(practice, places): (PracticeId, Vec<usize>)| {
            let call = self.call.visiting(moved.get(&practice).copied().unwrap_or(practice.cell()));
            let once = self.once.part(practice);
            let answer = self.part((&call, &once), (Some(&places), false), needs, decide).await;
            (places, answer)
        });
        let parts: Vec<_> = parts.collect().await;
        let parts: Result<Vec<_>, AppError> = parts.into_iter().map(|(places, answer)| Ok((places, answer?))).collect();
        Ok(joined(practices.len(), parts?).into())
    }

    /// The change of the records at these places, in the cell of the call.
    async fn part<Q: Queries, X>(
        &self,
        (call, once): (&Rc<Call>, &Once),
        (places, counted): (Option<&[usize]>, bool),
        needs: &impl Fn(&Call, Option<&B>) -> Result<Needs<Q, X>, AppError>,
        decide: &impl Fn(&Call, &Person, (Q::Rows, &X), B) -> Result<Change, RequestError>,
    ) -> Result<Response, AppError> {
        let body = || {
            let body = self.body()?;
            Ok::<_, RequestError>(match places {
                Some(places) => body.only(places),
                None => body,
            })
        };
        let (load, seals, more) = needs(call, body().ok().as_ref())?;
        let mut decide = |person: &Person, (done, _): (&[Done], Option<&str>)| {
            let rows = load.rows(&mut done.iter())?;
            Ok(decide(call, person, (rows, &more), body()?)?)
        };
        let load = Load { several: Some(seals), counted, of_any_cell: true, ..Load::of(&load) };
        let asked = (call, &self.presented, self.action, once, &self.bytes);
        commit_once(asked, load, &mut decide).await
    }
}

/// The results of all practices, in the order sent.
fn joined(count: usize, parts: Vec<(Vec<usize>, Response)>) -> Response {
    let mut results = vec![Value::Null; count];
    let is_repeated = parts.iter().all(|(_, part)| after_commit::is_repeated(part));
    for (places, part) in parts {
        let Body::Bytes(body) = part.into_body() else { continue };
        let mut body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let of_part = body.get_mut("results").and_then(Value::as_array_mut).map(std::mem::take);
        for (place, result) in places.into_iter().zip(of_part.unwrap_or_default()) {
            if let Some(at) = results.get_mut(place) {
                *at = result;
            }
        }
    }
    let answer = after_commit::answer(200, &json!({ "results": results }));
    if is_repeated { after_commit::as_repeated(answer) } else { answer }
}
