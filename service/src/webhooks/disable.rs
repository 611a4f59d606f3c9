//! Disables endpoints.

use crate::jobs::Jobs;
use crate::mail::letters;
use crate::pipeline;
use overturn_core::auth::rights::LEADERS;
use overturn_core::plan::Actor;
use overturn_core::plan::webhooks::Delivery;
use overturn_core::webhooks::attempt::AttemptResult;
use overturn_core::webhooks::endpoints;
use overturn_store::error::{DatabaseError, FailedGuard};
use overturn_store::webhooks::attempts;

impl Jobs {
    /// Disables the endpoint of a delivery, and emails the practice's owners and admins.
    pub(super) async fn disable(&self, of: Delivery, verdict: AttemptResult) -> Result<(), DatabaseError> {
        let ctx = self.app.host.ctx()?;
        let why = if verdict.status == Some(410) { "gone" } else { "failing" };
        let (guard, writes) = endpoints::disable(of.practice_id, of.webhook_id, why, &ctx);
        let plan = pipeline::plan(&ctx, Actor::Service, vec![guard], writes.into());
        match pipeline::run(&self.db, &self.app, &plan).await {
            // Another attempt has disabled it and sent the emails.
            Err(DatabaseError::Conflict(FailedGuard::Record)) => return Ok(()),
            done => done?,
        };
        let leaders = attempts::addresses(of.practice_id, LEADERS);
        for to in self.db.read(&leaders).await? {
            let letter = letters::webhook_disabled(&to);
            // The mailer has logged the reason.
            let _sent = self.app.mailer.send(&letter).await;
        }
        Ok(())
    }
}
