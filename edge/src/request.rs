//! A request of the platform on its way into the service, and the answer on its way back.

use crate::app;
use crate::body::{self, RequestReader};
use http::{HeaderMap, HeaderName};
use overturn_service::host::{Background, Incoming, Step};
use overturn_service::http::{Answer, serve};
use overturn_service::response::Body;
use std::rc::Rc;
use worker::js_sys::JSON;
use worker::{Context, Env, Headers, Request, Response, ResponseBuilder, web_sys};

/// The context of a request, in which its work goes on after the answer.
pub(crate) struct RequestContext(pub(crate) Context);

impl Background for RequestContext {
    fn go_on(&self, work: Step<'static, ()>) {
        self.0.wait_until(work);
    }
}

pub(crate) async fn answer(request: Request, env: &Env, context: Context) -> worker::Result<Response> {
    app::log_to_console();
    let context = Rc::new(RequestContext(context));
    let basics = app::basics();
    // Another handle on the same headers; `clone` copies them.
    let headers = Headers(request.headers().0.clone());
    let header = |name: &HeaderName| headers.get(name.as_str()).ok().flatten();
    let method = request.inner().method();
    let is_head = method == "HEAD";
    let incoming = Incoming {
        url: request.inner().url(),
        path: request.path(),
        header: &header,
        address: headers.get("CF-Connecting-IP").ok().flatten().unwrap_or_default(),
        background: Rc::clone(&context) as Rc<dyn Background>,
        method,
        body: Box::new(RequestReader::new(request)),
    };
    let Answer { response, unread, .. } = serve(&basics, &app::of(env), incoming).await;
    let (parts, answer) = response.into_parts();
    let builder = ResponseBuilder::new().with_status(parts.status.as_u16()).with_headers(headers_of(&parts.headers)?);
    let bytes = match answer {
        Body::Stream { length, chunks } => {
            if let Some(unread) = unread {
                unread.drain(&basics).await;
            }
            return Ok(builder.stream(body::stream(length, chunks, &context.0)?));
        }
        Body::Bytes(bytes) => bytes,
    };
    if let Some(unread) = unread {
        // The platform leaves out the body of an answer to `HEAD`, so a stream would have no reader. A body that is announced as
        // short is drained before the answer.
        if !bytes.is_empty() && !is_head && !unread.is_short() {
            return Ok(builder.stream(body::behind(unread, &bytes, &context.0, basics)?));
        }
        unread.drain(&basics).await;
    }
    Ok(if bytes.is_empty() { builder.empty() } else { builder.fixed(bytes) })
}

/// The headers of an answer. They cross into JavaScript together, because each call costs more than its text.
fn headers_of(headers: &HeaderMap) -> worker::Result<Headers> {
    let pairs = headers.iter().filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
    let pairs = JSON::parse(&serde_json::to_string(&pairs.collect::<Vec<_>>())?)?;
    Ok(Headers(web_sys::Headers::new_with_str_sequence_sequence(&pairs)?))
}
