//! `/api/v1/settings/sandbox`: the sandbox of a practice.

use crate::jobs::Jobs;
use crate::plan::sandbox::{
    Clock, SANDBOX_CALLS, SANDBOX_CLAIMS, SANDBOX_CREDENTIALS, SANDBOX_DOCUMENT, SANDBOX_IDLE_MS,
};
use crate::prelude::*;
use crate::settings::api_keys::{ApiKeyView, MAKER, VIEW};
use crate::settings::api_tokens::{ApiTokenView, TOKEN};
use crate::settings::data_jobs;
use crate::settings::data_jobs::job::{Job, JobKind, RecordCounts};
use overturn_core::base::id::{AgreementId, DataJobId};
use std::rc::Rc;

/// A sandbox.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SandboxView {
    id: PracticeId,
    created_at: Time,
    /// How far its clock is ahead, in whole seconds.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    ahead_seconds: i64,
    /// How many claims it has.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    claims: usize,
    /// True while it is being emptied, which takes moments.
    emptying: bool,
    limits: SandboxLimits,
    /// Its keys, the newest first: at most 100, and of the revoked ones the newest.
    #[cfg_attr(feature = "schema", schemars(length(max = SANDBOX_CREDENTIALS)))]
    keys: Vec<ApiKeyView>,
    /// Its tokens, the newest first: at most 100, and of the revoked ones the newest.
    #[cfg_attr(feature = "schema", schemars(length(max = SANDBOX_CREDENTIALS)))]
    tokens: Vec<ApiTokenView>,
}

/// What a sandbox may have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SandboxLimits {
    claims: usize,
    /// The most bytes of a document.
    document_bytes: u64,
    /// The most sends, and the most reads, of all its keys in a minute.
    calls_per_minute: u32,
}

const LIMITS: SandboxLimits =
    SandboxLimits { claims: SANDBOX_CLAIMS, document_bytes: SANDBOX_DOCUMENT, calls_per_minute: SANDBOX_CALLS };

/// A sandbox, as stored.
#[derive(Clone, Deserialize)]
pub(super) struct StoredSandbox {
    pub(super) id: PracticeId,
    created_at: Time,
    clock_ms: i64,
    claims: usize,
    emptying: bool,
    pub(super) keys: Vec<ApiKeyView>,
    pub(super) tokens: Vec<ApiTokenView>,
}

impl StoredSandbox {
    /// A request of a person, at what the clock of the sandbox says: by it, what is made now ends.
    pub(super) fn ctx(&self, ctx: &Ctx) -> Ctx {
        Clock { sandbox: self.id, ahead_ms: self.clock_ms }.ctx(ctx)
    }

    pub(super) fn live_keys(&self) -> usize {
        self.keys.iter().filter(|key| !key.is_revoked()).count()
    }

    pub(super) fn live_tokens(&self) -> usize {
        self.tokens.iter().filter(|token| !token.is_revoked()).count()
    }

    fn view(self) -> SandboxView {
        let ahead_seconds = self.clock_ms.div_euclid(1_000);
        let Self { id, created_at, claims, emptying, keys, tokens, .. } = self;
        SandboxView { id, created_at, ahead_seconds, claims, emptying, limits: LIMITS, keys, tokens }
    }
}

/// The clock of a sandbox `p`, as [`Clock`] reads it.
pub(super) const CLOCK: &str = "json_object('sandbox', p.id, 'ahead_ms', p.clock_ms)";

/// A sandbox that has room for one more of what `live` counts.
pub(super) fn with_room(
    stored: Option<StoredSandbox>,
    live: impl Fn(&StoredSandbox) -> usize,
    full: &'static str,
) -> Result<StoredSandbox, RequestError> {
    let stored = stored.ok_or(NONE)?;
    if live(&stored) >= SANDBOX_CREDENTIALS {
        return Err(RequestError::Conflict(Reason::LimitReached, full));
    }
    Ok(stored)
}

const NONE: RequestError = RequestError::NotFound("the practice has no sandbox");

/// The sandbox of the caller's practice.
pub(super) fn of_caller(caller: &str) -> Query<Option<StoredSandbox>> {
    const LIVE_FIRST: &str = "WHERE practice_id = p.id ORDER BY revoked_at IS NOT NULL, created_at DESC, id DESC LIMIT CAST({shown} AS INTEGER)";
    const EMPTIED: &str = destruction_open!("p.id");
    const NEWEST: &str = "ORDER BY created_at DESC, id DESC";
    select!(
        "sandbox.of_caller",
        "SELECT json_object('id', p.id, 'created_at', p.created_at, 'clock_ms', p.clock_ms,
           'claims', (SELECT count(*) FROM (SELECT 1 FROM claims c WHERE c.practice_id = p.id LIMIT CAST({most} AS INTEGER))),
           'emptying', json(iif({EMPTIED}, 'true', 'false')),
           'keys', json((SELECT json_group_array({VIEW}) FROM (SELECT * FROM (SELECT * FROM api_keys {LIVE_FIRST}) {NEWEST}) k)),
           'tokens', json((SELECT json_group_array({TOKEN})
             FROM (SELECT * FROM (SELECT * FROM api_tokens {LIVE_FIRST}) {NEWEST}) t))) AS json
         FROM practices p WHERE p.sandbox_of = {OF_CALLER}" [VIEW, MAKER, TOKEN, LIVE_FIRST, NEWEST, EMPTIED];
        caller, most = SANDBOX_CLAIMS, shown = SANDBOX_CREDENTIALS
    )
    .optional()
}

