//! The letters to owners about their practice's agreement, data and keys.

use crate::mail::letters::{self, Letter};
use crate::platform;
use crate::webhooks::Dispatcher;
use overturn_core::plan::notice::NoticeKind;
use overturn_store::fault::Fault;
use overturn_store::settings::data_jobs::{self as store, DueNotice};
use serde_json::json;

/// Sends the letters that are due. One that the platform does not take is tried again after its lease, for a week.
pub(super) async fn send(dispatcher: &Dispatcher) -> Result<(), Fault> {
    let now = platform::now();
    for notice in dispatcher.db.read(&store::due_notices(now)).await? {
        let leased = dispatcher
            .db
            .batch(&[store::lease_notice(&notice, now)])
            .await?;
        if leased.first().is_none_or(|done| done.changes == 0) {
            continue;
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
            dispatcher.db.batch(&[store::sent(&notice)]).await?;
        }
    }
    Ok(())
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
