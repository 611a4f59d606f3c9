//! The route table. A path that is not in it is `404`, a method that is not is `405`.

use crate::app::Call;
use crate::error::Refusal;
use crate::handlers::auth::{factors, session};
use crate::handlers::settings::api_keys;
use crate::handlers::{claims, health, openapi, operations};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, delete, get, post};
use std::sync::Arc;
use tower_service::Service;

/// Method, path and handler of every route.
fn table() -> Router {
    let mut router = Router::new();
    let mut route = |path: &'static str, methods: MethodRouter, allow: &'static str| {
        let refused = move || async move { Refusal::NoMethod(allow) };
        let named = axum::middleware::map_request(move |request: Request| name(path, request));
        router = std::mem::take(&mut router).route(path, methods.fallback(refused).layer(named));
    };
    let own = get(session::show).post(session::sign_in);
    route("/api/v1/auth/session", own, "GET, HEAD, POST");
    route(
        "/api/v1/auth/session/2fa",
        post(session::second_factor),
        "POST",
    );
    route(
        "/api/v1/auth/session/logout",
        post(session::sign_out),
        "POST",
    );
    route("/api/v1/auth/2fa/totp", post(factors::begin), "POST");
    route(
        "/api/v1/auth/2fa/totp/confirm",
        post(factors::confirm),
        "POST",
    );
    route(
        "/api/v1/auth/2fa/recovery_codes",
        post(factors::renew_codes),
        "POST",
    );
    route("/api/v1/claims", post(claims::send), "POST");
    route("/api/v1/claims/status", get(claims::status), "GET, HEAD");
    route("/api/v1/openapi.json", get(openapi::claims), "GET, HEAD");
    route(
        "/api/v1/openapi/accounts.json",
        get(openapi::accounts),
        "GET, HEAD",
    );
    route(
        "/api/v1/settings/api_keys",
        get(api_keys::list).post(api_keys::create),
        "GET, HEAD, POST",
    );
    route(
        "/api/v1/settings/api_keys/{id}",
        delete(api_keys::revoke),
        "DELETE",
    );
    route("/health", get(health::show), "GET, HEAD");
    route("/operations/reseal", post(operations::reseal), "POST");
    router.fallback(|| async { Refusal::NoRoute })
}

/// The log names a route by its pattern, never by the path that was asked for.
async fn name(path: &'static str, request: Request) -> Request {
    if let Some(call) = request.extensions().get::<Arc<Call>>() {
        call.trace.facts().route = Some(path);
    }
    request
}

thread_local! {
    /// Built once an isolate.
    static ROUTER: Router = table();
}

/// Answers a request.
pub(crate) async fn call(request: axum::http::Request<Body>) -> Response {
    let mut router = ROUTER.with(Clone::clone);
    match router.call(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
    .into_response()
}
