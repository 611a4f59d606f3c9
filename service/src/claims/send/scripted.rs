//! What a sandbox makes of a send beside what a live practice does: its limit of claims, the scripts of its claim numbers, and
//! advice about patients who may be real.

use crate::accounts::passkeys::ceremony::spend;
use crate::call::Call;
use crate::cookies::ceremony::SpentProof;
use crate::pipeline;
use crate::plan::Actor;
use crate::plan::sandbox::{DOWN_TRIES, SANDBOX_CALLS, SANDBOX_CLAIMS, SandboxAdvice, SendScript, is_made_up};
use crate::prelude::*;
use crate::request::limit::Verdict;
use data_encoding::HEXLOWER;
use overturn_core::base::id::ClaimId;
use overturn_core::base::instant::DAY_MS;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::claims::intake::{SendResponse, Snapshot, StoredClaim, ValidSend};
use overturn_core::claims::{ClaimStatus, Present};
use overturn_core::request::problem::Rule;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;

/// A patient who may be real.
#[derive(Serialize)]
struct ItemAdvice {
    /// The item, counted from 0.
    index: usize,
    code: SandboxAdvice,
    /// For people.
    message: &'static str,
}

/// The answer to a send to a sandbox.
#[derive(Serialize)]
pub(super) struct Advised<'a> {
    #[serde(flatten)]
    answer: &'a SendResponse<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    advice: Vec<ItemAdvice>,
}

/// The answer with advice about each patient that is not a made-up one.
pub(super) fn advised<'a>(answer: &'a SendResponse<'a>, send: Option<&ValidSend<'_>>) -> Advised<'a> {
    let items = send.iter().flat_map(|send| &send.items).enumerate();
    let real = items.filter(|(_, item)| !is_made_up(&item.patient));
    let message = "the patient is not one of the made-up patients of the sandbox: send no real patient here";
    let advice = real.map(|(index, _)| ItemAdvice { index, code: SandboxAdvice::NotMadeUp, message });
    Advised { answer, advice: advice.collect() }
}

/// Lets the snapshot have a claim of another patient for each number that asks for it.
pub(super) fn contradict(snapshot: &mut Snapshot, send: &ValidSend<'_>, data_key: Option<&StoredDataKey>, ctx: &Ctx) {
    // A send makes a data key if there is none, or the last one was destroyed.
    let version = data_key.map_or(1, |key| key.version.saturating_add(u32::from(key.wrapped.is_none())));
    let key_version = KeyVersion(version.into());
    for (n, item) in send.items.iter().enumerate() {
        let claim = &item.claim;
        if SendScript::of(&claim.claim_number) == Some(SendScript::DifferentPatient) {
            let other = StoredClaim {
                claim_number: claim.claim_number.to_string(),
                id: ClaimId(ctx.id(Purpose::Record, n)),
                status: ClaimStatus::Received,
                key_version,
                patient_tag: String::new(),
                procedure_tag: None,
                date_of_service: claim.date_of_service,
                payer_claim_number: claim.payer_claim_number.to_string(),
                billed: claim.billed_amount,
                denied: claim.denied_amount,
                present: Present::default(),
            };
            snapshot.claims.insert(claim.claim_number.to_string(), other);
        }
    }
}

/// Refuses a send to a sandbox as the numbers of its claims say, and one that would exceed the limit of claims.
pub(super) async fn meet(
    call: &Call,
    (sandbox, stored): (PracticeId, &Snapshot),
    send: &ValidSend<'_>,
) -> Result<(), AppError> {
    let new = new_numbers(stored, send);
    let asks = |script: SendScript| new.iter().copied().filter(move |number| SendScript::of(number) == Some(script));
    if asks(SendScript::Limit).next().is_some() {
        let reset = call.app.host.now().0.div_euclid(1_000).saturating_add(1);
        let verdict = Verdict { allowed: false, limit: SANDBOX_CALLS, remaining: 0, reset, retry_after: 1 };
        return Err(RequestError::RateLimited(verdict).into());
    }
    fits(call, (sandbox, stored), send).await?;
    let down: BTreeSet<&str> = asks(SendScript::Down).collect();
    if !down.is_empty() && is_down(call, &tries(sandbox, &down)).await? {
        return Err(AppError::Unavailable("scripted"));
    }
    Ok(())
}

