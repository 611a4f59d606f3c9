//! The request to an endpoint.

use crate::platform;
use overturn_core::base::id::MessageId;
use overturn_core::plan::webhooks::Failure;
use overturn_core::plan::webhooks::secret::{self, WebhookSecret};
use overturn_core::webhooks::attempt::{Outcome, TIME_OUT_MS};
use std::time::Duration;
use worker::wasm_bindgen::JsValue;
use worker::{AbortController, Fetch, Headers, Method, Request, RequestInit, RequestRedirect};

/// The user agent.
const AGENT: &str = "Overturn-Webhooks/1.0";

/// Posts a signed body. It reads only the answer's status and `Retry-After`, and follows no redirect: an allowed URL
/// could lead to one that is not allowed.
pub(super) async fn post(
    url: &str,
    body: &str,
    id: MessageId,
    secrets: &[WebhookSecret],
) -> Outcome {
    let Ok(request) = request(url, body, id, secrets) else {
        return Outcome::Failed(Failure::NotConnected);
    };
    let abort = AbortController::default();
    let signal = abort.signal();
    let time_out = Duration::from_millis(TIME_OUT_MS.unsigned_abs());
    let fetch = Fetch::Request(request);
    let answer = platform::within(time_out, fetch.send_with_signal(&signal)).await;
    let outcome = match answer {
        Some(Ok(response)) => {
            let retry_after = response.headers().get("retry-after").ok().flatten();
            Outcome::Answered {
                status: response.status_code(),
                retry_after: retry_after.and_then(|text| text.trim().parse().ok()),
            }
        }
        Some(Err(_)) => Outcome::Failed(Failure::NotConnected),
        None => Outcome::Failed(Failure::TimedOut),
    };
    // Ends a hanging request, and drops the rest of an answer.
    abort.abort();
    outcome
}

fn request(
    url: &str,
    body: &str,
    id: MessageId,
    secrets: &[WebhookSecret],
) -> worker::Result<Request> {
    let now = platform::now();
    let headers = Headers::new();
    headers.set("content-type", "application/json")?;
    headers.set("user-agent", AGENT)?;
    headers.set("webhook-id", &id.to_string())?;
    headers.set("webhook-timestamp", &secret::seconds(now).to_string())?;
    let signatures = secret::signatures(secrets, id, now, body);
    headers.set("webhook-signature", &signatures)?;
    let mut init = RequestInit::new();
    init.with_method(Method::Post)
        .with_headers(headers)
        .with_redirect(RequestRedirect::Manual)
        .with_body(Some(JsValue::from_str(body)));
    Request::new_with_init(url, &init)
}
