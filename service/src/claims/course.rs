//! The course of a send: what is loaded, opened and committed on the way to the answer.

use super::alarm;
use crate::call::Call;
use crate::db::Db;
use crate::error::AppError;
use crate::extract::{AnyBody, PresentedKey, WriteRequest};
use crate::pipeline;
use crate::pipeline::{queue, tampered};
use overturn_core::auth::key::Credential;
use overturn_core::auth::person::Person;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::claims::intake::{
    self, Admitted, CommitResult, Course, OpenedClaim, SendResponse, Sender, Snapshot, Stopped, ValidSend, Written,
};
use overturn_core::plan::Plan;
use overturn_core::request::error::RequestError;
use overturn_core::request::limit::Verdict;
use overturn_store::claims::queries;
use overturn_store::data_keys;
use overturn_store::error::{DatabaseError, FailedGuard};
use overturn_store::keyring::practice::PracticeKeys;
use overturn_store::lower::Outcome;
use overturn_store::{Done, rows};
use std::ops::Range;
use std::rc::Rc;
use std::slice::from_ref;

/// The rows for a send.
pub(super) struct Loaded {
    pub(super) snapshot: Snapshot,
    caller: Loader,
}

/// Who a send was loaded for.
struct Loader {
    /// The newest data key of their practice.
    data_key: Option<StoredDataKey>,
    /// The authorized caller, unless it is an API key. A key is in the snapshot.
    person: Option<Person>,
}

impl Loader {
    /// The sender and the send, if the caller may send. `verdict` is the limiter's answer about a key.
    fn admit<'s, 'a>(
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
pub(super) async fn load_send_of_person(
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
        snapshot: Snapshot::new(None, claims).counting(mismatches),
        caller: Loader { data_key, person: Some(person) },
    })
}

/// Loads the caller and, for a valid request, the claims of its numbers. One round trip.
pub(super) async fn load_send(
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
        snapshot: Snapshot::new(credential, claims).counting(mismatches),
        caller: Loader { data_key, person: None },
    })
}

/// Who asks to send.
pub(super) enum Asking<'a> {
    /// A billing system, with the limiter's answer about its key.
    Key(&'a PresentedKey, Option<Verdict>),
    /// A person of the practice. The limiter has allowed the request.
    Person(&'a WriteRequest<AnyBody>),
}

/// The answer to a send.
pub(super) async fn settle<'a>(
    call: &Rc<Call>,
    asking: Asking<'_>,
    parsed: Result<&'a ValidSend<'a>, &RequestError>,
    loaded: Loaded,
) -> Result<SendResponse<'a>, AppError> {
    let Loaded { snapshot, caller } = loaded;
    let mut course = Sending { call, asking, parsed, caller, keys: None };
    let answer = intake::settle(&mut course, snapshot, &call.ctx).await?;
    answer.ok_or(AppError::Unavailable("rounds"))
}

struct Sending<'c, 'r, 'a> {
    call: &'c Rc<Call>,
    asking: Asking<'r>,
    parsed: Result<&'a ValidSend<'a>, &'r RequestError>,
    caller: Loader,
    /// The keys of the practice, once the caller is admitted.
    keys: Option<PracticeKeys<'c>>,
}

impl Sending<'_, '_, '_> {
    fn keys(&self) -> Result<&PracticeKeys<'_>, AppError> {
        self.keys.as_ref().ok_or(AppError::Internal("no keys"))
    }
}

