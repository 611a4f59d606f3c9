//! The scheduled job of documents: it removes loose objects, repeats virus scans, and deletes documents whose time is over.

use super::cipher::Cipher;
use super::download::{self, Document};
use super::receive::outcome;
use super::removal;
use crate::jobs::Jobs;
use crate::pipeline;
use crate::pipeline::tampered;
use crate::scanner::Scan;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::SealedPlace;
use overturn_core::documents::removal as rules;
use overturn_core::documents::scan;
use overturn_core::documents::view::StoredDocument;
use overturn_core::plan::Actor;
use overturn_core::plan::change::Change;
use overturn_store::documents::{object_name, queries};
use overturn_store::error::DatabaseError;
use serde_json::json;

/// The minutes of the UTC day in which documents are deleted whose time is over. There are three, because a scheduled event
/// can fail to come. The query reads every document, so it does not run all day.
const EXPIRES_FROM: i64 = 3 * 60 + 17;
const EXPIRES_FOR: i64 = 3;

/// How many removals may fail in one sweep.
const FAILED_MAX: usize = 3;
/// How long the deletion runs, in milliseconds. The next minute goes on.
const LONGEST_MS: i64 = 40_000;

/// Runs the job once.
pub(crate) async fn sweep(jobs: &Jobs) {
    let results = [loose(jobs).await, scans(jobs).await, expired(jobs).await];
    for fault in results.into_iter().filter_map(Result::err) {
        let reason = fault.to_string();
        let said = json!({ "event": "documents_sweep_failed", "reason": reason });
        log::error!("{said}");
    }
}

/// Removes the objects that uploads and documents left behind.
async fn loose(jobs: &Jobs) -> Result<(), DatabaseError> {
    let due = queries::loose(jobs.app.host.now());
    let mut failed = 0_usize;
    for object in jobs.db.read(&due).await? {
        let removed = removal::remove(&jobs.app, &jobs.db, &object).await;
        let Err(error) = removed else { continue };
        removal::log(object.id, &error);
        let ctx = jobs.app.host.ctx()?;
        let later = vec![rules::postponed(object.id, ctx.now)];
        let plan = pipeline::plan(&ctx, Actor::Service, Vec::new(), later);
        pipeline::run(&jobs.db, &jobs.app, &plan).await?;
        failed = failed.saturating_add(1);
        // The bucket may be away: scans and others' work come first.
        if failed == FAILED_MAX {
            break;
        }
    }
    Ok(())
}

/// Scans the quarantined documents that are due.
async fn scans(jobs: &Jobs) -> Result<(), DatabaseError> {
    let due = queries::to_scan(jobs.app.host.now());
    for stored in jobs.db.read(&due).await? {
        match scan_again(jobs, &stored).await {
            // Another sweep scans it, or it was deleted.
            Ok(()) | Err(DatabaseError::Conflict(_)) => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(())
}

async fn scan_again(jobs: &Jobs, stored: &StoredDocument) -> Result<(), DatabaseError> {
    let Jobs { app, db } = jobs;
    let (of, ctx) = (stored.place(), app.host.ctx()?);
    let (guard, write) = scan::begin(of, stored.scans, ctx.now);
    let begin = pipeline::plan(&ctx, Actor::Service, vec![guard], vec![write]);
    pipeline::run(db, app, &begin).await?;
    let keys = app.keys.of_practice(stored.practice_id, stored.data_key.as_ref());
    let place = SealedPlace::Document { practice: stored.practice_id, id: stored.id };
    let Ok(key) = stored.object_key(&keys) else {
        // Without its key it stays quarantined. The log and the trail say so.
        return tampered::report_outside(app, db, place).await;
    };
    let Ok(cipher) = Cipher::new(app, stored.practice_id, stored.id.0, &key.0).await else {
        return Ok(());
    };
    let document = Document { key: object_name(stored.id), cipher, size: stored.size };
    let mut scanning = Scan::begin(app);
    let read = download::read(app, document, async |plain: &[u8]| {
        scanning.feed(plain).await;
    });
    match read.await {
        Ok(()) => {}
        Err(download::DownloadError::Tampered) => {
            return tampered::report_outside(app, db, place).await;
        }
        // The bucket failed. The next scan tries again.
        Err(_) => return Ok(()),
    }
    let outcome = outcome(scanning.finish().await);
    let ctx = app.host.ctx()?;
    match scan::done(of, &stored.sha256, outcome, &ctx) {
        Some(change) => commit(jobs, &ctx, change).await,
        None => Ok(()),
    }
}

/// Deletes the documents whose time is over, once a day.
async fn expired(jobs: &Jobs) -> Result<(), DatabaseError> {
    let host = &jobs.app.host;
    let now = host.now();
    if !is_time(now) {
        return Ok(());
    }
    loop {
        let expired = jobs.db.read(&queries::expired(now)).await?;
        for one in &expired {
            let ctx = host.ctx()?;
            let change = rules::expire(one.place(), one.state, &ctx);
            match commit(jobs, &ctx, change).await {
                // It was deleted or came under a legal hold.
                Ok(()) | Err(DatabaseError::Conflict(_)) => {}
                Err(fault) => return Err(fault),
            }
        }
        if expired.len() < queries::EXPIRED_MAX || host.now().since(now) > LONGEST_MS {
            return Ok(());
        }
    }
}

const fn is_time(now: Instant) -> bool {
    let minute = now.0.div_euclid(60_000).rem_euclid(24 * 60);
    EXPIRES_FROM <= minute && minute < EXPIRES_FROM.saturating_add(EXPIRES_FOR)
}

async fn commit(jobs: &Jobs, ctx: &Ctx, change: Change) -> Result<(), DatabaseError> {
    let plan = pipeline::plan(ctx, Actor::Service, change.guards, change.writes);
    pipeline::run(&jobs.db, &jobs.app, &plan).await.map(drop)
}
