//! Links the rows of audit trails after their commits, and verifies them: in the scheduled job and on request.

use crate::app::App;
use crate::db::Db;
use crate::pipeline::{self, patient_limit::forget_opened};
use overturn_core::plan::{Actor, Write};
use overturn_core::settings::trail::{
    self, Broken, ChainPlace, Checked, EXPORT_MAX, Linked, Trail, VerifyView, finish, link, verify, view,
};
use overturn_store::error::DatabaseError;
use overturn_store::settings::trail as store;
use serde_json::json;

/// How many pages of rows one request links or verifies at most.
const PAGES: usize = 5;
/// How long the scheduled job links, in milliseconds. The next run does the rest.
const LONGEST_MS: i64 = 10_000;

/// Links rows, signs heads again with the current key, and deletes old records of opened patients.
pub(crate) async fn sweep(app: &App, db: &Db) {
    if let Err(fault) = run(app, db).await {
        let reason = fault.to_string();
        log::error!("{}", json!({ "event": "trail_not_linked", "reason": reason }));
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
        let behind = db.read(&store::behind(&after)).await?;
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
    let heads = db.read(&store::old_heads(current)).await?;
    commit(app, db, trail::renew(&heads, keys)).await
}

/// Links a page of each of these trails, in two round trips.
async fn link_all(app: &App, db: &Db, trails: &[Trail]) -> Result<(), DatabaseError> {
    let queries = trails.iter().map(|trail| (store::head(*trail), store::unlinked(*trail)));
    let read = db.read(&queries.collect::<Vec<_>>()).await?;
    let mut writes = Vec::new();
    for (trail, (head, rows)) in trails.iter().zip(read) {
        let linked = link(*trail, head.as_ref(), &rows, &app.keys.trails);
        say(*trail, &linked);
        writes.extend(linked.write(*trail));
    }
    commit(app, db, writes).await
}

/// Commits what linking writes, if there is anything.
async fn commit(app: &App, db: &Db, writes: Vec<Write<'static>>) -> Result<(), DatabaseError> {
    if writes.is_empty() {
        return Ok(());
    }
    let ctx = app.host.ctx()?;
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
async fn link_now(app: &App, db: &Db, trail: Trail) -> Result<Option<Broken>, DatabaseError> {
    for _ in 0..PAGES {
        let queries = (store::head(trail), store::unlinked(trail));
        let (head, rows) = db.read(&queries).await?;
        if rows.is_empty() {
            return Ok(None);
        }
        let linked = link(trail, head.as_ref(), &rows, &app.keys.trails);
        say(trail, &linked);
        let broken = linked.broken.clone();
        commit(app, db, linked.write(trail).into_iter().collect()).await?;
        if broken.is_some() {
            return Ok(broken);
        }
    }
    Ok(None)
}

/// Verifies a trail after a place, several pages at most.
pub(crate) async fn check(app: &App, db: &Db, trail: Trail, from: ChainPlace) -> Result<VerifyView, DatabaseError> {
    let stopped = link_now(app, db, trail).await?;
    let keys = Some(&app.keys.trails);
    let mut checked = Checked::behind(from);
    for _ in 0..PAGES {
        let page = store::rows(trail, checked.place.sequence, EXPORT_MAX);
        let (rows, head) = db.read(&(page, store::head(trail))).await?;
        verify(trail, &mut checked, &rows, keys);
        if checked.broken.is_some() {
            return Ok(view(checked, head, false));
        }
        if rows.is_empty() || checked.is_end {
            checked.broken = finish(trail, &checked, head.as_ref(), keys).or(stopped);
            // The next call links rows that are not linked yet.
            let more = checked.is_end;
            return Ok(view(checked, head, more));
        }
    }
    let head = db.read(&store::head(trail)).await?;
    Ok(view(checked, head, true))
}

/// Rows of a trail after a number, as lines of JSON, with the number of the last one if there are more.
pub(crate) async fn export(
    app: &App,
    db: &Db,
    trail: Trail,
    of: overturn_core::settings::trail::Export,
) -> Result<(String, Option<i64>), DatabaseError> {
    // A row that fails the check does not stop the export: the reader's own verification finds it.
    link_now(app, db, trail).await?;
    let rows = db.read(&store::rows(trail, of.after, of.limit)).await?;
    let mut lines = String::new();
    let mut last = None;
    for row in &rows {
        let Some(line) = overturn_core::settings::trail::line(trail, row) else {
            return Ok((lines, None));
        };
        lines.push_str(&line);
        last = Some(row.sequence);
    }
    Ok((lines, last))
}
