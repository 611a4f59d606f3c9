//! The destruction of all data: first the practice's data key, then the rows, page by page, in a scheduled job.

use super::Job;
use crate::base::ctx::Ctx;
use crate::base::instant::Instant;
use crate::plan::SettingsGuard;
use crate::plan::SettingsWrite;
use crate::plan::audit::{Entry, Event};
use crate::plan::notice::{Notice, NoticeKind};
use crate::plan::settings::data_jobs::{DestructionPage, DestructionStage, JobKind, JobState, RecordCounts};
use crate::plan::{Guard, Write};
use alloc::vec;
use alloc::vec::Vec;
use serde_json::json;

/// The most rows that one batch of a destruction removes. A page that removed fewer was the last one of its table.
pub const ROWS: usize = 500;
/// How long an answer is kept for a request that comes again, in milliseconds.
const ANSWERS_MS: i64 = 24 * 3_600_000;

/// The conditions and writes of a step of a destruction.
pub type DestructionStep = (Vec<Guard>, Vec<Write<'static>>);

/// Begins the destruction: destroys the data key, so that nothing sealed under it can be opened again.
///
/// It cancels the practice's open return, which could not continue. The batch is refused if another return is open by
/// then, or the return has changed.
#[must_use]
pub fn begin(job: &Job, open_return: Option<&Job>, ctx: &Ctx) -> DestructionStep {
    let (practice_id, id) = (job.practice_id, job.id);
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::DestructionBegun, id);
    let known_return = open_return.map_or(id, |open| open.id);
    let mut guards = vec![
        Guard::Settings(SettingsGuard::DataJob { practice: practice_id, job: id, version: job.version }),
        Guard::Settings(SettingsGuard::NoAgreement(practice_id)),
        Guard::NoHold(practice_id),
        Guard::Settings(SettingsGuard::NoDataJob { practice: practice_id, kind: JobKind::Return, job: known_return }),
    ];
    let mut writes =
        vec![Write::Settings(SettingsWrite::DataJobBegun { practice: practice_id, job: id }), Write::Audit(audit)];
    if let Some(open) = open_return {
        let (id, version) = (open.id, open.version);
        let audit = Entry::new(ctx, 1, Some(practice_id), Event::DataJobCancelled, id);
        guards.push(Guard::Settings(SettingsGuard::DataJob { practice: practice_id, job: id, version }));
        writes.extend([
            Write::Settings(SettingsWrite::DataJobEnded { practice: practice_id, job: id, state: JobState::Cancelled }),
            Write::Audit(audit.detail(json!({ "kind": JobKind::Return }))),
        ]);
    }
    (guards, writes)
}

/// Removes one page of a table and counts its rows. Only a running destruction removes anything.
#[must_use]
pub const fn page(job: &Job, stage: DestructionStage, now: Instant) -> Write<'static> {
    Write::Settings(SettingsWrite::DataDestroyed(DestructionPage {
        practice_id: job.practice_id,
        id: job.id,
        stage,
        rows: ROWS,
        staff_answers_before: now.plus(-ANSWERS_MS),
    }))
}

/// Completes the destruction.
#[must_use]
pub fn finish(job: &Job, ctx: &Ctx) -> DestructionStep {
    let (practice_id, id) = (job.practice_id, job.id);
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::DataDestroyed, id);
    // Only the practice's records: stored answers to staff cover all practices.
    let of_practice = job.counts.iter();
    let records: RecordCounts = of_practice
        .filter(|(kind, _)| job.totals.contains_key(*kind))
        .map(|(kind, count)| (kind.clone(), *count))
        .collect();
    let audit = audit.detail(json!({ "records": records }));
    let notice = Notice::new(practice_id, NoticeKind::DataDestroyed, ctx);
    let writes = vec![
        Write::Settings(SettingsWrite::DataJobEnded { practice: practice_id, job: id, state: JobState::Done }),
        Write::Settings(SettingsWrite::Notice(notice)),
        Write::Audit(audit),
    ];
    let guards = vec![
        Guard::Settings(SettingsGuard::DataJob { practice: practice_id, job: id, version: job.version }),
        Guard::Settings(SettingsGuard::NothingLeft(practice_id)),
    ];
    (guards, writes)
}
