//! The destruction of all data: first the practice's data key, then the rows, page by page, in a scheduled job.

use super::job::{JOB, Job, JobKind, JobState, RecordCounts, no_other};
use crate::plan::notice::{Notice, NoticeKind};
use crate::prelude::*;
use crate::settings::agreements::no_agreement;
use overturn_core::base::id::DataJobId;

/// The conditions and writes of a step of a destruction.
pub(crate) type DestructionStep = (Vec<Guard>, Vec<Write>);

/// Some of the destructions that are due, and whether each is of a sandbox. Those come last: however many there are, they keep
/// nobody's data. Those that a legal hold keeps from beginning would take the places of others.
pub(super) fn due(now: Instant) -> Query<Vec<(Job, bool)>> {
    const OF_SANDBOX: &str = "(SELECT p.sandbox_of IS NOT NULL FROM practices p WHERE p.id = practice_id)";
    select!(
        "data_jobs.due",
        "SELECT json_group_array(json_array({JOB}, json(iif(j.of_sandbox, 'true', 'false')))) AS json
         FROM (SELECT *, {OF_SANDBOX} AS of_sandbox FROM data_jobs WHERE kind = 'destruction' AND state IN ('waiting', 'running')
           AND due_at <= CAST({now} AS INTEGER)
           AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = data_jobs.practice_id) AND (state = 'running' OR NOT EXISTS (
             SELECT 1 FROM document_settings s WHERE s.practice_id = data_jobs.practice_id AND s.legal_hold = 1))
           ORDER BY of_sandbox, due_at LIMIT 5) j" [JOB, OF_SANDBOX];
        now
    )
    .or_default()
}

/// The open destruction of the sandbox of the caller's practice, which never waits.
pub(super) fn of_sandbox_of(caller: &str) -> Query<Vec<(Job, bool)>> {
    select!(
        "data_jobs.of_sandbox",
        "SELECT json_group_array(json_array({JOB}, json('true'))) AS json FROM data_jobs j
         WHERE j.practice_id = (SELECT id FROM practices WHERE sandbox_of = {OF_CALLER})
           AND j.kind = 'destruction' AND j.state IN ('waiting', 'running')" [JOB];
        caller
    )
    .or_default()
}

/// The current state of a job.
pub(super) fn job(practice: PracticeId, id: DataJobId) -> Query<Option<Job>> {
    select!(
        "data_jobs.job",
        "SELECT {JOB} AS json FROM data_jobs j WHERE j.practice_id = {practice} AND j.id = {id}" [JOB];
        practice, id
    )
    .optional()
}

/// The open return of a practice's data.
pub(super) fn open_return(practice: PracticeId) -> Query<Option<Job>> {
    select!(
        "data_jobs.open_return",
        "SELECT {JOB} AS json FROM data_jobs j
         WHERE j.practice_id = {practice} AND j.kind = 'return' AND j.state IN ('waiting', 'running')" [JOB];
        practice
    )
    .optional()
}

/// True if a destruction of the data of the caller's practice is running.
pub(super) fn running(caller: &str) -> Query<bool> {
    select!(
        "data_jobs.destroying",
        "SELECT iif(EXISTS (SELECT 1 FROM data_jobs WHERE practice_id = {OF_CALLER} AND kind = 'destruction'
           AND state = 'running'), 'true', 'false') AS json";
        caller
    )
    .or_default()
}

/// Begins the destruction: destroys the data key, so that nothing sealed under it can be opened again, also before the
/// pages that follow delete it.
///
/// It cancels the practice's open return, which could not continue. The batch is refused if another return is open by
/// then, or the return has changed.
pub(crate) fn begin(job: &Job, open_return: Option<&Job>, ctx: &Ctx) -> DestructionStep {
    let (practice, id, now) = (job.practice_id, job.id, ctx.now);
    let known_return = open_return.map_or(id, |open| open.id);
    let mut guards = vec![
        job.unchanged(),
        no_agreement(practice),
        Guard::NoHold(practice),
        no_other(practice, JobKind::Return, known_return),
    ];
    let mut writes = vec![
        begun(job, now),
        sql!(
            "UPDATE practice_keys SET wrapped = NULL, destroyed_at = {now} WHERE practice_id = {practice} AND destroyed_at IS NULL";
            practice, now
        ),
        Write::Audit(Entry::new(ctx, 0, Some(practice), Event::DestructionBegun, id)),
        // Returns that are done have no more pages, and `position` and `taken_from` name claims.
        sql!(
            "UPDATE data_jobs SET position = '', taken_from = NULL
             WHERE practice_id = {practice} AND kind = 'return' AND state = 'done'";
            practice
        ),
        of_sandbox(practice, ctx),
    ];
    if let Some(open) = open_return {
        let audit = Entry::new(ctx, 1, Some(practice), Event::DataJobCancelled, open.id);
        guards.push(open.unchanged());
        writes.extend([
            open.end(JobState::Cancelled, now),
            Write::Audit(audit.detail(json!({ "kind": JobKind::Return }))),
        ]);
    }
    (guards, writes)
}

