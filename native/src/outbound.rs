//! Requests to other services by HTTP.

mod guard;

use http::{Request, Response, header::RETRY_AFTER};
use overturn_service::host::{FetchError, Fetched, Outbound, Outgoing, START, Step, Wanted};
use std::io::{self, Read};
use std::time::Duration;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, AsSendBody, Body, Error};

/// The service waits less. This ends what it no longer waits for.
const TIME_OUT: Duration = Duration::from_secs(20);

/// Where requests may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// To public addresses. A practice could register a webhook whose name leads into the operator's network.
    Internet,
    /// Everywhere: during development, or if a service in the operator's network has to be reached.
    Everywhere,
}

/// Requests that each wait on a thread. Threads can share it.
#[derive(Clone)]
pub(crate) struct Requests {
    agent: Agent,
}

impl Requests {
    /// A proxy that `HTTPS_PROXY` or a similar variable names is used, and then the proxy alone decides about the reach.
    pub(crate) fn new(reach: Reach, authorities: RootCerts) -> Self {
        Self::within(reach, authorities, TIME_OUT)
    }

    fn within(reach: Reach, authorities: RootCerts, time_out: Duration) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(time_out))
            .max_redirects(0)
            .http_status_as_error(false)
            .user_agent("")
            .accept("")
            .accept_encoding("")
            .tls_config(TlsConfig::builder().root_certs(authorities).build())
            .build();
        let guard = guard::Guard::new(reach);
        Self { agent: Agent::with_parts(config, DefaultConnector::default(), guard) }
    }
}

impl Outbound for Requests {
    fn fetch<'a>(&'a self, asked: Outgoing<'a>) -> Step<'a, Result<Fetched, FetchError>> {
        Box::pin(async move {
            let request = request(&asked).map_err(|_| FetchError::Address)?;
            let (agent, wanted) = (self.agent.clone(), asked.wanted);
            let fetching = move || fetch(&agent, request, wanted);
            let fetched = tokio::task::spawn_blocking(fetching).await;
            fetched.unwrap_or(Err(FetchError::Away))
        })
    }
}

fn request(asked: &Outgoing<'_>) -> http::Result<Request<Option<String>>> {
    let mut request = Request::builder().method(asked.method.clone()).uri(asked.url);
    for (name, value) in &asked.headers {
        request = request.header(name, *value);
    }
    request.body(asked.body.map(str::to_owned))
}

fn fetch(agent: &Agent, request: Request<Option<String>>, wanted: Wanted) -> Result<Fetched, FetchError> {
    let (head, body) = request.into_parts();
    let answer = match body {
        Some(body) => run(agent, Request::from_parts(head, body), wanted),
        None => run(agent, Request::from_parts(head, ()), wanted),
    };
    let answer = answer.map_err(|error| cause(&error))?;
    let retry_after = answer.headers().get(RETRY_AFTER);
    Ok(Fetched {
        status: answer.status().as_u16(),
        retry_after: retry_after.and_then(|value| Some(value.to_str().ok()?.to_owned())),
        body: match wanted {
            Wanted::Whole(most) => read(answer.into_body(), most)?,
            Wanted::Start(most) => start(answer.into_body(), most),
        },
    })
}

fn run(agent: &Agent, request: Request<impl AsSendBody>, wanted: Wanted) -> Result<Response<Body>, Error> {
    let limit = matches!(wanted, Wanted::Start(_)).then_some(START);
    agent.run(agent.configure_request(request).timeout_recv_body(limit).build())
}

/// The first bytes of a body, as far as they come in time.
fn start(body: Body, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let bound = u64::try_from(most).unwrap_or(u64::MAX);
    // What came before a fault is in the buffer.
    let _fault = body.into_reader().take(bound).read_to_end(&mut bytes);
    bytes
}

/// The whole body. The limit of the library also refuses a body of just as many bytes.
fn read(body: Body, most: usize) -> Result<Vec<u8>, FetchError> {
    let bound = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let read = body.into_reader().take(bound).read_to_end(&mut bytes);
    read.map_err(|error| cause(&error.into()))?;
    if bytes.len() > most {
        return Err(FetchError::TooLarge);
    }
    Ok(bytes)
}

fn cause(error: &Error) -> FetchError {
    match error {
        Error::Timeout(_) => FetchError::Slow,
        Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => FetchError::Slow,
        Error::BadUri(_) | Error::Http(_) => FetchError::Address,
        _ => FetchError::Away,
    }
}

#[cfg(test)]
mod tests;
