//! Disables endpoints that failed for days, or that answered that they are gone.

use super::attempt::AttemptResult;
use super::endpoints::is_active;
use super::lease::Delivery;
use crate::auth::rights::LEADERS;
use crate::auth::role::Role;
use crate::jobs::Jobs;
use crate::mail::letters;
use crate::pipeline;
use crate::plan::Actor;
use crate::prelude::*;
use crate::store::error::{DatabaseError, FailedGuard};

/// The addresses of a practice's people with these roles.
pub(super) fn addresses(practice: PracticeId, roles: &[Role]) -> Query<Vec<String>> {
    let roles: Vec<&str> = roles.iter().map(|role| role.name()).collect();
    select!(
        "webhooks.addresses",
        "SELECT json_group_array(email) AS json FROM users
         WHERE practice_id = {practice} AND state = 'active' AND role IN (SELECT value FROM json_each({roles}))";
        practice, roles = Json(roles)
    )
    .one()
}

impl Jobs {
    /// Disables the endpoint of a delivery, and emails the practice's owners and admins.
    pub(super) async fn disable(&self, of: Delivery, verdict: AttemptResult) -> Result<(), DatabaseError> {
        let ctx = of.ctx(self.db.ctx()?);
        let why = if verdict.status == Some(410) { "gone" } else { "failing" };
        let (guard, writes) = disabled(of.practice_id, of.webhook_id, why, &ctx);
        let plan = pipeline::plan(&ctx, Actor::Service, vec![guard], writes.into());
        match pipeline::run_anywhere(&self.db, &self.app, (of.practice_id, &plan), &[]).await {
            // Another attempt has disabled it and sent the emails.
            Err(DatabaseError::Conflict(FailedGuard::Record)) => return Ok(()),
            done => done?,
        };
        let leaders = addresses(of.practice_id, LEADERS);
        for to in self.db.read(&leaders).await? {
            let letter = letters::webhook_disabled(&to);
            // The mailer has logged the reason.
            let _sent = self.app.mailer.send(&letter).await;
        }
        Ok(())
    }
}

pub(super) fn disabled(practice: PracticeId, id: WebhookId, why: &str, ctx: &Ctx) -> (Guard, [Write; 2]) {
    let audit = Entry::new(ctx, 0, Some(practice), Event::WebhookDisabled, id).detail(json!({ "reason": why }));
    let write = sql!(
        "UPDATE webhooks SET state = 'disabled', disabled_at = {now}, version = version + 1
         WHERE practice_id = {practice} AND id = {id} AND state = 'active'";
        practice, id, now = ctx.now
    );
    (is_active(practice, id), [Write::Audit(audit), write])
}
