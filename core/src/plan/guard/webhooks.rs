//! What must hold of endpoints and the messages to them when a batch runs.

use crate::base::id::{PracticeId, WebhookId};
use crate::base::instant::Instant;
use crate::plan::webhooks::delivery::Delivery;
use crate::plan::webhooks::endpoint::WebhookState;
use alloc::string::String;

/// What must hold of endpoints and the messages to them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WebhooksGuard {
    /// The delivery is due, and no dispatcher has leased it.
    Due(Delivery),
    /// The practice has fewer endpoints than this.
    FewerThan {
        /// The practice.
        practice: PracticeId,
        /// How many.
        most: usize,
    },
    /// The endpoint is as it was read.
    AsRead {
        /// The practice.
        practice_id: PracticeId,
        /// The endpoint.
        id: WebhookId,
        /// Where it is.
        url: String,
        /// The names of what it is told.
        events: String,
        /// Whether it is told anything.
        state: WebhookState,
        /// When the secret before the last rotation ends.
        old_until: Option<Instant>,
    },
    /// The endpoint is in use.
    Active {
        /// The practice.
        practice: PracticeId,
        /// The endpoint.
        webhook: WebhookId,
    },
}