impl<'a> Course<'a> for Sending<'_, '_, 'a> {
    type Error = AppError;

    /// A practice's first send makes its data key. A send that loses the race for it starts over.
    fn admit(&mut self, snapshot: &Snapshot) -> Result<Admitted<'a>, AppError> {
        let verdict = match self.asking {
            Asking::Key(_, verdict) => verdict,
            Asking::Person(_) => None,
        };
        let credential = snapshot.credential.as_ref();
        let admitted = self.caller.admit(credential, self.parsed, verdict, &self.call.ctx);
        let (sender, send) = admitted?;
        let stored = self.caller.data_key.as_ref();
        let keys = tampered::keys_to_seal(self.call, sender.practice_id, stored)?;
        let key = keys.identity()?.ok_or(RequestError::KeyUnavailable)?.clone();
        self.keys = Some(keys);
        Ok(Admitted { sender, send, key, bounds: self.call.app.settings.mismatches })
    }

    async fn load(&mut self) -> Result<Snapshot, AppError> {
        let send = self.parsed.ok();
        let loaded = match &self.asking {
            Asking::Key(key, _) => load_send(&self.call.db, key, send, &self.call.ctx).await?,
            Asking::Person(request) => load_send_of_person(request, send, false).await?,
        };
        self.caller = loaded.caller;
        Ok(loaded.snapshot)
    }

    async fn open(&mut self, practice: PracticeId, claims: Vec<ClaimId>) -> Result<Vec<OpenedClaim>, AppError> {
        let found = self.call.db.read(&queries::held(practice, &claims)).await?;
        let keys = self.keys()?;
        let opened = found.into_iter().flatten().map(|claim| OpenedClaim::open(claim, practice, keys));
        let opened: Result<Vec<_>, _> = opened.collect();
        Ok(tampered::noted(self.call, opened)?)
    }

    async fn write(&mut self, plan: &Plan<'_>) -> Result<Written, AppError> {
        let written = commit(self.call, self.keys()?, plan).await?;
        if matches!(written, Written::Done(_)) {
            queue::announce(self.call, &plan.writes);
        }
        Ok(written)
    }

    /// If the owners were not notified about the limit, their email is written first; the scheduled job sends it.
    async fn stop(&mut self, practice: PracticeId, stopped: Stopped) -> Result<AppError, AppError> {
        let Stopped { items, retry_after, untold } = stopped;
        if let Some(bound) = untold {
            let plan = alarm::plan(practice, bound, &self.call.ctx);
            match pipeline::run(&self.call.db, &self.call.app, &plan).await {
                // Another request wrote it first.
                Err(DatabaseError::Conflict(_)) => {}
                done => drop(done?),
            }
        }
        Ok(AppError::Request(RequestError::ResendsStopped { items, retry_after }))
    }
}

/// Carries out a plan. One round trip, and another one if the outcome of the claims has to be read.
async fn commit(call: &Call, keys: &PracticeKeys<'_>, plan: &Plan<'_>) -> Result<Written, AppError> {
    let ran = pipeline::run_sealed(&call.db, &call.app, plan, from_ref(keys)).await;
    let (batch, done) = match ran {
        Ok(ran) => ran,
        Err(DatabaseError::Conflict(
            FailedGuard::Credential | FailedGuard::Rights | FailedGuard::DataKey | FailedGuard::Mismatches,
        )) => {
            return Ok(Written::Stale);
        }
        Err(fault) => return Err(fault.into()),
    };
    let Some(Outcome { query, inserts }) = batch.outcome else {
        return Ok(Written::Done(CommitResult::default()));
    };
    match (inserts, done) {
        (None, Some(done)) => return read(&done),
        (Some((inserts, created)), Some(done)) if changes(&done, inserts.clone()) == created => {
            return Ok(Written::Done(CommitResult { created, others: Vec::new() }));
        }
        _ => {}
    }
    read(&call.db.batch(&[query]).await?)
}

/// How many rows these statements changed.
fn changes(done: &[Done], of: Range<usize>) -> usize {
    let inserts = done.get(of).unwrap_or_default();
    inserts.iter().map(|done| done.changes).sum()
}

/// The outcome, which the last statement read.
fn read(done: &[Done]) -> Result<Written, AppError> {
    let last = done.last().and_then(|done| done.json.as_deref());
    Ok(Written::Done(rows::outcome(last)?))
}
