//! The statements of a practice's endpoints and of what they were told.

/// An endpoint `w`, as `webhooks::WebhookView` reads it.
macro_rules! webhook {
    () => {
        "json_object('id', w.id, 'url', w.url, 'events', json('[\"' || replace(w.events, ' ', '\",\"') || '\"]'),
           'state', w.state, 'created_at', w.created_at, 'failing_since', w.failing_since,
           'disabled_at', w.disabled_at, 'old_secret_until', w.old_until)"
    };
}

/// A delivery `d`, as `webhooks::DeliveryView` reads it.
macro_rules! delivery {
    () => {
        "json_object('id', d.id, 'type', d.kind, 'state', d.state, 'attempts', d.attempts, 'created_at', d.created_at,
           'next_at', iif(d.state = 'pending', d.next_at, NULL), 'last_at', d.last_at, 'last_status', d.last_status,
           'last_error', d.last_error)"
    };
}

/// `?1` the caller's hash, `?2` the endpoint after which to go on, `?3` how many.
pub(crate) const WEBHOOKS: &str = concat!(
    "SELECT json_group_array(",
    webhook!(),
    ") AS json FROM (SELECT * FROM webhooks WHERE practice_id = ",
    of_caller!(),
    " AND state <> 'removed' AND id < ?2 ORDER BY id DESC LIMIT CAST(?3 AS INTEGER)) w"
);

/// `?1` the caller's hash, `?2` the endpoint. No row for one of another practice.
pub(crate) const WEBHOOK: &str = concat!(
    "SELECT ",
    webhook!(),
    " AS json FROM webhooks w WHERE w.practice_id = ",
    of_caller!(),
    " AND w.id = ?2 AND w.state <> 'removed'"
);

/// `?1` the caller's hash, `?2` the endpoint: the same, and its secret, as `webhooks::StoredSecret` reads it.
pub(crate) const WEBHOOK_TO_ROTATE: &str = concat!(
    "SELECT json_array(",
    webhook!(),
    ", json_object('key_version', w.key_version, 'sealed', w.sealed)) AS json FROM webhooks w WHERE w.practice_id = ",
    of_caller!(),
    " AND w.id = ?2 AND w.state <> 'removed'"
);

/// `?1` the caller's hash. How many endpoints the practice has.
pub(crate) const WEBHOOK_COUNT: &str = concat!(
    "SELECT json(count(*)) AS json FROM webhooks WHERE practice_id = ",
    of_caller!(),
    " AND state <> 'removed'"
);

/// `?1` the caller's hash, `?2` the delivery after which to go on, `?3` how many, `?4` the endpoint. No row for an endpoint of
/// another practice.
pub(crate) const DELIVERIES: &str = concat!(
    "SELECT json_group_array(",
    delivery!(),
    ") AS json FROM (SELECT * FROM deliveries WHERE practice_id = ",
    of_caller!(),
    " AND webhook_id = ?4 AND id < ?2 ORDER BY id DESC LIMIT CAST(?3 AS INTEGER)) d
     HAVING EXISTS (SELECT 1 FROM webhooks WHERE practice_id = ",
    of_caller!(),
    " AND id = ?4 AND state <> 'removed')"
);

/// `?1` the caller's hash, `?2` the endpoint, `?3` the delivery. No row for one of another practice.
pub(crate) const DELIVERY: &str = concat!(
    "SELECT json_object('webhook', ",
    webhook!(),
    ", 'delivery', ",
    delivery!(),
    ") AS json FROM webhooks w JOIN deliveries d ON d.practice_id = w.practice_id AND d.webhook_id = w.id
     WHERE w.practice_id = ",
    of_caller!(),
    " AND w.id = ?2 AND w.state <> 'removed' AND d.id = ?3"
);

/// `?1` the practice, `?2` how many there must be fewer than.
pub(crate) const GUARD_WEBHOOKS_BELOW: &str =
    "INSERT INTO guards (failed) SELECT 'record' WHERE (
       SELECT count(*) FROM webhooks WHERE practice_id = ?1 AND state <> 'removed') >= CAST(?2 AS INTEGER)";

/// `?1` the practice, `?2` the endpoint, `?3` address, `?4` events, `?5` state, `?6` when the old secret ends.
pub(crate) const GUARD_WEBHOOK: &str = "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM webhooks WHERE practice_id = ?1 AND id = ?2 AND url = ?3 AND events = ?4 AND state = ?5
         AND old_until IS CAST(?6 AS INTEGER))";

/// `?1` the practice, `?2` the endpoint.
pub(crate) const GUARD_WEBHOOK_ACTIVE: &str =
    "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM webhooks WHERE practice_id = ?1 AND id = ?2 AND state = 'active')";

