//! The course of a send: decide, do what the decision says, and decide again until there is an answer.

use super::answer::SendResponse;
use super::changes::Changes;
use super::counts::Bounds;
use super::decide::{Decision, MAX_DECISIONS, decide};
use super::fill::OpenedClaim;
use super::mismatches::Stopped;
use super::send::ValidSend;
use super::snapshot::{ClaimsMissingError, CommitResult, Snapshot};
use crate::base::ctx::Ctx;
use crate::base::id::{ClaimId, PracticeId};
use crate::base::open::Unopened;
use crate::claims::identity::IdentityKey;
use alloc::vec::Vec;
use core::future::Future;
use core::pin::pin;
use core::task::{Context, Poll, Waker};

/// A send whose caller may send.
#[derive(Debug)]
pub struct Admitted<'a> {
    /// Whose claims they are.
    pub practice_id: PracticeId,
    /// The claims.
    pub send: &'a ValidSend<'a>,
    /// What identities are compared by, for this practice.
    pub key: IdentityKey,
    /// The limits of the day for mismatches.
    pub bounds: Bounds,
}

/// What became of changes.
#[derive(Debug)]
pub enum Written {
    /// They are committed. Without a claim among them, the result is the default.
    Done(CommitResult),
    /// What the decision rests on has changed since the load: the caller's rights, the data key or the limits of the day.
    /// Nothing was written.
    Stale,
}

/// What a send asks of its host. Each call takes at most one or two trips to the database.
pub trait Course<'a> {
    /// Why a send gets no answer.
    type Error: From<Unopened> + From<ClaimsMissingError>;

    /// Checks whether the caller may send, before each decision.
    ///
    /// # Errors
    ///
    /// The refusal, or the problems of the request.
    fn admit(&mut self) -> Result<Admitted<'a>, Self::Error>;

    /// Loads the snapshot again.
    fn load(&mut self) -> impl Future<Output = Result<Snapshot, Self::Error>>;

    /// Opens claims of the practice. One that is gone is left out.
    fn open(
        &mut self,
        practice: PracticeId,
        claims: Vec<ClaimId>,
    ) -> impl Future<Output = Result<Vec<OpenedClaim>, Self::Error>>;

    /// Writes changes in one batch.
    fn write(&mut self, changes: &Changes<'_>) -> impl Future<Output = Result<Written, Self::Error>>;

    /// The refusal of a send that is not compared, after the owners of the practice are notified.
    fn stop(
        &mut self,
        practice: PracticeId,
        stopped: Stopped,
    ) -> impl Future<Output = Result<Self::Error, Self::Error>>;
}

/// The answer to a send. `None` if others change the claims or the caller's rights again and again: what is written
/// stays, and the sender tries again.
///
/// # Errors
///
/// What `course` says, and those of [`decide()`] and [`Snapshot::learn`].
pub async fn settle<'a, C: Course<'a>>(
    course: &mut C,
    mut snapshot: Snapshot,
    ctx: &Ctx,
) -> Result<Option<SendResponse<'a>>, C::Error> {
    for _ in 0..MAX_DECISIONS {
        let Admitted { practice_id, send, key, bounds } = course.admit()?;
        match decide(send, practice_id, &snapshot, (&key, bounds), ctx)? {
            Decision::Answer(answer) => return Ok(Some(answer)),
            Decision::Stopped(stopped) => return Err(course.stop(practice_id, stopped).await?),
            Decision::Open(claims) => {
                snapshot.hold(course.open(practice_id, claims).await?);
            }
            Decision::Write(changes) => match course.write(&changes).await? {
                Written::Done(outcome) => snapshot.learn(&changes, outcome)?,
                Written::Stale => snapshot = snapshot.again(course.load().await?),
            },
        }
    }
    Ok(None)
}

/// The result of work that never waits, as on a host whose database answers at once. `None` if it waits.
pub fn at_once<F: Future>(work: F) -> Option<F::Output> {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(work).poll(&mut context) {
        Poll::Ready(done) => Some(done),
        Poll::Pending => None,
    }
}