/// The sandbox of a practice.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct OwnSandbox {
    /// `null` if the practice has not made one.
    sandbox: Option<SandboxView>,
}

/// `showSandbox`: Read the practice's sandbox.
///
/// Owners and admins only.
pub(crate) async fn show(request: ReadRequest) -> Result<Gives<OwnSandbox>, AppError> {
    let load = of_caller(request.credential());
    let view = |stored: Option<StoredSandbox>| OwnSandbox { sandbox: stored.map(StoredSandbox::view) };
    request.show(load, |_, stored| Ok::<_, RequestError>(view(stored))).await
}

/// `makeSandbox`: Make the practice's sandbox.
///
/// Owners and admins only. A practice has one sandbox. If it has it already, this answers with it.
pub(crate) async fn make(request: WriteRequest) -> Result<Gives<SandboxView>, AppError> {
    let load = of_caller(request.credential());
    let decide = |person: &Person, stored, _| made(stored, person, request.ctx());
    request.change(load, decide).await
}

/// `emptySandbox`: Empty the sandbox.
///
/// Owners and admins only. Removes its claims with everything that belongs to them, its documents and its webhooks, right
/// after the answer, and then sets its clock back to the real time. Meanwhile new claims and an advance of the clock get `503`.
/// Its keys and tokens stay, each with the time that it has left. A sandbox without calls for 90 days is emptied as well.
pub(crate) async fn empty(request: WriteRequest) -> Result<Gives<SandboxView>, AppError> {
    let load = of_caller(request.credential());
    let decide = |person: &Person, stored, _| emptied(stored, person, request.ctx());
    let answer = request.change(load, decide).await?;
    let caller = request.credential().to_owned();
    request.call.after_answer(async move |call| {
        let jobs = Jobs::new(Rc::clone(&call.app), call.ctx.cell);
        if let Err(fault) = data_jobs::empty_sandbox(&jobs, &caller).await {
            log::error!("{}", json!({ "event": "sandbox_not_emptied", "reason": fault.to_string() }));
        }
    });
    Ok(answer)
}

/// The made-up person never signs in: a removed account has no way to.
fn made(stored: Option<StoredSandbox>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    if let Some(stored) = stored {
        return Ok(Change::nothing(Answer::new(200, &stored.view())));
    }
    let of = person.practice()?;
    let id = PracticeId(ctx.id(Purpose::Record, 0));
    let stored = StoredSandbox {
        id,
        created_at: Time(ctx.now),
        clock_ms: 0,
        claims: 0,
        emptying: false,
        keys: Vec::new(),
        tokens: Vec::new(),
    };
    let audit = Entry::new(ctx, 0, Some(of), Event::SandboxCreated, id);
    Ok(Change::new(audit, Answer::new(200, &stored.view()))
        // Of several parallel calls one makes it, and the others read it then.
        .guard(abort_if!(Credential, "EXISTS (SELECT 1 FROM practices WHERE sandbox_of = {of})"; of))
        .write(sql!(
            "INSERT INTO practices (id, name, state, appeal_button, created_at, sandbox_of, idle_at)
             VALUES ({id}, 'Sandbox', 'active', 1, {now}, {of}, {idle_at}) ON CONFLICT (id) DO NOTHING";
            id, now = ctx.now, of, idle_at = ctx.now.plus(SANDBOX_IDLE_MS)
        ))
        .write(sql!(
            "INSERT INTO agreements (practice_id, id, kind, version, signer_name, signer_title, signed_at)
             VALUES ({id}, {agreement}, 'sandbox', '1', 'Sandbox', 'Sandbox', {now}) ON CONFLICT (practice_id, id) DO NOTHING";
            id, agreement = AgreementId(ctx.id(Purpose::Record, 2)), now = ctx.now
        ))
        .write(sql!(
            "INSERT INTO users (id, practice_id, role, state, email, email_key, name, created_at)
             VALUES ({user}, {id}, 'member', 'removed', {address}, {address}, 'Sandbox', {now}) ON CONFLICT (id) DO NOTHING";
            id, user = UserId(ctx.id(Purpose::Record, 1)), address = "sandbox@overturn.invalid", now = ctx.now
        )))
}

/// The data is destroyed as that of any practice, without a wait.
fn emptied(stored: Option<StoredSandbox>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let stored = stored.ok_or(NONE)?;
    if stored.emptying {
        return Ok(Change::nothing(Answer::new(200, &stored.view())));
    }
    let job = emptying(stored.id, person.user_id.to_string(), ctx);
    let audit = Entry::new(ctx, 0, Some(person.practice()?), Event::SandboxEmptied, stored.id);
    let view = StoredSandbox { emptying: true, ..stored }.view();
    Ok(Change::new(audit, Answer::new(200, &view)).write(job))
}

/// The job that empties a sandbox from now on. `by` is its actor.
pub(super) fn emptying(sandbox: PracticeId, by: String, ctx: &Ctx) -> Write {
    let of = (sandbox, DataJobId(ctx.id(Purpose::Record, 0)));
    Job::new(of, (JobKind::Destruction, Some(ctx.now)), by, RecordCounts::new(), ctx.now).insert()
}
