//! Conditions on endpoints and their messages.

use crate::base::id::{PracticeId, WebhookId};
use crate::plan::webhooks::delivery::Delivery;

/// A condition on endpoints and their messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WebhooksGuard {
    /// The delivery is due, and no dispatcher has leased it.
    Due(Delivery),
    /// The practice has fewer than `most` endpoints.
    FewerThan {
        practice: PracticeId,
        /// The number.
        most: usize,
    },
    /// The endpoint is active.
    Active { practice: PracticeId, webhook: WebhookId },
}
