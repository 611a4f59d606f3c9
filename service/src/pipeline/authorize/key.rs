//! API keys of the claims interface.

use crate::app::App;
use crate::auth::key::{self, Caller, Credential};
use crate::auth::scope::Scope;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::PresentedKey;
use crate::memory::{Keys, KnownKey, Permits};
use crate::pipeline::commit::{plan, run};
use crate::plan::sandbox::{Clock, SANDBOX_CALLS};
use crate::plan::{Actor, Write};
use crate::rate_limiter::{CountedAhead, Group};
use crate::request::error::RequestError;
use crate::request::limit::{RateLimit, Verdict};
use crate::sql::{select, sql};
use crate::store::Query;
use futures_util::future::try_join;
use overturn_core::base::instant::Instant;
use std::borrow::Cow;
use std::rc::Rc;

/// A key `k` with its practice `p`, as [`Credential`] reads it.
pub(crate) const CREDENTIAL: &str = credential!();

/// The key with this hash and its practice.
pub(crate) fn credential(hash: &str) -> Query<Option<Credential>> {
    select!(
        "keys.credential",
        "SELECT {CREDENTIAL} AS json FROM api_keys k JOIN practices p ON p.id = k.practice_id WHERE k.hash = {hash}"
         [CREDENTIAL];
        hash
    )
    .optional()
}

/// Answers a call by the clock of its key's practice. This isolate remembers the clock. If the key turns out to have another
/// one, nothing was written yet, and the call is made once more. A live key has none, and pays nothing for this.
pub(crate) async fn by_clock<T>(
    call: &Rc<Call>,
    key: &PresentedKey,
    answer: impl AsyncFn(Rc<Call>) -> Result<T, AppError>,
) -> Result<T, AppError> {
    let keys = &call.app.memory.keys;
    let known = keys.with(key.hash(), |known| known.clock).flatten();
    match answer(call.by_clock(known)).await {
        Err(AppError::OtherClock(clock)) => {
            keys.remember(key.hash());
            keys.with(key.hash(), |known| known.clock = clock);
            // A clock that has moved once more is asked about again by the caller.
            let again = answer(call.by_clock(clock)).await;
            again.map_err(|why| if let AppError::OtherClock(_) = why { AppError::Unavailable("clock") } else { why })
        }
        answered => answered,
    }
}

/// Refuses a key that does not exist or is not valid. A key that this isolate knows is not looked up.
pub(crate) async fn meet(call: &Rc<Call>, key: &PresentedKey) -> Result<(), AppError> {
    let keys = &call.app.memory.keys;
    if keys.with(key.hash(), |_| ()).is_some() {
        return Ok(());
    }
    let found = key.checked(call.db.read(&credential(key.hash())).await?).ok_or(RequestError::NotAuthenticated)?;
    call.trace.caller(&found, None);
    let clock = Clock::of(found.practice_id, found.clock_ms);
    if !is_in_force(Some(&found), &call.by_clock(clock)) {
        return Err(RequestError::NotAuthenticated.into());
    }
    keys.remember(key.hash());
    keys.with(key.hash(), |known| known.clock = clock);
    Ok(())
}

/// The facts about a key, if the call goes by the clock of its practice.
pub(crate) fn timed(
    call: &Call,
    key: &PresentedKey,
    found: Option<Credential>,
) -> Result<Option<Credential>, AppError> {
    let found = key.checked(found);
    match found.as_ref().map(|found| Clock::of(found.practice_id, found.clock_ms)) {
        Some(clock) if clock != call.clock => Err(AppError::OtherClock(clock)),
        _ => Ok(found),
    }
}

/// Whose calls are counted: the key's, or those of all keys of its sandbox together.
pub(crate) fn principal<'k>(call: &Call, key: &'k PresentedKey) -> Cow<'k, str> {
    call.clock.map_or(Cow::Borrowed(key.hash()), |clock| Cow::Owned(format!("sandbox:{}", clock.sandbox)))
}

/// The limit of calls: that of a sandbox is lower.
pub(crate) fn limit(call: &Call, live: RateLimit) -> RateLimit {
    match call.clock {
        Some(_) => RateLimit { limit: live.limit.min(SANDBOX_CALLS), ..live },
        None => live,
    }
}

