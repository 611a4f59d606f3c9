//! Changes of claims by staff or patients, as parts of a plan.

use crate::base::ctx::Ctx;
use crate::base::id::PracticeId;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::guard::Guard;
use crate::plan::message::{Data, Message};
use crate::plan::work::change::{ClaimAnswer, ClaimChange};
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::write::Write;
use crate::plan::{WorkGuard, WorkWrite};
use alloc::vec::Vec;
use serde_json::json;

/// The guard and the writes for changes of claims, at least one. The guard checks that the claims are unchanged, and the
/// endpoints of each practice get a message for each change of its claims and the `more` messages.
#[must_use]
pub fn changes(
    changes: Vec<ClaimChange>,
    more: impl IntoIterator<Item = (PracticeId, Data)>,
    ctx: &Ctx,
) -> (Guard, [Write<'static>; 2]) {
    let versions = changes.iter().map(|change| (change.practice_id, change.id, change.version));
    let guard = Guard::Work(WorkGuard::Claims(versions.collect()));
    let news = changes.iter().flat_map(|change| change.news().map(|news| (change.practice_id, news)));
    let messages = news.chain(more).enumerate().map(|(n, (practice, news))| Message::new(ctx, n, practice, news));
    let told = Write::Messages(messages.collect());
    let changed = Write::Work(WorkWrite::Claims(changes));
    (guard, [changed, told])
}

/// The nth audit row of a request, about a claim's change.
#[must_use]
pub fn audit(event: Event, n: usize, change: &ClaimChange, ctx: &Ctx) -> Entry {
    let (status, signing) = (change.status, change.signing);
    let said = match change.set.taken_by {
        Some(holder) => json!({ "status": status, "signing": signing, "taken_by": holder }),
        None => json!({ "status": status, "signing": signing }),
    };
    Entry::new(ctx, n, Some(change.practice_id), event, change.id).detail(said)
}

/// One claim's change, with its audit row.
#[must_use]
pub fn settle(event: Event, stored: &StoredWorkClaim, change: ClaimChange, ctx: &Ctx) -> Change {
    let answer = Answer::new(200, &ClaimAnswer::after(stored, &change));
    let audit = audit(event, 0, &change, ctx);
    let (guard, writes) = changes([change].into(), [], ctx);
    let settled = Change::new(audit, answer).guard(guard);
    writes.into_iter().fold(settled, Change::write)
}
