//! Whole sends on SQLite, each batch of which runs twice.

use super::{Fixture, NOW, keys_of};
use crate::claims::send::batch::{self, SendBatch};
use crate::claims::send::load;
use crate::claims::send::sender::Sender;
use crate::store::Done;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::store::sealer::Sealer;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::date::Date;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::base::open::Unopened;
use overturn_core::claims::intake::{
    self, Admitted, Changes, CommitResult, Course, Decision, OpenedClaim, Snapshot, ValidSend, Written,
};
use serde_json::Value as Json;
use std::hash::DefaultHasher;
use std::rc::Rc;
use std::slice::from_ref;

impl Fixture {
    /// A whole send. `between` runs after each load and before its commit.
    pub(crate) fn send(&mut self, body: &str, between: impl FnMut(&mut Self)) -> Json {
        let ctx = self.ctx();
        let send = intake::parse(body.as_bytes(), &ctx).unwrap();
        let hash = self.key_hash.clone();
        let mut snapshot = self.load(&hash, &send);
        let marks = intake::marks(&send, DefaultHasher::new);
        let recent_sends = self.recent_sends.entry(hash.clone()).or_default();
        snapshot.contest(recent_sends.contested(&marks, ctx.now));
        let sender = self.sender(&hash);
        let mut course = Sending { fixture: self, send: &send, ctx: &ctx, hash, sender, between };
        match intake::at_once(intake::settle(&mut course, snapshot, &ctx)).unwrap() {
            Ok(answer) => serde_json::to_value(answer.expect("an end of the decisions")).unwrap(),
            Err(Refusal(said)) => said,
        }
    }

    /// The sender with a key.
    pub(crate) fn sender(&mut self, hash: &str) -> Sender {
        let (credential, _) = self.read(&load::credential(hash));
        Sender::of_key(credential.as_ref(), None, NOW).unwrap()
    }

    /// The claims of a send.
    pub(crate) fn load(&mut self, hash: &str, send: &ValidSend<'_>) -> Snapshot {
        let numbers: Vec<&str> = send.claim_numbers().collect();
        let (_, (claims, mismatches)) = self.read(&load::of_key(hash, &numbers, Date::of(NOW)));
        Snapshot::new(claims).counting(mismatches)
    }

    /// Claims of the practice, opened.
    pub(crate) fn open(&mut self, practice: PracticeId, claims: &[ClaimId]) -> Vec<OpenedClaim> {
        let read = self.read(&load::to_open(practice, claims));
        let service = Rc::clone(&self.keys);
        let keys = keys_of(&self.db, &service, practice);
        read.into_iter().flatten().map(|claim| OpenedClaim::open(claim, practice, &keys).unwrap()).collect()
    }

    /// Decides a send of the fixture's key.
    pub(crate) fn decide<'a>(&mut self, send: &'a ValidSend<'a>, snapshot: &Snapshot, ctx: &Ctx) -> Decision<'a> {
        let hash = self.key_hash.clone();
        let practice = self.sender(&hash).practice_id;
        let keys = keys_of(&self.db, &self.keys, practice);
        let identity = keys.identity().unwrap().unwrap();
        intake::decide(send, practice, snapshot, (identity, self.bounds), ctx).unwrap()
    }

    /// The changes of a send of the fixture's key that was loaded just now.
    pub(crate) fn changes<'a>(&mut self, send: &'a ValidSend<'a>, ctx: &Ctx) -> Changes<'a> {
        let hash = self.key_hash.clone();
        let snapshot = self.load(&hash, send);
        match self.decide(send, &snapshot, ctx) {
            Decision::Write(changes) => changes,
            other => panic!("{other:?}"),
        }
    }

    /// The batch of the changes of a send.
    pub(crate) fn batch(&mut self, changes: &Changes<'_>, sender: &Sender, ctx: &Ctx) -> SendBatch {
        let nonces = &mut self.nonces;
        let mut nonce = || {
            *nonces = nonces.wrapping_add(1);
            [*nonces; 24]
        };
        let service = Rc::clone(&self.keys);
        let keys = keys_of(&self.db, &service, sender.practice_id);
        let mut sealer = Sealer::new(&service, from_ref(&keys), &mut nonce);
        batch::batch(changes, sender, (ctx, ctx.now), &mut sealer).unwrap()
    }

    /// The batch of the changes of a send of the fixture's key.
    pub(crate) fn batch_of_key(&mut self, changes: &Changes<'_>, ctx: &Ctx) -> SendBatch {
        let hash = self.key_hash.clone();
        let sender = self.sender(&hash);
        self.batch(changes, &sender, ctx)
    }
}

/// A send on a fixture.
struct Sending<'f, 'a, F> {
    fixture: &'f mut Fixture,
    send: &'a ValidSend<'a>,
    ctx: &'f Ctx,
    hash: String,
    sender: Sender,
    between: F,
}

/// What a send that is not compared is told.
struct Refusal(Json);

impl From<Unopened> for Refusal {
    fn from(error: Unopened) -> Self {
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

    fn admit(&mut self) -> Result<Admitted<'a>, Refusal> {
        let Fixture { db, keys, bounds, .. } = &*self.fixture;
        let practice_id = self.sender.practice_id;
        let keys = keys_of(db, keys, practice_id);
        let key = keys.identity()?.ok_or(Unopened::KeyUnavailable)?.clone();
        Ok(Admitted { practice_id, send: self.send, key, bounds: *bounds })
    }

    async fn load(&mut self) -> Result<Snapshot, Refusal> {
        Ok(self.fixture.load(&self.hash, self.send))
    }

    async fn open(&mut self, practice: PracticeId, claims: Vec<ClaimId>) -> Result<Vec<OpenedClaim>, Refusal> {
        let opened = self.fixture.open(practice, &claims);
        (self.between)(self.fixture);
        Ok(opened)
    }

    /// Runs the batch twice, as after an answer that was lost between the commit and the host.
    async fn write(&mut self, changes: &Changes<'_>) -> Result<Written, Refusal> {
        let f = &mut *self.fixture;
        let SendBatch { statements, outcome, .. } = f.batch(changes, &self.sender, self.ctx);
        (self.between)(f);
        let first = match f.run(&statements) {
            Err(DatabaseError::Conflict(FailedGuard::Mismatches)) => return Ok(Written::Stale),
            done => done.unwrap(),
        };
        let second = match f.run(&statements) {
            // The audit row of a batch with mismatches shows that it ran.
            Err(DatabaseError::Conflict(FailedGuard::Done)) => None,
            done => Some(done.unwrap()),
        };
        let Some(outcome) = outcome else { return Ok(Written::Done(CommitResult::default())) };
        let read = f.read(&outcome.query);
        if let Some((inserts, _)) = &outcome.inserts {
            // The count equals the stored claims.
            let changes = |done: &[Done]| -> usize { done[inserts.clone()].iter().map(|done| done.changes).sum() };
            assert_eq!(changes(&first), read.created);
            assert!(second.as_deref().is_none_or(|second| changes(second) == 0));
        }
        if let Some(told) = outcome.of_batch(&first).unwrap() {
            assert_eq!((told.created, &told.others), (read.created, &read.others));
        }
        let told = second.map(|second| outcome.of_batch(&second).unwrap());
        Ok(Written::Done(told.flatten().unwrap_or(read)))
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
