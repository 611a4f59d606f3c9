//! The statements of the return and the destruction of a practice's data.

/// A job `j`, as `data_jobs::Job` reads it.
macro_rules! job {
    () => {
        "json_object('practice_id', j.practice_id, 'id', j.id, 'kind', j.kind, 'state', j.state, 'version', j.version,
           'requested_at', j.requested_at, 'requested_by', j.requested_by, 'due_at', j.due_at, 'begun_at', j.begun_at,
           'finished_at', j.finished_at, 'totals', json(j.totals), 'counts', json(j.counts), 'position', j.position,
           'taken_from', j.taken_from, 'bytes', j.bytes, 'unreadable', j.unreadable, 'digest', j.digest)"
    };
}

pub(crate) mod destruction;
pub(crate) mod export;

/// The practice of a caller, `?1` the hash of what was presented.
macro_rules! of_caller {
    () => {
        "(SELECT practice_id FROM callers WHERE hash = ?1)"
    };
}

/// True if the data of a practice was destroyed, and the practice has signed no agreement since.
macro_rules! destroyed {
    ($practice:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM data_jobs d WHERE d.practice_id = ",
            $practice,
            " AND d.kind = 'destruction' AND d.state = 'done' AND NOT EXISTS (
               SELECT 1 FROM agreements g WHERE g.practice_id = d.practice_id AND g.signed_at >= d.finished_at))"
        )
    };
}

/// The facts for a decision on a job of practice `p`, as `data_jobs::Basis` reads it.
macro_rules! basis {
    () => {
        concat!(
            "json_object('practice_id', p.id, 'name', p.name, 'legal_hold', json(iif(EXISTS (SELECT 1 FROM document_settings s
               WHERE s.practice_id = p.id AND s.legal_hold = 1), 'true', 'false')), 'in_force', json(iif(",
            agreement!("p.id"),
            ", 'true', 'false')), 'destroyed', json(iif(",
            destroyed!("p.id"),
            ", 'true', 'false')), 'open', json((SELECT json_group_array(json_array(j.kind, j.state)) FROM data_jobs j
               WHERE j.practice_id = p.id AND j.state IN ('waiting', 'running'))), 'totals', json_object(",
            "'practice', 1, 'member', (SELECT count(*) FROM users WHERE practice_id = p.id),
             'agreement', (SELECT count(*) FROM agreements WHERE practice_id = p.id),
             'api_key', (SELECT count(*) FROM api_keys WHERE practice_id = p.id),
             'api_token', (SELECT count(*) FROM api_tokens WHERE practice_id = p.id),
             'submission', (SELECT count(*) FROM submissions WHERE practice_id = p.id),
             'claim', (SELECT count(*) FROM claims WHERE practice_id = p.id),
             'claim_event', (SELECT count(*) FROM claim_history WHERE practice_id = p.id),
             'note', (SELECT count(*) FROM claim_notes WHERE practice_id = p.id),
             'report', (SELECT count(*) FROM reports WHERE practice_id = p.id),
             'case', (SELECT count(*) FROM cases WHERE practice_id = p.id),
             'signing_link', (SELECT count(*) FROM signing_links WHERE practice_id = p.id),
             'signature', (SELECT count(*) FROM signatures WHERE practice_id = p.id),
             'webhook', (SELECT count(*) FROM webhooks WHERE practice_id = p.id),
             'delivery', (SELECT count(*) FROM deliveries WHERE practice_id = p.id),
             'data_job', (SELECT count(*) FROM data_jobs WHERE practice_id = p.id),
             'audit', (SELECT count(*) FROM audit WHERE practice_id = p.id),
             'document', (SELECT count(*) FROM documents WHERE practice_id = p.id)))"
        )
    };
}

/// `?1` the caller's hash.
pub(crate) const BASIS_OF_CALLER: &str =
    concat!("SELECT ", basis!(), " AS json FROM practices p WHERE p.id = ", of_caller!());

/// `?1` the practice.
pub(crate) const BASIS: &str = concat!("SELECT ", basis!(), " AS json FROM practices p WHERE p.id = ?1");

/// `?1` the caller's hash, `?2` the job to start after, `?3` how many.
pub(crate) const LIST: &str = concat!(
    "SELECT json_group_array(",
    job!(),
    ") AS json FROM (SELECT * FROM data_jobs WHERE practice_id = ",
    of_caller!(),
    " AND id < ?2 ORDER BY id DESC LIMIT CAST(?3 AS INTEGER)) j"
);

