//! The course of a send: what is loaded, opened and committed on the way to the answer.

use super::batch::{self, SendBatch};
use super::sender::Sender;
use super::{alarm, load, scripted};
use crate::app::App;
use crate::auth::key::Credential;
use crate::auth::person::Person;
use crate::auth::scope::Scope;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::{AnyBody, PresentedKey, WriteRequest};
use crate::host::QueueMessage;
use crate::memory::{KnownKey, KnownSender};
use crate::pipeline;
use crate::pipeline::key as authorize;
use crate::pipeline::{practice_keys, queue, tampered};
use crate::rate_limiter::{Group, mark_hasher};
use crate::request::error::RequestError;
use crate::request::limit::Verdict;
use crate::store::data_keys;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::store::keyring::practice::PracticeKeys;
use crate::store::sealer::Sealer;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::base::open::Unopened;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::claims::intake::{
    self, Admitted, Changes, CommitResult, Course, OpenedClaim, SendResponse, Snapshot, Stopped, ValidSend, Written,
};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::slice::from_ref;

/// The rows for a send.
pub(super) struct Loaded {
    pub(super) snapshot: Snapshot,
    caller: Loader,
}

impl Loaded {
    /// The presented key, if it is known.
    pub(super) const fn credential(&self) -> Option<&Credential> {
        self.caller.credential.as_ref()
    }
}

/// Who a send was loaded for.
struct Loader {
    /// The presented key, if it is known.
    credential: Option<Credential>,
    /// The newest data key of their practice.
    data_key: Option<StoredDataKey>,
    /// The authorized caller, unless it is an API key.
    person: Option<Person>,
    assumed: Option<Assumed>,
}

/// What is assumed and not loaded.
struct Assumed {
    /// See [`Sender::assumed`].
    payers: Rc<BTreeSet<String>>,
    /// Until when the call was counted ahead.
    counted: Option<Instant>,
}

