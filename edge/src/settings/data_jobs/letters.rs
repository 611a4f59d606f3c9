//! The letters to owners about their practice's agreement, data and keys.

use crate::mail::letters::{self, Letter};
use crate::pipeline;
use crate::platform;
use crate::webhooks::Dispatcher;
use overturn_core::plan::notice::NoticeKind;
use overturn_core::plan::{Actor, Guard, Write};
use overturn_core::settings::notices::DueNotice;
use overturn_store::fault::{Fault, Guard as Failed};
use overturn_store::settings::data_jobs as store;
use serde_json::json;

/// Sends the letters that are due. One that the platform does not take is tried again after its lease, for a week.
pub(super) async fn send(dispatcher: &Dispatcher) -> Result<(), Fault> {
    let now = platform::now();
    for notice in dispatcher.db.read(&store::due_notices(now)).await? {
        let (guard, lease) = notice.lease(now);
        match commit(dispatcher, vec![guard], lease).await {
            // Another sweep is sending it.
            Err(Fault::Conflict(Failed::Record)) => continue,
            leased => leased?,
        }
        let mut all = true;
        for to in &notice.to {
            // The mailer has logged why.
            all &= dispatcher
                .app
                .mailer
                .send(&letter(to, &notice))
                .await
                .is_ok();
        }
        let given_up = !all && notice.is_given_up(now);
        if given_up {
            let (practice, kind) = (notice.practice_id, notice.kind.name());
            worker::console_error!(
                "{}",
                json!({ "event": "notice_given_up", "practice_id": practice, "kind": kind })
            );
        }
        if all || given_up {
            commit(dispatcher, Vec::new(), notice.done()).await?;
        }
    }
    Ok(())
}

async fn commit(
    dispatcher: &Dispatcher,
    guards: Vec<Guard>,
    write: Write<'static>,
) -> Result<(), Fault> {
    let ctx = platform::ctx()?;
    let plan = pipeline::plan(&ctx, Actor::Service, guards, vec![write]);
    let done = pipeline::run(&dispatcher.db, &dispatcher.app, &plan).await;
    done.map(drop)
}

fn letter(to: &str, notice: &DueNotice) -> Letter {
    match notice.kind {
        NoticeKind::AgreementEnded => letters::agreement_ended(to, notice.at),
        NoticeKind::ReturnRequested => letters::return_requested(to, notice.at),
        NoticeKind::DestructionRequested => {
            letters::destruction_requested(to, notice.at, notice.due_at)
        }
        NoticeKind::DestructionCancelled => letters::destruction_cancelled(to, notice.at),
        NoticeKind::DataDestroyed => letters::data_destroyed(to, notice.at),
        NoticeKind::ResendsStopped => letters::resends_stopped(to, notice.at),
    }
}
