//! Telling endpoints: the statements of one attempt, and what they read.
//!
//! Whoever leases a delivery has it for themselves until the lease ends, so nothing is told twice at once; and since the
//! lease ends by itself, nothing is left behind where its holder dies.

use super::json::json;
use super::sql::deliveries as sql;
use super::{Param, Statement, count, optional, text};
use crate::keyring::Keyring;
use overturn_core::ctx::Instant;
use overturn_core::denied::Denied;
use overturn_core::id::{MessageId, PracticeId, WebhookId};
use overturn_core::identity::KeyVersion;
use overturn_core::practice::State;
use overturn_core::role::Role;
use overturn_core::sealed::{Place, StoredDataKey};
use overturn_core::settings::webhooks::StoredSecret;
use overturn_core::webhook::attempt::{KEPT_MS, LEASE_MS, MISSED_MS, Next, Turn, Verdict};
use overturn_core::webhook::secret::WebhookSecret;
use serde::Deserialize;

/// One delivery: a message to one endpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Delivery {
    /// Whose endpoint.
    pub practice_id: PracticeId,
    /// The endpoint.
    pub webhook_id: WebhookId,
    /// The message.
    pub id: MessageId,
}

/// What it takes to tell a delivery.
#[derive(Deserialize)]
pub struct Leased {
    /// Where to.
    pub url: String,
    /// What.
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
    /// As far as the rules see it.
    #[must_use]
    pub fn turn(&self) -> Turn {
        Turn {
            attempt: self.attempt,
            endpoint_active: self.endpoint_active,
            practice: State::parse(&self.practice_state),
            agreement_in_force: self.agreement_in_force,
            failing_since: self.failing_since,
        }
    }

    /// The secrets to sign with, the newest first.
    ///
    /// # Errors
    ///
    /// [`Denied::KeyUnavailable`] or [`Denied::Tampered`] where one cannot be opened.
    pub fn secrets(&self, of: Delivery, keys: &Keyring) -> Result<Vec<WebhookSecret>, Denied> {
        let (practice, id) = (of.practice_id, of.webhook_id);
        let keys = keys.of_practice(practice, self.data_key.as_ref());
        let current = StoredSecret {
            key_version: self.key_version,
            sealed: self.sealed.clone(),
        };
        let current = current.secret(Place::WebhookSecret { practice, id }, &keys)?;
        let old = self.old.clone().map(|(key_version, sealed)| {
            let old = StoredSecret {
                key_version,
                sealed,
            };
            old.secret(Place::OldWebhookSecret { practice, id }, &keys)
        });
        Ok([current].into_iter().chain(old.transpose()?).collect())
    }
}

/// Reads the deliveries of messages that are due.
#[must_use]
pub fn due_of(practice: PracticeId, messages: &[MessageId], now: Instant) -> Statement {
    let messages = Param::Text(json(&messages));
    Statement::new(
        sql::DUE_OF_MESSAGES,
        [text(practice), messages, Param::Int(now.0)],
    )
}

/// Reads some of the deliveries that are due, of whatever practice.
#[must_use]
pub fn due(now: Instant) -> Statement {
    Statement::new(sql::DUE, [Param::Int(now.0)])
}

/// Leases a delivery and reads it. It is leased where the first statement changed a row.
#[must_use]
pub fn lease(of: Delivery, now: Instant) -> [Statement; 2] {
    let [practice, webhook, id] = place(of);
    let at = Param::Int(now.0);
    let until = Param::Int(now.plus(LEASE_MS).0);
    let read = [practice.clone(), webhook.clone(), id.clone(), at.clone()];
    [
        Statement::new(sql::LEASE, [practice, webhook, id, at, until]),
        Statement::new(sql::LEASED, read),
    ]
}

/// Writes down what came of an attempt.
#[must_use]
pub fn settle(of: Delivery, turn: Turn, verdict: Verdict, now: Instant) -> Vec<Statement> {
    let [practice, webhook, id] = place(of);
    let (state, next) = match verdict.next {
        Next::Delivered => ("delivered", Param::Null),
        Next::Again(at) => ("pending", Param::Int(at.0)),
        Next::Failed => ("failed", Param::Null),
    };
    let status = verdict
        .status
        .map_or(Param::Null, |status| Param::Int(status.into()));
    let failure = optional(verdict.failure.map(|why| why.name()));
    let attempt = count(turn.attempt);
    let endpoint = verdict.of_endpoint.then(|| {
        let of = [practice.clone(), webhook.clone()];
        match verdict.failure {
            None => Statement::new(sql::ENDPOINT_WORKS, of),
            Some(_) => {
                let params = [&of[..], &[Param::Int(now.0)]].concat();
                Statement::new(sql::ENDPOINT_FAILS, params)
            }
        }
    });
    let params = [
        practice,
        webhook,
        id,
        text(state),
        next,
        status,
        failure,
        attempt,
    ];
    let delivery = Statement::new(sql::SETTLE, params);
    [delivery].into_iter().chain(endpoint).collect()
}

/// Removes some of what nobody looks at any more: what is done with, and what a switched-off endpoint has missed.
#[must_use]
pub fn forget(now: Instant) -> [Statement; 2] {
    let before = |kept: i64| [Param::Int(now.plus(kept.saturating_neg()).0)];
    [
        Statement::new(sql::FORGET_DELIVERIES, before(KEPT_MS)),
        Statement::new(sql::FORGET_MISSED, before(MISSED_MS)),
    ]
}

/// Reads the addresses of a practice's people of these roles.
#[must_use]
pub fn addresses(practice: PracticeId, roles: &[Role]) -> Statement {
    let roles: Vec<&str> = roles.iter().map(|role| role.name()).collect();
    Statement::new(sql::ADDRESSES, [text(practice), Param::Text(json(&roles))])
}

fn place(of: Delivery) -> [Param; 3] {
    [text(of.practice_id), text(of.webhook_id), text(of.id)]
}
