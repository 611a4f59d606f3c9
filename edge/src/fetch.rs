//! Requests to OpenID Connect providers and to the DNS resolver, with limits on size and time. Redirects are not followed:
//! the address is configured, and could otherwise lead anywhere.

use crate::platform;
use futures_util::StreamExt;
use std::time::Duration;
use worker::wasm_bindgen::JsValue;
use worker::{
    AbortController, Fetch, Headers, Method, Request, RequestInit, RequestRedirect, Response,
};

/// The user agent.
const AGENT: &str = "Overturn/1.0";

/// How long the other service may take for a whole answer.
const TIME_OUT: Duration = Duration::from_secs(5);

/// The most bytes of an answer.
const BODY_MAX: usize = 64 * 1024;

/// The other service did not answer as it should. The cause stays out: its text could repeat a secret.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FetchError {
    /// The address cannot be requested.
    Address,
    /// It is away, or the connection broke.
    Away,
    /// It took too long.
    Slow,
    /// The answer is too large.
    TooLarge,
}

/// The media type of JSON.
pub(crate) const JSON: &str = "application/json";

/// An answer: its status and its body.
pub(crate) type Fetched = (u16, Vec<u8>);

/// Gets a document of a media type.
pub(crate) async fn get(url: &str, accept: &str) -> Result<Fetched, FetchError> {
    fetch(url, Method::Get, &[("accept", accept)], None).await
}

/// Posts a form. `authorization` is the value of that header, if it has one.
pub(crate) async fn post(
    url: &str,
    authorization: Option<&str>,
    form: &str,
) -> Result<Fetched, FetchError> {
    let kinds = [
        ("accept", JSON),
        ("content-type", "application/x-www-form-urlencoded"),
    ];
    let authorization = authorization.map(|value| ("authorization", value));
    let headers: Vec<_> = kinds.into_iter().chain(authorization).collect();
    fetch(url, Method::Post, &headers, Some(form)).await
}

async fn fetch(
    url: &str,
    method: Method,
    headers: &[(&str, &str)],
    body: Option<&str>,
) -> Result<Fetched, FetchError> {
    let request = request(url, method, headers, body).map_err(|_| FetchError::Address)?;
    let abort = AbortController::default();
    let signal = abort.signal();
    let answer = async {
        let fetch = Fetch::Request(request);
        let response = fetch.send_with_signal(&signal).await;
        read(response.map_err(|_| FetchError::Away)?).await
    };
    let answer = platform::within(TIME_OUT, answer).await;
    // Ends a hanging request, and drops the rest of an answer.
    abort.abort();
    answer.unwrap_or(Err(FetchError::Slow))
}

async fn read(mut response: Response) -> Result<Fetched, FetchError> {
    let status = response.status_code();
    let mut body = Vec::new();
    let Ok(mut stream) = response.stream() else {
        return Ok((status, body));
    };
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| FetchError::Away)?;
        if body.len().saturating_add(chunk.len()) > BODY_MAX {
            return Err(FetchError::TooLarge);
        }
        body.extend(chunk);
    }
    Ok((status, body))
}

fn request(
    url: &str,
    method: Method,
    headers: &[(&str, &str)],
    body: Option<&str>,
) -> worker::Result<Request> {
    let set = Headers::new();
    set.set("user-agent", AGENT)?;
    for (name, value) in headers {
        set.set(name, value)?;
    }
    let mut init = RequestInit::new();
    init.with_method(method)
        .with_headers(set)
        .with_redirect(RequestRedirect::Manual)
        .with_body(body.map(JsValue::from_str));
    Request::new_with_init(url, &init)
}
