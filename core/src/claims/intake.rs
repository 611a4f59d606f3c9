//! `POST /api/v1/claims`: what a send request means (interface: rules 1 to 6).
//!
//! [`decide`] looks at what the store holds and either answers or says what to write. After a write the host hands
//! back what the store holds now and asks again, until there is nothing left to write. An answer is therefore always
//! made of what is in the store, never of what was hoped for:
//!
//! * **Two senders of one number.** Both plan to create it; the store lets the first. The second is handed the first
//!   one's row, and decides again as for any resend.
//! * **An answer lost between commit and host.** The plan is carried out again, changes nothing, and the claims carry
//!   the ids this request gave them: they are recognised as created by it.
//! * **It ends.** Numbers are never freed, so a second round creates nothing; and a correction is read back in the batch
//!   that makes it. Two rounds of writing are the most that creations, corrections and mismatches can take. A part that is
//!   filled in takes another round for each change of its claim that came between, so hosts give up at some point.

mod answer;
mod fill;
mod mismatches;
#[cfg(test)]
mod tests;
mod volley;

pub use crate::request::body::NOT_JSON;
pub use answer::{ResultItem, SendResponse};
pub use fill::{ClaimToOpen, OpenedClaim};
pub use mismatches::{
    Counts, Row as MismatchRow, STOPPED, Stopped, stopped_items, stopped_message,
};
pub use volley::{Mark, Volleys, marks};

use crate::auth::key::{self, Caller, Credential};
use crate::auth::scope::Scope;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::date::Date;
use crate::base::id::{AuditId, ClaimId, SubmissionId};
use crate::base::money::Cents;
use crate::base::sealed::KeyVersion;
use crate::claims::identity::{self, IdentityKeys, Mismatch};
use crate::claims::validate;
use crate::plan::claims::{
    Bounds, ClaimStatus, Correction, Corrections, Fills, Item, NewClaim, NewClaims, Present, Tags,
};
use crate::plan::{Actor, Guard, Plan, Write};
use crate::request::body;
use crate::request::denied::Denied;
use crate::request::limit::Verdict;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::Deserialize;

/// Rounds of writing that creations, corrections and mismatches take at most; a third would mean that the store loses claims.
pub const MAX_ROUNDS: usize = 2;

/// Decisions that a host should be ready for. Only a claim that is changed by somebody else again and again, while a part of it
/// is to be filled in, takes as many.
pub const MAX_DECISIONS: usize = 16;

/// The largest body of a send request, in bytes. Hosts refuse what is larger without reading on.
pub const BODY_MAX: usize = 2 * 1024 * 1024;

/// The message for a body that is larger.
pub const BODY_TOO_LARGE: &str = "body is over 2 MiB";

/// Claims per send request (interface: Limits).
pub const ITEMS_MAX: usize = 100;

/// A valid send request: 1 to 100 items whose claim numbers differ.
#[derive(Debug)]
pub struct Send<'a> {
    /// The items in the order sent.
    pub items: Vec<Item<'a>>,
}

impl Send<'_> {
    /// The claim numbers, for the look-up of what exists.
    pub fn claim_numbers(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|item| &*item.claim.claim_number)
    }
}

/// Reads and validates the body of a send request.
///
/// # Errors
///
/// Every problem of the request, in the order of items and fields.
pub fn parse<'a>(bytes: &'a [u8], ctx: &Ctx) -> Result<Send<'a>, Vec<String>> {
    let envelope = body::read(bytes).map_err(|problem| [problem.into()].to_vec())?;
    validate::items(envelope, ctx).map(|items| Send { items })
}

/// A stored claim, as far as a send needs to see it. `Debug` prints no number of it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct StoredClaim {
    /// The caller's number.
    pub claim_number: String,
    /// The service's id.
    pub id: ClaimId,
    /// Where it stands.
    pub status: ClaimStatus,
    /// The key of its tags.
    pub key_version: KeyVersion,
    /// The tag of its patient.
    pub patient_tag: String,
    /// The tag of its procedure code.
    pub procedure_tag: Option<String>,
    /// Its date of service.
    pub date_of_service: Date,
    /// Its payer claim number.
    pub payer_claim_number: String,
    /// Its billed amount.
    pub billed: Option<Cents>,
    /// Its denied amount.
    pub denied: Option<Cents>,
    /// The optional parts that it has, where that was written down.
    pub present: Option<Present>,
}

impl fmt::Debug for StoredClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredClaim")
            .field("id", &self.id)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

