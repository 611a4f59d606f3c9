//! Requests to other services by HTTP: identity providers, and resolvers of domains.

use crate::app::App;
use crate::host::{FetchError, Fetched, Outgoing, Wanted};
use http::Method;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, USER_AGENT};
use std::time::Duration;

/// The user agent.
const AGENT: &str = "Overturn/1.0";

/// How long the other service may take for a whole answer.
const TIME_OUT: Duration = Duration::from_secs(5);

/// The most bytes of an answer.
const BODY_MAX: usize = 64 * 1024;

/// The media type of JSON.
pub(crate) const JSON: &str = "application/json";

/// Gets a document of a media type.
pub(crate) async fn get(app: &App, url: &str, accept: &str) -> Result<Fetched, FetchError> {
    fetch(app, url, Method::GET, &[(ACCEPT, accept)], None).await
}

/// Posts a form. `authorization` is the value of that header, if it has one.
pub(crate) async fn post(app: &App, url: &str, authorization: Option<&str>, form: &str) -> Result<Fetched, FetchError> {
    let kinds = [(ACCEPT, JSON), (CONTENT_TYPE, "application/x-www-form-urlencoded")];
    let authorization = authorization.map(|value| (AUTHORIZATION, value));
    let headers: Vec<_> = kinds.into_iter().chain(authorization).collect();
    fetch(app, url, Method::POST, &headers, Some(form)).await
}

async fn fetch(
    app: &App,
    url: &str,
    method: Method,
    headers: &[(HeaderName, &str)],
    body: Option<&str>,
) -> Result<Fetched, FetchError> {
    let agent = (USER_AGENT, AGENT);
    let fetched = app.host.outbound.fetch(Outgoing {
        url,
        method,
        headers: [agent].into_iter().chain(headers.iter().cloned()).collect(),
        body,
        wanted: Wanted::Whole(BODY_MAX),
    });
    let answer = app.host.within(TIME_OUT, fetched).await;
    answer.unwrap_or(Err(FetchError::Slow))
}
