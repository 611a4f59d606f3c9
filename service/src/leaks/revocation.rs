//! Revokes reported keys, and tells the owners of their practices.

use crate::call::Call;
use crate::db::Patience;
use crate::host::Cells;
use crate::pipeline::forwards::{Forward, forwards};
use crate::pipeline::{self, queue};
use crate::plan::Actor;
use crate::plan::message::{Data, Message};
use crate::plan::notice::{KeyKind, NamedKey, NamedKeys, NoticeKind};
use crate::prelude::*;
use crate::store::error::{DatabaseError, FailedGuard, LEFT};
use overturn_core::base::cell::Cell;
use overturn_core::base::id::{ApiKeyId, ApiTokenId, NoticeId};
use overturn_core::base::token::{Kind, OfPerson, OfPractice, Realm, Token};
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeFrom;
use std::rc::Rc;
use url::Url;
use uuid::Uuid;

/// How many keys are looked up and revoked at once. A parameter of D1 has at most 2 MB.
const AT_ONCE: usize = 500;
/// How often a batch is decided anew because some of its keys were revoked meanwhile.
const ATTEMPTS: usize = 3;
/// The longest address of a place that is kept.
const PLACE_MAX: usize = 500;
/// How many keys an email names.
const NAMED_MAX: usize = 10;

/// A reported text that can be a key of this installation.
pub(super) struct FoundKey {
    text: String,
    hash: String,
    /// The cell that it names.
    cell: Cell,
    place: Option<String>,
}

impl FoundKey {
    /// `None` if the text is no key of this installation, which its prefix and its checksum show. That costs no hash.
    pub(super) fn read(text: &str, url: Option<&str>, realm: Realm) -> Option<Self> {
        let (hash, cell) = parsed::<OfPractice>(text, realm).or_else(|| parsed::<OfPerson>(text, realm))?;
        Some(Self { text: text.into(), hash, cell, place: url.and_then(place) })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn hash(&self) -> &str {
        &self.hash
    }
}

/// The hash of a key, and the cell that it names.
fn parsed<K: Kind>(text: &str, realm: Realm) -> Option<(String, Cell)> {
    let token: Token<K> = text.parse().ok()?;
    // Production has test keys as well: those of sandboxes.
    (realm == Realm::Live || token.realm() == Realm::Test).then(|| (token.hash(), token.cell()))
}

/// The address of a place, as it is shown and kept. `None` for one that is no web address, is long, or has a key in it.
fn place(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let is_plain = matches!(url.scheme(), "https" | "http") && url.username().is_empty() && url.password().is_none();
    let text = url.as_str();
    let decoded = percent_decode_str(text).decode_utf8_lossy();
    let has_key = ["ovt_", "ovu_"].iter().any(|prefix| decoded.contains(prefix));
    (is_plain && !has_key && text.len() <= PLACE_MAX).then(|| text.into())
}

/// A key or token that was reported.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct StoredKey {
    kind: KeyKind,
    practice_id: PracticeId,
    /// Whose owners are told: the practice itself, or that of a sandbox.
    told: PracticeId,
    id: Uuid,
    name: String,
    hint: String,
    hash: String,
    /// True if it can still be used, by the clock of its practice.
    live: bool,
    /// How far that clock is ahead, in milliseconds.
    clock_ms: i64,
}

/// The keys and tokens with these hashes.
pub(super) fn stored(hashes: &[&str], now: Instant) -> Query<Vec<StoredKey>> {
    select!(
        "leaks.keys",
        "SELECT json_group_array(json_object('kind', k.kind, 'practice_id', k.practice_id, 'told', coalesce(p.sandbox_of, p.id),
           'id', k.id, 'name', k.name, 'hint', k.hint, 'hash', k.hash, 'clock_ms', p.clock_ms, 'live', json(iif(k.revoked_at IS NULL
             AND k.expires_at > CAST({now} AS INTEGER) + p.clock_ms, 'true', 'false')))) AS json
         FROM (SELECT 'api_key' AS kind, a.practice_id, a.id, a.name, a.hint, a.hash, a.revoked_at, a.expires_at
             FROM json_each({hashes}) j CROSS JOIN api_keys a WHERE a.hash = j.value
           UNION ALL SELECT 'api_token', t.practice_id, t.id, t.name, t.hint, t.hash, t.revoked_at, t.expires_at
             FROM json_each({hashes}) j CROSS JOIN api_tokens t WHERE t.hash = j.value) k
         CROSS JOIN practices p WHERE p.id = k.practice_id";
        hashes = Json(hashes), now
    )
    .one()
}