/// Loads, and calls the key's limiter: in parallel if this isolate knows that the key exists, otherwise only after
/// `counts` has found the key in the loaded rows.
pub(crate) async fn load_and_count<S, A>(
    (keys, key): (&Keys, &PresentedKey),
    ask: impl Future<Output = Result<A, AppError>>,
    load: impl Future<Output = Result<S, AppError>>,
    counts: impl FnOnce(&S) -> bool,
) -> Result<(S, Option<A>), AppError> {
    if keys.with(key.hash(), |_| ()).is_some() {
        let (loaded, asked) = try_join(load, ask).await?;
        return Ok((loaded, Some(asked)));
    }
    let loaded = load.await?;
    if !counts(&loaded) {
        return Ok((loaded, None));
    }
    keys.remember(key.hash());
    Ok((loaded, Some(ask.await?)))
}

/// Loads a key for a call that is about no claim, and counts the call.
pub(crate) async fn load_key(call: &Rc<Call>, key: &PresentedKey, scope: Scope) -> Result<Caller, AppError> {
    let App { limiters, settings, memory, .. } = call.app.as_ref();
    let principal = principal(call, key);
    let load = async { timed(call, key, call.db.read(&credential(key.hash())).await?) };
    let ask = limiters.ask(&call.counted, &principal, Group::Reads, limit(call, settings.limits.reads));
    let of = |credential: &Option<Credential>| is_in_force(credential.as_ref(), call);
    let (credential, verdict) = load_and_count((&memory.keys, key), ask, load, of).await?;
    record_use(call, authorize(call, credential.as_ref(), verdict, scope));
    Ok(key::authorise(credential.as_ref(), verdict, scope, call.now())?)
}

/// The calls that a key has ahead.
pub(crate) type OfKey = fn(&mut KnownKey) -> &mut Permits;

/// The verdict on a call of a key, if the limiter need not be asked.
pub(crate) fn ahead(call: &Call, key: &PresentedKey, rule: RateLimit, of: OfKey) -> Option<CountedAhead> {
    let App { memory, host, limiters, .. } = call.app.as_ref();
    let take = || memory.keys.with(key.hash(), |known| of(known).take(host.now())).flatten();
    let take = || take().map(|(verdict, until)| (verdict, Some(until)));
    let unlimited = limiters.unlimited(rule).map(|verdict| (verdict, None));
    unlimited.or_else(|| call.counted.ahead(take))
}

/// Counts calls of a key ahead, after the answer, if it has none. Without an answer of the limiter, the next call asks.
pub(crate) fn count_ahead(call: &Rc<Call>, key: &PresentedKey, (group, rule): (Group, RateLimit), of: OfKey) {
    let App { memory, host, limiters, .. } = call.app.as_ref();
    let asked = host.now();
    if limiters.unlimited(rule).is_some() {
        return;
    }
    let next = memory.keys.with(key.hash(), |known| of(known).next(asked)).flatten();
    let Some(next) = next else { return };
    let (hash, principal) = (key.hash().to_owned(), principal(call, key).into_owned());
    call.after_answer(async move |call| {
        let App { memory, limiters, .. } = call.app.as_ref();
        if let Ok(held) = limiters.hold(&principal, group, rule, next).await {
            memory.keys.with(&hash, |known| of(known).hold(held, next, asked));
        }
    });
}

/// True if a key exists and is valid.
pub(crate) fn is_in_force(credential: Option<&Credential>, call: &Call) -> bool {
    credential.is_some_and(|key| key.is_in_force(call.now()))
}

/// Authorizes the caller. From here on the log names the caller, and the headers show the limit.
///
/// Returns the caller whose use of the key is to be recorded: every allowed use, whatever the request's result.
pub(crate) fn authorize(
    call: &Call,
    credential: Option<&Credential>,
    verdict: Option<Verdict>,
    scope: Scope,
) -> Option<Caller> {
    if let Some(credential) = credential {
        call.trace.caller(credential, verdict);
    }
    let caller = key::authorise(credential, verdict, scope, call.now()).ok()?;
    caller.touch.then_some(caller)
}

/// Records the use of a key after the answer.
pub(crate) fn record_use(call: &Rc<Call>, used: Option<Caller>) {
    if let Some(caller) = used {
        call.after_answer(async move |call| {
            // If this use is not recorded, the next one is.
            let actor = Actor::ApiKey(caller.api_key_id);
            let writes = vec![touched(&caller, call.ctx.now)];
            let plan = plan(&call.ctx, actor, Vec::new(), writes);
            let _noted = run(&call.db, &call.app, &plan).await;
        });
    }
}

/// An older time never replaces a newer one.
fn touched(caller: &Caller, now: Instant) -> Write {
    sql!(
        "UPDATE api_keys SET last_used_at = {now}
         WHERE practice_id = {practice} AND id = {key} AND coalesce(last_used_at, 0) < {now}";
        practice = caller.practice_id, key = caller.api_key_id, now
    )
}
