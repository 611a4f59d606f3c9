//! A read by `POST`, whose question must be in no address, and whose rows depend on those of an earlier batch.

use super::all_cells::{gather, others, with_epochs};
use super::authorize::person::authorize;
use super::commit::{commit, refused};
use super::forwards::moves;
use super::read::Partial;
use super::{after_commit, patient_limit, visit};
use crate::auth::person::Person;
use crate::error::AppError;
use crate::extract::{ParseBody, WriteRequest};
use crate::plan::change::{Answer, Change};
use crate::plan::{Actor, Guard, Write};
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use crate::response::Response;
use crate::store::Queries;
use crate::store::error::{DatabaseError, FailedGuard};
use overturn_core::base::cell::Cell;
use overturn_core::base::id::{ClaimId, PracticeId};
use std::collections::BTreeMap;

/// A search that was decided: what to commit before its answer, and the claim that counts as opened, if any was found.
#[derive(Debug)]
pub(crate) struct Searched {
    /// The rows of the trails, the guards, and the answer.
    pub(crate) change: Change,
    /// A claim of the patient.
    pub(crate) opened: Option<(PracticeId, ClaimId)>,
}

/// The two steps of a search: what is read, and how the rows of two cells become one.
pub(crate) type Step<Q, J> = (Q, J);

impl<B: ParseBody> WriteRequest<B> {
    /// Answers with what `view` makes of the rows that `next` asks for, once it has the rows of `first`, and of what else it knows. Both batches authorize
    /// the caller, and the request counts once. The rows of the trails are committed before the answer. A search that finds a
    /// patient counts as opening one claim. Past the limit every search needs the second factor again, because an answer
    /// would say that there is no such patient. It asks the cells of all practices, or that of one. If a practice moves
    /// meanwhile, all cells count as missing, because its claims may be.
    pub(crate) async fn find<Q: Queries, R: Queries, K>(
        &self,
        of: Option<PracticeId>,
        (first, join_first): Step<Q, impl Fn(Q::Rows, Q::Rows) -> Q::Rows>,
        next: impl FnOnce(Q::Rows, &B) -> Result<(R, K), RequestError>,
        join_next: impl Fn(R::Rows, R::Rows) -> R::Rows,
        view: impl FnOnce((B, K), R::Rows, &Person) -> Searched,
    ) -> Result<Response, AppError> {
        let asks_all = of.is_none() && self.call.app.host.cells.are_several();
        let (_, (rows, before)) = self.load((&first, asks_all.then(moves))).await?;
        let cells = self.cells(of).await?;
        let went_on = before.as_ref().map(|moves| moves.went_on(None));
        let join = with_epochs(join_first);
        let ((rows, went), mut missing) =
            gather(&self.call, cells.iter().copied(), &(&first, went_on.as_ref()), ((rows, None), join)).await;
        let is_answered = |missing: &[Cell]| match of.is_some() && !missing.is_empty() {
            true => Err(AppError::Unavailable("cell")),
            false => Ok(()),
        };
        is_answered(&missing)?;
        let (load, known) = next(rows, &self.body()?)?;
        let (person, (rows, goes)) = self.load_again((&load, went_on.as_ref()), false).await?;
        let cells = cells.into_iter().filter(|cell| !missing.contains(cell)).collect::<Vec<_>>().into_iter();
        let join = with_epochs(join_next);
        let ((rows, went), missing_next) =
            gather(&self.call, cells, &(&load, went_on.as_ref()), ((rows, went.max(goes)), join)).await;
        missing.extend(missing_next);
        missing.sort_unstable();
        if went.flatten().is_some() || before.is_some_and(|moves| !moves.switching.is_empty()) {
            missing = self.call.app.host.cells.all().collect();
        }
        is_answered(&missing)?;
        let Searched { mut change, opened } = view((self.body()?, known), rows, &person);
        change.guards.insert(0, Guard::Person(person.clone()));
        let mut answer = Change::nothing(change.answer.clone());
        let noted = self.note(&person, change, opened).await?;
        noted.map_err(|fault| match fault {
            DatabaseError::Conflict(FailedGuard::Credential) => {
                RequestError::Conflict(Reason::RightsChanged, "a practice has changed, try again").into()
            }
            other => refused(other),
        })?;
        if !missing.is_empty() {
            let body = &answer.answer.body;
            answer.answer = Answer::new(answer.answer.status, &Partial { body, missing_cells: &missing });
        }
        after_commit::first(&self.call, answer)
    }

    /// The cells to ask beside the directory.
    async fn cells(&self, of: Option<PracticeId>) -> Result<Vec<Cell>, AppError> {
        let others = others(&self.call.app.host);
        let Some(practice) = of else {
            return Ok(others.collect());
        };
        let lives = visit::places(&self.call, [practice]).await?.get(&practice).copied();
        Ok(others.filter(|cell| Some(*cell) == lives).collect())
    }

    /// Commits the rows of the trails: that of the staff with the count of opened patients, and then those of the practices, each
    /// where it lives.
    async fn note(
        &self,
        person: &Person,
        change: Change,
        opened: Option<(PracticeId, ClaimId)>,
    ) -> Result<Result<(), DatabaseError>, AppError> {
        let call = &self.call;
        if !call.app.host.cells.are_several() {
            return patient_limit::open(call, person, change, opened).await;
        }
        let practices = change.writes.iter().filter_map(|write| match write {
            Write::Audit(entry) => entry.practice_id,
            _ => None,
        });
        let places = visit::places(call, practices).await?;
        let place = |practice: PracticeId| places.get(&practice).copied().unwrap_or(practice.cell());
        let patient = match opened {
            Some(of) => Some(patient_limit::patient(&call.in_cell(place(of.0)), of).await?),
            None => None,
        };
        let Change { guards, writes, answer, .. } = change;
        let mut own = Change::nothing(answer);
        let mut there: BTreeMap<Cell, (Vec<PracticeId>, Change)> = BTreeMap::new();
        for write in writes {
            match write {
                Write::Audit(entry) if let Some(practice) = entry.practice_id => {
                    let cell = place(practice);
                    let (of, change) =
                        there.entry(cell).or_insert_with(|| (Vec::new(), Change::nothing(Answer::empty())));
                    of.push(practice);
                    change.writes.push(Write::Audit(entry.made_in(cell)));
                }
                write => own.writes.push(write),
            }
        }
        own.guards = guards.into_iter().filter(|guard| !matches!(guard, Guard::AllReadable(_))).collect();
        let mut noted = patient_limit::open_at_home(call, person, own, patient).await?;
        for (cell, (of, change)) in there {
            if noted.is_err() {
                break;
            }
            let call = call.visiting(cell);
            // The trail there names the actor by a copy of the account.
            authorize(&call, &self.presented, self.action, (Vec::new(), false)).await?;
            let change = change.guard(Guard::Person(person.clone())).guard(Guard::AllReadable(of));
            noted = commit(&call, Actor::from(person), &change, &[]).await.map(drop);
        }
        Ok(noted)
    }
}
