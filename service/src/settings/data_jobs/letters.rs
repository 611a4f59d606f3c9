//! The emails to owners about their practice's agreement, data, keys and sign-ins.

use crate::host::Letter;
use crate::jobs::Jobs;
use crate::mail::notices;
use crate::pipeline;
use overturn_core::base::ctx::Ctx;
use overturn_core::plan::notice::NoticeKind;
use overturn_core::plan::{Actor, Guard, Write};
use overturn_core::settings::notices::DueNotice;
use overturn_store::error::{DatabaseError, FailedGuard};
use overturn_store::settings::data_jobs as store;
use serde_json::json;

/// Sends the emails that are due. If the platform does not accept one, it is tried again after its lease, for a week.
pub(super) async fn send(jobs: &Jobs) -> Result<(), DatabaseError> {
    let due = store::due_notices(jobs.app.host.now());
    for notice in jobs.db.read(&due).await? {
        // The guard and the end of the lease use one clock: a slow sweep must not make a lease that has already ended.
        let ctx = jobs.app.host.ctx()?;
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
            commit(jobs, &jobs.app.host.ctx()?, Vec::new(), notice.done()).await?;
        }
    }
    Ok(())
}

async fn commit(jobs: &Jobs, ctx: &Ctx, guards: Vec<Guard>, write: Write<'static>) -> Result<(), DatabaseError> {
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
        NoticeKind::ProviderEnding => {
            let ends = notice.due_at.unwrap_or(notice.at);
            notices::provider_ending(to, notice.about.as_deref(), ends)
        }
    }
}

/// The person who did it.
fn by(notice: &DueNotice) -> &str {
    notice.about.as_deref().unwrap_or("A person who is gone")
}
