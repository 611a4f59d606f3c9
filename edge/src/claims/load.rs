//! Loading and committing for the claims interface.

use crate::db::Db;
use crate::error::Refusal;
use crate::extract::PresentedKey;
use crate::platform;
use overturn_core::auth::key::Caller;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::claims::intake::{self, ClaimToOpen, CommitResult, Send};
use overturn_core::claims::status::{self, StatusQuery};
use overturn_core::plan::{Actor, ClaimsWrite, Plan, SettingsWrite, Write};
use overturn_store::claims::queries;
use overturn_store::fault::{Fault, Guard};
use overturn_store::keyring::Keyring;
use overturn_store::keyring::practice::PracticeKeys;
use overturn_store::lower::{self, Batch, ReadOutcome};
use overturn_store::sealer::Sealer;
use overturn_store::{Done, rows};
use std::ops::Range;

/// What became of a plan.
pub(crate) enum Committed {
    /// It was carried out, with this outcome where it is about claims.
    Done(Option<CommitResult>),
    /// The caller's rights went between load and commit, another request made the practice's data key, or others used up what
    /// was left of a bound: nothing was written.
    Stale,
}

/// What is loaded for a send: what core decides over, and the newest data key of the caller's practice.
pub(crate) struct Loaded {
    pub(crate) snapshot: intake::Snapshot,
    pub(crate) data_key: Option<StoredDataKey>,
}

/// Loads the caller and, for a valid request, the claims of its numbers. One round trip.
pub(crate) async fn load_send(
    db: &Db,
    key: &PresentedKey,
    send: Option<&Send<'_>>,
    ctx: &Ctx,
) -> Result<Loaded, Refusal> {
    let (credential, claims) = match send {
        Some(send) => {
            let numbers: Vec<&str> = send.claim_numbers().collect();
            db.read(&queries::send(key.hash(), &numbers, ctx.today()))
                .await?
        }
        None => {
            let credential = queries::credential_to_send(key.hash());
            (db.read(&credential).await?, Default::default())
        }
    };
    let ((credential, data_key), (claims, mismatches)) = (credential, claims);
    Ok(Loaded {
        snapshot: intake::Snapshot::new(credential, claims).counting(mismatches),
        data_key,
    })
}

/// Reads claims to be opened, some with each value. One round trip.
pub(crate) async fn to_open(
    db: &Db,
    practice: PracticeId,
    claims: &[ClaimId],
) -> Result<Vec<ClaimToOpen>, Refusal> {
    let found = db.read(&queries::held(practice, claims)).await?;
    Ok(found.into_iter().flatten().collect())
}

/// Loads the caller and, for a valid query, the claim. One round trip.
pub(crate) async fn load_status(
    db: &Db,
    key: &PresentedKey,
    query: Option<&StatusQuery<'_>>,
) -> Result<status::Snapshot, Refusal> {
    let (credential, claim) = match query {
        Some(query) => {
            db.read(&queries::status(key.hash(), &query.claim_number))
                .await?
        }
        None => (db.read(&queries::credential(key.hash())).await?, None),
    };
    Ok(status::Snapshot { credential, claim })
}

/// Carries out a plan. One round trip.
pub(crate) async fn commit(
    db: &Db,
    keys: (&Keyring, Option<&PracticeKeys<'_>>),
    plan: &Plan<'_>,
) -> Result<Committed, Refusal> {
    let claims = plan.writes.iter().map(|write| match write {
        Write::Claims(ClaimsWrite::New(new)) => new.claims.len(),
        Write::Claims(ClaimsWrite::Fills(fills)) => fills.claims.len(),
        _ => 0,
    });
    let mut nonce = platform::nonces(claims.sum())?;
    let batch = lower::lower(plan, &mut Sealer::new(keys.0, keys.1, &mut nonce))?;
    let done = match db.batch(&batch.statements).await {
        Ok(done) => done,
        Err(Fault::Conflict(Guard::Credential | Guard::DataKey | Guard::Mismatches)) => {
            return Ok(Committed::Stale);
        }
        // By this very request, whose answer from the database was lost.
        Err(Fault::Conflict(Guard::Done)) => return carried_out(db, batch).await,
        Err(fault) => return Err(fault.into()),
    };
    let outcome = match batch.outcome {
        None => None,
        Some(ReadOutcome::LastStatement) => Some(rows::outcome(last(&done))?),
        Some(ReadOutcome::UnlessInserted {
            inserts, created, ..
        }) if changes(&done, inserts.clone()) == created => Some(CommitResult {
            created,
            others: Vec::new(),
        }),
        Some(ReadOutcome::UnlessInserted { otherwise, .. }) => {
            let done = db.batch(&[otherwise]).await?;
            Some(rows::outcome(last(&done))?)
        }
    };
    Ok(Committed::Done(outcome))
}

/// What came of a batch that was carried out before.
async fn carried_out(db: &Db, mut batch: Batch) -> Result<Committed, Refusal> {
    let read = match batch.outcome {
        None => return Ok(Committed::Done(None)),
        Some(ReadOutcome::LastStatement) => batch.statements.pop(),
        Some(ReadOutcome::UnlessInserted { otherwise, .. }) => Some(otherwise),
    };
    let read = read.ok_or(Refusal::Internal("nothing to read"))?;
    let done = db.batch(&[read]).await?;
    Ok(Committed::Done(Some(rows::outcome(last(&done))?)))
}

/// Notes that a key was used.
pub(crate) async fn touch(
    db: &Db,
    keys: &Keyring,
    caller: Caller,
    ctx: &Ctx,
) -> Result<Committed, Refusal> {
    let plan = Plan {
        guards: Vec::new(),
        actor: Actor::ApiKey(caller.api_key_id),
        at: ctx.now,
        request_id: ctx.request_id,
        from: ctx.address.clone(),
        writes: vec![Write::Settings(SettingsWrite::ApiKeyUsed(caller))],
    };
    commit(db, (keys, None), &plan).await
}

fn changes(done: &[Done], of: Range<usize>) -> usize {
    let inserts = done.get(of).unwrap_or_default();
    inserts.iter().map(|done| done.changes).sum()
}

fn last(done: &[Done]) -> Option<&str> {
    done.last()?.json.as_deref()
}
