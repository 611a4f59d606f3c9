//! The warnings that an API key or API token ends, 30, 7 and 1 days before, and the list of those that end soon. A
//! scheduled job sends the warnings: an email, and a message to webhooks.
//!
//! `warn_at` of a row is the next warning, so each one is due once. If the job is late, the warnings that it missed are
//! one.

use crate::host::QueueMessage;
use crate::jobs::Jobs;
use crate::pipeline::{self, queue};
use crate::plan::Actor;
use crate::plan::message::{Data, Message};
use crate::plan::notice::{KeyKind, NamedKey, NamedKeys, NoticeKind};
use crate::prelude::*;
use crate::store::error::{DatabaseError, FailedGuard};
use overturn_core::base::id::{ApiKeyId, ApiTokenId, NoticeId};
use overturn_core::base::instant::DAY_MS;
use uuid::Uuid;

/// How many days before the end somebody is warned, the first warning first.
const DAYS: [i64; 3] = [30, 7, 1];
/// How long a key counts as ending, in milliseconds: from the first warning on.
const SOON_MS: i64 = 30 * DAY_MS;
/// How long a sweep runs, in milliseconds. The next sweep does the rest.
const LONGEST_MS: i64 = 10_000;
/// How many rows one read of [`due`] gives at most, of each table.
const DUE_MAX: usize = 20;
/// The most keys and tokens that the list has.
const LISTED_MAX: usize = 50;

/// The next warning after an instant, for a key that ends at `end`.
pub(super) fn next_warning(end: Instant, after: Instant) -> Option<Instant> {
    let all = DAYS.into_iter().map(|days| end.plus(days.saturating_mul(-DAY_MS)));
    all.into_iter().find(|at| *at > after)
}

/// A key or token about whose end somebody is due to be warned.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DueKey {
    pub(super) kind: KeyKind,
    practice_id: PracticeId,
    id: Uuid,
    /// The person that a token belongs to.
    user_id: Option<UserId>,
    name: String,
    hint: String,
    expires_at: Time,
    /// Since when somebody is due to be warned.
    pub(crate) since: Instant,
    /// True if it was neither revoked nor replaced.
    works: bool,
    /// True if its practice and its person are active. Otherwise nobody is warned now.
    of_active: bool,
    sandbox: bool,
}

/// Keys and tokens as [`DueKey`] reads them from `d` and its practice `p`.
const DUE: &str = "json_group_array(json_object('kind', d.kind, 'practice_id', d.practice_id, 'id', d.id,
           'user_id', d.user_id, 'name', d.name, 'hint', d.hint, 'expires_at', d.expires_at, 'since', d.warn_at,
           'works', json(iif(d.revoked_at IS NULL AND d.replaced_by IS NULL, 'true', 'false')),
           'of_active', json(iif(d.user_state = 'active' AND p.state = 'active', 'true', 'false')),
           'sandbox', json(iif(p.sandbox_of IS NULL, 'false', 'true'))))";
const KEYS: &str = "SELECT 'api_key' AS kind, k.practice_id, k.id, NULL AS user_id, k.name, k.hint, k.expires_at,
               k.revoked_at, NULL AS replaced_by, k.warn_at, 'active' AS user_state FROM api_keys k";
const TOKENS: &str = "SELECT 'api_token', k.practice_id, k.id, k.user_id, k.name, k.hint, k.expires_at,
               k.revoked_at, k.replaced_by, k.warn_at, (SELECT u.state FROM users u WHERE u.id = k.user_id) FROM api_tokens k";

/// Some of the keys and tokens of live practices about whose end somebody is due to be warned.
pub(super) fn due(now: Instant) -> Query<Vec<DueKey>> {
    const FIRST: &str = "WHERE k.warn_at <= CAST({now} AS INTEGER) AND NOT EXISTS (SELECT 1 FROM practices o
               WHERE o.id = k.practice_id AND o.sandbox_of IS NOT NULL)
               AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = k.practice_id) ORDER BY k.warn_at LIMIT CAST({most} AS INTEGER)";
    select!(
        "settings.keys_due",
        "SELECT {DUE} AS json FROM (SELECT * FROM ({KEYS} {FIRST}) UNION ALL SELECT * FROM ({TOKENS} {FIRST})) d
           JOIN practices p ON p.id = d.practice_id" [DUE, KEYS, TOKENS, FIRST];
        now, most = DUE_MAX
    )
    .one()
}

