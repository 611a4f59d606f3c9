//! Whole sends on SQLite, each batch of which runs twice.

use super::{Fixture, keys_of};
use crate::error::{DatabaseError, FailedGuard};
use crate::{Done, rows};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::claims::intake::{self, Admitted, Course, OpenedClaim, Written};
use overturn_core::plan::Plan;
use overturn_core::request::error::RequestError;
use serde_json::Value as Json;
use std::hash::DefaultHasher;

impl Fixture {
    /// A whole send. `between` runs after each load and before its commit.
    pub fn send(&mut self, body: &str, between: impl FnMut(&mut Self)) -> Json {
        let ctx = self.ctx();
        let send = intake::parse(body.as_bytes(), &ctx).unwrap();
        let hash = self.key_hash.clone();
        let mut snapshot = self.load(&hash, &send);
        let marks = intake::marks(&send, DefaultHasher::new);
        let volleys = self.volleys.entry(hash.clone()).or_default();
        snapshot.contest(volleys.contested(&marks, ctx.now));
        let mut course = Sending { fixture: self, send: &send, ctx: &ctx, hash, between };
        match intake::at_once(intake::settle(&mut course, snapshot, &ctx)).unwrap() {
            Ok(answer) => serde_json::to_value(answer.expect("an end of the decisions")).unwrap(),
            Err(Refusal(said)) => said,
        }
    }
}

/// A send on a fixture.
struct Sending<'f, 'a, F> {
    fixture: &'f mut Fixture,
    send: &'a intake::ValidSend<'a>,
    ctx: &'f Ctx,
    hash: String,
    between: F,
}

/// What a send that is not compared is told.
struct Refusal(Json);

impl From<RequestError> for Refusal {
    fn from(error: RequestError) -> Self {
        panic!("{error:?}")
    }
}

impl From<intake::ClaimsMissingError> for Refusal {
    fn from(error: intake::ClaimsMissingError) -> Self {
        panic!("{error}")
    }
}

impl<'a, F: FnMut(&mut Fixture)> Course<'a> for Sending<'_, 'a, F> {
    type Error = Refusal;

    fn admit(&mut self, snapshot: &intake::Snapshot) -> Result<Admitted<'a>, Refusal> {
        let credential = snapshot.credential.as_ref();
        let (sender, send) = intake::admit(Ok(self.send), credential, None, self.ctx)?;
        let Fixture { db, keys, bounds, .. } = &*self.fixture;
        let keys = keys_of(db, keys, sender.practice_id);
        let key = keys.identity()?.ok_or(RequestError::KeyUnavailable)?.clone();
        Ok(Admitted { key, bounds: *bounds, sender, send })
    }

    async fn load(&mut self) -> Result<intake::Snapshot, Refusal> {
        Ok(self.fixture.load(&self.hash, self.send))
    }

    async fn open(&mut self, practice: PracticeId, claims: Vec<ClaimId>) -> Result<Vec<OpenedClaim>, Refusal> {
        let opened = self.fixture.open(practice, &claims);
        (self.between)(self.fixture);
        Ok(opened)
    }

    /// Runs the batch twice, as after an answer that was lost between the commit and the host.
    async fn write(&mut self, plan: &Plan<'_>) -> Result<Written, Refusal> {
        let f = &mut *self.fixture;
        let batch = f.lower(plan);
        (self.between)(f);
        let first = match f.run(&batch.statements) {
            Err(DatabaseError::Conflict(FailedGuard::Mismatches)) => return Ok(Written::Stale),
            done => done.unwrap(),
        };
        let second = match f.run(&batch.statements) {
            // The audit row of a batch with mismatches shows that it ran.
            Err(DatabaseError::Conflict(FailedGuard::Done)) => {
                let read: Vec<_> = batch.outcome.iter().map(|outcome| outcome.query.clone()).collect();
                let mut done = vec![Done::default(); batch.statements.len()];
                done.extend(f.run(&read).unwrap());
                done
            }
            done => done.unwrap(),
        };
        let Some(outcome) = batch.outcome else { return Ok(Written::Done(intake::CommitResult::default())) };
        let last = match outcome.inserts {
            None => second.last().cloned().unwrap(),
            Some((inserts, _)) => {
                let changes = |done: &[Done]| -> usize { done[inserts.clone()].iter().map(|done| done.changes).sum() };
                let read = f.run(&[outcome.query]).unwrap().remove(0);
                // The count equals the stored claims.
                let outcome = rows::outcome(read.json.as_deref()).unwrap();
                assert_eq!((changes(&first), changes(&second)), (outcome.created, 0));
                read
            }
        };
        Ok(Written::Done(rows::outcome(last.json.as_deref()).unwrap()))
    }

    async fn stop(&mut self, practice: PracticeId, stopped: intake::Stopped) -> Result<Refusal, Refusal> {
        let f = &mut *self.fixture;
        if let Some(bound) = stopped.untold {
            let told = "SELECT told & ?1 FROM mismatches WHERE day = ?2 AND practice_id = ?3 AND claim_id = ''";
            let (day, practice) = (self.ctx.today().to_string(), practice.to_string());
            let told: u8 = f.db.query_row(told, (bound.bit(), day, practice), |row| row.get(0)).unwrap();
            f.alarms += usize::from(told == 0);
        }
        let said = serde_json::json!({ "stopped": stopped.items, "retry_after": stopped.retry_after });
        Ok(Refusal(said))
    }
}
