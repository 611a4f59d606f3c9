//! Decides a send from what the store holds.

#[cfg(test)]
mod tests;

use super::answer::{ResultItem, SendResponse};
use super::mismatches::Stopped;
use super::{fill, mismatches};
use crate::auth::key::{self, Credential};
use crate::auth::scope::Scope;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{AuditId, ClaimId, SubmissionId};
use crate::base::money::Cents;
use crate::claims::identity::{self, IdentityKey, Mismatch};
use crate::claims::intake::send::ValidSend;
use crate::claims::intake::sender::Sender;
use crate::claims::intake::snapshot::{Snapshot, own_id};
use crate::claims::intake::stored::StoredClaim;
use crate::plan::ClaimsGuard;
use crate::plan::ClaimsWrite;
use crate::plan::claims::{Bounds, Correction, Corrections, Fills, Item, NewClaim, NewClaims, Tags};
use crate::plan::{Guard, Plan, Write};
use crate::request::error::RequestError;
use crate::request::limit::Verdict;
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
    /// Run this plan, pass the result to [`Snapshot::learn`], and decide again.
    Write(Plan<'a>),
    /// Open these claims of the caller's practice, pass them to [`Snapshot::hold`], and decide again.
    Open(Vec<ClaimId>),
    /// A limit of the day was reached, so nothing is compared.
    Stopped(Stopped),
    /// The answer; nothing is left to write.
    Answer(SendResponse<'a>),
}

/// Checks whether an API key may send, and returns the sender and the send. `send` is the parsed request or its problems:
/// a caller that may not send does not learn them.
///
/// # Errors
///
/// The refusals of [`key::authorise`], then [`RequestError::Invalid`] or [`RequestError::BodyTooLarge`] from `send`.
pub fn admit<'s, 'a>(
    send: Result<&'s ValidSend<'a>, &RequestError>,
    credential: Option<&Credential>,
    limit: Option<Verdict>,
    ctx: &Ctx,
) -> Result<(Sender, &'s ValidSend<'a>), RequestError> {
    let caller = key::authorise(credential, limit, Scope::ClaimsWrite, ctx.now)?;
    Ok((Sender::from(&caller), send.map_err(RequestError::clone)?))
}

/// Decides a send from the snapshot.
///
/// # Errors
///
/// [`RequestError::KeyUnavailable`] if a stored claim was tagged under another key than `key`.
pub fn decide<'a>(
    send: &'a ValidSend<'a>,
    sender: &Sender,
    snapshot: &Snapshot,
    (key, bounds): (&IdentityKey, Bounds),
    ctx: &Ctx,
) -> Result<Decision<'a>, RequestError> {
    let scope = (sender.practice_id, bounds);
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
        let id = own_id(place, ctx);
        let tags = || key.tags(sender.practice_id, item);
        match snapshot.claims.get(&*item.claim.claim_number) {
            None => new.push(NewClaim { place, id, item, tags: tags() }),
            Some(stored) if stored.id == id => results.push(ResultItem::accepted(item, stored, true)),
            Some(stored) if stored.key_version != key.version() => return Err(RequestError::KeyUnavailable),
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
                            Some(held) => {
                                let round = (snapshot.rounds, ctx);
                                filled = fill::fill((place, item), held, sender.practice_id, round);
                            }
                        }
                    }
                    // A fill-in and its correction are written together.
                    if filled.is_none() {
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
    let mut guards: Vec<Guard> = sender.guards.clone();
    let mut writes = Vec::new();
    let compared = mismatches::compared(&found, matches, snapshot, scope, ctx);
    if !found.is_empty() {
        let entry = mismatches::entry(&found, snapshot, sender.practice_id, ctx);
        writes.extend([Write::Audit(entry), Write::Claims(ClaimsWrite::Mismatches(compared.clone()))]);
        writes.extend(mismatches::alarms(&compared, ctx).map(ClaimsWrite::Alarm).map(Write::Claims));
    }
    let must_confirm = !compared.matches.is_empty();
    if compared.closes {
        // Everything else waits: the answer will be that nothing more is compared.
        (new, fills, corrections) = Default::default();
    } else if !found.is_empty() || must_confirm {
        guards.push(Guard::Claims(ClaimsGuard::Mismatches(compared)));
    }
    if !new.is_empty() {
        writes.push(Write::Claims(ClaimsWrite::New(NewClaims {
            practice_id: sender.practice_id,
            submission_id,
            claims: new,
        })));
    }
    if !fills.is_empty() {
        writes.push(Write::Claims(ClaimsWrite::Fills(Fills {
            practice_id: sender.practice_id,
            audit_id: fill::audit_id(ctx),
            claims: fills,
        })));
    }
    if !corrections.is_empty() {
        let audit_id = AuditId(ctx.id(Purpose::Audit, 1));
        writes.push(Write::Claims(ClaimsWrite::Corrections(Corrections {
            practice_id: sender.practice_id,
            audit_id,
            claims: corrections,
        })));
    }
    if writes.is_empty() && !must_confirm {
        let created = results.iter().any(|result| result.created);
        return Ok(Decision::Answer(SendResponse { claims: results, submission_id: created.then_some(submission_id) }));
    }
    Ok(Decision::Write(Plan {
        guards,
        actor: sender.actor,
        at: ctx.now,
        request_id: ctx.request_id,
        from: ctx.address.clone(),
        writes,
    }))
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