/// Revokes those of the keys that can be used, each in the cell where it lives, and returns the hashes of all that exist.
///
/// # Errors
///
/// That of the first cell which failed, after the keys of all others are revoked.
pub(super) async fn revoke(call: &Rc<Call>, by: Actor, keys: &[FoundKey]) -> Result<BTreeSet<String>, AppError> {
    let mut known = BTreeSet::new();
    let cells = &call.app.host.cells;
    let (mut left, mut nths, mut patience) = (by_cell(keys, cells), 0.., Patience::default());
    let mut failed = None;
    while !left.is_empty() {
        let mut waits = false;
        let mut moved = BTreeMap::<Cell, Vec<&FoundKey>>::new();
        for (cell, keys) in std::mem::take(&mut left) {
            match revoke_there(&call.in_cell(cell), by, &mut nths, &keys, &mut known).await {
                Ok(led_on) => {
                    waits |= led_on.iter().any(|(to, _)| *to == cell);
                    led_on.into_iter().for_each(|(to, key)| moved.entry(to).or_default().push(key));
                }
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        left = moved;
        // Their cell has yet to open.
        if waits && !patience.lasts(&call.app.host).await {
            return Err(AppError::STILL_MOVING);
        }
    }
    failed.map_or(Ok(known), Err)
}

/// Does so in one cell, and says where the keys that are unknown there moved: to this cell, if it has yet to open.
async fn revoke_there<'k>(
    call: &Rc<Call>,
    by: Actor,
    nths: &mut RangeFrom<usize>,
    keys: &[&'k FoundKey],
    known: &mut BTreeSet<String>,
) -> Result<Vec<(Cell, &'k FoundKey)>, AppError> {
    for (keys, nth) in keys.chunks(AT_ONCE).zip(nths) {
        known.extend(revoke_some(call, by, nth, keys).await?);
    }
    let unknown: BTreeMap<&str, &FoundKey> =
        keys.iter().map(|key| (key.hash(), *key)).filter(|(hash, _)| !known.contains(*hash)).collect();
    if !call.app.host.cells.are_several() || unknown.is_empty() {
        return Ok(Vec::new());
    }
    let hashes: Vec<&str> = unknown.keys().copied().collect();
    let forwards = call.db.read(&forwards(&hashes)).await?.into_iter();
    let leads = |forward: &Forward| forward.cell != call.ctx.cell || forward.opened_at.is_none();
    Ok(forwards.filter(leads).filter_map(|Forward { what, cell, .. }| Some((cell, *unknown.get(&*what)?))).collect())
}

/// The keys by the cell that they name. If there are several cells, none has made a key that names another one.
pub(super) fn by_cell<'k>(keys: &'k [FoundKey], cells: &Cells) -> BTreeMap<Cell, Vec<&'k FoundKey>> {
    let is_ours = |key: &&FoundKey| cells.known(key.cell) == key.cell || !cells.are_several();
    cells.sorted(keys.iter().filter(is_ours), |key| key.cell)
}

async fn revoke_some(call: &Call, by: Actor, nth: usize, keys: &[&FoundKey]) -> Result<Vec<String>, AppError> {
    let (ctx, hashes) = (&call.ctx, keys.iter().map(|key| key.hash()).collect::<Vec<_>>());
    for _ in 0..ATTEMPTS {
        let stored = call.db.read(&stored(&hashes, ctx.now)).await?;
        let (guards, writes) = revoked(keys, &stored, nth, ctx);
        let plan = pipeline::plan(ctx, by, guards, writes);
        if !plan.writes.is_empty() {
            match pipeline::run(&call.db, &call.app, &plan).await {
                // Another report or a person revoked one of them.
                Err(DatabaseError::Conflict(FailedGuard::Record)) => continue,
                // Their practice has just moved: they are looked for where it lives now.
                Err(DatabaseError::Transient(LEFT)) => return Ok(Vec::new()),
                done => done.map(drop)?,
            }
            queue::announce(call, &plan.writes);
        }
        return Ok(stored.into_iter().map(|key| key.hash).collect());
    }
    Err(AppError::Unavailable("keys that change"))
}

