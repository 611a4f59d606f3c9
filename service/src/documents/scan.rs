//! The virus scan of a document, at its upload and later.
//!
//! Only a clean answer of the scanner makes a document available. Anything else but a finding leaves it quarantined, and
//! it is scanned again: after a minute at first, then after twice as long each time, and at least every six hours.

use super::cipher::Cipher;
use super::document::{DATA_KEY, DOCUMENT, DocumentPlace, StoredDocument, in_state};
use super::download::{self, Document, DownloadError};
use super::removal::removed;
use crate::jobs::Jobs;
use crate::pipeline::{self, tampered};
use crate::plan::Actor;
use crate::plan::documents::DocumentState;
use crate::prelude::*;
use crate::scanner::{Scan, ScanResult};
use crate::store::documents::object_name;
use crate::store::error::DatabaseError;

/// The first wait for another scan.
const FIRST_MS: i64 = 60_000;
/// The longest wait.
const LONGEST_MS: i64 = 6 * 3_600_000;

/// What the scanner said of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScanOutcome {
    /// It found nothing.
    Clean,
    /// It found something.
    Infected,
    /// It did not say: it was away, too slow, over its size limit, or said something else.
    Unknown,
}

/// What the scanner said, as a rule sees it. The log says why it said nothing.
pub(super) fn outcome(result: ScanResult) -> ScanOutcome {
    match result {
        ScanResult::Clean => ScanOutcome::Clean,
        ScanResult::Infected => ScanOutcome::Infected,
        ScanResult::Unavailable(reason) => {
            log::error!("{}", json!({ "event": "not_scanned", "reason": reason }));
            ScanOutcome::Unknown
        }
    }
}

/// When a document that was scanned this many times without an answer is scanned again.
pub(super) fn next(scans: u32, now: Instant) -> Instant {
    let doubled = FIRST_MS.saturating_mul(2_i64.saturating_pow(scans.min(30)));
    now.plus(doubled.min(LONGEST_MS))
}

/// Quarantined documents whose virus scan is due.
pub(super) fn due(now: Instant) -> Query<Vec<StoredDocument>> {
    select!(
        "documents.to_scan",
        "SELECT json_group_array(json({DOCUMENT})) AS json FROM (SELECT * FROM documents
           WHERE scan_at <= CAST({now} AS INTEGER) AND state = 'quarantined'
             AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = practice_id) ORDER BY scan_at LIMIT 5) d"
        [DOCUMENT, DATA_KEY]; now
    )
    .or_default()
}

/// A scan begins, after this many. Another sweep leaves the document alone until the next scan would be due. Nothing is
/// decided yet, so there is no audit row.
pub(super) fn begin(of: DocumentPlace, scans: u32, now: Instant) -> (Guard, Write) {
    let unscanned = abort_if!(
        Record,
        "NOT EXISTS (SELECT 1 FROM documents WHERE practice_id = {practice} AND id = {id} AND state = 'quarantined'
           AND scans = CAST({scans} AS INTEGER))";
        practice = of.practice_id, id = of.id, scans = i64::from(scans)
    );
    (unscanned, scanned(of, DocumentState::Quarantined, Some(next(scans.saturating_add(1), now))))
}

/// A virus scan was begun, or its result. Changes only a quarantined document.
fn scanned(of: DocumentPlace, state: DocumentState, scan_at: Option<Instant>) -> Write {
    sql!(
        "UPDATE documents SET state = {state}, scans = scans + 1, scan_at = {scan_at}
         WHERE practice_id = {practice} AND id = {id} AND state = 'quarantined'";
        practice = of.practice_id, id = of.id, state, scan_at
    )
}

/// The change after a later scan. `None` if the scanner did not say.
pub(super) fn done(of: DocumentPlace, sha256: &str, outcome: ScanOutcome, ctx: &Ctx) -> Option<Change> {
    let change = |event| {
        let entry = Entry::new(ctx, 0, Some(of.practice_id), event, of.id).detail(json!({ "sha256": sha256 }));
        Change::new(entry, Answer::empty()).guard(in_state(of, DocumentState::Quarantined))
    };
    match outcome {
        ScanOutcome::Unknown => None,
        ScanOutcome::Clean => Some(change(Event::DocumentReleased).write(scanned(of, DocumentState::Available, None))),
        ScanOutcome::Infected => Some(removed(change(Event::DocumentInfected), of, DocumentState::Infected, ctx.now)),
    }
}

/// Scans the quarantined documents that are due.
pub(super) async fn sweep(jobs: &Jobs) -> Result<(), DatabaseError> {
    for stored in jobs.db.read(&due(jobs.app.host.now())).await? {
        match scan_again(jobs, &stored).await {
            // Another sweep scans it, or it was deleted.
            Ok(()) | Err(DatabaseError::Conflict(_)) => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(())
}

async fn scan_again(jobs: &Jobs, stored: &StoredDocument) -> Result<(), DatabaseError> {
    let Jobs { app, db, .. } = jobs;
    let (of, ctx) = (stored.place(), db.ctx()?);
    let (guard, write) = begin(of, stored.scans, ctx.now);
    let begun = pipeline::plan(&ctx, Actor::Service, vec![guard], vec![write]);
    pipeline::run(db, app, &begun).await?;
    let keys = app.keys.of_practice(stored.practice_id, stored.data_key.as_ref());
    let place = stored.sealed_at();
    let Ok((key, _)) = stored.opened(&keys) else {
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
        Err(DownloadError::Tampered) => {
            return tampered::report_outside(app, db, place).await;
        }
        // The bucket failed. The next scan tries again.
        Err(_) => return Ok(()),
    }
    let outcome = outcome(scanning.finish().await);
    let ctx = db.ctx()?;
    match done(of, &stored.sha256, outcome, &ctx) {
        Some(change) => commit(jobs, &ctx, change).await,
        None => Ok(()),
    }
}

/// Commits a change of the service's own.
pub(super) async fn commit(jobs: &Jobs, ctx: &Ctx, change: Change) -> Result<(), DatabaseError> {
    let plan = pipeline::plan(ctx, Actor::Service, change.guards, change.writes);
    pipeline::run(&jobs.db, &jobs.app, &plan).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_waits_double_up_to_six_hours() {
        let now = Instant(1_800_000_000_000);
        let waits = [0, 1, 2, 8, 9, 40].map(|scans| next(scans, now).since(now) / 60_000);
        assert_eq!(waits, [1, 2, 4, 256, 360, 360]);
    }
}
