//! Loading and committing for the claims interface.

use crate::call::Call;
use crate::db::Db;
use crate::error::AppError;
use crate::extract::{AnyBody, PresentedKey, WriteRequest};
use crate::pipeline;
use overturn_core::auth::key::Credential;
use overturn_core::auth::person::Person;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::claims::intake::{self, ClaimToOpen, CommitResult, Sender, ValidSend, Written};
use overturn_core::claims::status::{self, StatusQuery};
use overturn_core::plan::Plan;
use overturn_core::request::error::RequestError;
use overturn_core::request::limit::Verdict;
use overturn_store::claims::queries;
use overturn_store::data_keys;
use overturn_store::error::{DatabaseError, FailedGuard};
use overturn_store::keyring::practice::PracticeKeys;
use overturn_store::lower::ReadOutcome;
use overturn_store::{Done, rows};
use std::ops::Range;
use std::slice::from_ref;

/// The rows for a send.
pub(crate) struct Loaded {
    pub(crate) snapshot: intake::Snapshot,
    pub(super) caller: Loader,
}

/// Who a send was loaded for.
pub(super) struct Loader {
    /// The newest data key of their practice.
    pub(super) data_key: Option<StoredDataKey>,
    /// The authorized caller, unless it is an API key. A key is in the snapshot.
    person: Option<Person>,
}

impl Loader {
    /// The sender and the send, if the caller may send. `verdict` is the limiter's answer about a key.
    pub(super) fn admit<'s, 'a>(
        &self,
        credential: Option<&Credential>,
        parsed: Result<&'s ValidSend<'a>, &RequestError>,
        verdict: Option<Verdict>,
        ctx: &Ctx,
    ) -> Result<(Sender, &'s ValidSend<'a>), RequestError> {
        match &self.person {
            Some(person) => Ok((Sender::try_from(person)?, parsed.map_err(RequestError::clone)?)),
            None => intake::admit(parsed, credential, verdict, ctx),
        }
    }
}

/// Authorizes a person and, for a valid request, loads the claims of its numbers. One round trip. The request counts for
/// the person's limit if it is `counted`.
pub(crate) async fn load_send_of_person(
    request: &WriteRequest<AnyBody>,
    send: Option<&ValidSend<'_>>,
    counted: bool,
) -> Result<Loaded, AppError> {
    let numbers = |send: &ValidSend<'_>| {
        let numbers: Vec<&str> = send.claim_numbers().collect();
        let credential = request.credential();
        let claims = queries::claims_of_person(credential, &numbers, request.ctx().today());
        (data_keys::of_caller(credential), claims)
    };
    let load = send.map(numbers);
    let (person, rows) = request.load_again(load, counted).await?;
    let (data_key, (claims, mismatches)) = rows.unwrap_or_default();
    Ok(Loaded {
        snapshot: intake::Snapshot::new(None, claims).counting(mismatches),
        caller: Loader { data_key, person: Some(person) },
    })
}

/// Loads the caller and, for a valid request, the claims of its numbers. One round trip.
pub(crate) async fn load_send(
    db: &Db,
    key: &PresentedKey,
    send: Option<&ValidSend<'_>>,
    ctx: &Ctx,
) -> Result<Loaded, AppError> {
    let (credential, claims) = match send {
        Some(send) => {
            let numbers: Vec<&str> = send.claim_numbers().collect();
            db.read(&queries::send(key.hash(), &numbers, ctx.today())).await?
        }
        None => {
            let credential = queries::credential_to_send(key.hash());
            (db.read(&credential).await?, Default::default())
        }
    };
    let ((credential, data_key), (claims, mismatches)) = (credential, claims);
    Ok(Loaded {
        snapshot: intake::Snapshot::new(credential, claims).counting(mismatches),
        caller: Loader { data_key, person: None },
    })
}

/// Reads claims to be opened, a few in each value. One round trip.
pub(crate) async fn to_open(db: &Db, practice: PracticeId, claims: &[ClaimId]) -> Result<Vec<ClaimToOpen>, AppError> {
    let found = db.read(&queries::held(practice, claims)).await?;
    Ok(found.into_iter().flatten().collect())
}

/// Loads the caller and, for a valid query, the claim. One round trip.
pub(crate) async fn load_status(
    db: &Db,
    key: &PresentedKey,
    query: Option<&StatusQuery<'_>>,
) -> Result<status::Snapshot, AppError> {
    let (credential, claim) = match query {
        Some(query) => db.read(&queries::status(key.hash(), &query.claim_number)).await?,
        None => (db.read(&queries::credential(key.hash())).await?, None),
    };
    Ok(status::Snapshot { credential, claim })
}

/// Carries out a plan. One round trip, and another one if the outcome of the claims has to be read.
pub(crate) async fn commit(call: &Call, keys: &PracticeKeys<'_>, plan: &Plan<'_>) -> Result<Written, AppError> {
    let ran = pipeline::run_sealed(&call.db, &call.app, plan, from_ref(keys)).await;
    let (mut batch, done) = match ran {
        Ok(ran) => ran,
        Err(DatabaseError::Conflict(
            FailedGuard::Credential | FailedGuard::Rights | FailedGuard::DataKey | FailedGuard::Mismatches,
        )) => {
            return Ok(Written::Stale);
        }
        Err(fault) => return Err(fault.into()),
    };
    let otherwise = match (batch.outcome, &done) {
        (None, _) => return Ok(Written::Done(CommitResult::default())),
        (Some(ReadOutcome::LastStatement), Some(done)) => {
            return Ok(Written::Done(rows::outcome(last(done))?));
        }
        (Some(ReadOutcome::UnlessInserted { inserts, created, .. }), Some(done))
            if changes(done, inserts.clone()) == created =>
        {
            let others = Vec::new();
            return Ok(Written::Done(CommitResult { created, others }));
        }
        (Some(ReadOutcome::UnlessInserted { otherwise, .. }), _) => Some(otherwise),
        (Some(ReadOutcome::LastStatement), None) => batch.statements.pop(),
    };
    let otherwise = otherwise.ok_or(AppError::Internal("nothing to read"))?;
    let done = call.db.batch(&[otherwise]).await?;
    Ok(Written::Done(rows::outcome(last(&done))?))
}

fn changes(done: &[Done], of: Range<usize>) -> usize {
    let inserts = done.get(of).unwrap_or_default();
    inserts.iter().map(|done| done.changes).sum()
}

fn last(done: &[Done]) -> Option<&str> {
    done.last()?.json.as_deref()
}
