//! Requests to other services by HTTP.

use futures_util::StreamExt;
use futures_util::future::{Either, select};
use overturn_service::host::{FetchError, Fetched, Outbound, Outgoing, START, Step, Wanted};
use worker::wasm_bindgen::JsValue;
use worker::{AbortController, Delay, Fetch, Headers, Method, Request, RequestInit, RequestRedirect, Response};

/// The platform's `fetch`.
pub(crate) struct WorkerFetch;

/// Ends a hanging request, and drops the rest of an answer.
struct Abort(AbortController);

impl Drop for Abort {
    fn drop(&mut self) {
        std::mem::take(&mut self.0).abort();
    }
}

impl Outbound for WorkerFetch {
    fn fetch<'a>(&'a self, asked: Outgoing<'a>) -> Step<'a, Result<Fetched, FetchError>> {
        Box::pin(async move {
            let request = request(&asked).map_err(|_| FetchError::Address)?;
            let abort = Abort(AbortController::default());
            let signal = abort.0.signal();
            let response = Fetch::Request(request).send_with_signal(&signal).await;
            let mut response = response.map_err(|_| FetchError::Away)?;
            Ok(Fetched {
                status: response.status_code(),
                retry_after: response.headers().get("retry-after").ok().flatten(),
                body: match asked.wanted {
                    Wanted::Whole(most) => read(&mut response, most).await?,
                    Wanted::Start(most) => start(&mut response, most).await,
                },
            })
        })
    }
}

async fn read(response: &mut Response, most: usize) -> Result<Vec<u8>, FetchError> {
    let mut body = Vec::new();
    let Ok(mut stream) = response.stream() else {
        return Ok(body);
    };
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| FetchError::Away)?;
        if body.len().saturating_add(chunk.len()) > most {
            return Err(FetchError::TooLarge);
        }
        body.extend(chunk);
    }
    Ok(body)
}

/// The first bytes of a body, as far as they come in time.
async fn start(response: &mut Response, most: usize) -> Vec<u8> {
    let mut body = Vec::new();
    let Ok(mut stream) = response.stream() else {
        return body;
    };
    let mut late = Delay::from(START);
    while body.len() < most {
        match select(stream.next(), &mut late).await {
            Either::Left((Some(Ok(chunk)), _)) => body.extend(chunk),
            _ => break,
        }
    }
    body.truncate(most);
    body
}

fn request(asked: &Outgoing<'_>) -> worker::Result<Request> {
    let headers = Headers::new();
    for (name, value) in &asked.headers {
        headers.set(name.as_str(), value)?;
    }
    let mut init = RequestInit::new();
    init.with_method(Method::from(asked.method.as_str().to_owned()))
        .with_headers(headers)
        .with_redirect(RequestRedirect::Manual)
        .with_body(asked.body.map(JsValue::from_str));
    Request::new_with_init(asked.url, &init)
}
