//! The scheduled job of documents: it removes loose objects, repeats virus scans, and deletes documents whose time is over.

use super::{removal, retention, scan};
use crate::jobs::Jobs;

/// Runs the job once.
pub(crate) async fn sweep(jobs: &Jobs) {
    let results = [removal::sweep(jobs).await, scan::sweep(jobs).await, retention::sweep(jobs).await];
    for fault in results.into_iter().filter_map(Result::err) {
        jobs.db.failed("documents_sweep_failed", fault);
    }
}
