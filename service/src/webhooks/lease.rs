//! The lease of a delivery, and the result of its attempt.
//!
//! A lease belongs to the one dispatcher whose batch wrote it, so no message is posted twice at once. It ends by itself:
//! if its dispatcher crashes, another one takes the delivery after that, and nothing is left behind.

use crate::auth::disclosure::PracticeState;
use crate::prelude::*;
use crate::store::keyring::Keyring;
use crate::store::keyring::practice::PracticeKeys;
use crate::webhooks::attempt::{AttemptFacts, AttemptResult, LEASE_MS, Next};
use crate::webhooks::deliveries::DeliveryState;
use crate::webhooks::secrets::StoredSecret;
use overturn_core::base::open::Unopened;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::webhooks::signature::WebhookSecret;

/// One delivery: a message to one endpoint of a practice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Delivery {
    pub(super) practice_id: PracticeId,
    pub(super) webhook_id: WebhookId,
    /// The message.
    pub(super) id: MessageId,
    /// When it is due by the clock of a sandbox, which is when it is tried; `None` for a live practice.
    pub(super) at: Option<Instant>,
}

impl Delivery {
    /// A step of an attempt, at the instant of the attempt.
    pub(super) fn ctx(&self, ctx: Ctx) -> Ctx {
        match self.at {
            Some(at) => ctx.at(at),
            None => ctx,
        }
    }
}

/// A delivery `d`, as [`Delivery`] reads it.
const DELIVERY: &str = "json_array(d.practice_id, d.webhook_id, d.id, iif(d.sandbox = 0, NULL, d.next_at))";

/// The data for an attempt.
#[derive(Deserialize)]
pub(super) struct Leased {
    /// The URL of the endpoint.
    pub(super) url: String,
    /// The body to send.
    pub(super) body: String,
    attempt: usize,
    /// When the lease ends.
    until: Instant,
    endpoint_active: bool,
    practice_state: String,
    agreement_in_force: bool,
    failing_since: Option<Instant>,
    key_version: KeyVersion,
    sealed: String,
    old: Option<(KeyVersion, String)>,
    data_key: Option<StoredDataKey>,
}

impl Leased {
    /// The part that the rules need.
    pub(super) fn turn(&self) -> AttemptFacts {
        AttemptFacts {
            attempt: self.attempt,
            endpoint_active: self.endpoint_active,
            practice: PracticeState::stored(&self.practice_state),
            agreement_in_force: self.agreement_in_force,
            failing_since: self.failing_since,
        }
    }

    /// The keys that open and seal what belongs to the practice.
    pub(super) fn keys<'k>(&self, practice: PracticeId, keys: &'k Keyring) -> PracticeKeys<'k> {
        keys.of_practice(practice, self.data_key.as_ref())
    }

    /// The signing secrets, newest first.
    ///
    /// # Errors
    ///
    /// [`Unopened::KeyUnavailable`] or [`Unopened::Tampered`] if one cannot be opened.
    pub(super) fn secrets(&self, of: Delivery, keys: &Keyring) -> Result<Vec<WebhookSecret>, Unopened> {
        let (practice, id) = (of.practice_id, of.webhook_id);
        let keys = self.keys(practice, keys);
        let current = StoredSecret { key_version: self.key_version, sealed: self.sealed.clone() };
        let current = current.secret(SealedPlace::WebhookSecret { practice, id }, &keys)?;
        let old = self.old.clone().map(|(key_version, sealed)| {
            let old = StoredSecret { key_version, sealed };
            old.secret(SealedPlace::OldWebhookSecret { practice, id }, &keys)
        });
        Ok([current].into_iter().chain(old.transpose()?).collect())
    }
}

/// The deliveries of messages that are due.
pub(super) fn due_of(practice: PracticeId, messages: &[MessageId], now: Instant) -> Query<Vec<Delivery>> {
    select!(
        "webhooks.due_of",
        "SELECT json_group_array({DELIVERY}) AS json
         FROM practices p CROSS JOIN webhooks w CROSS JOIN json_each({messages}) j CROSS JOIN deliveries d
         WHERE p.id = {practice} AND w.practice_id = {practice} AND d.practice_id = {practice} AND d.webhook_id = w.id
           AND d.id = j.value AND d.state = 'pending' AND d.next_at <= CAST({now} AS INTEGER) + p.clock_ms
           AND coalesce(d.lease_ends, 0) <= CAST({now} AS INTEGER)" [DELIVERY];
        practice, messages = Json(messages), now
    )
    .one()
}

/// Some of the deliveries of a sandbox that are due at an instant of its clock, first those that are due first, and whether
/// each is under way by the real clock `now`.
pub(super) fn first_due(
    practice: PracticeId,
    until: Instant,
    (now, most): (Instant, usize),
) -> Query<Vec<(Delivery, bool)>> {
    select!(
        "webhooks.first_due",
        "SELECT json_group_array(json_array({DELIVERY},
           json(iif(coalesce(d.lease_ends, 0) > CAST({now} AS INTEGER), 'true', 'false')))) AS json FROM (
           SELECT * FROM deliveries WHERE practice_id = {practice} AND sandbox = 1 AND state = 'pending'
             AND next_at <= CAST({until} AS INTEGER)
           ORDER BY next_at, id LIMIT CAST({most} AS INTEGER)) d" [DELIVERY];
        practice, until, now, most
    )
    .or_default()
}

