//! Converts the platform's request for the router, and the response back, with the headers of every response.

use crate::app::App;
use crate::call::Call;
use crate::db::Db;
use crate::error::AppError;
use crate::head::Head;
use crate::ip_ban;
use crate::platform;
use crate::request_body::{PATIENCE_MS, RequestBody};
use crate::response::Streamed;
use crate::router;
use crate::shape::Shape;
use crate::sign_in_limits;
use crate::trace::{self, Facts, Trace};
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request, Uri, header};
use axum::response::Response;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::RequestId;
use overturn_core::request::error::RequestError;
use overturn_core::request::reason::Reason;
use std::sync::Arc;
use uuid::Uuid;
use worker::web_sys::ReadableStream;
use worker::{Context, Env, ResponseBuilder};

/// Answers one request.
pub(crate) async fn serve(
    request: worker::Request,
    env: Env,
    context: Context,
) -> worker::Result<worker::Response> {
    let began = platform::now();
    let path = request.path();
    let trace = Arc::new(Trace::default());
    let head = Head::read(&request, &path);
    let method = head.method.clone();
    let (has_body, body_length) = (head.has_body(), head.body_length());
    let body = RequestBody::new(request, began);
    let ctx = platform::ctx();
    let request_id = ctx
        .as_ref()
        .map_or(RequestId(Uuid::nil()), |ctx| ctx.request_id);

    let answer = match ctx {
        Ok(ctx) => {
            let ctx = ctx.from_address(&head.address);
            route(head, body.clone(), env, context, ctx, &trace).await
        }
        Err(none) => Err(none.into()),
    };
    let mut response = match answer {
        Ok(mut response) => match response.extensions_mut().remove::<AppError>() {
            Some(refusal) => {
                let allow = response.headers_mut().remove(header::ALLOW);
                let mut refused = refuse(refusal, &path, request_id, &trace);
                if let Some(allow) = allow {
                    refused.headers_mut().insert(header::ALLOW, spaced(&allow));
                }
                refused
            }
            None => response,
        },
        Err(refusal) => refuse(refusal, &path, request_id, &trace),
    };
    if has_body {
        let patience = trace.facts().body_patience_ms;
        let patience = patience.unwrap_or(PATIENCE_MS);
        body.drain(body_length, patience).await;
    }
    let facts = trace.facts().clone();
    mark(response.headers_mut(), request_id, &facts);
    let status = response.status().as_u16();
    trace::log(
        request_id,
        &method,
        status,
        (began, platform::now()),
        &facts,
    );
    to_worker(response).await
}

async fn route(
    mut head: Head,
    body: RequestBody,
    env: Env,
    context: Context,
    ctx: Ctx,
    trace: &Arc<Trace>,
) -> Result<Response, AppError> {
    let app = App::of(&env).map_err(|wrong| {
        wrong.log();
        AppError::Misconfigured(wrong.name)
    })?;
    {
        let mut facts = trace.facts();
        facts.body_patience_ms = Some(app.settings.body_patience_ms);
        facts.https_only = app.settings.https_only && head.url.starts_with("https://");
    }
    // The causes stay out: the text of one could repeat the address or a header.
    let url: Uri = head.url.parse().map_err(|_| AppError::Malformed)?;
    let early = || sign_in_limits::early(&app, &head, &url);
    ip_ban::pass(&app, &head.address, ctx.now, early).await?;
    if head.is_from_another_site(&app, &url) {
        return Err(RequestError::NotAuthorized(
            Reason::CrossSite,
            "the request comes from another site",
        )
        .into());
    }
    let call = Arc::new(Call {
        db: Db::new(Arc::clone(&app), Arc::clone(trace)),
        app,
        ctx,
        trace: Arc::clone(trace),
        body,
        place: head.place(),
        url,
        context,
    });
    Ok(router::call(to_axum(head, call)?).await)
}

/// The methods of the router's `Allow`, with a space after each comma.
fn spaced(allow: &HeaderValue) -> HeaderValue {
    let spaced = allow.to_str().unwrap_or_default().replace(',', ", ");
    HeaderValue::try_from(spaced).unwrap_or_else(|_| allow.clone())
}

fn refuse(refusal: AppError, path: &str, request_id: RequestId, trace: &Trace) -> Response {
    let mut facts = trace.facts();
    facts.failure = refusal.failure();
    match &refusal {
        AppError::Request(
            RequestError::RateLimited(verdict) | RequestError::SignInLimited(verdict),
        ) => facts.limit = Some(*verdict),
        // The limit headers would show whether a revoked or expired key ever existed.
        AppError::Request(
            RequestError::NotAuthenticated
            | RequestError::NotSignedIn
            | RequestError::KeyForToken
            | RequestError::TokenForKey,
        ) => facts.limit = None,
        _ => {}
    }
    drop(facts);
    refusal.render(Shape::of(path), request_id)
}

fn to_axum(head: Head, call: Arc<Call>) -> Result<Request<Body>, AppError> {
    let mut builder = Request::builder()
        .method(head.method.as_str())
        .uri(call.url.clone())
        .extension(call);
    for (name, value) in head.headers {
        builder = builder.header(name, value);
    }
    // The cause stays out: its text could repeat a header.
    builder.body(Body::empty()).map_err(|_| AppError::Malformed)
}

/// How long browsers use only https for this host: a year. The setting does not cover other hosts of the domain.
const HTTPS_ONLY: &str = "max-age=31536000";

/// Sets the headers of every response. Caches must not store it, and no browser may sniff it, frame it in another site,
/// or share a window group with one.
fn mark(headers: &mut HeaderMap, request_id: RequestId, facts: &Facts) {
    let mut set = |name: &'static str, value: String| {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    };
    set("x-request-id", request_id.to_string());
    set("cache-control", "no-store".into());
    set("x-content-type-options", "nosniff".into());
    set("cross-origin-opener-policy", "same-origin".into());
    set("cross-origin-resource-policy", "same-origin".into());
    if facts.https_only {
        set("strict-transport-security", HTTPS_ONLY.into());
    }
    if let Some(limit) = facts.limit {
        set("x-ratelimit-limit", limit.limit.to_string());
        set("x-ratelimit-remaining", limit.remaining.to_string());
        set("x-ratelimit-reset", limit.reset.to_string());
    }
}

/// A streamed body is passed on as it is. Any other is passed on in one piece, so that the platform can announce its
/// length.
async fn to_worker(response: Response) -> worker::Result<worker::Response> {
    let (mut parts, body) = response.into_parts();
    let headers = worker::Headers::new();
    for (name, value) in &parts.headers {
        if let Ok(value) = value.to_str() {
            headers.append(name.as_str(), value)?;
        }
    }
    let builder = ResponseBuilder::new()
        .with_status(parts.status.as_u16())
        .with_headers(headers);
    if let Some(Streamed(stream)) = parts.extensions.remove() {
        return Ok(builder.stream(ReadableStream::clone(&stream)));
    }
    let body = axum::body::to_bytes(body, usize::MAX)
        .await
        .map_err(|error| worker::Error::RustError(error.to_string()))?;
    Ok(if body.is_empty() {
        builder.empty()
    } else {
        builder.fixed(body.into())
    })
}
