//! From the host's request to the router, and back with the headers of every response.

use crate::call::Call;
use crate::config::ConfigError;
use crate::db::Db;
use crate::error::AppError;
use crate::head::Head;
use crate::host::{Background, Basics, Incoming, Step};
use crate::ip_ban;
use crate::moving;
use crate::pipeline::route;
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use crate::request_body::{RequestBody, TIME_OUT_MS, Unread};
use crate::response::{Body, Response};
use crate::service::Service;
use crate::shape::Shape;
use crate::sign_in_limits;
use crate::trace::{self, Facts, Trace};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::RequestId;
use std::rc::Rc;
use uuid::Uuid;

/// The answer to a request.
pub struct Answer {
    /// The pattern of the route, if the path has one.
    pub route: Option<&'static str>,
    /// The response. That to `HEAD` has no body.
    pub response: Response,
    /// The rest of the request's body, which has to be drained.
    pub unread: Option<Unread>,
}

/// Answers one request.
pub fn serve<'a>(
    basics: &'a Basics,
    service: &'a Result<Rc<Service>, ConfigError>,
    request: Incoming<'a>,
) -> Step<'a, Answer> {
    Box::pin(answer(basics, service, request))
}

async fn answer(basics: &Basics, service: &Result<Rc<Service>, ConfigError>, request: Incoming<'_>) -> Answer {
    let began = basics.now();
    let trace = Rc::new(Trace::default());
    let head = Head::read(&request);
    let Incoming { method, path, body, background, .. } = request;
    let (has_body, body_length) = (head.has_body(), head.body_length());
    let body = RequestBody::new(body, began);
    let ctx = basics.ctx();
    let request_id = ctx.as_ref().map_or(RequestId(Uuid::nil()), |ctx| ctx.request_id);

    let routed = match ctx {
        Ok(ctx) => {
            let ctx = ctx.from_address(&head.address);
            let (body, trace) = (body.clone(), Rc::clone(&trace));
            route(service, head, body, background, ctx, trace).await
        }
        Err(none) => Err(AppError::from(none).into()),
    };
    let mut response = routed.unwrap_or_else(|Refused { why, allow }| {
        let mut refused = refuse(why, &path, request_id, &trace);
        if let Some(allow) = allow.and_then(|allow| HeaderValue::try_from(allow).ok()) {
            refused.headers_mut().insert(header::ALLOW, allow);
        }
        refused
    });
    let facts = trace.facts().clone();
    mark(response.headers_mut(), request_id, &facts);
    trace::log(request_id, &method, response.status().as_u16(), (began, basics.now()), &facts, (basics.memory_kb)());
    if method == "HEAD" {
        leave_out_body(&mut response);
    }
    let unread = has_body.then(|| Unread {
        body,
        length: body_length,
        time_out_ms: facts.body_time_out_ms.unwrap_or(TIME_OUT_MS),
    });
    Answer { route: facts.route, response, unread: unread.filter(Unread::is_left) }
}

/// Why a request is refused, with the header `Allow` of a `405`.
struct Refused {
    why: AppError,
    allow: Option<String>,
}

impl<E: Into<AppError>> From<E> for Refused {
    fn from(why: E) -> Self {
        Self { why: why.into(), allow: None }
    }
}

async fn route(
    service: &Result<Rc<Service>, ConfigError>,
    mut head: Head,
    body: RequestBody,
    background: Rc<dyn Background>,
    ctx: Ctx,
    trace: Rc<Trace>,
) -> Result<Response, Refused> {
    let Service { app, routes } = &**service.as_ref().map_err(|wrong| {
        wrong.log();
        AppError::Misconfigured(wrong.name)
    })?;
    trace.facts().body_time_out_ms = Some(app.settings.body_time_out_ms);
    // The causes stay out: the text of one could repeat the address or a header.
    let url: Uri = head.url.parse().map_err(|_| AppError::Malformed)?;
    let early = || sign_in_limits::early(app, &head, &url);
    ip_ban::pass(app, &head.address, ctx.now, early).await?;
    if head.is_from_another_site(app, &url) {
        return Err(AppError::from(RequestError::NotAuthorized(
            Reason::CrossSite,
            "the request comes from another site",
        ))
        .into());
    }
    let method = Method::from_bytes(head.method.as_bytes()).map_err(|_| AppError::Malformed)?;
    let found = routes.find(url.path()).ok_or(AppError::NoRoute)?;
    trace.facts().route = Some(found.pattern);
    let place = head.place();
    let headers = head.headers()?;
    let Some(entry) = found.entry(&method) else {
        return Err(Refused { why: AppError::NoMethod, allow: Some(found.allowed()) });
    };
    let call = Rc::new(Call {
        db: Db::new(Rc::clone(app), ctx.cell, Rc::clone(&trace)),
        app: Rc::clone(app),
        ctx,
        trace,
        method,
        headers,
        body,
        place,
        url,
        pattern: found.pattern,
        access: entry.access,
        clock: None,
        sought: Rc::default(),
        address: Rc::default(),
        reserved_at: Rc::default(),
        counted: Rc::default(),
        home: None,
        background,
    });
    let (mut following, mut finish) = (route::Following::default(), moving::Finish::default());
    loop {
        call.counted.again();
        let here = route::routed(&call);
        let answered = match entry.answer(Rc::clone(&here)).await {
            // A token turned out to be of a sandbox, before anything was written. Its body was kept.
            Err(AppError::OtherClock(clock)) => {
                call.counted.again();
                entry.answer(here.by_clock(clock)).await
            }
            answered => answered,
        };
        // Its practice has moved. Nothing was written, and the body was kept.
        if call.body.is_there() && following.leads(&here, &answered).await? {
            continue;
        }
        // Who moved it has broken off between two cells.
        if !call.body.is_there() || !following.is_over(&answered) {
            return Ok(answered?);
        }
        finish.of(app).await?;
        following = route::Following::default();
    }
}

/// The answer to `HEAD` says how long its body would be.
fn leave_out_body(response: &mut Response) {
    let length = HeaderValue::from(response.body().length());
    let headers = response.headers_mut();
    headers.entry(header::CONTENT_LENGTH).or_insert(length);
    *response.body_mut() = Body::Bytes(Vec::new());
}

fn refuse(refusal: AppError, path: &str, request_id: RequestId, trace: &Trace) -> Response {
    let mut facts = trace.facts();
    facts.failure = refusal.failure();
    match &refusal {
        AppError::Request(RequestError::RateLimited(verdict) | RequestError::SignInLimited(verdict)) => {
            facts.limit = Some(*verdict)
        }
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

/// The headers of every response. Caches must not store it, and no browser may sniff it, share a window group or its
/// resources with another site, or use this host without https for the next year. That does not cover other hosts of the
/// domain.
const EVERY: [(HeaderName, &str); 5] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::STRICT_TRANSPORT_SECURITY, "max-age=31536000"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The headers of every response that has none of its own: it loads nothing, is in no frame, and is named to no one.
const UNLESS_OWN: [(HeaderName, &str); 2] = [
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    (header::REFERRER_POLICY, "no-referrer"),
];

/// Sets the headers of every response.
fn mark(headers: &mut HeaderMap, request_id: RequestId, facts: &Facts) {
    for (name, value) in EVERY {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in UNLESS_OWN {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
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