/// What the store holds about a send: the caller, and those of its claim numbers that are taken in the caller's
/// practice. `Debug` prints no claim number.
#[derive(Clone, Default)]
pub struct Snapshot {
    /// The presented key, where it is known.
    pub credential: Option<Credential>,
    /// The claims, by number.
    pub claims: BTreeMap<String, StoredClaim>,
    /// The claims that this request created, by the place of their item in it. They are `received`.
    created: BTreeMap<usize, ClaimId>,
    /// Today's mismatches of the practice.
    mismatches: Counts,
    /// The places of the items whose mismatch this request has counted.
    counted: BTreeSet<usize>,
    /// The places of the items whose number the caller sent just now for another patient or claim.
    contested: BTreeSet<usize>,
    /// The places of the items whose match the store has confirmed: the bounds were not reached when it looked.
    confirmed: BTreeSet<usize>,
    /// Claims that were opened to be filled in.
    held: BTreeMap<ClaimId, OpenedClaim>,
    /// Rounds of writing so far.
    rounds: usize,
}

/// What the store holds of a plan's claims once it was carried out. The usual case is short: all claims that were to
/// be created are there just as the plan made them, and a count says so.
#[derive(Debug, Default, Deserialize)]
pub struct Outcome {
    /// How many claims carry the plan's submission and are `received`.
    pub created: usize,
    /// Every other claim of the plan's numbers.
    pub others: Vec<StoredClaim>,
}

/// The store carried out a plan and does not hold all of its claims: nothing can be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimsMissing;

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("credential", &self.credential)
            .field("claims", &self.claims.len())
            .field("created", &self.created.len())
            .finish()
    }
}

impl Snapshot {
    /// What was loaded: the presented key where it is known, and the claims of its practice.
    #[must_use]
    pub fn new(
        credential: Option<Credential>,
        claims: impl IntoIterator<Item = StoredClaim>,
    ) -> Self {
        let mut snapshot = Self {
            credential,
            ..Self::default()
        };
        snapshot.update(claims);
        snapshot
    }

    /// The same with today's mismatches of the practice.
    #[must_use]
    pub fn counting(self, mismatches: Counts) -> Self {
        Self { mismatches, ..self }
    }

    /// What was loaded once more, for the same request. What this one has written down stays known.
    #[must_use]
    pub fn again(self, loaded: Self) -> Self {
        Self {
            counted: self.counted,
            contested: self.contested,
            confirmed: self.confirmed,
            rounds: self.rounds,
            ..loaded
        }
    }

    /// Takes over which items, by their places, have a number that the caller sent just now for another patient or claim.
    pub fn contest(&mut self, places: impl IntoIterator<Item = usize>) {
        self.contested.extend(places);
    }

    /// Takes over claims that were opened.
    pub fn hold(&mut self, opened: impl IntoIterator<Item = OpenedClaim>) {
        self.held
            .extend(opened.into_iter().map(|held| (held.id(), held)));
    }

    /// Whether a stored claim was created for this very item of this request.
    fn is_own(&self, place: usize, stored: ClaimId, ctx: &Ctx) -> bool {
        self.created.contains_key(&place) || stored == own_id(place, ctx)
    }

    /// Whether a match is answered only once the store has confirmed that no bound is reached: somebody may be guessing.
    fn must_confirm(&self, place: usize, claim: ClaimId, bounds: Bounds) -> bool {
        let is_suspicious =
            self.contested.contains(&place) || self.mismatches.is_suspicious(claim, bounds);
        is_suspicious && !self.confirmed.contains(&place)
    }

    fn update(&mut self, claims: impl IntoIterator<Item = StoredClaim>) {
        let numbered = claims
            .into_iter()
            .map(|claim| (claim.claim_number.clone(), claim));
        self.claims.extend(numbered);
    }

    /// Takes over what became of a plan.
    ///
    /// # Errors
    ///
    /// [`ClaimsMissing`].
    pub fn learn(&mut self, plan: &Plan<'_>, outcome: Outcome) -> Result<(), ClaimsMissing> {
        self.update(outcome.others);
        self.rounds = self.rounds.saturating_add(1);
        for guard in &plan.guards {
            if let Guard::Mismatches(compared) = guard {
                self.confirmed
                    .extend(compared.matches.iter().map(|(place, _)| *place));
            }
        }
        for write in &plan.writes {
            match write {
                Write::Mismatches(found) if found.closes => self.mismatches.close(),
                Write::Mismatches(found) => {
                    self.counted
                        .extend(found.claims.iter().map(|(place, _)| *place));
                }
                // What was opened is not what is stored any more.
                Write::Fills(fills) => {
                    for fill in &fills.claims {
                        self.held.remove(&fill.id);
                    }
                }
                _ => {}
            }
        }
        let new = plan.writes.iter().flat_map(|write| match write {
            Write::Claims(new) => &new.claims[..],
            _ => &[],
        });
        // Who lost the race for a number sees the winner's claim among the others.
        let mine = new.filter(|new| !self.claims.contains_key(&*new.item.claim.claim_number));
        let mine: Vec<_> = mine.map(|new| (new.place, new.id)).collect();
        if mine.len() != outcome.created {
            return Err(ClaimsMissing);
        }
        self.created.extend(mine);
        Ok(())
    }
}