/// The keys and tokens of a sandbox about whose end somebody is due to be warned first, at an instant of its clock.
pub(crate) fn due_in(sandbox: PracticeId, until: Instant) -> Query<Vec<DueKey>> {
    const OF: &str = "WHERE k.practice_id = {sandbox} AND k.warn_at <= CAST({until} AS INTEGER)";
    select!(
        "settings.keys_due_in",
        "SELECT {DUE} AS json FROM (SELECT * FROM ({KEYS} {OF} UNION ALL {TOKENS} {OF})
             ORDER BY warn_at, id LIMIT CAST({most} AS INTEGER)) d
           JOIN practices p ON p.id = d.practice_id" [DUE, KEYS, TOKENS, OF];
        sandbox, until, most = DUE_MAX
    )
    .one()
}

/// Warns about each key and token that is due. Usually none is, and this reads no row.
pub(crate) async fn sweep(jobs: &Jobs) {
    if let Err(fault) = jobs.do_due((DUE_MAX, LONGEST_MS), due, async |key| warn(jobs, &key).await).await {
        jobs.db.failed("expiry_sweep_failed", fault);
    }
}

/// Warns about a key or token, in a sandbox at the instant of its clock at which that was due.
pub(crate) async fn warn(jobs: &Jobs, key: &DueKey) -> Result<(), DatabaseError> {
    let ctx = jobs.db.ctx()?;
    let ctx = if key.sandbox { ctx.at(key.since) } else { ctx };
    let (guard, writes) = warned(key, &ctx);
    let told = writes.iter().find_map(|write| match write {
        Write::Messages(messages) => Some(messages.iter().map(|message| message.id).collect()),
        _ => None,
    });
    let plan = pipeline::plan(&ctx, Actor::Service, vec![guard], writes);
    match pipeline::run(&jobs.db, &jobs.app, &plan).await {
        // Another sweep has warned, or the key has changed.
        Err(DatabaseError::Conflict(FailedGuard::Record)) => return Ok(()),
        done => done.map(drop)?,
    }
    // The messages of a sandbox are sent when it is their turn.
    if let Some(messages) = told.filter(|_| !key.sandbox) {
        queue::send(&jobs.app, QueueMessage { practice_id: key.practice_id, messages }, 0).await;
    }
    Ok(())
}

