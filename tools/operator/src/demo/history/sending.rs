//! Sends of new claims at the desk.

use std::error::Error;

use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::claims::intake::{
    self, Admitted, Bounds, Changes, CommitResult, Course, OpenedClaim, Snapshot, Stopped, Written,
};
use overturn_service::demo::{Sender, batch, load_to_send};
use overturn_service::request::error::RequestError;
use overturn_service::store::keyring::practice::PracticeKeys;
use serde_json::Value as Json;

use super::desk::{Desk, Result, Step};

impl Desk<'_> {
    /// Sends claims with an API key, known by its hash.
    pub(super) fn send(&mut self, key: &str, body: &Json, step: Step) -> Result<()> {
        let (ctx, body) = (self.ctx(step.at)?, body.to_string());
        let send = intake::parse(body.as_bytes(), &ctx).map_err(RequestError::Invalid)?;
        let numbers: Vec<&str> = send.claim_numbers().collect();
        let query = load_to_send(key, &numbers, ctx.today());
        let ((credential, _), (stored, mismatches)) = self.read(&query)?;
        let snapshot = Snapshot::new(stored).counting(mismatches);
        let sender = Sender::of_key(credential.as_ref(), None, ctx.now)?;
        let mut course = Sending { desk: self, send: &send, ctx: &ctx, step, sender, keys: None };
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
    sender: Sender,
    /// The keys of the practice, once it is admitted.
    keys: Option<PracticeKeys<'k>>,
}

impl<'a> Course<'a> for Sending<'_, '_, 'a> {
    type Error = Box<dyn Error>;

    fn admit(&mut self) -> Result<Admitted<'a>> {
        let keys = self.desk.keys(self.step.practice)?;
        let key = keys.identity()?.ok_or("the practice has no data key")?.clone();
        self.keys = Some(keys);
        Ok(Admitted { practice_id: self.sender.practice_id, send: self.send, key, bounds: Bounds::default() })
    }

    async fn load(&mut self) -> Result<Snapshot> {
        Err("somebody else writes".into())
    }

    async fn open(&mut self, _: PracticeId, _: Vec<ClaimId>) -> Result<Vec<OpenedClaim>> {
        Err("the demo claims are not new".into())
    }

    async fn write(&mut self, changes: &Changes<'_>) -> Result<Written> {
        let keys = self.keys.take().ok_or("no keys")?;
        let sender = &self.sender;
        self.desk.run(keys, |sealer| Ok(batch(changes, sender, (self.ctx, self.ctx.now), sealer)?.statements))?;
        let created = self.send.items.len();
        let others = Vec::new();
        Ok(Written::Done(CommitResult { created, others }))
    }

    async fn stop(&mut self, _: PracticeId, _: Stopped) -> Result<Box<dyn Error>> {
        Ok("the demo claims are not new".into())
    }
}