/// The batch that revokes the live keys: for each one a row of the trail and a message to webhooks, and for each practice
/// an email. Empty if there are none.
pub(super) fn revoked(found: &[&FoundKey], stored: &[StoredKey], nth: usize, ctx: &Ctx) -> (Vec<Guard>, Vec<Write>) {
    let live: Vec<&StoredKey> = stored.iter().filter(|key| key.live).collect();
    if live.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let places: BTreeMap<&str, &str> =
        found.iter().filter_map(|key| Some((key.hash(), key.place.as_deref()?))).collect();
    let place = |key: &StoredKey| places.get(&*key.hash).map(|place| String::from(*place));
    let first = nth.saturating_mul(AT_ONCE);
    let (mut messages, mut notices) = (Vec::new(), BTreeMap::<PracticeId, NamedKeys>::new());
    let mut writes = Vec::new();
    for (n, key) in (first..).zip(&live) {
        let url = place(key);
        let (event, data) = match key.kind {
            KeyKind::ApiKey => (Event::ApiKeyLeaked, Data::KeyLeaked { id: ApiKeyId(key.id), url: url.clone() }),
            KeyKind::ApiToken => {
                (Event::ApiTokenLeaked, Data::TokenLeaked { id: ApiTokenId(key.id), url: url.clone() })
            }
        };
        let ctx = &ctx.at(ctx.now.plus(key.clock_ms));
        let entry = Entry::new(ctx, n, Some(key.practice_id), event, key.id);
        writes.push(Write::Audit(entry.detail(json!({ "url": url }))));
        messages.push(Message::new(ctx, n, key.practice_id, data));
        let notice = notices.entry(key.told).or_default();
        notice.add(NAMED_MAX, || NamedKey { name: key.name.clone(), prefix: key.hint.clone(), url });
    }
    let of = |kind| live.iter().filter(move |key| key.kind == kind).map(|key| (key.practice_id, key.id));
    let (keys, tokens): (Vec<_>, Vec<_>) = (of(KeyKind::ApiKey).collect(), of(KeyKind::ApiToken).collect());
    let now = ctx.now;
    const AHEAD: &str = "(SELECT p.clock_ms FROM practices p WHERE p.id = practice_id)";
    let unrevoked = abort_if!(
        Record,
        "EXISTS (SELECT 1 FROM json_each({keys}) j CROSS JOIN api_keys k
           WHERE k.practice_id = j.value ->> 0 AND k.id = j.value ->> 1 AND k.revoked_at IS NOT NULL)
         OR EXISTS (SELECT 1 FROM json_each({tokens}) j CROSS JOIN api_tokens t
           WHERE t.practice_id = j.value ->> 0 AND t.id = j.value ->> 1 AND t.revoked_at IS NOT NULL)";
        keys = Json(&keys), tokens = Json(&tokens)
    );
    writes.extend([
        sql!(
            "UPDATE api_keys SET revoked_at = {now} + {AHEAD}
             WHERE (practice_id, id) IN (SELECT j.value ->> 0, j.value ->> 1 FROM json_each({keys}) j)
               AND revoked_at IS NULL" [AHEAD];
            keys = Json(&keys), now
        ),
        sql!(
            "UPDATE api_tokens SET revoked_at = {now} + {AHEAD}
             WHERE (practice_id, id) IN (SELECT j.value ->> 0, j.value ->> 1 FROM json_each({tokens}) j)
               AND revoked_at IS NULL" [AHEAD];
            tokens = Json(&tokens), now
        ),
        sql!(
            "INSERT INTO notices (practice_id, id, kind, at, next_at, detail)
             SELECT j.value ->> 0, {id}, {kind}, {now}, {now}, j.value -> 1 FROM json_each({rows}) j WHERE true
             ON CONFLICT (practice_id, id) DO NOTHING";
            rows = Json(notices.iter().collect::<Vec<_>>()), id = NoticeId(ctx.id(Purpose::Record, nth)),
            kind = NoticeKind::KeysLeaked, now
        ),
        Write::Messages(messages),
    ]);
    (vec![unrevoked], writes)
}
