//! Delivery attempts: the statements of one attempt, and its queries.
//!
//! A lease gives one caller a delivery until the lease ends, so nothing is delivered twice at the same time. The lease
//! ends on its own, so a crash of its holder leaves nothing behind.

use crate::json::json;
use crate::keyring::Keyring;
use crate::query::Query;
use crate::statement::{Param, text};
use overturn_core::auth::disclosure::PracticeState;
use overturn_core::auth::role::Role;
use overturn_core::base::id::{MessageId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use overturn_core::plan::webhooks::Delivery;
use overturn_core::plan::webhooks::secret::WebhookSecret;
use overturn_core::request::error::RequestError;
use overturn_core::webhooks::attempt::AttemptFacts;
use overturn_core::webhooks::secrets::StoredSecret;
use serde::Deserialize;

/// The data for an attempt.
#[derive(Deserialize)]
pub struct Leased {
    /// The URL of the endpoint.
    pub url: String,
    /// The body to send.
    pub body: String,
    attempt: usize,
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
    #[must_use]
    pub fn turn(&self) -> AttemptFacts {
        AttemptFacts {
            attempt: self.attempt,
            endpoint_active: self.endpoint_active,
            practice: PracticeState::stored(&self.practice_state),
            agreement_in_force: self.agreement_in_force,
            failing_since: self.failing_since,
        }
    }

    /// The signing secrets, newest first.
    ///
    /// # Errors
    ///
    /// [`RequestError::KeyUnavailable`] or [`RequestError::Tampered`] if one cannot be opened.
    pub fn secrets(&self, of: Delivery, keys: &Keyring) -> Result<Vec<WebhookSecret>, RequestError> {
        let (practice, id) = (of.practice_id, of.webhook_id);
        let keys = keys.of_practice(practice, self.data_key.as_ref());
        let current = StoredSecret { key_version: self.key_version, sealed: self.sealed.clone() };
        let current = current.secret(SealedPlace::WebhookSecret { practice, id }, &keys)?;
        let old = self.old.clone().map(|(key_version, sealed)| {
            let old = StoredSecret { key_version, sealed };
            old.secret(SealedPlace::OldWebhookSecret { practice, id }, &keys)
        });
        Ok([current].into_iter().chain(old.transpose()?).collect())
    }
}

/// Reads the deliveries of messages that are due.
#[must_use]
pub fn due_of(practice: PracticeId, messages: &[MessageId], now: Instant) -> Query<Vec<Delivery>> {
    let messages = Param::Text(json(&messages));
    Query::one(
        "webhooks.due_of",
        "SELECT json_group_array(json_array(d.practice_id, d.webhook_id, d.id)) AS json
     FROM webhooks w CROSS JOIN json_each(?2) j CROSS JOIN deliveries d
     WHERE w.practice_id = ?1 AND d.practice_id = ?1 AND d.webhook_id = w.id AND d.id = j.value AND d.state = 'pending'
       AND d.next_at <= CAST(?3 AS INTEGER)",
        [text(practice), messages, Param::Int(now.0)],
    )
}

/// Reads some of the deliveries that are due, of all practices.
#[must_use]
pub fn due(now: Instant) -> Query<Vec<Delivery>> {
    Query::one(
        "webhooks.due",
        "SELECT json_group_array(json_array(practice_id, webhook_id, id)) AS json FROM (
       SELECT * FROM (
         SELECT practice_id, webhook_id, id, next_at,
           row_number() OVER (PARTITION BY practice_id, webhook_id ORDER BY next_at) AS n
         FROM deliveries WHERE state = 'pending' AND next_at <= CAST(?1 AS INTEGER))
       WHERE n <= 5 ORDER BY n, next_at LIMIT 500)",
        [Param::Int(now.0)],
    )
}

/// The data for an attempt.
#[must_use]
pub fn leased(of: Delivery, now: Instant) -> Query<Option<Leased>> {
    let [practice, webhook, id] = super::place(of);
    Query::optional(
        "webhooks.leased",
        concat!(
            "SELECT json_object('url', w.url, 'body', d.body, 'attempt', d.attempts, 'failing_since', w.failing_since,
       'endpoint_active', json(iif(w.state = 'active', 'true', 'false')),
       'practice_state', p.state, 'agreement_in_force', json(iif(",
            agreement!("p.id"),
            ", 'true', 'false')),
       'key_version', w.key_version, 'sealed', w.sealed, 'data_key', ",
            data_key!("w.practice_id"),
            ",
       'old', iif(w.old_until > CAST(?4 AS INTEGER), json_array(w.old_key_version, w.old_sealed), NULL)) AS json
     FROM deliveries d JOIN webhooks w ON w.practice_id = d.practice_id AND w.id = d.webhook_id
       JOIN practices p ON p.id = d.practice_id
     WHERE d.practice_id = ?1 AND d.webhook_id = ?2 AND d.id = ?3"
        ),
        [practice, webhook, id, Param::Int(now.0)],
    )
}

/// Reads the addresses of a practice's people with these roles.
#[must_use]
pub fn addresses(practice: PracticeId, roles: &[Role]) -> Query<Vec<String>> {
    let roles: Vec<&str> = roles.iter().map(|role| role.name()).collect();
    Query::one(
        "webhooks.addresses",
        "SELECT json_group_array(email) AS json FROM users
     WHERE practice_id = ?1 AND state = 'active' AND role IN (SELECT value FROM json_each(?2))",
        [text(practice), Param::Text(json(&roles))],
    )
}
