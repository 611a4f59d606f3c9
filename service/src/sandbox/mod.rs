//! `/api/v1/settings/sandbox` and `/api/v1/sandbox`: a practice beside one's own for the developers of a billing system. Its
//! claims are made up, its clock can be advanced, and a made-up person does the staff's work by scripts.
//!
//! A sandbox is a row of `practices`, so everything that keeps practices apart keeps it apart as well. It never signs the
//! agreement that lets people read, so no list of the staff shows it.

pub(crate) mod clock;
mod course;
mod idle;
pub(crate) mod keys;
mod moves;
pub(crate) mod own;
mod payer;
pub(crate) mod tokens;

use crate::jobs::Jobs;

/// Takes what is due in sandboxes, and has idle ones emptied.
pub(crate) async fn sweep(jobs: &Jobs) {
    for done in [course::sweep(jobs).await, idle::empty(jobs).await] {
        if let Err(fault) = done {
            jobs.db.failed("sandboxes_failed", fault);
        }
    }
}