/// `?1` practice, `?2` id, `?3` address, `?4` events, `?5` key version, `?6` sealed secret, `?7` now, `?8` by whom.
pub(crate) const INSERT_WEBHOOK: &str =
    "INSERT INTO webhooks (practice_id, id, url, events, state, key_version, sealed, created_at, created_by)
     VALUES (?1, ?2, ?3, ?4, 'active', ?5, ?6, ?7, ?8) ON CONFLICT (practice_id, id) DO NOTHING";

/// `?1` practice, `?2` id, `?3` address, `?4` events, `?5` state, `?6` failing since, `?7` disabled.
pub(crate) const UPDATE_WEBHOOK: &str =
    "UPDATE webhooks SET url = ?3, events = ?4, state = ?5, failing_since = ?6, disabled_at = ?7
     WHERE practice_id = ?1 AND id = ?2 AND state <> 'removed'";

/// `?1` practice, `?2` id, `?3` key version, `?4` sealed secret, `?5` when the one before ends, `?6` and `?7` the one before,
/// sealed for its new place.
pub(crate) const ROTATE_WEBHOOK: &str =
    "UPDATE webhooks SET old_key_version = ?6, old_sealed = ?7, old_until = ?5, key_version = ?3, sealed = ?4
     WHERE practice_id = ?1 AND id = ?2 AND state <> 'removed'";

/// `?1` practice, `?2` id.
pub(crate) const REMOVE_WEBHOOK: &str =
    "UPDATE webhooks SET state = 'removed' WHERE practice_id = ?1 AND id = ?2";

/// `?1` practice, `?2` id, `?3` now.
pub(crate) const DISABLE_WEBHOOK: &str = "UPDATE webhooks SET state = 'disabled', disabled_at = ?3
     WHERE practice_id = ?1 AND id = ?2 AND state = 'active'";

/// `?1` practice, `?2` endpoint, `?3` message, `?4` now.
pub(crate) const REPLAY_DELIVERY: &str =
    "UPDATE deliveries SET state = 'pending', attempts = 0, next_at = ?4
     WHERE practice_id = ?1 AND webhook_id = ?2 AND id = ?3";

/// The row of a message `j` for each endpoint that wants its kind. One that is switched off misses it, and may be told later.
macro_rules! deliveries_of {
    ($more:literal) => {
        concat!(
            "INSERT INTO deliveries (practice_id, webhook_id, id, kind, body, created_at, next_at, state, last_error)
             SELECT w.practice_id, w.id, j.value ->> 1, j.value ->> 2, j.value ->> 3, ?2, ?2,
               iif(w.state = 'active', 'pending', 'failed'), iif(w.state = 'active', NULL, 'endpoint_inactive')
             FROM json_each(?1) j CROSS JOIN webhooks w
             WHERE w.practice_id = j.value ->> 0 AND w.state <> 'removed'
               AND instr(' ' || w.events || ' ', ' ' || (j.value ->> 2) || ' ') > 0",
            $more,
            " ON CONFLICT (practice_id, webhook_id, id) DO NOTHING"
        )
    };
}

/// `?1` the messages, each an array of practice, id, kind and body, `?2` now.
pub(crate) const INSERT_DELIVERIES: &str = deliveries_of!("");

/// Likewise, with the claim and the version that it was read with, `?3` the request: only where it filled something in.
pub(crate) const INSERT_DELIVERIES_OF_FILLS: &str = deliveries_of!(
    " AND EXISTS (SELECT 1 FROM claim_events e WHERE e.practice_id = j.value ->> 0 AND e.claim_id = j.value ->> 4
         AND e.version = (j.value ->> 5) + 1 AND e.kind = 'filled_in' AND e.request_id = ?3)"
);

/// `?1` the caller's hash, `?2` the endpoint, `?3` the id from which on, `?4` how many. The endpoint, and the messages that it did not
/// take, the oldest first. No row for an endpoint of another practice.
pub(crate) const MISSED: &str = concat!(
    "SELECT json_object('webhook', ",
    webhook!(),
    ", 'missed', json((SELECT json_group_array(id) FROM (SELECT d.id FROM deliveries d
         WHERE d.practice_id = w.practice_id AND d.webhook_id = w.id AND d.state = 'failed' AND d.id >= ?3
         ORDER BY d.id LIMIT CAST(?4 AS INTEGER))))) AS json
     FROM webhooks w WHERE w.practice_id = ",
    of_caller!(),
    " AND w.id = ?2 AND w.state <> 'removed'"
);

/// `?1` practice, `?2` endpoint, `?3` the messages, `?4` now. One that is told or waits already stays as it is.
pub(crate) const REPLAY_MISSED: &str = "UPDATE deliveries SET state = 'pending', attempts = 0, next_at = ?4
     WHERE practice_id = ?1 AND webhook_id = ?2 AND state = 'failed' AND id IN (SELECT value FROM json_each(?3))";
