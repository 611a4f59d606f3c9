//! Conditions on endpoints and their messages.

use crate::base::id::{PracticeId, WebhookId};
use crate::base::instant::Instant;
use crate::plan::webhooks::delivery::Delivery;
use crate::plan::webhooks::endpoint::WebhookState;
use alloc::string::String;

/// A condition on endpoints and their messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WebhooksGuard {
    /// The delivery is due, and no dispatcher has leased it.
    Due(Delivery),
    /// The practice has fewer than `most` endpoints.
    FewerThan {
        /// The practice.
        practice: PracticeId,
        /// The number.
        most: usize,
    },
    /// The endpoint is unchanged since it was read.
    AsRead {
        /// The practice.
        practice_id: PracticeId,
        /// The endpoint.
        id: WebhookId,
        /// Its URL.
        url: String,
        /// The names of its events.
        events: String,
        /// Its state.
        state: WebhookState,
        /// When the old secret of a rotation ends.
        old_until: Option<Instant>,
    },
    /// The endpoint is active.
    Active {
        /// The practice.
        practice: PracticeId,
        /// The endpoint.
        webhook: WebhookId,
    },
}
