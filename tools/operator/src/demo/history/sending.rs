//! Sends of new claims at the desk.

use std::error::Error;

use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::claims::intake::{self, Admitted, CommitResult, Course, OpenedClaim, Snapshot, Stopped, Written};
use overturn_core::plan::Plan;
use overturn_core::plan::claims::Bounds;
use overturn_core::request::error::RequestError;
use overturn_store::claims as claim_store;
use overturn_store::keyring::practice::PracticeKeys;
use serde_json::Value as Json;

use super::desk::{Desk, Result, Step};

impl Desk<'_> {
    /// Sends claims with an API key, known by its hash.
    pub(super) fn send(&mut self, key: &str, body: &Json, step: Step) -> Result<()> {
        let (ctx, body) = (self.ctx(step.at)?, body.to_string());
        let send = intake::parse(body.as_bytes(), &ctx).map_err(RequestError::Invalid)?;
        let numbers: Vec<&str> = send.claim_numbers().collect();
        let query = claim_store::queries::send(key, &numbers, ctx.today());
        let ((credential, _), (stored, mismatches)) = self.read(&query)?;
        let snapshot = Snapshot::new(credential, stored).counting(mismatches);
        let mut course = Sending { desk: self, send: &send, ctx: &ctx, step, keys: None };
        let settled = intake::at_once(intake::settle(&mut course, snapshot, &ctx));
        let answer = settled.ok_or("SQLite answers at once")??;
        answer.map(drop).ok_or_else(|| "the demo claims are not new".into())
    }
}

struct Sending<'d, 'k, 'a> {
    desk: &'d mut Desk<'k>,
    send: &'a intake::ValidSend<'a>,
    ctx: &'d Ctx,
    step: Step,
    /// The keys of the practice, once it is admitted.
    keys: Option<PracticeKeys<'k>>,
}

impl<'a> Course<'a> for Sending<'_, '_, 'a> {
    type Error = Box<dyn Error>;

    fn admit(&mut self, snapshot: &Snapshot) -> Result<Admitted<'a>> {
        let credential = snapshot.credential.as_ref();
        let (sender, send) = intake::admit(Ok(self.send), credential, None, self.ctx)?;
        let keys = self.desk.keys(self.step.practice)?;
        let key = keys.identity()?.ok_or("the practice has no data key")?.clone();
        self.keys = Some(keys);
        Ok(Admitted { sender, send, key, bounds: Bounds::default() })
    }

    async fn load(&mut self) -> Result<Snapshot> {
        Err("somebody else writes".into())
    }

    async fn open(&mut self, _: PracticeId, _: Vec<ClaimId>) -> Result<Vec<OpenedClaim>> {
        Err("the demo claims are not new".into())
    }

    async fn write(&mut self, plan: &Plan<'_>) -> Result<Written> {
        let keys = self.keys.take().ok_or("no keys")?;
        self.desk.commit(plan, keys)?;
        let created = self.send.items.len();
        let others = Vec::new();
        Ok(Written::Done(CommitResult { created, others }))
    }

    async fn stop(&mut self, _: PracticeId, _: Stopped) -> Result<Box<dyn Error>> {
        Ok("the demo claims are not new".into())
    }
}
