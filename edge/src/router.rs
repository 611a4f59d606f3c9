//! The route table. A path that is not in it is `404`, a method that is not is `405`.

use crate::app::Call;
use crate::error::Refusal;
use crate::handlers::auth::{factors, invitation, magic_link, password, session, sessions};
use crate::handlers::settings::{
    agreements, api_keys, api_tokens, audit, data_jobs, members, practice, webhooks,
};
use crate::handlers::staff::{cases, claims as work, reports, signing as decided};
use crate::handlers::{claims, denials, health, openapi, operations, pages, signing};
use crate::pages::path;
use crate::sign_in_limits::SIGN_IN;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, delete, get, patch, post};
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
    route(SIGN_IN, own, "GET, HEAD, POST");
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
    route("/api/v1/auth/invitation", post(invitation::accept), "POST");
    route("/api/v1/auth/magic_link", post(magic_link::send), "POST");
    route(
        "/api/v1/auth/magic_link/verify",
        post(magic_link::verify),
        "POST",
    );
    route("/api/v1/auth/password", post(password::change), "POST");
    route("/api/v1/auth/password_reset", post(password::send), "POST");
    route(
        "/api/v1/auth/password_reset/confirm",
        post(password::reset),
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
    route(
        "/api/v1/auth/sessions",
        get(sessions::list).delete(sessions::revoke_others),
        "GET, HEAD, DELETE",
    );
    route(
        "/api/v1/auth/sessions/{id}",
        delete(sessions::revoke),
        "DELETE",
    );
    route("/api/v1/claims", post(claims::send), "POST");
    route("/api/v1/claims/status", get(claims::status), "GET, HEAD");
    route("/api/v1/denials", get(denials::list), "GET, HEAD");
    route("/api/v1/denials/{id}", get(denials::show), "GET, HEAD");
    route("/api/v1/openapi.json", get(openapi::claims), "GET, HEAD");
    route(
        "/api/v1/openapi/accounts.json",
        get(openapi::accounts),
        "GET, HEAD",
    );
    route(
        "/api/v1/settings/agreements",
        get(agreements::list).post(agreements::sign),
        "GET, HEAD, POST",
    );
    route(
        "/api/v1/settings/agreements/{id}/end",
        post(agreements::end),
        "POST",
    );
    route(
        "/api/v1/settings/data_jobs",
        get(data_jobs::list).post(data_jobs::request),
        "GET, HEAD, POST",
    );
    route(
        "/api/v1/settings/data_jobs/{id}",
        get(data_jobs::show),
        "GET, HEAD",
    );
    route(
        "/api/v1/settings/data_jobs/{id}/cancel",
        post(data_jobs::cancel),
        "POST",
    );
    route(
        "/api/v1/settings/data_jobs/{id}/records",
        get(data_jobs::records),
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
    route(
        "/api/v1/settings/api_tokens",
        get(api_tokens::list).post(api_tokens::create),
        "GET, HEAD, POST",
    );
    route(
        "/api/v1/settings/api_tokens/{id}",
        delete(api_tokens::revoke),
        "DELETE",
    );
    route(
        "/api/v1/settings/api_tokens/{id}/regenerate",
        post(api_tokens::regenerate),
        "POST",
    );
    route("/api/v1/settings/audit", get(audit::list), "GET, HEAD");
    route(
        "/api/v1/settings/audit/export",
        get(audit::export),
        "GET, HEAD",
    );
    route(
        "/api/v1/settings/audit/verify",
        get(audit::verify),
        "GET, HEAD",
    );
    route(
        "/api/v1/settings/members",
        get(members::list).post(members::invite),
        "GET, HEAD, POST",
    );
    route(
        "/api/v1/settings/members/{id}",
        patch(members::edit).delete(members::remove),
        "DELETE, PATCH",
    );
    route(
        "/api/v1/settings/members/{id}/sessions",
        delete(members::revoke_sessions),
        "DELETE",
    );
    route(
        "/api/v1/settings/practice",
        get(practice::show).patch(practice::edit),
        "GET, HEAD, PATCH",
    );
    route("/api/v1/staff/audit", get(audit::list_staff), "GET, HEAD");
    route(
        "/api/v1/staff/audit/export",
        get(audit::export_staff),
        "GET, HEAD",
    );
    route(
        "/api/v1/staff/audit/verify",
        get(audit::verify_staff),
        "GET, HEAD",
    );
    route("/api/v1/staff/claims", get(work::list), "GET, HEAD");
    route(
        "/api/v1/staff/practices/{practice}/cases",
        get(cases::list).post(cases::open),
        "GET, HEAD, POST",
    );
    route(
        "/api/v1/staff/practices/{practice}/cases/{id}",
        get(cases::show),
        "GET, HEAD",
    );
    route(
        "/api/v1/staff/practices/{practice}/cases/{id}/levels",
        post(cases::begin_level),
        "POST",
    );
    route(
        "/api/v1/staff/practices/{practice}/cases/{id}/levels/{level}",
        patch(cases::edit_level),
        "PATCH",
    );
    route(
        "/api/v1/staff/practices/{practice}/claims/{id}",
        get(work::show),
        "GET, HEAD",
    );
    route(
        "/api/v1/staff/practices/{practice}/claims/{id}/moves",
        post(work::step),
        "POST",
    );
    route(
        "/api/v1/staff/practices/{practice}/claims/{id}/notes",
        post(work::note),
        "POST",
    );
    route(
        "/api/v1/staff/practices/{practice}/claims/{id}/signature",
        get(decided::show),
        "GET, HEAD",
    );
    route(
        "/api/v1/staff/practices/{practice}/claims/{id}/signing",
        post(decided::decide),
        "POST",
    );
    route(
        "/api/v1/staff/practices/{practice}/claims/{id}/signing/link",
        delete(decided::revoke_link),
        "DELETE",
    );
    route(
        "/api/v1/staff/practices/{practice}/claims/{id}/take",
        post(work::take),
        "POST",
    );
    route(
        "/api/v1/staff/practices/{practice}/reports",
        get(reports::list).post(reports::deliver),
        "GET, HEAD, POST",
    );
    route(
        "/api/v1/staff/practices/{practice}/reports/{id}",
        get(reports::show),
        "GET, HEAD",
    );
    let hooks = get(webhooks::list).post(webhooks::create);
    route("/api/v1/settings/webhooks", hooks, "GET, HEAD, POST");
    let hook = get(webhooks::show).patch(webhooks::edit);
    route(
        "/api/v1/settings/webhooks/{id}",
        hook.delete(webhooks::remove),
        "GET, HEAD, PATCH, DELETE",
    );
    route(
        "/api/v1/settings/webhooks/{id}/rotate_secret",
        post(webhooks::rotate_secret),
        "POST",
    );
    route(
        "/api/v1/settings/webhooks/{id}/replay",
        post(webhooks::replay_missed),
        "POST",
    );
    route(
        "/api/v1/settings/webhooks/{id}/deliveries",
        get(webhooks::deliveries),
        "GET, HEAD",
    );
    route(
        "/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}/replay",
        post(webhooks::replay),
        "POST",
    );
    let form = get(pages::show_invitation).post(pages::accept_invitation);
    route(path::INVITATION, form, "GET, HEAD, POST");
    let form = get(pages::show_sign_in).post(pages::sign_in);
    route(path::MAGIC_LINK, form, "GET, HEAD, POST");
    route(path::MAGIC_LINK_CODE, post(pages::enter_code), "POST");
    let form = get(pages::show_reset).post(pages::reset);
    route(path::PASSWORD_RESET, form, "GET, HEAD, POST");
    let form = get(signing::show).post(signing::ask);
    route(path::SIGN, form, "GET, HEAD, POST");
    route(path::SIGNATURE, post(signing::sign), "POST");
    route(path::PAD, get(signing::pad), "GET, HEAD");
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
