//! The emails to owners about their practice's agreement, data, keys and sign-ins.

use crate::host::Letter;
use crate::jobs::Jobs;
use crate::mail::notices;
use crate::pipeline;
use crate::plan::Actor;
use crate::plan::notice::{NamedKeys, NoticeKind};
use crate::prelude::*;
use crate::store::error::{DatabaseError, FailedGuard};
use overturn_core::base::id::NoticeId;
use overturn_core::base::instant::DAY_MS;

/// The shortest time until an email is tried again, in milliseconds. It grows with the email's age.
const LEASE_MS: i64 = 5 * 60_000;
/// How long an email is tried again if the platform does not accept it, in milliseconds.
const TRIED_MS: i64 = 7 * DAY_MS;

/// A letter that is due.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DueNotice {
    pub(crate) practice_id: PracticeId,
    pub(crate) id: NoticeId,
    /// What it is about.
    pub(crate) kind: NoticeKind,
    /// When what it is about happened.
    pub(crate) at: Time,
    /// When what was requested begins.
    pub(crate) due_at: Option<Time>,
    /// The name of the person or the identity provider that it is about. `None` if there is none any more.
    pub(crate) about: Option<String>,
    /// The keys that it is about.
    pub(crate) detail: Option<NamedKeys>,
    /// The addresses of the owners, and of the admins or the person of a token if it is for them as well.
    pub(crate) to: Vec<String>,
}

/// Some of the emails that are due, each with the owners' addresses. Those about an identity provider are for admins as
/// well, and those about the end of a token for its person.
pub(crate) fn due(now: Instant) -> Query<Vec<DueNotice>> {
    select!(
        "data_jobs.due_notices",
        "SELECT json_group_array(json_object('practice_id', n.practice_id, 'id', n.id, 'kind', n.kind,
           'due_at', n.due_at, 'at', n.at, 'detail', json(n.detail), 'about', CASE WHEN n.about IS NULL THEN NULL
             WHEN n.kind = 'provider_ending' THEN (SELECT s.name FROM sso_providers s
               WHERE s.practice_id = n.practice_id AND s.id = n.about)
             ELSE (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u
               WHERE u.id = n.about AND u.practice_id = n.practice_id) END,
           'to', json((SELECT json_group_array(u.email) FROM users u
             WHERE u.practice_id = n.practice_id AND u.state = 'active'
               AND (u.role = 'owner' OR u.role = 'admin' AND n.kind = 'provider_ending'
                 OR u.id = n.about AND n.kind = 'token_expiring'))))) AS json
         FROM (SELECT * FROM notices WHERE next_at <= CAST({now} AS INTEGER)
           AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = practice_id) ORDER BY next_at LIMIT 20) n";
        now
    )
    .one()
}

/// Sends the emails that are due. If the platform does not accept one, it is tried again after its lease, for a week.
pub(super) async fn send(jobs: &Jobs) -> Result<(), DatabaseError> {
    for notice in jobs.db.read(&due(jobs.app.host.now())).await? {
        // The guard and the end of the lease use one clock: a slow sweep must not make a lease that has already ended.
        let ctx = jobs.db.ctx()?;
        let (guard, lease) = notice.lease(ctx.now);
        match commit(jobs, &ctx, vec![guard], lease).await {
            // Another sweep is sending it.
            Err(DatabaseError::Conflict(FailedGuard::Record)) => continue,
            leased => leased?,
        }
        let mut all = true;
        for to in &notice.to {
            // The mailer has logged why.
            all &= jobs.app.mailer.send(&letter(to, &notice)).await.is_ok();
        }
        let given_up = !all && notice.is_given_up(ctx.now);
        if given_up {
            let (practice, kind) = (notice.practice_id, notice.kind.name());
            log::error!("{}", json!({ "event": "notice_given_up", "practice_id": practice, "kind": kind }));
        }
        if all || given_up {
            commit(jobs, &jobs.db.ctx()?, Vec::new(), notice.done()).await?;
        }
    }
    Ok(())
}

impl DueNotice {
    /// Leases the email. The guard fails if another sweep is sending it. The time until the next try doubles each time.
    fn lease(&self, now: Instant) -> (Guard, Write) {
        let (practice, id) = (self.practice_id, self.id);
        let guard = abort_if!(
            Record,
            "NOT EXISTS (SELECT 1 FROM notices
               WHERE practice_id = {practice} AND id = {id} AND next_at <= CAST({now} AS INTEGER))";
            practice, id, now
        );
        let until = now.plus(now.since(self.at.0).max(LEASE_MS));
        let write = sql!(
            "UPDATE notices SET next_at = CAST({until} AS INTEGER)
             WHERE practice_id = {practice} AND id = {id} AND next_at <= CAST({now} AS INTEGER)";
            practice, id, until, now
        );
        (guard, write)
    }

    /// Whether the email is not tried again. If the platform never accepts one address, the other owners must not get
    /// the email forever.
    fn is_given_up(&self, now: Instant) -> bool {
        now.since(self.at.0) > TRIED_MS
    }

    /// Removes the email, which was sent or is given up.
    fn done(&self) -> Write {
        let (practice, id) = (self.practice_id, self.id);
        sql!("DELETE FROM notices WHERE practice_id = {practice} AND id = {id}"; practice, id)
    }
}

async fn commit(jobs: &Jobs, ctx: &Ctx, guards: Vec<Guard>, write: Write) -> Result<(), DatabaseError> {
    let plan = pipeline::plan(ctx, Actor::Service, guards, vec![write]);
    let done = pipeline::run(&jobs.db, &jobs.app, &plan).await;
    done.map(drop)
}

fn letter(to: &str, notice: &DueNotice) -> Letter {
    match notice.kind {
        NoticeKind::AgreementEnded => notices::agreement_ended(to, notice.at),
        NoticeKind::ReturnRequested => notices::return_requested(to, notice.at),
        NoticeKind::DestructionRequested => notices::destruction_requested(to, notice.at, notice.due_at),
        NoticeKind::DestructionCancelled => notices::destruction_cancelled(to, notice.at),
        NoticeKind::DataDestroyed => notices::data_destroyed(to, notice.at),
        NoticeKind::ResendsStopped => notices::resends_stopped(to, notice.at),
        NoticeKind::SsoRequired => notices::sso_required(to, by(notice), notice.at),
        NoticeKind::SsoOptional => notices::sso_optional(to, by(notice), notice.at),
        NoticeKind::ProviderAdded => notices::provider_added(to, by(notice), notice.at),
        NoticeKind::ProviderChanged => notices::provider_changed(to, by(notice), notice.at),
        NoticeKind::ProviderRemoved => notices::provider_removed(to, by(notice), notice.at),
        NoticeKind::ProviderEnding => notices::provider_ending(to, notice.about.as_deref(), ends(notice)),
        NoticeKind::KeyExpiring => notices::expiring(to, "API key", notice.detail.as_ref(), ends(notice)),
        NoticeKind::TokenExpiring => notices::expiring(to, "API token", notice.detail.as_ref(), ends(notice)),
        NoticeKind::KeysLeaked => notices::keys_leaked(to, notice.detail.as_ref(), notice.at),
    }
}

/// When what it is about ends.
fn ends(notice: &DueNotice) -> Time {
    notice.due_at.unwrap_or(notice.at)
}

/// The person who did it.
fn by(notice: &DueNotice) -> &str {
    notice.about.as_deref().unwrap_or("A person who is gone")
}

#[cfg(test)]
mod tests;
