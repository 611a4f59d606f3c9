//! The request to an endpoint.

use super::attempt::{Failure, Outcome, TIME_OUT_MS};
use crate::app::App;
use crate::host::{FetchError, Outgoing, START, Wanted};
use http::{HeaderName, Method};
use overturn_core::base::id::MessageId;
use overturn_core::base::instant::Instant;
use overturn_core::webhooks::schedule::EndpointAnswer;
use overturn_core::webhooks::signature::{self, WebhookSecret};
use std::time::Duration;

/// The most characters of an answer that are kept.
pub(super) const TEXT_MAX: usize = 1000;
/// The most bytes of so many characters.
const BYTES_MAX: usize = TEXT_MAX * 4;

/// What was sent, and what came of it. `Debug` does not print the answer's text.
pub(super) struct Posted {
    /// When it was sent and signed.
    pub(super) at: Instant,
    pub(super) signatures: String,
    pub(super) took_ms: i64,
    pub(super) outcome: Outcome,
    /// The beginning of the answer. It may hold anything.
    pub(super) text: String,
}

/// Posts a signed body. Only the status and `Retry-After` of the answer count. It follows no redirect: an allowed URL could
/// lead to one that is not allowed.
pub(super) async fn post(app: &App, url: &str, body: &str, id: MessageId, secrets: &[WebhookSecret]) -> Posted {
    let at = app.host.now();
    let signatures = signature::signatures(secrets, id, at, body);
    let headers = signature::headers(id, at, signatures.clone());
    let fetched = app.host.outbound.fetch(Outgoing {
        url,
        method: Method::POST,
        headers: headers.iter().map(|(name, value)| (HeaderName::from_static(name), &**value)).collect(),
        body: Some(body),
        wanted: Wanted::Start(BYTES_MAX),
    });
    // A status in time counts, also if the body is slow.
    let time_out = Duration::from_millis(TIME_OUT_MS.unsigned_abs()).saturating_add(START);
    let fetched = app.host.within(time_out, fetched).await;
    let took_ms = app.host.now().since(at);
    let (outcome, text) = match fetched {
        Some(Ok(answer)) => {
            let retry_after = answer.retry_after.as_deref().and_then(|text| text.trim().parse().ok());
            (Outcome::Answered(EndpointAnswer { status: answer.status, retry_after }), beginning(&answer.body))
        }
        None | Some(Err(FetchError::Slow)) => (Outcome::Failed(Failure::TimedOut), String::new()),
        Some(Err(_)) => (Outcome::Failed(Failure::NotConnected), String::new()),
    };
    Posted { at, signatures, took_ms, outcome, text }
}

/// The first characters of a body. Bytes that are no UTF-8 become a replacement character.
fn beginning(body: &[u8]) -> String {
    String::from_utf8_lossy(body).chars().take(TEXT_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_characters_are_kept_of_any_bytes() {
        assert_eq!(beginning(b"ok"), "ok");
        assert_eq!(beginning("\u{1f600}".repeat(1001).as_bytes()).chars().count(), 1000);
        assert_eq!(beginning(&[0xff; 4000]), "\u{fffd}".repeat(1000));
        assert_eq!(beginning(b"a\0b\xc3"), "a\0b\u{fffd}");
    }
}
