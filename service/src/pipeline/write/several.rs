//! Writes about records of several practices. Each record is decided alone, so each cell commits its own.

use super::once::{Load, commit_once};
use crate::auth::person::Person;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::{Once, ParseBody, WriteRequest};
use crate::pipeline::all_cells::each;
use crate::pipeline::route::Following;
use crate::pipeline::{after_commit, visit};
use crate::plan::change::Change;
use crate::request::error::RequestError;
use crate::response::{Body, Response};
use crate::store::{Done, Queries};
use futures_util::StreamExt as _;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::{ClaimId, PracticeId};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A body about records of several practices. Its answer has a result for each in `results`, with its id.
pub(crate) trait OfPractices: ParseBody {
    /// The practice and the id of each record, in the order sent.
    fn records(&self) -> Vec<(PracticeId, ClaimId)>;

    /// The same with only these records.
    #[must_use]
    fn only(self, places: &[usize]) -> Self;
}

/// What a change of several records needs besides its body: what to load, the practices whose data keys seal values, and more.
pub(crate) type Needs<Q, X> = (Q, Vec<PracticeId>, X);

impl<B: OfPractices> WriteRequest<B> {
    /// [`change`](Self::change) that decides about several records, each alone. If somebody else changes one of them before
    /// the commit, all are read and decided again, so that the others are changed all the same. The records of each cell are a
    /// change of their own: if one cell fails, those of the others may be changed, as a request that is repeated with its
    /// idempotency key learns.
    pub(crate) async fn change_several<Q: Queries, X, R: From<Response>>(
        &self,
        needs: impl Fn(&Call, Option<&B>) -> Result<Needs<Q, X>, AppError>,
        decide: impl Fn(&Call, &Person, (Q::Rows, &X), B) -> Result<Change, RequestError>,
    ) -> Result<R, AppError> {
        let records = self.body().map(|body| body.records());
        let Some(records) = records.ok().filter(|_| self.call.app.host.cells.are_several()) else {
            return self.part((&self.call, &self.once), (None, true), &needs, &decide).await.map(R::from);
        };
        let (mut joined, mut following) = (Joined::of(records), Following::default());
        for round in 0_u64.. {
            let open = joined.open();
            let practices: Vec<PracticeId> = open.iter().map(|(_, practice)| *practice).collect();
            let (_, moved) = self.load_again(visit::moved(&practices), round == 0).await?;
            let moved: BTreeMap<PracticeId, Cell> = moved.into_iter().collect();
            let lives_in =
                |(_, practice): &(usize, PracticeId)| moved.get(practice).copied().unwrap_or(practice.cell());
            let cells = self.call.app.host.cells.sorted(open, lives_in);
            // What came under the key is about records that were in the cell then. The others have an answer of their own.
            let is_rest = std::mem::take(&mut joined.is_short);
            let once = if is_rest { &self.once.of_rest() } else { &self.once };
            let (needs, decide) = (&needs, &decide);
            let parts = each(cells, async |(cell, of_cell): (Cell, Vec<(usize, PracticeId)>)| {
                let call = self.call.visiting(cell).part(round);
                let answer = self.part((&call, once), (Some(&of_cell), false), needs, decide).await;
                let places: Vec<usize> = of_cell.into_iter().map(|(place, _)| place).collect();
                (call, places, answer)
            });
            let mut failed = None;
            for (call, places, answer) in parts.collect::<Vec<_>>().await {
                match answer {
                    Ok(part) => joined.add(&places, part),
                    failure => failed = Some((call, failure)),
                }
            }
            // A practice has moved. The others are done, and are not asked again.
            if let Some((call, failure)) = failed {
                if !following.leads(&call, &failure).await? {
                    return failure.map(R::from);
                }
            } else if joined.open().is_empty() {
                break;
            } else if is_rest {
                return Err(AppError::Unavailable("an answer under the key of a request"));
            }
        }
        Ok(joined.answer().into())
    }

    /// The change of the records at these places, each with its practice, in the cell of the call; of all if there is one database.
    async fn part<Q: Queries, X>(
        &self,
        (call, once): (&Rc<Call>, &Once),
        (records, counted): (Option<&[(usize, PracticeId)]>, bool),
        needs: &impl Fn(&Call, Option<&B>) -> Result<Needs<Q, X>, AppError>,
        decide: &impl Fn(&Call, &Person, (Q::Rows, &X), B) -> Result<Change, RequestError>,
    ) -> Result<Response, AppError> {
        let (places, about): (Vec<usize>, Vec<_>) = records.unwrap_or_default().iter().copied().unzip();
        let body = || {
            let body = self.body()?;
            Ok::<_, RequestError>(match records {
                Some(_) => body.only(&places),
                None => body,
            })
        };
        let (load, seals, more) = needs(call, body().ok().as_ref())?;
        let mut decide = |person: &Person, (done, _): (&[Done], Option<&str>)| {
            let rows = load.rows(&mut done.iter())?;
            Ok(decide(call, person, (rows, &more), body()?)?)
        };
        let load = Load { several: Some(seals), about, counted, of_any_cell: true, ..Load::of(&load) };
        let asked = (call, &self.presented, self.action, once, &self.bytes);
        commit_once(asked, load, &mut decide).await
    }
}

/// The results of all cells, in the order sent.
struct Joined {
    records: Vec<(PracticeId, ClaimId)>,
    results: Vec<Option<Value>>,
    /// True once one of the last answers came under the key of the request, and has no result of a record.
    is_short: bool,
    are_all_repeated: bool,
}

impl Joined {
    fn of(records: Vec<(PracticeId, ClaimId)>) -> Self {
        let results = vec![None; records.len()];
        Self { records, results, is_short: false, are_all_repeated: true }
    }

    /// The places of the records without a result, each with the practice.
    fn open(&self) -> Vec<(usize, PracticeId)> {
        let all = self.records.iter().zip(&self.results).enumerate();
        all.filter(|(_, (_, result))| result.is_none()).map(|(place, ((practice, _), _))| (place, *practice)).collect()
    }

    /// Takes the answer about the records at these places.
    fn add(&mut self, places: &[usize], part: Response) {
        let is_repeated = after_commit::is_repeated(&part);
        self.are_all_repeated &= is_repeated;
        let Body::Bytes(body) = part.into_body() else { return };
        let mut body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let mut of_part = body.get_mut("results").and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default();
        for place in places {
            let (Some((_, id)), Some(at)) = (self.records.get(*place), self.results.get_mut(*place)) else { continue };
            let id = id.to_string();
            *at = of_part.iter_mut().find(|result| result["id"] == id).map(Value::take);
            self.is_short |= is_repeated && at.is_none();
        }
    }

    fn answer(self) -> Response {
        let answer = after_commit::answer(200, &json!({ "results": self.results }));
        if self.are_all_repeated { after_commit::as_repeated(answer) } else { answer }
    }
}
