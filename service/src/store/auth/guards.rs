//! The guards of a credential: a key, a session or a token still allows the call when the batch runs.

use crate::auth::key::Caller;
use crate::auth::person::{Person, Via};
use crate::plan::Plan;
use crate::store::json::json;
use crate::store::keyring::practice::DataKey;
use crate::store::statement::{Param, Statement, optional, text};
use overturn_core::base::id::{PracticeId, SubmissionId};

/// `?1` the account, `?2` its epoch, `?3` the session, `?4` now, `?5` the practice, NULL if it need not be active. Where it must,
/// the session must also be one that the practice's single sign-on allows.
const SESSION: &str = "INSERT INTO guards (failed) SELECT 'rights' WHERE NOT EXISTS (
       SELECT 1 FROM users u JOIN sessions s ON s.user_id = u.id
       WHERE u.id = ?1 AND u.state = 'active' AND u.epoch = ?2
         AND s.id = ?3 AND s.epoch = ?2 AND s.revoked_at IS NULL AND s.ends_at > ?4
         AND (?5 IS NULL OR EXISTS (SELECT 1 FROM practices WHERE id = ?5 AND state = 'active'
           AND (sso_required = 0 OR s.sso IS NOT NULL OR u.role = 'owner'))))";

/// `?1` the account, `?2` its epoch, `?3` the token, `?4` now, `?5` the practice.
const TOKEN: &str = "INSERT INTO guards (failed) SELECT 'rights' WHERE NOT EXISTS (
       SELECT 1 FROM users u JOIN api_tokens t ON t.user_id = u.id
         JOIN practices p ON p.id = t.practice_id AND coalesce(p.sandbox_of, p.id) = u.practice_id
       WHERE u.id = ?1 AND u.state = 'active' AND u.epoch = ?2
         AND t.practice_id = ?5 AND t.id = ?3 AND t.revoked_at IS NULL AND t.expires_at > ?4
         AND p.state = 'active')";

/// `?1` the practice. Aborts the batch if its patient data may not be read or changed.
const READABLE: &str = concat!("INSERT INTO guards (failed) SELECT 'credential' WHERE NOT ", readable!("?1"));

/// `?1` the practice. The same, also for a sandbox.
const USABLE: &str = concat!(
    "INSERT INTO guards (failed) SELECT 'credential' WHERE NOT EXISTS (
       SELECT 1 FROM practices p WHERE p.id = ?1 AND p.state = 'active' AND ",
    usable!("p.id"),
    ")"
);

/// `?1` a JSON list of practices. The same for all of them.
const ALL_READABLE: &str = concat!(
    "INSERT INTO guards (failed) SELECT 'credential' WHERE EXISTS (SELECT 1 FROM json_each(?1) j WHERE NOT ",
    readable!("j.value"),
    ")"
);

/// The failure of the guard if the key `?2` of practice `?1` does not allow a call with scope `?4` at `?3`.
macro_rules! key_withdrawn {
    () => {
        concat!(
            "SELECT 'credential' WHERE NOT EXISTS (
               SELECT 1 FROM api_keys k JOIN practices p ON p.id = k.practice_id
               WHERE k.practice_id = ?1 AND k.id = ?2 AND k.revoked_at IS NULL AND k.expires_at > ?3
                 AND instr(' ' || k.scopes || ' ', ' ' || ?4 || ' ') > 0 AND p.state = 'active' AND ",
            usable!("p.id"),
            ")"
        )
    };
}

/// `?1` the practice, `?2` the key, `?3` now, `?4` the scope. Aborts the batch if the key no longer allows the call.
/// Otherwise it writes nothing.
const KEY: &str = concat!("INSERT INTO guards (failed) ", key_withdrawn!());

/// The same. Also aborts the batch if `?5` and `?6` are not the version and id of the practice's data key.
macro_rules! key_and_data_key {
    () => {
        concat!(
            "INSERT INTO guards (failed) ",
            key_withdrawn!(),
            " UNION ALL SELECT 'data_key' WHERE NOT EXISTS (
               SELECT 1 FROM practice_keys WHERE practice_id = ?1 AND version = CAST(?5 AS INTEGER) AND id = ?6
                 AND destroyed_at IS NULL)"
        )
    };
}

/// Every send that seals a value has this one statement or the next.
const KEY_AND_DATA_KEY: &str = key_and_data_key!();

/// The same. Also aborts the batch if a number of `?7` came with another submission than `?8`.
const ALL_NEW: &str = concat!(
    key_and_data_key!(),
    " UNION ALL SELECT 'number' WHERE EXISTS (
       SELECT 1 FROM json_each(?7) j CROSS JOIN claims c
       WHERE c.practice_id = ?1 AND c.claim_number = j.value AND c.submission_id <> ?8)"
);

/// Patient data of the practice may be read and changed.
pub(crate) fn readable(practice: PracticeId) -> Statement {
    Statement::new(READABLE, [text(practice)])
}

/// The patient of a link and the jobs of a sandbox may use the practice.
pub(crate) fn usable(practice: PracticeId) -> Statement {
    Statement::new(USABLE, [text(practice)])
}

/// Patient data of each of these practices may be read and changed.
pub(crate) fn all_readable(practices: &[PracticeId]) -> Statement {
    Statement::new(ALL_READABLE, [Param::Text(json(&practices))])
}

/// The API key still allows the call.
pub(crate) fn key(caller: &Caller, plan: &Plan) -> Statement {
    Statement::new(KEY, of_key(caller, plan))
}

/// The API key still allows the call, and `data` is the data key of its practice.
pub(crate) fn key_and_data_key(caller: &Caller, data: &DataKey, plan: &Plan) -> Statement {
    Statement::new(KEY_AND_DATA_KEY, of_keys(caller, data, plan))
}

/// The same, and no claim with one of these numbers, a JSON list, came with another submission.
pub(crate) fn all_new(
    caller: &Caller,
    data: &DataKey,
    (submission, numbers): (SubmissionId, &str),
    plan: &Plan,
) -> Statement {
    let mut params = of_keys(caller, data, plan);
    params.extend([Param::Text(numbers.to_owned()), text(submission)]);
    Statement::new(ALL_NEW, params)
}

/// Aborts the batch.
pub(crate) fn not_new() -> Statement {
    Statement::new("INSERT INTO guards (failed) VALUES ('number')", [])
}

fn of_keys(caller: &Caller, data: &DataKey, plan: &Plan) -> Vec<Param> {
    let data_key = [Param::Int(data.number().into()), text(data.id())];
    of_key(caller, plan).into_iter().chain(data_key).collect()
}

fn of_key(caller: &Caller, plan: &Plan) -> [Param; 4] {
    [text(caller.practice_id), text(caller.api_key_id), Param::Int(plan.checked_at.0), text(caller.scope)]
}

/// The person's credential, rights and practice still allow the call.
pub(crate) fn person(held: &Person, plan: &Plan) -> Statement {
    let practice = held.practice_id.filter(|_| !held.action.right().own);
    let (sql, id) = match held.via {
        Via::Session(id) => (SESSION, text(id)),
        Via::Token(id) => (TOKEN, text(id)),
        Via::Sandbox => return Statement::new("INSERT INTO guards (failed) VALUES ('rights')", []),
    };
    let at = Param::Int(plan.checked_at.0);
    let (user, epoch) = (text(held.user_id), Param::Int(held.epoch));
    Statement::new(sql, [user, epoch, id, at, optional(practice)])
}
