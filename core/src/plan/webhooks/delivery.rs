//! Deliveries: a message to one endpoint, and the result of each attempt.

use crate::base::id::{MessageId, PracticeId, WebhookId};
use crate::base::instant::Instant;
use crate::base::names::names;
use serde::Deserialize;

/// One delivery: a message to one endpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Delivery {
    /// The practice of the endpoint.
    pub practice_id: PracticeId,
    pub webhook_id: WebhookId,
    /// The message.
    pub id: MessageId,
}

names! {
    /// Why an attempt failed, or was not made.
    Failure {
        /// The endpoint took too long.
        TimedOut = "timed_out",
        /// There was no connection, or it broke.
        NotConnected = "not_connected",
        /// The endpoint answered with a redirect, which is not followed.
        Redirected = "redirected",
        /// The endpoint answered with a status that is not success.
        Refused = "refused",
        /// The endpoint is disabled or was removed.
        EndpointInactive = "endpoint_inactive",
        /// The practice is not active.
        PracticeInactive = "practice_inactive",
        /// The practice's agreement is not in force.
        AgreementEnded = "agreement_ended",
        /// The secret cannot be read.
        NoSecret = "no_secret",
        /// The attempt was interrupted, again and again.
        Interrupted = "interrupted",
    }
}

names! {
    DeliveryState {
        /// Another attempt follows.
        Pending = "pending",
        /// The endpoint took the message.
        Delivered = "delivered",
        /// No other attempt follows.
        Failed = "failed",
    }
}

/// What follows an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The endpoint took the message.
    Delivered,
    /// The next attempt is at this instant.
    Again(Instant),
    /// There is no other attempt.
    Failed,
}

/// A dispatcher takes a delivery for an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeliveryLease {
    pub delivery: Delivery,
    /// Until this instant no other dispatcher takes it.
    pub until: Instant,
}

/// The result of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SettledAttempt {
    pub delivery: Delivery,
    /// The number of the attempt, from 1. If a later attempt has begun, only success is written.
    pub attempt: usize,
    /// What follows.
    pub next: Next,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// Why the endpoint did not accept the message.
    pub failure: Option<Failure>,
}