/// The data of the practice's sandbox goes as well: somebody may have sent a patient there.
fn of_sandbox(practice: PracticeId, ctx: &Ctx) -> Write {
    const OPEN: &str = destruction_open!("p.id");
    sql!(
        "INSERT INTO data_jobs (practice_id, id, kind, state, requested_at, requested_by, due_at, totals)
         SELECT p.id, {id}, 'destruction', 'waiting', {now}, 'service', {now}, json_object() FROM practices p
         WHERE p.sandbox_of = {practice} AND NOT {OPEN} ON CONFLICT (practice_id, id) DO NOTHING" [OPEN];
        practice, id = DataJobId(ctx.id(Purpose::Record, 0)), now = ctx.now
    )
}

/// Deletes the staff's saved filters of a practice, which may name a payer. They are in the directory, wherever the practice lives.
pub(super) fn unfiltered(practice: PracticeId) -> Write {
    sql!("DELETE FROM queue_filters WHERE instr(query, 'practice_id=' || {practice}) > 0"; practice)
}

/// The totals are taken now, because no new data can come in.
fn begun(job: &Job, now: Instant) -> Write {
    sql!(
        "UPDATE data_jobs SET state = 'running', begun_at = {now}, version = version + 1,
         totals = json_object(
           'attempt', (SELECT count(*) FROM attempts WHERE practice_id = {practice}),
           'delivery', (SELECT count(*) FROM deliveries WHERE practice_id = {practice}),
           'webhook', (SELECT count(*) FROM webhooks WHERE practice_id = {practice}),
           'document_use', (SELECT count(*) FROM document_uses WHERE practice_id = {practice}),
           'document', (SELECT count(*) FROM documents WHERE practice_id = {practice}),
           'document_settings', (SELECT count(*) FROM document_settings WHERE practice_id = {practice}),
           'signature', (SELECT count(*) FROM signatures WHERE practice_id = {practice}),
           'signing_link', (SELECT count(*) FROM signing_links WHERE practice_id = {practice}),
           'note', (SELECT count(*) FROM claim_notes WHERE practice_id = {practice}),
           'claim_event', (SELECT count(*) FROM claim_history WHERE practice_id = {practice}),
           'level_claim', (SELECT count(*) FROM level_claims WHERE practice_id = {practice}),
           'case_level', (SELECT count(*) FROM case_levels WHERE practice_id = {practice}),
           'case_claim', (SELECT count(*) FROM case_claims WHERE practice_id = {practice}),
           'case', (SELECT count(*) FROM cases WHERE practice_id = {practice}),
           'report_claim', (SELECT count(*) FROM report_claims WHERE practice_id = {practice}),
           'report', (SELECT count(*) FROM reports WHERE practice_id = {practice}),
           'claim', (SELECT count(*) FROM claims WHERE practice_id = {practice}),
           'submission', (SELECT count(*) FROM submissions WHERE practice_id = {practice}),
           'answer', (SELECT count(*) FROM answers a WHERE a.user_id IN (SELECT id FROM users WHERE practice_id = {practice})))
         WHERE practice_id = {practice} AND id = {id} AND kind = 'destruction' AND state = 'waiting'";
        practice = job.practice_id, id = job.id, now
    )
}

/// Completes the destruction.
pub(super) fn finish(job: &Job, ctx: &Ctx) -> DestructionStep {
    let practice = job.practice_id;
    // Only the practice's records: stored answers to staff cover all practices.
    let of_practice = job.taken.counts.iter().filter(|(kind, _)| job.totals.contains_key(*kind));
    let records: RecordCounts = of_practice.map(|(kind, count)| (kind.clone(), *count)).collect();
    let audit = Entry::new(ctx, 0, Some(practice), Event::DataDestroyed, job.id);
    let [keys, tokens, clock] = set_back(practice);
    let writes = vec![
        keys,
        tokens,
        clock,
        job.end(JobState::Done, ctx.now),
        Write::Notice(Notice::new(practice, NoticeKind::DataDestroyed, ctx)),
        Write::Audit(audit.detail(json!({ "records": records }))),
    ];
    (vec![job.unchanged(), nothing_left(practice)], writes)
}

/// Sets the clock of a sandbox back to the real time, once it is empty. Its keys and tokens keep the time that they have left. A live
/// practice has no clock, and nothing of it changes.
fn set_back(practice: PracticeId) -> [Write; 3] {
    const AHEAD: &str = "(SELECT clock_ms FROM practices WHERE id = {practice})";
    const BACK: &str = "created_at = created_at - {AHEAD}, expires_at = expires_at - {AHEAD}, revoked_at = revoked_at - {AHEAD},
           last_used_at = last_used_at - {AHEAD}, warn_at = warn_at - {AHEAD} WHERE practice_id = {practice} AND {AHEAD} > 0";
    [
        sql!("UPDATE api_keys SET {BACK}" [BACK, AHEAD]; practice),
        sql!("UPDATE api_tokens SET {BACK}" [BACK, AHEAD]; practice),
        sql!("UPDATE practices SET clock_ms = 0 WHERE id = {practice} AND clock_ms > 0"; practice),
    ]
}

/// No row of the practice's data is left.
pub(super) fn nothing_left(practice: PracticeId) -> Guard {
    abort_if!(
        Record,
        "EXISTS (SELECT 1 FROM claims WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM claim_events WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM claim_notes WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM signing_links WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM signatures WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM reports WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM report_claims WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM cases WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM case_claims WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM case_levels WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM level_claims WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM document_uses WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM documents WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM document_settings WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM attempts WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM deliveries WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM webhooks WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM payers WHERE practice_id = {practice})
         OR EXISTS (SELECT 1 FROM claim_counts WHERE scope = {practice})";
        practice
    )
}
