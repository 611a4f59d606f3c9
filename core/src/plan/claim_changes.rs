//! Changes of claims by staff or patients, as parts of a plan.

use crate::base::ctx::Ctx;
use crate::base::id::PracticeId;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::guard::Guard;
use crate::plan::webhooks::message::{Data, Message};
use crate::plan::work::change::{ClaimAnswer, ClaimChange};
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::write::Write;
use crate::plan::{WebhooksWrite, WorkGuard, WorkWrite};
use alloc::vec::Vec;
use serde_json::json;

/// The guard and the writes for changes of one practice's claims, at least one. The guard checks that the claims are
/// unchanged, and the practice's endpoints get a message for each change and the `more` messages.
#[must_use]
pub fn changes(
    practice_id: PracticeId,
    changes: Vec<ClaimChange>,
    more: impl IntoIterator<Item = Data>,
    ctx: &Ctx,
) -> (Guard, [Write<'static>; 2]) {
    let versions = changes.iter().map(|change| (change.id, change.version));
    let guard = Guard::Work(WorkGuard::Claims {
        practice: practice_id,
        versions: versions.collect(),
    });
    let news = changes.iter().flat_map(ClaimChange::news).chain(more);
    let messages = news
        .enumerate()
        .map(|(n, news)| Message::new(ctx, n, practice_id, news));
    let told = Write::Webhooks(WebhooksWrite::Messages(messages.collect()));
    let practice = practice_id;
    let changed = Write::Work(WorkWrite::Claims { practice, changes });
    (guard, [changed, told])
}

/// One claim's change, with its audit row.
#[must_use]
pub fn settle(event: Event, stored: &StoredWorkClaim, change: ClaimChange, ctx: &Ctx) -> Change {
    let practice = change.practice_id;
    let answer = Answer::new(200, &ClaimAnswer::after(stored, &change));
    let audit = Entry::new(ctx, 0, Some(practice), event, change.id);
    let said = json!({ "status": change.status, "signing": change.signing });
    let (guard, writes) = changes(practice, [change].into(), [], ctx);
    let settled = Change::new(audit.detail(said), answer).guard(guard);
    writes.into_iter().fold(settled, Change::write)
}
