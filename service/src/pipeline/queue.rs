//! The queue for sending messages at once.

use crate::app::App;
use crate::call::Call;
use crate::host::QueueMessage;
use crate::plan::Write;
use overturn_core::base::id::{MessageId, PracticeId};
use serde_json::json;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

/// Announces the webhook messages of a change, after the answer.
pub(crate) fn announce(call: &Call, writes: &[Write]) {
    writes.iter().flat_map(told).for_each(|told| tell(call, told));
}

/// Announces messages after the answer.
pub(crate) fn tell(call: &Call, told: QueueMessage) {
    let app = Rc::clone(&call.app);
    call.background.go_on(Box::pin(async move { send(&app, told, 0).await }));
}

/// The queue messages about a write, one for each practice.
fn told(write: &Write) -> Vec<QueueMessage> {
    let Write::Messages(messages) = write else {
        return Vec::new();
    };
    let mut practices: BTreeMap<PracticeId, Vec<MessageId>> = BTreeMap::new();
    for message in messages {
        let of_practice = practices.entry(message.practice_id).or_default();
        of_practice.push(message.id);
    }
    let told = practices.into_iter();
    told.map(|(practice_id, messages)| QueueMessage { practice_id, messages }).collect()
}

/// Puts a message on the queue with a delay. If the queue fails, the sweep finds the due deliveries.
pub(crate) async fn send(app: &App, told: QueueMessage, delay_seconds: u32) {
    let delay = Duration::from_secs(delay_seconds.into());
    if app.host.webhooks.send(&told, delay).await.is_err() {
        log::error!("{}", json!({ "event": "not_queued" }));
    }
}
