//! Links the rows of audit trails after their commits: in the scheduled job, and before a trail is verified or exported.

use crate::app::App;
use crate::db::Db;
use crate::pipeline::{self, patient_limit::forget_opened};
use crate::plan::Actor;
use crate::prelude::*;
use crate::store::error::DatabaseError;
use crate::store::trail as store;
use crate::trail::{self, Broken, ChainHead, Linked, Trail, link};

/// How many pages of rows one request links or verifies at most.
pub(super) const PAGES: usize = 5;
/// How long the scheduled job links, in milliseconds. The next run does the rest.
const LONGEST_MS: i64 = 10_000;

/// Links rows, signs heads again with the current key, and deletes old records of opened patients.
pub(crate) async fn sweep(app: &App, db: &Db) {
    if let Err(fault) = run(app, db).await {
        db.failed("trail_not_linked", fault);
    }
}

async fn run(app: &App, db: &Db) -> Result<(), DatabaseError> {
    let began = app.host.now();
    let window = app.settings.limits.patients.window_ms;
    let until = began.plus(window.saturating_neg());
    let forget = forget_opened(until);
    commit(app, db, vec![forget]).await?;
    renew(app, db).await?;
    let mut after = String::new();
    while app.host.now().since(began) < LONGEST_MS {
        let behind = db.read(&behind(&after)).await?;
        let Some(last) = behind.last() else {
            return Ok(());
        };
        after.clone_from(last);
        let trails: Vec<Trail> = behind.iter().filter_map(|of| Trail::parse(of)).collect();
        link_all(app, db, &trails).await?;
    }
    Ok(())
}

/// A key that is about to be removed still verifies its heads.
async fn renew(app: &App, db: &Db) -> Result<(), DatabaseError> {
    let keys = &app.keys.trails;
    let Some(current) = keys.current() else {
        return Ok(());
    };
    let heads = db.read(&old_heads(current)).await?;
    let renewed = trail::renew(&heads, keys);
    commit(app, db, renewed.iter().map(|(trail, was, head)| renew_head(*trail, was, head)).collect()).await
}

/// Links a page of each of these trails, in two round trips.
async fn link_all(app: &App, db: &Db, trails: &[Trail]) -> Result<(), DatabaseError> {
    let queries = trails.iter().map(|trail| (store::head(*trail), store::unlinked(*trail)));
    let read = db.read(&queries.collect::<Vec<_>>()).await?;
    let mut writes = Vec::new();
    for (trail, (head, rows)) in trails.iter().zip(read) {
        let linked = link(*trail, head.as_ref(), &rows, &app.keys.trails);
        say(*trail, &linked);
        writes.extend(links(*trail, linked));
    }
    commit(app, db, writes).await
}

/// Commits what linking writes, if there is anything.
async fn commit(app: &App, db: &Db, writes: Vec<Write>) -> Result<(), DatabaseError> {
    if writes.is_empty() {
        return Ok(());
    }
    let ctx = db.ctx()?;
    let plan = pipeline::plan(&ctx, Actor::Service, Vec::new(), writes);
    pipeline::run(db, app, &plan).await.map(drop)
}

/// The log keeps each head outside the database, and names a trail that fails the check.
fn say(trail: Trail, linked: &Linked) {
    if let Some(head) = &linked.head {
        let (sequence, digest) = (head.sequence, &head.digest);
        let trail = trail.to_string();
        log::info!("{}", json!({ "event": "trail_linked", "trail": trail, "sequence": sequence, "digest": digest }));
    }
    if let Some(Broken { sequence, reason, .. }) = &linked.broken {
        let trail = trail.to_string();
        log::error!("{}", json!({ "event": "trail_broken", "trail": trail, "sequence": sequence, "reason": reason }));
    }
}

/// Links the rows of a trail, several pages at most. Returns the row at which it stops, if one fails the check.
pub(super) async fn link_now(app: &App, db: &Db, trail: Trail) -> Result<Option<Broken>, DatabaseError> {
    for _ in 0..PAGES {
        let queries = (store::head(trail), store::unlinked(trail));
        let (head, rows) = db.read(&queries).await?;
        if rows.is_empty() {
            return Ok(None);
        }
        let linked = link(trail, head.as_ref(), &rows, &app.keys.trails);
        say(trail, &linked);
        let broken = linked.broken.clone();
        commit(app, db, links(trail, linked)).await?;
        if broken.is_some() {
            return Ok(broken);
        }
    }
    Ok(None)
}

/// The next trails with rows to link, after a trail by its text.
pub(super) fn behind(after: &str) -> Query<Vec<String>> {
    select!(
        "trail.behind",
        "SELECT json_group_array(trail) AS json FROM (
           SELECT t.trail FROM (SELECT id AS trail FROM practices UNION ALL SELECT 'staff') t
           WHERE t.trail > {after} AND NOT EXISTS (SELECT 1 FROM absent x WHERE x.id = t.trail) AND EXISTS (SELECT 1 FROM audit a WHERE a.practice_id = t.trail
             AND a.seq > coalesce((SELECT h.seq FROM trail_heads h WHERE h.practice_id = t.trail), 0))
           ORDER BY t.trail LIMIT 25)";
        after
    )
    .one()
}

/// The heads that are not under the current key, each with its trail.
pub(super) fn old_heads(current: KeyVersion) -> Query<Vec<(String, ChainHead)>> {
    select!(
        "trail.old_heads",
        "SELECT json_group_array(json_array(practice_id, json_array(seq, digest, key_version, mac))) AS json
         FROM (SELECT * FROM trail_heads WHERE key_version <> {current}
           AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = practice_id) LIMIT 500)";
        current = current.0
    )
    .one()
}

/// Writes the digest before each row, and the new head. A head that is already further is not changed: of two processes that
/// link the same rows at once, both write the same values.
pub(super) fn links(trail: Trail, linked: Linked) -> Vec<Write> {
    let Some(head) = linked.head else {
        return Vec::new();
    };
    let trail = trail.to_string();
    [
        sql!(
            "WITH f AS MATERIALIZED (
               SELECT j.value ->> 0 AS id, j.value ->> 1 AS previous FROM json_each({rows}) j)
             UPDATE audit SET previous = f.previous FROM f
             WHERE audit.practice_id = {trail} AND audit.id = f.id AND audit.previous IS NULL";
            trail = &trail, rows = Json(linked.rows)
        ),
        sql!(
            "INSERT INTO trail_heads (practice_id, seq, digest, key_version, mac)
             VALUES ({trail}, {sequence}, {digest}, {key}, {mac})
             ON CONFLICT (practice_id) DO UPDATE SET seq = excluded.seq, digest = excluded.digest,
               key_version = excluded.key_version, mac = excluded.mac WHERE excluded.seq > trail_heads.seq";
            trail, sequence = head.sequence, digest = head.digest, key = head.key_version.0, mac = head.mac
        ),
    ]
    .into()
}

/// Puts a head under the current key. A head that has moved on, or is under another key by now, is not changed.
pub(super) fn renew_head(trail: Trail, was: &ChainHead, head: &ChainHead) -> Write {
    sql!(
        "UPDATE trail_heads SET key_version = {key}, mac = {mac} WHERE practice_id = {trail} AND seq = {sequence} AND mac = {was}";
        trail = trail.to_string(), sequence = was.sequence, was = &was.mac, key = head.key_version.0, mac = &head.mac
    )
}
