//! Converts the platform's request for the router, and the response back, with the headers of every response.

use crate::app::App;
use crate::call::Call;
use crate::db::Db;
use crate::error::AppError;
use crate::head::Head;
use crate::ip_ban;
use crate::platform;
use crate::request_body::{PATIENCE_MS, RequestBody, Unread};
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
    let context = Arc::new(context);
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
            route(head, body.clone(), env, Arc::clone(&context), ctx, &trace).await
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
    let unread = has_body.then(|| Unread {
        body,
        length: body_length,
        patience_ms: facts.body_patience_ms.unwrap_or(PATIENCE_MS),
        // The platform leaves out the body of an answer to `HEAD`, so nobody would read a stream.
        ahead: (method != "HEAD").then_some(context),
    });
    to_worker(response, unread.filter(Unread::is_left)).await
}

async fn route(
    mut head: Head,
    body: RequestBody,
    env: Env,
    context: Arc<Context>,
    ctx: Ctx,
    trace: &Arc<Trace>,
) -> Result<Response, AppError> {
    let app = App::of(&env).map_err(|wrong| {
        wrong.log();
        AppError::Misconfigured(wrong.name)
    })?;
    trace.facts().body_patience_ms = Some(app.settings.body_patience_ms);
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

/// The headers of every response. Caches must not store it, and no browser may sniff it, share a window group or its
/// resources with another site, or use this host without https for the next year. That does not cover other hosts of the
/// domain.
const EVERY: [(HeaderName, &str); 5] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::STRICT_TRANSPORT_SECURITY, "max-age=31536000"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// The headers of every response that has none of its own: it loads nothing, is in no frame, and is named to no one.
const UNLESS_OWN: [(HeaderName, &str); 2] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'",
    ),
    (header::REFERRER_POLICY, "no-referrer"),
];

/// Sets the headers of every response.
fn mark(headers: &mut HeaderMap, request_id: RequestId, facts: &Facts) {
    for (name, value) in EVERY {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in UNLESS_OWN {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    let mut set = |name: &'static str, value: String| {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    };
    set("x-request-id", request_id.to_string());
    if let Some(limit) = facts.limit {
        set("x-ratelimit-limit", limit.limit.to_string());
        set("x-ratelimit-remaining", limit.remaining.to_string());
        set("x-ratelimit-reset", limit.reset.to_string());
    }
}

/// A streamed body is passed on as it is. Any other is passed on in one piece, so that the platform can announce its
/// length. If the request's body is long and unread, the answer goes ahead of it.
async fn to_worker(response: Response, unread: Option<Unread>) -> worker::Result<worker::Response> {
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
    let streamed = parts.extensions.remove();
    let body = axum::body::to_bytes(body, usize::MAX)
        .await
        .map_err(|error| worker::Error::RustError(error.to_string()))?;
    if let Some(unread) = unread {
        if !body.is_empty()
            && let Some(ahead) = unread.may_wait()
        {
            return Ok(builder.stream(unread.behind(&body, &ahead)?));
        }
        unread.drain().await;
    }
    Ok(match streamed {
        Some(Streamed(stream)) => builder.stream(ReadableStream::clone(&stream)),
        None if body.is_empty() => builder.empty(),
        None => builder.fixed(body.into()),
    })
}