/// Some of the deliveries that are due, of all practices. Those of sandboxes are steps of these.
pub(super) fn due(now: Instant) -> Query<Vec<Delivery>> {
    select!(
        "webhooks.due",
        "SELECT json_group_array({DELIVERY}) AS json FROM (
           SELECT * FROM (
             SELECT practice_id, webhook_id, id, next_at, sandbox,
               row_number() OVER (PARTITION BY practice_id, webhook_id ORDER BY next_at) AS n
             FROM deliveries INDEXED BY deliveries_due WHERE state = 'pending' AND sandbox = 0 AND next_at <= CAST({now} AS INTEGER)
               AND coalesce(lease_ends, 0) <= CAST({now} AS INTEGER)
               AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = deliveries.practice_id))
           WHERE n <= 5 ORDER BY n, next_at LIMIT 500) d" [DELIVERY];
        now
    )
    .one()
}

/// The data for an attempt.
pub(super) fn leased(of: Delivery, now: Instant) -> Query<Option<Leased>> {
    const AGREEMENT: &str = usable!("p.id");
    const DATA_KEY: &str = data_key!("w.practice_id");
    select!(
        "webhooks.leased",
        "SELECT json_object('url', w.url, 'body', d.body, 'attempt', d.attempts, 'until', d.lease_ends,
           'failing_since', w.failing_since,
           'endpoint_active', json(iif(w.state = 'active', 'true', 'false')),
           'practice_state', p.state, 'agreement_in_force', json(iif({AGREEMENT}, 'true', 'false')),
           'key_version', w.key_version, 'sealed', w.sealed, 'data_key', {DATA_KEY},
           'old', iif(w.old_until > CAST({now} AS INTEGER), json_array(w.old_key_version, w.old_sealed), NULL)) AS json
         FROM deliveries d JOIN webhooks w ON w.practice_id = d.practice_id AND w.id = d.webhook_id
           JOIN practices p ON p.id = d.practice_id
         WHERE d.practice_id = {practice} AND d.webhook_id = {webhook} AND d.id = {id}" [AGREEMENT, DATA_KEY];
        practice = of.practice_id, webhook = of.webhook_id, id = of.id, now
    )
    .optional()
}

/// Leases a delivery that is due, by the real clock `now`. The guard fails if the delivery is leased already, or is no longer
/// due. The write then changes nothing, so that a batch that runs twice counts one attempt. A sandbox's clock can jump while
/// an attempt is under way, so it ends no lease.
pub(super) fn lease(of: Delivery, now: Instant) -> (Guard, Write) {
    const FREE: &str = "practice_id = {practice} AND webhook_id = {webhook} AND id = {id} AND state = 'pending'
           AND next_at <= CAST({at} AS INTEGER) AND coalesce(lease_ends, 0) <= CAST({now} AS INTEGER)";
    let at = of.at.unwrap_or(now);
    let Delivery { practice_id: practice, webhook_id: webhook, id, .. } = of;
    let guard = abort_if!(
        Record,
        "NOT EXISTS (SELECT 1 FROM deliveries WHERE {FREE})" [FREE];
        practice, webhook, id, at, now
    );
    let write = sql!(
        "UPDATE deliveries SET attempts = attempts + 1, last_at = {at}, lease_ends = {until} WHERE {FREE}" [FREE];
        practice, webhook, id, at, now, until = now.plus(LEASE_MS)
    );
    (guard, write)
}

/// The attempt still holds its lease: nobody has taken the delivery over, and it has not been sent again by hand.
const HELD: &str = "practice_id = {practice} AND webhook_id = {webhook} AND id = {id} AND state = 'pending'
           AND (lease_ends = {until} OR {state} = 'delivered' AND attempts > CAST({attempt} AS INTEGER))";

/// Records the result of an attempt, and whether the endpoint accepts messages. If a later attempt has begun, only
/// success is recorded. A batch that runs again late changes nothing.
pub(super) fn settle(of: Delivery, held: &Leased, verdict: AttemptResult, now: Instant) -> Vec<Write> {
    let Delivery { practice_id: practice, webhook_id: webhook, id, .. } = of;
    let (until, attempt) = (held.until, held.attempt);
    let (state, next) = match verdict.next {
        Next::Delivered => (DeliveryState::Delivered, None),
        Next::Again(at) => (DeliveryState::Pending, Some(at)),
        Next::Failed => (DeliveryState::Failed, None),
    };
    let endpoint = verdict.of_endpoint.then(|| {
        // The first failure since the last success.
        let failing_since = verdict.failure.map(|_| now);
        sql!(
            "UPDATE webhooks SET failing_since = CAST({failing_since} AS INTEGER)
             WHERE practice_id = {practice} AND id = {webhook}
               AND (failing_since IS NULL) <> ({failing_since} IS NULL)
               AND EXISTS (SELECT 1 FROM deliveries WHERE {HELD})" [HELD];
            practice, webhook, id, state, until, attempt, failing_since
        )
    });
    let settled = sql!(
        "UPDATE deliveries SET state = {state}, next_at = coalesce(CAST({next} AS INTEGER), next_at),
           lease_ends = NULL, last_status = {status}, last_error = {failure}
         WHERE {HELD}" [HELD];
        practice, webhook, id, state, next, status = verdict.status, failure = verdict.failure, until, attempt
    );
    endpoint.into_iter().chain([settled]).collect()
}