/// Warns the owners by email, and the person of a token, and tells the webhooks. About a key that ended meanwhile, nobody
/// is warned. The end of a sandbox's key is one of its clock, so nobody gets an email about it. The guard fails if another
/// sweep has warned, or the key was revoked.
pub(super) fn warned(key: &DueKey, ctx: &Ctx) -> (Guard, Vec<Write>) {
    /// The guard and the write for a table.
    macro_rules! warned {
        ($table:literal, $practice:ident, $id:ident, $since:ident, $live:ident, $next:ident) => {{
            const TABLE: &str = $table;
            (
                abort_if!(
                    Record,
                    "NOT EXISTS (SELECT 1 FROM {TABLE} WHERE practice_id = {practice} AND id = {id}
                       AND warn_at = CAST({since} AS INTEGER) AND (revoked_at IS NULL OR {live} = 0))" [TABLE];
                    practice = $practice, id = &$id, since = $since, live = $live
                ),
                sql!(
                    "UPDATE {TABLE} SET warn_at = {next} WHERE practice_id = {practice} AND id = {id}" [TABLE];
                    practice = $practice, id = &$id, next = $next
                ),
            )
        }};
    }
    let DueKey { practice_id: practice, id, since, works, of_active, expires_at, sandbox, .. } = *key;
    let ends = works && expires_at.0 > ctx.now;
    let live = ends && of_active;
    let next = if ends { next_warning(expires_at.0, ctx.now) } else { None };
    let (id_text, is_live) = (id.to_string(), i64::from(live));
    let (guard, write) = match key.kind {
        KeyKind::ApiKey => warned!("api_keys", practice, id_text, since, is_live, next),
        KeyKind::ApiToken => warned!("api_tokens", practice, id_text, since, is_live, next),
    };
    if !live {
        return (guard, vec![write]);
    }
    let (event, notice, data) = match key.kind {
        KeyKind::ApiKey => {
            (Event::ApiKeyExpiring, NoticeKind::KeyExpiring, Data::KeyExpiring { id: ApiKeyId(id), expires_at })
        }
        KeyKind::ApiToken => {
            (Event::ApiTokenExpiring, NoticeKind::TokenExpiring, Data::TokenExpiring { id: ApiTokenId(id), expires_at })
        }
    };
    let named = NamedKey { name: key.name.clone(), prefix: key.hint.clone(), url: None };
    let entry = Entry::new(ctx, 0, Some(practice), event, id).detail(json!({ "expires_at": expires_at }));
    let notice = (!sandbox).then(|| sql!(
        "INSERT INTO notices (practice_id, id, kind, about, at, due_at, next_at, detail)
         VALUES ({practice}, {notice_id}, {kind}, {about}, {now}, {ends}, {now}, {detail})
         ON CONFLICT (practice_id, id) DO NOTHING";
        practice, notice_id = NoticeId(ctx.id(Purpose::Record, 0)), kind = notice, about = key.user_id, now = ctx.now,
        ends = expires_at, detail = Json(NamedKeys { keys: vec![named], more: 0 })
    ));
    let message = Message::new(ctx, 0, practice, data);
    let writes = [Write::Audit(entry), write, Write::Messages(vec![message])];
    (guard, writes.into_iter().chain(notice).collect())
}

/// An API key or API token that ends soon.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ExpiringKey {
    kind: KeyKind,
    #[cfg_attr(feature = "schema", schemars(with = "ApiKeyId"))]
    id: Uuid,
    name: String,
    /// The first characters.
    prefix: String,
    expires_at: Time,
}

/// What ends within 30 days.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Expiring {
    /// The first 50, the next to end first.
    #[cfg_attr(feature = "schema", schemars(length(max = LISTED_MAX)))]
    expiring: Vec<ExpiringKey>,
}

pub(super) fn expiring(caller: &str, now: Instant) -> Query<Option<Vec<ExpiringKey>>> {
    select!(
        "settings.expiring",
        "SELECT json_group_array(json_object('kind', e.kind, 'id', e.id, 'name', e.name, 'prefix', e.hint,
           'expires_at', e.expires_at)) AS json FROM (
           SELECT 'api_key' AS kind, k.id, k.name, k.hint, k.expires_at FROM api_keys k
             WHERE k.practice_id = {OF_CALLER} AND k.revoked_at IS NULL
               AND k.expires_at > CAST({now} AS INTEGER) AND k.expires_at <= CAST({soon} AS INTEGER)
           UNION ALL SELECT 'api_token', t.id, t.name, t.hint, t.expires_at FROM api_tokens t
             WHERE t.practice_id = {OF_CALLER} AND t.revoked_at IS NULL AND t.replaced_by IS NULL
               AND t.expires_at > CAST({now} AS INTEGER) AND t.expires_at <= CAST({soon} AS INTEGER)
           ORDER BY 5, 2 LIMIT CAST({most} AS INTEGER)) e";
        caller, now, soon = now.plus(SOON_MS), most = LISTED_MAX
    )
    .optional()
}

/// `listExpiring`: List the API keys and API tokens that end soon.
///
/// Owners and admins only. Those that end within 30 days, except revoked ones, and tokens that were replaced.
pub(crate) async fn list(request: ReadRequest) -> Result<Gives<Expiring>, AppError> {
    let load = expiring(request.credential(), request.ctx().now);
    let view = |_: &Person, found: Option<Vec<ExpiringKey>>| {
        Ok::<_, AppError>(Expiring { expiring: found.unwrap_or_default() })
    };
    request.show(load, view).await
}

#[cfg(test)]
mod tests;
