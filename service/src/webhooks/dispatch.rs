//! Sends due webhook messages, several in parallel.

use super::attempt::{self, AttemptResult, Failure, Next, Outcome};
use super::attempts;
use super::lease::{self, Delivery, Leased};
use super::post::{self, Posted};
use crate::host::QueueMessage;
use crate::jobs::Jobs;
use crate::pipeline;
use crate::pipeline::queue;
use crate::pipeline::tampered;
use crate::plan::Actor;
use crate::store::error::{DatabaseError, FENCED, FailedGuard};
use futures_util::stream::{self, Stream, StreamExt};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_core::base::open::Unopened;
use serde_json::json;
use std::slice::from_ref;

/// The interval of the platform's sweep, in milliseconds, as in wrangler.toml.
pub(super) const EVERY_MS: i64 = 60_000;

impl Jobs {
    /// Sends deliveries, several at once. A failure is logged, unless the practice moves, and the delivery is tried again when its
    /// lease ends.
    pub(super) async fn dispatch_all(&self, deliveries: impl Stream<Item = Delivery>) {
        let each = deliveries.for_each_concurrent(self.at_once, async |of| {
            let moves = |fault: &DatabaseError| fault.has_left() || *fault == DatabaseError::Transient(FENCED);
            let failed = self.dispatch(of).await.err().filter(|fault| !moves(fault));
            if let Some(fault) = failed {
                let reason = fault.to_string();
                let (webhook, message) = (of.webhook_id, of.id);
                log::error!(
                    "{}",
                    json!({ "event": "delivery_failed", "webhook_id": webhook, "message_id": message, "reason": reason })
                );
            }
        });
        each.await;
    }

    /// Sends one delivery, unless another attempt holds its lease or it is complete.
    async fn dispatch(&self, of: Delivery) -> Result<(), DatabaseError> {
        let Some(read) = self.lease(of).await? else {
            return Ok(());
        };
        let schedule = &self.app.settings.webhooks.schedule;
        let (verdict, posted) = match attempt::stop(read.turn(), schedule) {
            Some(verdict) => (verdict, None),
            None => {
                let posted = self.attempt(of, &read).await;
                let outcome = posted.as_ref().map_or_else(|failure| Outcome::Failed(*failure), |posted| posted.outcome);
                (
                    attempt::judge(read.turn(), outcome, schedule, of.at.unwrap_or_else(|| self.app.host.now())),
                    posted.ok(),
                )
            }
        };
        let ctx = of.ctx(self.db.ctx()?);
        self.settle(of, &read, (verdict, posted.as_ref()), &ctx).await?;
        log(of, verdict);
        if verdict.disable {
            self.disable(of, verdict).await?;
        }
        self.requeue(of, verdict, ctx.now).await;
        Ok(())
    }

    /// Leases a delivery and reads what the attempt needs. `None` if another dispatcher has it, or if it is no longer
    /// due. After a lost answer it is unknown which dispatcher has the lease, so nothing is sent until the lease ends.
    async fn lease(&self, of: Delivery) -> Result<Option<Leased>, DatabaseError> {
        let ctx = self.db.ctx()?;
        let (guard, write) = lease::lease(of, ctx.now);
        let ctx = of.ctx(ctx);
        let plan = pipeline::plan(&ctx, Actor::Service, vec![guard], vec![write]);
        let leased = lease::leased(of, ctx.now);
        match pipeline::run_and_read(&self.db, &self.app, &plan, &leased).await {
            Err(DatabaseError::Conflict(FailedGuard::Record)) => Ok(None),
            leased => leased,
        }
    }