impl Loader {
    /// The sender, if the caller may send. `verdict` is the limiter's answer about a key.
    fn admit(&self, verdict: Option<Verdict>, now: Instant) -> Result<Sender, RequestError> {
        match &self.person {
            Some(person) => Sender::try_from(person),
            None => {
                let sender = Sender::of_key(self.credential.as_ref(), verdict, now)?;
                Ok(Sender { assumed: self.assumed.as_ref().map(|assumed| Rc::clone(&assumed.payers)), ..sender })
            }
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
        let claims = load::of_person(credential, &numbers, request.ctx().today());
        (data_keys::of_caller(credential), claims)
    };
    let load = send.map(numbers);
    let (person, rows) = request.load_again(load, counted).await?;
    let (data_key, (claims, mismatches)) = rows.unwrap_or_default();
    let mut snapshot = asked_for(&request.call, Snapshot::new(claims).counting(mismatches), send, data_key.as_ref());
    // The limiter of a person knows no numbers, so each match is confirmed.
    snapshot.contest(0..send.map_or(0, |send| send.items.len()));
    Ok(Loaded { snapshot, caller: Loader { credential: None, data_key, person: Some(person), assumed: None } })
}

/// What this isolate knows of the sender with a key, with no claim of its numbers, and the verdict on a call that was counted
/// ahead. The batch checks all of it. `None` if anything has to be loaded or asked first.
pub(super) fn assumed(call: &Call, key: &PresentedKey) -> Option<(Loaded, Verdict)> {
    let App { memory, host, settings, .. } = call.app.as_ref();
    let known = memory.keys.with(key.hash(), |known| known.sender(host.now()).cloned())??;
    // The clock of a sandbox can move at any time, so it is loaded.
    if known.credential.clock_ms.is_some() {
        return None;
    }
    Sender::of_key(Some(&known.credential), None, call.now()).ok()?;
    let (verdict, counted) = authorize::ahead(call, key, settings.limits.sends, |known| &mut known.sends)?;
    let KnownSender { credential, data_key, payers, .. } = known;
    let assumed = Some(Assumed { payers, counted });
    let caller = Loader { credential: Some(credential), data_key: Some(data_key), person: None, assumed };
    Some((Loaded { snapshot: Snapshot::default(), caller }, verdict))
}

/// Loads the data for a send, in parallel with the limiter, and remembers the sender. `counted` is until when this call was
/// counted ahead.
pub(super) async fn load_and_count(
    call: &Rc<Call>,
    key: &PresentedKey,
    send: Option<&ValidSend<'_>>,
    counted: Option<Instant>,
) -> Result<(Loaded, Option<Verdict>), AppError> {
    let load = load_send(call, key, send);
    let App { limiters, settings, keys, memory, host, .. } = call.app.as_ref();
    let marks = send.map(|send| intake::marks(send, || mark_hasher(&keys.marks)));
    let marks = marks.unwrap_or_default();
    let ask = async {
        let principal = authorize::principal(call, key);
        let unused = call.counted.before(&principal, Group::Sends);
        let unused = unused.or_else(|| memory.keys.with(key.hash(), |known| known.sends.leave(counted)).flatten());
        let limit = authorize::limit(call, settings.limits.sends);
        limiters.ask_to_send(&call.counted, &principal, limit, &marks, unused).await
    };
    let of = |loaded: &Loaded| authorize::is_in_force(loaded.credential(), call);
    let (mut loaded, asked) = authorize::load_and_count((&memory.keys, key), ask, load, of).await?;
    let (verdict, contested) = asked.unzip();
    loaded.snapshot.contest(contested.into_iter().flatten());
    let now = host.now();
    let caller = &loaded.caller;
    if let (Some(credential), Some(data_key)) = (&caller.credential, &caller.data_key) {
        // Its use is recorded now, if that is due.
        let credential = Credential { last_used_at: Some(now), ..credential.clone() };
        memory.keys.with(key.hash(), |known| known.keep(KnownSender::new(credential, data_key.clone(), now)));
    }
    Ok((loaded, verdict))
}

/// Loads the caller and, for a valid request, the claims of its numbers. One round trip.
async fn load_send(call: &Call, key: &PresentedKey, send: Option<&ValidSend<'_>>) -> Result<Loaded, AppError> {
    let Call { db, ctx, .. } = call;
    let (credential, claims) = match send {
        Some(send) => {
            let numbers: Vec<&str> = send.claim_numbers().collect();
            db.read(&load::of_key(key.hash(), &numbers, ctx.today())).await?
        }
        None => {
            let credential = load::credential(key.hash());
            (db.read(&credential).await?, Default::default())
        }
    };
    let ((credential, data_key), (claims, mismatches)) = (credential, claims);
    let credential = authorize::timed(call, key, credential)?;
    let snapshot = asked_for(call, Snapshot::new(claims).counting(mismatches), send, data_key.as_ref());
    Ok(Loaded { snapshot, caller: Loader { credential, data_key, person: None, assumed: None } })
}

/// The loaded claims of a send, in a sandbox with those that its numbers ask for.
fn asked_for(
    call: &Call,
    mut snapshot: Snapshot,
    send: Option<&ValidSend<'_>>,
    data_key: Option<&StoredDataKey>,
) -> Snapshot {
    if let Some(send) = send.filter(|_| call.clock.is_some()) {
        scripted::contradict(&mut snapshot, send, data_key, &call.ctx);
    }
    snapshot
}

/// Who asks to send.
pub(super) enum Asking<'a> {
    /// A billing system, with the limiter's answer about its key.
    Key(&'a PresentedKey, Option<Verdict>),
    /// A person of the practice. The limiter has allowed the request.
    Person(&'a WriteRequest<AnyBody>),
}

impl Asking<'_> {
    /// The limiter's answer about a key.
    const fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Key(_, verdict) => *verdict,
            Self::Person(_) => None,
        }
    }
}

/// The answer to a send.
pub(super) async fn settle<'a>(
    call: &Rc<Call>,
    asking: Asking<'_>,
    parsed: Result<&'a ValidSend<'a>, &RequestError>,
    loaded: Loaded,
) -> Result<SendResponse<'a>, AppError> {
    let Loaded { snapshot, caller } = loaded;
    if let Some(clock) = call.clock
        && let Ok(send) = parsed
        && caller.admit(asking.verdict(), call.now()).is_ok()
    {
        scripted::meet(call, (clock.sandbox, &snapshot), send).await?;
    }
    let mut course = Sending { call, asking, parsed, caller, asked_at: call.now(), admitted: None };
    let answer = intake::settle(&mut course, snapshot, &call.ctx).await?;
    answer.ok_or(AppError::Unavailable("rounds"))
}

struct Sending<'c, 'r, 'a> {
    call: &'c Rc<Call>,
    asking: Asking<'r>,
    parsed: Result<&'a ValidSend<'a>, &'r RequestError>,
    caller: Loader,
    /// When the caller's rights were looked at. It stays once something is written: what is stored gets its answer.
    asked_at: Instant,
    /// The sender and the keys of the practice, once the caller is admitted.
    admitted: Option<(Sender, PracticeKeys<'c>)>,
}

