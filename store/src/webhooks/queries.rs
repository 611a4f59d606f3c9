//! The queries of a practice's endpoints and their deliveries. `caller` is the hash of the credential, and every query
//! finds the practice by it: an endpoint of another practice gives no row.

use crate::query::Query;
use crate::statement::{count, page, text};
use overturn_core::base::id::{MessageId, WebhookId};
use overturn_core::base::instant::Instant;
use overturn_core::plan::webhooks::message::MessageKind;
use overturn_core::request::page::Page;
use overturn_core::webhooks::deliveries::{DeliveryView, StoredDelivery};
use overturn_core::webhooks::endpoints::WebhookView;
use overturn_core::webhooks::missed::{MISSED_MAX, Missed, first_at};
use overturn_core::webhooks::secrets::StoredSecret;

/// An endpoint `w`, as `webhooks::WebhookView` reads it.
macro_rules! webhook {
    () => {
        "json_object('id', w.id, 'version', w.version, 'url', w.url, 'events', json('[\"' || replace(w.events, ' ', '\",\"') || '\"]'),
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

/// A page of the practice's endpoints.
#[must_use]
pub fn endpoints(caller: &str, of: Page) -> Query<Option<Vec<WebhookView>>> {
    Query::optional(
        "webhooks.endpoints",
        concat!(
            "SELECT json_group_array(",
            webhook!(),
            ") AS json FROM (SELECT * FROM webhooks WHERE practice_id = ",
            of_caller!(),
            " AND state <> 'removed' AND id < ?2 ORDER BY id DESC LIMIT CAST(?3 AS INTEGER)) w"
        ),
        page(caller, of),
    )
}

#[must_use]
pub fn endpoint(caller: &str, id: WebhookId) -> Query<Option<WebhookView>> {
    Query::optional(
        "webhooks.endpoint",
        concat!(
            "SELECT ",
            webhook!(),
            " AS json FROM webhooks w WHERE w.practice_id = ",
            of_caller!(),
            " AND w.id = ?2 AND w.state <> 'removed'"
        ),
        [text(caller), text(id)],
    )
}

#[must_use]
pub fn endpoint_and_secret(caller: &str, id: WebhookId) -> Query<Option<(WebhookView, StoredSecret)>> {
    Query::optional(
        "webhooks.endpoint_and_secret",
        concat!(
            "SELECT json_array(",
            webhook!(),
            ", json_object('key_version', w.key_version, 'sealed', w.sealed)) AS json FROM webhooks w WHERE w.practice_id = ",
            of_caller!(),
            " AND w.id = ?2 AND w.state <> 'removed'"
        ),
        [text(caller), text(id)],
    )
}

/// One endpoint, and how many tests it was sent from an instant on.
#[must_use]
pub fn endpoint_and_tests(caller: &str, id: WebhookId, since: Instant) -> Query<Option<(WebhookView, usize)>> {
    let kind = MessageKind::WebhookTest.name();
    Query::optional(
        "webhooks.endpoint_and_tests",
        concat!(
            "SELECT json_array(",
            webhook!(),
            ", (SELECT count(*) FROM deliveries d WHERE d.practice_id = w.practice_id AND d.webhook_id = w.id
         AND d.id >= ?3 AND d.kind = ?4)) AS json FROM webhooks w WHERE w.practice_id = ",
            of_caller!(),
            " AND w.id = ?2 AND w.state <> 'removed'"
        ),
        [text(caller), text(id), text(first_at(since)), text(kind)],
    )
}

/// How many endpoints the practice has.
#[must_use]
pub fn endpoint_count(caller: &str) -> Query<usize> {
    Query::one(
        "webhooks.endpoint_count",
        concat!(
            "SELECT json(count(*)) AS json FROM webhooks WHERE practice_id = ",
            of_caller!(),
            " AND state <> 'removed'"
        ),
        [text(caller)],
    )
}

/// A page of the deliveries of an endpoint.
#[must_use]
pub fn deliveries(caller: &str, webhook: WebhookId, of: Page) -> Query<Option<Vec<DeliveryView>>> {
    let [caller, after, most] = page(caller, of);
    Query::optional(
        "webhooks.deliveries",
        concat!(
            "SELECT json_group_array(",
            delivery!(),
            ") AS json FROM (SELECT * FROM deliveries WHERE practice_id = ",
            of_caller!(),
            " AND webhook_id = ?4 AND id < ?2 ORDER BY id DESC LIMIT CAST(?3 AS INTEGER)) d
     HAVING EXISTS (SELECT 1 FROM webhooks WHERE practice_id = ",
            of_caller!(),
            " AND id = ?4 AND state <> 'removed')"
        ),
        [caller, after, most, text(webhook)],
    )
}

/// One delivery with its endpoint.
#[must_use]
pub fn delivery(caller: &str, webhook: WebhookId, id: MessageId) -> Query<Option<StoredDelivery>> {
    Query::optional(
        "webhooks.delivery",
        concat!(
            "SELECT json_object('webhook', ",
            webhook!(),
            ", 'delivery', ",
            delivery!(),
            ") AS json FROM webhooks w JOIN deliveries d ON d.practice_id = w.practice_id AND d.webhook_id = w.id
     WHERE w.practice_id = ",
            of_caller!(),
            " AND w.id = ?2 AND w.state <> 'removed' AND d.id = ?3"
        ),
        [text(caller), text(webhook), text(id)],
    )
}

/// An endpoint and the messages that it missed from an instant on, oldest first: at most one more than [`MISSED_MAX`].
#[must_use]
pub fn missed(caller: &str, webhook: WebhookId, since: Instant) -> Query<Option<Missed>> {
    let most = count(MISSED_MAX.saturating_add(1));
    Query::optional(
        "webhooks.missed",
        concat!(
            "SELECT json_object('webhook', ",
            webhook!(),
            ", 'missed', json((SELECT json_group_array(id) FROM (SELECT d.id FROM deliveries d
         WHERE d.practice_id = w.practice_id AND d.webhook_id = w.id AND d.state = 'failed' AND d.id >= ?3
         ORDER BY d.id LIMIT CAST(?4 AS INTEGER))))) AS json
     FROM webhooks w WHERE w.practice_id = ",
            of_caller!(),
            " AND w.id = ?2 AND w.state <> 'removed'"
        ),
        [text(caller), text(webhook), text(first_at(since)), most],
    )
}