/// `?1` the caller's hash, `?2` the job. No row for another practice's.
pub(crate) const OF_CALLER: &str =
    concat!("SELECT ", job!(), " AS json FROM data_jobs j WHERE j.practice_id = ", of_caller!(), " AND j.id = ?2");

/// `?1` the practice. Its latest jobs, newest first.
pub(crate) const OF_PRACTICE: &str = concat!(
    "SELECT json_group_array(",
    job!(),
    ") AS json FROM (SELECT * FROM data_jobs WHERE practice_id = ?1 ORDER BY id DESC LIMIT 20) j"
);

/// `?1` the caller's hash. True as JSON if a destruction is running.
pub(crate) const DESTROYING: &str = concat!(
    "SELECT iif(EXISTS (SELECT 1 FROM data_jobs WHERE practice_id = ",
    of_caller!(),
    " AND kind = 'destruction' AND state = 'running'), 'true', 'false') AS json"
);

/// `?1` the practice. Its open return, as `data_jobs::Job` reads it.
pub(crate) const OPEN_RETURN: &str = concat!(
    "SELECT ",
    job!(),
    " AS json FROM data_jobs j WHERE j.practice_id = ?1 AND j.kind = 'return' AND j.state IN ('waiting', 'running')"
);

/// `?1` the practice. Its agreement in force, as JSON.
pub(crate) const IN_FORCE: &str = "SELECT json_quote(id) AS json FROM agreements
     WHERE practice_id = ?1 AND kind = 'baa' AND ended_at IS NULL ORDER BY id DESC LIMIT 1";

/// `?1` the practice, `?2` the agreement, `?3` now.
pub(crate) const END_AGREEMENT: &str =
    "UPDATE agreements SET ended_at = ?3 WHERE practice_id = ?1 AND id = ?2 AND ended_at IS NULL";

/// `?1` the practice, `?2` the agreement.
pub(crate) const GUARD_IN_FORCE: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM agreements WHERE practice_id = ?1 AND id = ?2 AND ended_at IS NULL)";

/// `?1` the practice.
pub(crate) const GUARD_NO_AGREEMENT: &str =
    concat!("INSERT INTO guards (failed) SELECT 'record' WHERE ", agreement!("?1"));

/// `?1` the practice, `?2` the kind, `?3` the job that this batch inserts.
pub(crate) const GUARD_NO_JOB: &str = concat!(
    "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM data_jobs WHERE practice_id = ?1 AND id <> ?3
         AND (kind = ?2 AND state IN ('waiting', 'running') OR kind = 'destruction' AND state = 'running')) OR ",
    destroyed!("?1")
);

/// `?1` the practice.
pub(crate) const GUARD_NO_DESTRUCTION: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM data_jobs WHERE practice_id = ?1 AND kind = 'destruction' AND state = 'running')";

/// `?1` the practice, `?2` the job, `?3` its version.
pub(crate) const GUARD_JOB: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM data_jobs WHERE practice_id = ?1 AND id = ?2 AND version = CAST(?3 AS INTEGER))";

/// `?1` practice, `?2` id, `?3` kind, `?4` state, `?5` now, `?6` the person, `?7` due time, `?8` begin time, `?9` the
/// totals.
pub(crate) const INSERT: &str =
    "INSERT INTO data_jobs (practice_id, id, kind, state, requested_at, requested_by, due_at, begun_at, totals)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (practice_id, id) DO NOTHING";

/// `?1` practice, `?2` id, `?3` the start of the page, `?4` the start of the next one or NULL, `?5` counts, `?6`
/// unreadable, `?7` bytes, `?8` digest, `?9` now.
pub(crate) const TAKEN: &str = "UPDATE data_jobs SET taken_from = ?3, position = coalesce(?4, position), counts = ?5,
       unreadable = CAST(?6 AS INTEGER), bytes = CAST(?7 AS INTEGER), digest = ?8, version = version + 1,
       state = iif(?4 IS NULL, 'done', state), finished_at = iif(?4 IS NULL, CAST(?9 AS INTEGER), NULL)
     WHERE practice_id = ?1 AND id = ?2 AND kind = 'return' AND state = 'running'";

/// `?1` practice, `?2` id, `?3` state, `?4` now.
pub(crate) const END: &str = "UPDATE data_jobs SET state = ?3, finished_at = ?4, version = version + 1
     WHERE practice_id = ?1 AND id = ?2 AND state IN ('waiting', 'running')";