impl Sending<'_, '_, '_> {
    fn admitted(&self) -> Result<&(Sender, PracticeKeys<'_>), AppError> {
        self.admitted.as_ref().ok_or(AppError::Internal("not admitted"))
    }
}

impl<'a> Course<'a> for Sending<'_, '_, 'a> {
    type Error = AppError;

    /// A caller that may not send does not learn the problems of the request. A practice's first send makes its data key; a
    /// send that loses the race for it starts over.
    fn admit(&mut self) -> Result<Admitted<'a>, AppError> {
        let sender = self.caller.admit(self.asking.verdict(), self.asked_at)?;
        let send = self.parsed.map_err(RequestError::clone)?;
        let stored = self.caller.data_key.as_ref();
        let keys = practice_keys::to_seal(self.call, sender.practice_id, stored)?;
        let key = keys.identity()?.ok_or(Unopened::KeyUnavailable)?.clone();
        let practice_id = sender.practice_id;
        self.admitted = Some((sender, keys));
        Ok(Admitted { practice_id, send, key, bounds: self.call.app.settings.mismatches })
    }

    async fn load(&mut self) -> Result<Snapshot, AppError> {
        let send = self.parsed.ok();
        self.asked_at = self.call.now();
        let loaded = match (&mut self.asking, self.caller.assumed.take()) {
            (Asking::Key(key, verdict), Some(Assumed { counted, .. })) => {
                self.call.app.memory.keys.with(key.hash(), KnownKey::forget_sender);
                let (loaded, asked) = load_and_count(self.call, key, send, counted).await?;
                let used = authorize::authorize(self.call, loaded.credential(), asked, Scope::ClaimsWrite);
                authorize::record_use(self.call, used);
                *verdict = asked;
                loaded
            }
            (Asking::Key(key, _), None) => load_send(self.call, key, send).await?,
            (Asking::Person(request), _) => load_send_of_person(request, send, false).await?,
        };
        // Others can have filled a sandbox meanwhile.
        if let Some(clock) = self.call.clock
            && let Some(send) = send
            && loaded.caller.admit(self.asking.verdict(), self.asked_at).is_ok()
        {
            scripted::fits(self.call, (clock.sandbox, &loaded.snapshot), send).await?;
        }
        self.caller = loaded.caller;
        Ok(loaded.snapshot)
    }

    async fn open(&mut self, practice: PracticeId, claims: Vec<ClaimId>) -> Result<Vec<OpenedClaim>, AppError> {
        let found = self.call.db.read(&load::to_open(practice, &claims)).await?;
        let (_, keys) = self.admitted()?;
        let opened = found.into_iter().flatten().map(|claim| OpenedClaim::open(claim, practice, keys));
        let opened: Result<Vec<_>, _> = opened.collect();
        Ok(tampered::reported(self.call, opened)?)
    }

    async fn write(&mut self, changes: &Changes<'_>) -> Result<Written, AppError> {
        let (call, (sender, keys)) = (self.call, self.admitted()?);
        let mut nonce = call.app.host.nonces(batch::secrets(changes)).map_err(DatabaseError::from)?;
        let mut sealer = Sealer::new(&call.app.keys, from_ref(keys), &mut nonce);
        let batch = batch::batch(changes, sender, (&call.ctx, call.now()), &mut sealer).map_err(DatabaseError::from)?;
        let written = commit(call, &batch).await?;
        if matches!(written, Written::Done(_)) && !batch.messages.is_empty() {
            queue::tell(call, QueueMessage { practice_id: sender.practice_id, messages: batch.messages });
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

/// Commits a batch. One round trip, and another one if the outcome of the claims has to be read.
async fn commit(call: &Call, batch: &SendBatch) -> Result<Written, AppError> {
    let done = match pipeline::run_once(&call.db, &batch.statements).await {
        Err(DatabaseError::Conflict(
            FailedGuard::Credential
            | FailedGuard::Rights
            | FailedGuard::DataKey
            | FailedGuard::Mismatches
            | FailedGuard::Number,
        )) => {
            return Ok(Written::Stale);
        }
        done => done?,
    };
    let Some(outcome) = &batch.outcome else {
        return Ok(Written::Done(CommitResult::default()));
    };
    let told = done.map(|done| outcome.of_batch(&done)).transpose()?.flatten();
    Ok(Written::Done(match told {
        Some(result) => result,
        None => call.db.read(&outcome.query).await?,
    }))
}