/// What to do next.
#[derive(Debug)]
pub enum Decision<'a> {
    /// Carry this out, have the snapshot [learn](Snapshot::learn) what came of it, and decide again.
    Write(Plan<'a>),
    /// Open these claims, of the caller's practice, and have the snapshot [hold](Snapshot::hold) them.
    Open(Vec<ClaimId>),
    /// A bound of the day was reached: nothing is compared.
    Stopped(Stopped),
    /// All is as it should be: the answer.
    Answer(SendResponse<'a>),
}

/// May this caller send, and if so, what? Called with the request that was parsed, or with its problems: a caller
/// that may not send does not learn them.
///
/// # Errors
///
/// The refusals of [`key::authorise`], then [`Denied::Invalid`] or [`Denied::BodyTooLarge`] as given in `send`.
pub fn admit<'s, 'a>(
    send: Result<&'s Send<'a>, &Denied>,
    credential: Option<&Credential>,
    limit: Option<Verdict>,
    ctx: &Ctx,
) -> Result<(Caller, &'s Send<'a>), Denied> {
    let caller = key::authorise(credential, limit, Scope::ClaimsWrite, ctx.now)?;
    Ok((caller, send.map_err(Denied::clone)?))
}

/// Decides a send over what the store holds now.
///
/// # Errors
///
/// [`Denied::KeyUnavailable`] when a stored claim was tagged under a key that `keys` does not hold.
pub fn decide<'a>(
    send: &'a Send<'a>,
    caller: &Caller,
    snapshot: &Snapshot,
    (keys, bounds): (&IdentityKeys, Bounds),
    ctx: &Ctx,
) -> Result<Decision<'a>, Denied> {
    let scope = (caller.practice_id, bounds);
    if let Some(stopped) = mismatches::stopped(send, snapshot, scope, ctx) {
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
        let tags = |version| {
            keys.get(version)
                .map(|key| key.tags(caller.practice_id, item))
        };
        match snapshot.claims.get(&*item.claim.claim_number) {
            None => new.push(NewClaim {
                place,
                id,
                item,
                tags: keys.current().tags(caller.practice_id, item),
            }),
            Some(stored) if stored.id == id => {
                results.push(ResultItem::accepted(item, stored, true))
            }
            Some(stored) => match judge(
                item,
                &tags(stored.key_version).ok_or(Denied::KeyUnavailable)?,
                stored,
            ) {
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
                                let sender = (caller, keys.current());
                                let round = (snapshot.rounds, ctx);
                                filled = fill::fill((place, item), stored, held, sender, round);
                            }
                        }
                    }
                    // What is filled in comes with what is corrected, or neither does.
                    if filled.as_ref().is_none_or(|fill| fill.parts.is_empty()) {
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
    let mut guards: Vec<Guard> = [Guard::Key(caller.clone())].into();
    let mut writes = Vec::new();
    let compared = mismatches::compared(&found, matches, snapshot, scope, ctx);
    if !found.is_empty() {
        let entry = mismatches::entry(&found, snapshot, caller.practice_id, ctx);
        writes.extend([Write::Audit(entry), Write::Mismatches(compared.clone())]);
        writes.extend(mismatches::alarms(&compared, ctx).map(Write::MismatchAlarm));
    }
    let must_confirm = !compared.matches.is_empty();
    if compared.closes {
        // What else was sent waits: the answer will be that nothing is compared any more.
        (new, fills, corrections) = Default::default();
    } else if !found.is_empty() || must_confirm {
        guards.push(Guard::Mismatches(compared));
    }
    if !new.is_empty() {
        let audit_id = AuditId(ctx.id(Purpose::Audit, 0));
        writes.push(Write::Claims(NewClaims {
            caller: caller.clone(),
            submission_id,
            audit_id,
            claims: new,
        }));
    }
    if !fills.is_empty() {
        writes.push(Write::Fills(Fills {
            caller: caller.clone(),
            audit_id: fill::audit_id(ctx),
            claims: fills,
        }));
    }
    if !corrections.is_empty() {
        let audit_id = AuditId(ctx.id(Purpose::Audit, 1));
        writes.push(Write::Corrections(Corrections {
            caller: caller.clone(),
            audit_id,
            claims: corrections,
        }));
    }
    if writes.is_empty() && !must_confirm {
        let created = results.iter().any(|result| result.created);
        return Ok(Decision::Answer(SendResponse {
            claims: results,
            submission_id: created.then_some(submission_id),
        }));
    }
    Ok(Decision::Write(Plan {
        guards,
        actor: Actor::ApiKey(caller.api_key_id),
        at: ctx.now,
        request_id: ctx.request_id,
        from: ctx.address.clone(),
        writes,
    }))
}

/// The id of the claim that an item of this request creates.
fn own_id(place: usize, ctx: &Ctx) -> ClaimId {
    ClaimId(ctx.id(Purpose::Claim, place))
}

/// What an item means for the stored claim of its number.
enum Judgement<'a> {
    /// Refused, without touching the claim.
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
    if let Some(found) = identity::mismatch(
        sent,
        claim.date_of_service,
        &stored_tags,
        stored.date_of_service,
    ) {
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
