//! The request to an endpoint.

use super::attempt::{Failure, Outcome, TIME_OUT_MS};
use crate::app::App;
use crate::host::{FetchError, Outgoing};
use http::Method;
use http::header::{CONTENT_TYPE, HeaderName, USER_AGENT};
use overturn_core::base::id::MessageId;
use overturn_core::webhooks::schedule::EndpointAnswer;
use overturn_core::webhooks::signature::{self, WebhookSecret};
use std::time::Duration;

/// The user agent.
const AGENT: &str = "Overturn-Webhooks/1.0";

const ID: HeaderName = HeaderName::from_static("webhook-id");
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// Posts a signed body. It reads only the answer's status and `Retry-After`, and follows no redirect: an allowed URL
/// could lead to one that is not allowed.
pub(super) async fn post(app: &App, url: &str, body: &str, id: MessageId, secrets: &[WebhookSecret]) -> Outcome {
    let now = app.host.now();
    let id_text = id.to_string();
    let seconds = signature::seconds(now).to_string();
    let signatures = signature::signatures(secrets, id, now, body);
    let fetched = app.host.outbound.fetch(Outgoing {
        url,
        method: Method::POST,
        headers: vec![
            (CONTENT_TYPE, "application/json"),
            (USER_AGENT, AGENT),
            (ID, &id_text),
            (TIMESTAMP, &seconds),
            (SIGNATURE, &signatures),
        ],
        body: Some(body),
        body_max: None,
    });
    let time_out = Duration::from_millis(TIME_OUT_MS.unsigned_abs());
    match app.host.within(time_out, fetched).await {
        Some(Ok(answer)) => {
            let retry_after = answer.retry_after.as_deref();
            Outcome::Answered(EndpointAnswer {
                status: answer.status,
                retry_after: retry_after.and_then(|text| text.trim().parse().ok()),
            })
        }
        None | Some(Err(FetchError::Slow)) => Outcome::Failed(Failure::TimedOut),
        Some(Err(_)) => Outcome::Failed(Failure::NotConnected),
    }
}
