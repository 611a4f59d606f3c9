//! The scheduled job of documents: it removes loose objects, repeats virus scans, and deletes documents whose time is over.

use super::cipher::Cipher;
use super::download::{self, Document};
use super::receive::outcome;
use super::removal::{self, object_name};
use crate::background::Background;
use crate::pipeline;
use crate::pipeline::tampered;
use crate::platform;
use crate::scanner::Scan;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::SealedPlace;
use overturn_core::documents::removal as rules;
use overturn_core::documents::scan;
use overturn_core::documents::view::StoredDocument;
use overturn_core::plan::Actor;
use overturn_core::plan::change::Change;
use overturn_store::documents::queries;
use overturn_store::error::DatabaseError;
use serde_json::json;

/// The minute of the UTC day in which documents are deleted whose time is over.
const EXPIRES_AT: i64 = 3 * 60 + 17;

/// Runs the job once.
pub(crate) async fn sweep(background: &Background) {
    let results = [
        loose(background).await,
        scans(background).await,
        expired(background).await,
    ];
    for fault in results.into_iter().filter_map(Result::err) {
        let reason = fault.to_string();
        let said = json!({ "event": "documents_sweep_failed", "reason": reason });
        worker::console_error!("{said}");
    }
}

/// Removes the objects that uploads and documents left behind.
async fn loose(background: &Background) -> Result<(), DatabaseError> {
    let due = queries::loose(platform::now());
    for object in background.db.read(&due).await? {
        if let Err(error) = removal::remove(&background.app, &background.db, &object).await {
            removal::log(object.id, &error);
        }
    }
    Ok(())
}

/// Scans the quarantined documents that are due.
async fn scans(background: &Background) -> Result<(), DatabaseError> {
    let due = queries::to_scan(platform::now());
    for stored in background.db.read(&due).await? {
        match scan_again(background, &stored).await {
            // Another sweep scans it, or it was deleted.
            Ok(()) | Err(DatabaseError::Conflict(_)) => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(())
}

async fn scan_again(background: &Background, stored: &StoredDocument) -> Result<(), DatabaseError> {
    let Background { app, db } = background;
    let (of, ctx) = (stored.place(), platform::ctx()?);
    let (guard, write) = scan::begin(of, stored.scans.saturating_add(1), ctx.now);
    let begin = pipeline::plan(&ctx, Actor::Service, vec![guard], vec![write]);
    pipeline::run(db, app, &begin).await?;
    let keys = app
        .keys
        .of_practice(stored.practice_id, stored.data_key.as_ref());
    let place = SealedPlace::Document {
        practice: stored.practice_id,
        id: stored.id,
    };
    let Ok(key) = stored.object_key(&keys) else {
        // Without its key it stays quarantined. The log and the trail say so.
        return tampered::report_outside(app, db, place).await;
    };
    let Ok(cipher) = Cipher::new(stored.practice_id, stored.id.0, &key.0).await else {
        return Ok(());
    };
    let document = Document {
        key: object_name(stored.id),
        cipher,
        size: stored.size,
    };
    let mut scanning = Scan::begin(&app.settings.scanner);
    let read = download::read(&app.documents, document, async |plain: &[u8]| {
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
    let ctx = platform::ctx()?;
    match scan::done(of, &stored.sha256, outcome, &ctx) {
        Some(change) => commit(background, &ctx, change).await,
        None => Ok(()),
    }
}

/// Deletes the documents whose time is over, once a day.
async fn expired(background: &Background) -> Result<(), DatabaseError> {
    let now = platform::now();
    if !is_time(now) {
        return Ok(());
    }
    for expired in background.db.read(&queries::expired(now)).await? {
        let ctx = platform::ctx()?;
        let change = rules::expire(expired.place(), expired.state, &ctx);
        match commit(background, &ctx, change).await {
            // It was deleted or came under a legal hold.
            Ok(()) | Err(DatabaseError::Conflict(_)) => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(())
}

const fn is_time(now: Instant) -> bool {
    now.0.div_euclid(60_000).rem_euclid(24 * 60) == EXPIRES_AT
}

async fn commit(background: &Background, ctx: &Ctx, change: Change) -> Result<(), DatabaseError> {
    let plan = pipeline::plan(ctx, Actor::Service, change.guards, change.writes);
    pipeline::run(&background.db, &background.app, &plan)
        .await
        .map(drop)
}
