//! The path of each call: authorize the caller and load in one batch, decide, commit in one batch.
//!
//! Handlers use the methods of `ReadRequest` (`read`) and `WriteRequest` (`write`).

pub(crate) mod after_commit;
mod all_cells;
mod authorize;
pub(crate) mod commit;
mod continuation;
mod etag;
pub(crate) mod forwards;
pub(crate) mod patient_limit;
pub(crate) mod practice_keys;
pub(crate) mod queue;
mod read;
mod receive;
mod refused_proof;
pub(crate) mod route;
mod searched;
mod tables;
pub(crate) mod tampered;
mod visit;
mod write;

pub(crate) use all_cells::DEADLINE as CELL_DEADLINE;
pub(crate) use authorize::key;
pub(crate) use authorize::standing::{enrolled, session};
pub(crate) use commit::{
    ADDRESS_TAKEN, commit_by_link, commit_in_background, commit_signing_in, count_and_read, log_not_recorded, plan,
    plan_of_call, record_in_background, run, run_and_read, run_anywhere, run_once, run_sealed,
};
pub(crate) use continuation::{CONTINUATION_MS, Continuation};
pub(crate) use etag::{tagged, tagged_as};
pub(crate) use read::{Audited, Disclosed, Versioned, linked};
pub(crate) use refused_proof::{log_refused, log_refused_at};
pub(crate) use searched::Searched;
pub(crate) use write::{OfPractices, Sealing};