    /// Records the result of an attempt, and the request in the log.
    async fn settle(
        &self,
        of: Delivery,
        read: &Leased,
        (verdict, posted): (AttemptResult, Option<&Posted>),
        ctx: &Ctx,
    ) -> Result<(), DatabaseError> {
        let settled = lease::settle(of, read, verdict, ctx.now);
        if let Some(posted) = posted {
            let log = attempts::logged(of, &read.url, posted, verdict, ctx);
            let writes = settled.iter().cloned().chain([log]).collect();
            let plan = pipeline::plan(ctx, Actor::Service, Vec::new(), writes);
            let keys = read.keys(of.practice_id, &self.app.keys);
            match pipeline::run_anywhere(&self.db, &self.app, (of.practice_id, &plan), from_ref(&keys)).await {
                // The key was destroyed meanwhile, so the answer cannot be kept. The result still counts.
                Err(DatabaseError::Conflict(FailedGuard::DataKey)) => {}
                done => return done,
            }
        }
        let plan = pipeline::plan(ctx, Actor::Service, Vec::new(), settled);
        pipeline::run_anywhere(&self.db, &self.app, (of.practice_id, &plan), &[]).await
    }

    async fn attempt(&self, of: Delivery, read: &Leased) -> Result<Posted, Failure> {
        match read.secrets(of, &self.app.keys) {
            Ok(secrets) => Ok(post::post(&self.app, &read.url, &read.body, of.id, &secrets).await),
            Err(denied) => {
                if let Unopened::Tampered(place) = denied
                    && let Err(fault) = tampered::report_outside(&self.app, &self.db, place).await
                {
                    pipeline::log_not_recorded(fault);
                }
                Err(Failure::NoSecret)
            }
        }
    }

    /// Schedules the next attempt on the queue if it is soon. The sweep finds later ones, to the minute.
    async fn requeue(&self, of: Delivery, verdict: AttemptResult, now: Instant) {
        if let Next::Again(at) = verdict.next
            && at.since(now) < EVERY_MS
        {
            let told = QueueMessage { practice_id: of.practice_id, messages: vec![of.id] };
            let seconds = at.since(now).saturating_add(999).div_euclid(1000);
            queue::send(&self.app, told, u32::try_from(seconds).unwrap_or(0)).await;
        }
    }
}

fn log(of: Delivery, verdict: AttemptResult) {
    let state = match verdict.next {
        Next::Delivered => "delivered",
        Next::Again(_) => "pending",
        Next::Failed => "failed",
    };
    let line = json!({
        "event": "delivery",
        "practice_id": of.practice_id,
        "webhook_id": of.webhook_id,
        "message_id": of.id,
        "state": state,
        "status": verdict.status,
        "failure": verdict.failure.map(Failure::name),
    });
    log::info!("{line}");
}

/// Tries the deliveries of a sandbox that are due at an instant of its clock, those that are due first before the others, as
/// far as there is time, and so many at once. False if one is under way already: what is due after it waits for its result.
pub(crate) async fn deliver(
    jobs: &Jobs,
    (practice, until): (PracticeId, Instant),
    (ends, at_once): (Instant, usize),
) -> Result<bool, DatabaseError> {
    loop {
        let now = jobs.app.host.now();
        if now >= ends {
            return Ok(true);
        }
        let mut due = jobs.db.read(&lease::first_due(practice, until, (now, at_once))).await?;
        let Some(first) = due.first().map(|(first, _)| first.at) else { return Ok(true) };
        due.retain(|(delivery, _)| delivery.at == first);
        let (held, free): (Vec<_>, Vec<_>) = due.into_iter().partition(|(_, is_under_way)| *is_under_way);
        jobs.dispatch_all(stream::iter(free).map(|(delivery, _)| delivery)).await;
        if !held.is_empty() {
            return Ok(false);
        }
    }
}

/// Sends the deliveries that the queue's messages name, in parallel, so that a slow endpoint does not delay the others.
/// A message is never repeated: the rows of the deliveries say what is left to do.
pub(crate) async fn consume(told: &[&QueueMessage], jobs: &Jobs) {
    let now = jobs.app.host.now();
    let due: Vec<_> = told.iter().map(|told| lease::due_of(told.practice_id, &told.messages, now)).collect();
    match jobs.db.read(&due).await {
        Ok(due) => jobs.dispatch_all(stream::iter(due.concat())).await,
        Err(fault) => jobs.db.failed("deliveries_not_read", fault),
    }
}
