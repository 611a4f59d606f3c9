//! A read by `POST`, whose question must be in no address, and whose rows depend on those of an earlier batch.

use super::commit::refused;
use super::{after_commit, patient_limit};
use crate::auth::person::Person;
use crate::error::AppError;
use crate::extract::{ParseBody, WriteRequest};
use crate::plan::Guard;
use crate::plan::change::Change;
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use crate::response::Response;
use crate::store::Queries;
use crate::store::error::{DatabaseError, FailedGuard};
use overturn_core::base::id::{ClaimId, PracticeId};

/// A search that was decided: what to commit before its answer, and the claim that counts as opened, if any was found.
#[derive(Debug)]
pub(crate) struct Searched {
    /// The rows of the trails, the guards, and the answer.
    pub(crate) change: Change,
    /// A claim of the patient.
    pub(crate) opened: Option<(PracticeId, ClaimId)>,
}

impl<B: ParseBody> WriteRequest<B> {
    /// Answers with what `view` makes of the rows that `next` asks for, once it has the rows of `first`, and of what else it knows. Both batches authorize
    /// the caller, and the request counts once. The rows of the trails are committed before the answer. A search that finds a
    /// patient counts as opening one claim. Past the limit every search needs the second factor again, because an answer
    /// would say that there is no such patient.
    pub(crate) async fn find<Q: Queries, R: Queries, K>(
        &self,
        first: Q,
        next: impl FnOnce(Q::Rows, &B) -> Result<(R, K), RequestError>,
        view: impl FnOnce((B, K), R::Rows, &Person) -> Searched,
    ) -> Result<Response, AppError> {
        let (_, rows) = self.load(first).await?;
        let (load, known) = next(rows, &self.body()?)?;
        let (person, rows) = self.load_again(load, false).await?;
        let Searched { mut change, opened } = view((self.body()?, known), rows, &person);
        change.guards.insert(0, Guard::Person(person.clone()));
        let (call, answer) = (&self.call, Change::nothing(change.answer.clone()));
        let noted = patient_limit::open(call, &person, change, opened).await?;
        noted.map_err(|fault| match fault {
            DatabaseError::Conflict(FailedGuard::Credential) => {
                RequestError::Conflict(Reason::RightsChanged, "a practice has changed, try again").into()
            }
            other => refused(other),
        })?;
        after_commit::first(call, answer)
    }
}
