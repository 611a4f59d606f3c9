//! Decides a send from what the store holds.

#[cfg(test)]
mod tests;

use super::answer::{ResultItem, SendResponse};
use super::changes::{Changes, Correction, NewClaim};
use super::counts::Bounds;
use super::mismatches::Stopped;
use super::send::ValidSend;
use super::snapshot::{Snapshot, is_own_id, own_id};
use super::stored::StoredClaim;
use super::{fill, mismatches};
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{ClaimId, PracticeId, SubmissionId};
use crate::base::money::Cents;
use crate::base::open::Unopened;
use crate::claims::Item;
use crate::claims::identity::{self, IdentityKey, Mismatch, Tags};
use alloc::vec::Vec;

/// The most rounds of writing that creations, corrections and mismatches take. A third would mean that the store loses
/// claims.
pub const MAX_ROUNDS: usize = 2;

/// The most decisions of a send. Only a claim that others change again and again, while a part of it is filled in, takes
/// this many.
pub const MAX_DECISIONS: usize = 16;

/// The next step.
#[derive(Debug)]
pub enum Decision<'a> {
    /// Write these changes, pass the result to [`Snapshot::learn`], and decide again.
    Write(Changes<'a>),
    /// Open these claims of the caller's practice, pass them to [`Snapshot::hold`], and decide again.
    Open(Vec<ClaimId>),
    /// A limit of the day was reached, so nothing is compared.
    Stopped(Stopped),
    /// The answer; nothing is left to write.
    Answer(SendResponse<'a>),
}

/// Decides a send from the snapshot.
///
/// # Errors
///
/// [`Unopened::KeyUnavailable`] if a stored claim was tagged under another key than `key`.
pub fn decide<'a>(
    send: &'a ValidSend<'a>,
    practice_id: PracticeId,
    snapshot: &Snapshot,
    (key, bounds): (&IdentityKey, Bounds),
    ctx: &Ctx,
) -> Result<Decision<'a>, Unopened> {
    if let Some(stopped) = mismatches::stopped(send, snapshot, bounds, ctx) {
        return Ok(Decision::Stopped(stopped));
    }
    let mut results = Vec::with_capacity(send.items.len());
    let mut new = Vec::new();
    let mut found = Vec::new();
    let mut to_open = Vec::new();
    let mut fills = Vec::new();
    let mut corrections = Vec::new();
    let mut matches = Vec::new();
    for (place, item) in send.items.iter().enumerate() {
        if let Some(id) = snapshot.created.get(&place) {
            results.push(ResultItem::created(item, *id));
            continue;
        }
        let tags = || key.tags(practice_id, item);
        match snapshot.claims.get(&*item.claim.claim_number) {
            None => new.push(NewClaim { place, id: own_id(place, ctx), item, tags: tags() }),
            Some(stored) if is_own_id(stored.id, place, ctx) => results.push(ResultItem::accepted(item, stored, true)),
            Some(stored) if stored.key_version != key.version() => return Err(Unopened::KeyUnavailable),
            Some(stored) => match judge(item, &tags(), stored) {
                Judgement::Refused(mismatch) => {
                    if !snapshot.counted.contains(&place) {
                        found.push((place, stored.id, mismatch));
                    }
                    results.push(ResultItem::refused(item, mismatch));
                }
                Judgement::Same(correction) => {
                    if snapshot.must_confirm(place, stored.id, bounds) {
                        matches.push((place, stored.id));
                    }
                    let mut filled = None;
                    if !fill::missing(item, stored).is_empty() {
                        match snapshot.held.get(&stored.id) {
                            None => to_open.push(stored.id),
                            Some(held) => filled = fill::fill((place, item), held),
                        }
                    }
                    // A fill-in and its correction are written together.
                    if filled.is_none() && !snapshot.corrected.contains(&stored.id) {
                        corrections.extend(correction);
                    }
                    fills.extend(filled);
                    results.push(ResultItem::accepted(item, stored, false));
                }
            },
        }
    }
    if !to_open.is_empty() {
        return Ok(Decision::Open(to_open));
    }
    let submission_id = SubmissionId(ctx.id(Purpose::Submission, 0));
    let compared = mismatches::compared(found, matches, snapshot, bounds, ctx);
    if compared.as_ref().is_some_and(|compared| compared.closes) {
        // Everything else waits: the answer will be that nothing more is compared.
        (new, fills, corrections) = Default::default();
    }
    if compared.is_none() && new.is_empty() && fills.is_empty() && corrections.is_empty() {
        let created = results.iter().any(|result| result.created);
        return Ok(Decision::Answer(SendResponse { claims: results, submission_id: created.then_some(submission_id) }));
    }
    let round = snapshot.rounds;
    Ok(Decision::Write(Changes { practice_id, submission_id, round, compared, new, fills, corrections }))
}

/// The decision on an item whose number has a stored claim.
enum Judgement<'a> {
    /// Refused, without a change of the claim.
    Refused(Mismatch),
    /// The same claim, with what it corrects.
    Same(Option<Correction<'a>>),
}

fn judge<'a>(item: &'a Item<'a>, sent: &Tags, stored: &StoredClaim) -> Judgement<'a> {
    let stored_tags = Tags {
        key_version: stored.key_version,
        patient: stored.patient_tag.clone(),
        procedure: stored.procedure_tag.clone(),
    };
    let claim = &item.claim;
    if let Some(found) = identity::mismatch(sent, claim.date_of_service, &stored_tags, stored.date_of_service) {
        return Judgement::Refused(found);
    }
    let is_new = |sent: Option<Cents>, stored| sent.is_some() && sent != stored;
    let corrects = claim.payer_claim_number != stored.payer_claim_number
        || is_new(claim.billed_amount, stored.billed)
        || is_new(claim.denied_amount, stored.denied);
    Judgement::Same(corrects.then(|| Correction {
        id: stored.id,
        claim_number: &claim.claim_number,
        payer_claim_number: &claim.payer_claim_number,
        billed: claim.billed_amount,
        denied: claim.denied_amount,
    }))
}
