//! Resends that do not match the claim of their number: they are counted and limited for each UTC day.
//!
//! The answer to a resend shows whether a name, a date of birth or a procedure code equals that of the stored claim.
//! Without a limit, a key could try one date after another. So each mismatch is counted in a batch that commits before
//! the answer. Once a limit is reached, no resend is compared until the next UTC day, correct or not.

use super::changes::Compared;
use super::counts::{Bound, Bounds};
use super::send::ValidSend;
use super::snapshot::Snapshot;
use crate::base::ctx::Ctx;
use crate::base::id::ClaimId;
use crate::claims::identity::Mismatch;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The comparisons of one round of a send, `None` if there is nothing to count or to confirm.
pub(super) fn compared(
    found: Vec<(usize, ClaimId, Mismatch)>,
    matches: Vec<(usize, ClaimId)>,
    snapshot: &Snapshot,
    bounds: Bounds,
    ctx: &Ctx,
) -> Option<Compared> {
    (!found.is_empty() || !matches.is_empty()).then(|| Compared {
        day: ctx.today(),
        bounds,
        closes: !snapshot.mismatches.allow(found.len(), bounds),
        found,
        matches,
        counted: snapshot.counted.len(),
    })
}

/// A send that is not compared, because a limit was reached.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// The indexes of the items that cannot be sent today, empty if the request has one item.
    pub items: Vec<usize>,
    /// Whole seconds until the next UTC day.
    pub retry_after: i64,
    /// The limit, if the owners were not notified about it on this day: after a limit was lowered, it can be reached without
    /// a new mismatch. They are notified before the answer.
    pub untold: Option<Bound>,
}

/// The message for items that are not compared.
pub const STOPPED: &str = "claim.claim_number cannot be sent again until 00:00 UTC, because too many resends of today were for a different patient or claim";

/// The same with the indexes of the items before it, such as `claims[0], claims[4]: …`.
#[must_use]
pub fn stopped_message(items: &[usize]) -> String {
    let places: Vec<String> = items.iter().map(|n| format!("claims[{n}]")).collect();
    match &places[..] {
        [] => STOPPED.into(),
        _ => format!("{}: {STOPPED}", places.join(", ")),
    }
}

/// The indexes in such a message, `None` for any other message. A message without an index is about the only item.
#[must_use]
pub fn stopped_items(message: &str) -> Option<Vec<usize>> {
    let places = message.strip_suffix(STOPPED)?;
    let Some(places) = places.strip_suffix(": ") else {
        return places.is_empty().then(|| [0].into());
    };
    let place = |text: &str| text.strip_prefix("claims[")?.strip_suffix(']')?.parse().ok();
    places.split(", ").map(place).collect()
}

/// True if a send has items that must not be compared.
pub(super) fn stopped(send: &ValidSend<'_>, snapshot: &Snapshot, bounds: Bounds, ctx: &Ctx) -> Option<Stopped> {
    let mut reached = None;
    let mut items = Vec::new();
    for (place, item) in send.items.iter().enumerate() {
        let stored = snapshot.claims.get(&*item.claim.claim_number);
        let stored = stored.filter(|stored| !snapshot.is_own(place, stored.id, ctx));
        let bound = stored
            .filter(|_| !snapshot.counted.contains(&place))
            .filter(|_| !snapshot.confirmed.contains(&place))
            .and_then(|stored| snapshot.mismatches.reached(stored.id, bounds));
        if bound.is_some() {
            items.push(place);
            reached = reached.max(bound);
        }
    }
    let bound = reached?;
    if send.items.len() == 1 {
        items.clear();
    }
    let day = ctx.today();
    let ends = day.plus_days(1).unwrap_or(day).begins();
    let seconds = ends.since(ctx.now).saturating_add(999).div_euclid(1000);
    let told = snapshot.mismatches.told & bound.bit() != 0;
    Some(Stopped { items, retry_after: seconds.max(1), untold: (!told).then_some(bound) })
}
