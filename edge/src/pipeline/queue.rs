//! The queue for sending messages at once.

use crate::app::App;
use crate::call::Call;
use overturn_core::base::id::{MessageId, PracticeId};
use overturn_core::plan::{ClaimsWrite, WebhooksWrite, Write};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use worker::MessageBuilder;

/// A queue message: where to look for due deliveries.
#[derive(Serialize, Deserialize)]
pub(crate) struct QueueMessage {
    pub(crate) practice_id: PracticeId,
    pub(crate) messages: Vec<MessageId>,
}

/// Announces the webhook messages of a change, after the answer.
pub(crate) fn announce(call: &Call, writes: &[Write<'_>]) {
    let told = writes.iter().filter_map(|write| match write {
        Write::Webhooks(WebhooksWrite::Messages(messages)) => {
            messages.first().map(|first| QueueMessage {
                practice_id: first.practice_id,
                messages: messages.iter().map(|message| message.id).collect(),
            })
        }
        Write::Webhooks(WebhooksWrite::Replayed {
            practice: practice_id,
            webhook: _,
            message: id,
        }) => Some(QueueMessage {
            practice_id: *practice_id,
            messages: vec![*id],
        }),
        Write::Webhooks(WebhooksWrite::MissedReplayed {
            practice: practice_id,
            webhook: _,
            messages,
        }) => Some(QueueMessage {
            practice_id: *practice_id,
            messages: messages.clone(),
        }),
        Write::Claims(ClaimsWrite::Fills(fills)) => {
            let messages: Vec<_> = fills.messages().collect();
            (!messages.is_empty()).then_some(QueueMessage {
                practice_id: fills.caller.practice_id,
                messages,
            })
        }
        _ => None,
    });
    for told in told {
        let app = Arc::clone(&call.app);
        call.context
            .wait_until(async move { send(&app, told, 0).await });
    }
}

/// Puts a message on the queue with a delay. If the queue fails, the sweep finds the due deliveries.
pub(crate) async fn send(app: &App, told: QueueMessage, delay_seconds: u32) {
    let message = MessageBuilder::new(told)
        .delay_seconds(delay_seconds)
        .build();
    if app.webhooks.send(message).await.is_err() {
        worker::console_error!("{}", json!({ "event": "not_queued" }));
    }
}
