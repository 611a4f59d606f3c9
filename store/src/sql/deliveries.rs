//! The statements of telling endpoints. What is due is asked for across practices; all else names the practice.

/// `?1` the practice, `?2` the messages, `?3` now. Which deliveries of them are due.
pub(crate) const DUE_OF_MESSAGES: &str =
    "SELECT json_group_array(json_array(d.practice_id, d.webhook_id, d.id)) AS json
     FROM webhooks w CROSS JOIN json_each(?2) j CROSS JOIN deliveries d
     WHERE w.practice_id = ?1 AND d.practice_id = ?1 AND d.webhook_id = w.id AND d.id = j.value AND d.state = 'pending'
       AND d.next_at <= CAST(?3 AS INTEGER)";

/// `?1` now. Some of the deliveries that are due: of each endpoint the first, then of each the second, and of none more than
/// five. What an endpoint is behind with, however much, holds up no other.
pub(crate) const DUE: &str =
    "SELECT json_group_array(json_array(practice_id, webhook_id, id)) AS json FROM (
       SELECT * FROM (
         SELECT practice_id, webhook_id, id, next_at,
           row_number() OVER (PARTITION BY practice_id, webhook_id ORDER BY next_at) AS n
         FROM deliveries WHERE state = 'pending' AND next_at <= CAST(?1 AS INTEGER))
       WHERE n <= 5 ORDER BY n, next_at LIMIT 500)";

/// `?1` practice, `?2` endpoint, `?3` message, `?4` now, `?5` until when it is nobody else's.
pub(crate) const LEASE: &str =
    "UPDATE deliveries SET attempts = attempts + 1, last_at = ?4, next_at = ?5
     WHERE practice_id = ?1 AND webhook_id = ?2 AND id = ?3 AND state = 'pending' AND next_at <= CAST(?4 AS INTEGER)";

/// `?1` practice, `?2` endpoint, `?3` message, `?4` now. What it takes to tell it, as `deliveries::Leased` reads it.
pub(crate) const LEASED: &str = concat!(
    "SELECT json_object('url', w.url, 'body', d.body, 'attempt', d.attempts, 'failing_since', w.failing_since,
       'endpoint_active', json(iif(w.state = 'active', 'true', 'false')),
       'practice_state', p.state, 'agreement_in_force', json(iif(",
    agreement!("p.id"),
    ", 'true', 'false')),
       'key_version', w.key_version, 'sealed', w.sealed, 'data_key', ", data_key!("w.practice_id"), ",
       'old', iif(w.old_until > CAST(?4 AS INTEGER), json_array(w.old_key_version, w.old_sealed), NULL)) AS json
     FROM deliveries d JOIN webhooks w ON w.practice_id = d.practice_id AND w.id = d.webhook_id
       JOIN practices p ON p.id = d.practice_id
     WHERE d.practice_id = ?1 AND d.webhook_id = ?2 AND d.id = ?3"
);

/// `?1` practice, `?2` endpoint, `?3` message, `?4` state, `?5` when next, `?6` status, `?7` failure, `?8` the attempt. What
/// was taken was taken; what was not counts only for whoever still has the turn.
pub(crate) const SETTLE: &str =
    "UPDATE deliveries SET state = ?4, next_at = coalesce(CAST(?5 AS INTEGER), next_at), last_status = ?6, last_error = ?7
     WHERE practice_id = ?1 AND webhook_id = ?2 AND id = ?3 AND state = 'pending'
       AND (?4 = 'delivered' OR attempts = CAST(?8 AS INTEGER))";

/// `?1` practice, `?2` endpoint.
pub(crate) const ENDPOINT_WORKS: &str = "UPDATE webhooks SET failing_since = NULL
     WHERE practice_id = ?1 AND id = ?2 AND failing_since IS NOT NULL";

/// `?1` practice, `?2` endpoint, `?3` now.
pub(crate) const ENDPOINT_FAILS: &str = "UPDATE webhooks SET failing_since = ?3
     WHERE practice_id = ?1 AND id = ?2 AND failing_since IS NULL";

/// `?1` before: what was done with by then goes, some of it at a time.
pub(crate) const FORGET_DELIVERIES: &str =
    "DELETE FROM deliveries WHERE (practice_id, webhook_id, id) IN (
       SELECT practice_id, webhook_id, id FROM deliveries
       WHERE state <> 'pending' AND last_at < CAST(?1 AS INTEGER) LIMIT 1000)";

/// `?1` before: what was missed by then goes, some of it at a time.
pub(crate) const FORGET_MISSED: &str =
    "DELETE FROM deliveries WHERE (practice_id, webhook_id, id) IN (
       SELECT practice_id, webhook_id, id FROM deliveries INDEXED BY deliveries_missed
       WHERE state = 'failed' AND attempts = 0 AND created_at < CAST(?1 AS INTEGER) LIMIT 1000)";

/// `?1` the practice, `?2` the roles. Whom to write to.
pub(crate) const ADDRESSES: &str = "SELECT json_group_array(email) AS json FROM users
     WHERE practice_id = ?1 AND state = 'active' AND role IN (SELECT value FROM json_each(?2))";