/// Refuses a send that would exceed the limit of claims, and new claims while the sandbox is being emptied.
pub(super) async fn fits(
    call: &Call,
    (sandbox, stored): (PracticeId, &Snapshot),
    send: &ValidSend<'_>,
) -> Result<(), AppError> {
    let new = new_numbers(stored, send).len();
    if new == 0 {
        return Ok(());
    }
    let (held, emptying) = call.db.read(&(claims(sandbox), emptying_since(sandbox))).await?;
    // They would be destroyed.
    is_not_emptied(emptying, call.app.host.now())?;
    if held.saturating_add(new) > SANDBOX_CLAIMS {
        let rule = Rule::MustBe("at most 5000 in a sandbox with those that it has: empty it first".into());
        return Err(RequestError::invalid("claims", rule).into());
    }
    Ok(())
}

/// The numbers of a send that the sandbox does not have.
fn new_numbers<'a>(stored: &Snapshot, send: &'a ValidSend<'_>) -> Vec<&'a str> {
    send.claim_numbers().filter(|number| !stored.claims.contains_key(*number)).collect()
}

/// A sandbox is to be emptied, or is being emptied.
const EMPTIED: &str = destruction_open!("{sandbox}");

/// How many claims a sandbox has.
fn claims(sandbox: PracticeId) -> Query<usize> {
    select!(
        "sandbox.claims",
        "SELECT json(count(*)) AS json FROM (
           SELECT 1 FROM claims WHERE practice_id = {sandbox} LIMIT CAST({most} AS INTEGER))";
        sandbox, most = SANDBOX_CLAIMS
    )
    .one()
}

/// Since when a sandbox is being emptied, by the real clock.
pub(crate) fn emptying_since(sandbox: PracticeId) -> Query<Option<Instant>> {
    const OPEN: &str = of_open_destruction!("{sandbox}");
    select!("sandbox.emptying", "SELECT json(j.requested_at) AS json FROM data_jobs j WHERE {OPEN}" [OPEN]; sandbox)
        .optional()
}

/// Refuses what the end of the emptying would undo. It may take as long again as it has taken; a job of each minute takes what is
/// left.
pub(crate) fn is_not_emptied(since: Option<Instant>, now: Instant) -> Result<(), AppError> {
    let seconds = since.map(|since| now.since(since).div_euclid(1_000).clamp(1, 60));
    seconds.map_or(Ok(()), |seconds| Err(AppError::SandboxEmptying(seconds)))
}

/// A sandbox still has room for new claims, also if other sends came meanwhile, and keeps them.
pub(super) fn room(sandbox: PracticeId, new: usize) -> Guard {
    abort_if!(
        Number,
        "(SELECT count(*) FROM (SELECT 1 FROM claims WHERE practice_id = {sandbox} LIMIT CAST({most} AS INTEGER)))
           + CAST({new} AS INTEGER) > CAST({most} AS INTEGER) OR {EMPTIED}" [EMPTIED];
        sandbox, new, most = SANDBOX_CLAIMS
    )
}

/// What the store notes of the tries of a send with these numbers. All numbers of a send are one, so a call notes one row.
fn tries(sandbox: PracticeId, numbers: &BTreeSet<&str>) -> [String; DOWN_TRIES] {
    let mut n = 0_u8;
    [(); DOWN_TRIES].map(|()| {
        n = n.saturating_add(1);
        HEXLOWER.encode(&Sha256::digest(format!("sandbox try {n} {sandbox} {numbers:?}")))
    })
}

/// Notes one more try of a send, which is forgotten after a day of the real clock. False if it had all of its tries before.
async fn is_down(call: &Call, tries: &[String; DOWN_TRIES]) -> Result<bool, AppError> {
    let noted: Query<Vec<String>> = select!(
        "sandbox.tries",
        "SELECT json_group_array(hash) AS json FROM spent_proofs WHERE hash IN (SELECT value FROM json_each({tries}))
           AND expires_at > CAST({now} AS INTEGER)";
        tries = Json(tries), now = call.ctx.real
    )
    .or_default();
    let noted = call.db.read(&noted).await?;
    let Some(hash) = tries.iter().find(|one| !noted.contains(one)) else { return Ok(false) };
    let proof = SpentProof { hash: hash.clone(), expires_at: call.ctx.real.plus(DAY_MS) };
    let plan = pipeline::plan(&call.ctx, Actor::Sandbox, Vec::new(), spend(&proof, call.ctx.real).into());
    pipeline::run(&call.db, &call.app, &plan).await?;
    Ok(true)
}
