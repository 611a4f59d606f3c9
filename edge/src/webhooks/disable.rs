//! What happens to an endpoint that is not told any more.

use super::Teller;
use crate::ambient;
use crate::door;
use crate::mail::letters;
use overturn_core::plan::Actor;
use overturn_core::rights::LEADERS;
use overturn_core::settings::webhooks;
use overturn_core::webhook::attempt::Verdict;
use overturn_store::deliveries::{self, Delivery};
use overturn_store::fault::{Fault, Guard as Failed};
use overturn_store::{column, rows};

impl Teller {
    /// Disables the endpoint of a delivery, and writes to who runs the practice.
    pub(super) async fn disable(&self, of: Delivery, verdict: Verdict) -> Result<(), Fault> {
        let ctx = ambient::ctx().map_err(|_| Fault::Broken("no entropy"))?;
        let why = if verdict.status == Some(410) {
            "gone"
        } else {
            "failing"
        };
        let (guard, writes) = webhooks::disable(of.practice_id, of.webhook_id, why, &ctx);
        let plan = door::plan(&ctx, Actor::Service, vec![guard], writes.into());
        match door::run(&self.db, &self.app, &plan).await {
            // Somebody else did, and wrote to them.
            Err(Fault::Conflict(Failed::Record)) => return Ok(()),
            done => done?,
        };
        let read = self
            .db
            .batch(&[deliveries::addresses(of.practice_id, LEADERS)])
            .await?;
        let to: Option<Vec<String>> =
            rows::one(column(&read, 0)).map_err(|_| Fault::Broken("row"))?;
        for to in to.unwrap_or_default() {
            let letter = letters::webhook_disabled(&to);
            // The mailer has logged why.
            let _sent = self.app.mailer.send(&letter).await;
        }
        Ok(())
    }
}
