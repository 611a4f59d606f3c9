//! One call to the service, over HTTP.

use crate::address::Address;
use crate::stop::{GLANCE, Stop};
use crate::{retry_after, system};
use std::fmt;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;
use ureq::{Agent, Body, http::Response};

const CONNECT: Duration = Duration::from_secs(10);
/// How long a call may go on after an interruption, so that its answer can be counted.
const GRACE: Duration = Duration::from_secs(3);
/// More than the answer to a hundred claims needs.
const ANSWER_MAX: u64 = 4 * 1024 * 1024;

/// A call. `Debug` does not print its content.
#[derive(Clone)]
pub enum Call {
    /// Sends a body.
    Send(Arc<str>),
    /// Asks for a claim number.
    Status(String),
    /// Reads a path.
    Get(String),
    /// Posts nothing to a path, under an idempotency key.
    Post { path: String, once: String },
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Call(…)")
    }
}

/// An answer with any status.
#[derive(Clone, Default, Debug)]
pub struct Answer {
    pub status: u16,
    /// The header `Retry-After`, in seconds.
    pub retry_after: Option<u64>,
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CallError {
    /// It may work next time.
    #[error("{0}")]
    Lost(String),
    /// It will fail again next time.
    #[error("{0}")]
    Lasting(String),
    /// The user stopped the program during the call.
    #[error("interrupted")]
    Interrupted,
}

/// Makes calls. Tests replace it.
pub trait Wire {
    fn exchange(&self, call: &Call) -> Result<Answer, CallError>;
}

#[derive(Debug)]
pub struct Http {
    line: Line,
    interrupt: Stop,
}

#[derive(Clone)]
struct Line {
    agent: Agent,
    base: String,
    bearer: String,
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line({})", self.base)
    }
}

impl Http {
    /// `bearer` is a key or a token.
    pub fn new(service: &Address, bearer: &str, interrupt: &Stop) -> Self {
        let mut config = Agent::config_builder()
            .https_only(!service.local)
            .http_status_as_error(false)
            // A redirect would carry patient data to an address that was not checked.
            .max_redirects(0)
            .timeout_connect(Some(CONNECT.min(service.timeout)))
            .timeout_global(Some(service.timeout))
            .user_agent(concat!("overturn/", env!("CARGO_PKG_VERSION")));
        if service.local {
            // A call to this machine must not go through a proxy.
            config = config.proxy(None);
        }
        Self {
            line: Line {
                agent: config.build().new_agent(),
                base: service.base.clone(),
                bearer: format!("Bearer {bearer}"),
            },
            interrupt: interrupt.clone(),
        }
    }
}

impl Wire for Http {
    fn exchange(&self, call: &Call) -> Result<Answer, CallError> {
        let (line, call) = (self.line.clone(), call.clone());
        in_thread(&self.interrupt, move || line.exchange(&call)).unwrap_or(Err(CallError::Interrupted))
    }
}

/// Makes a call in a separate thread, so that a silent server cannot keep the program from stopping. `None` if the user
/// stopped the program.
pub fn in_thread<T: Send + 'static, E: From<io::Error> + Send + 'static>(
    interrupt: &Stop,
    call: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Option<Result<T, E>> {
    let (sender, answer) = channel();
    drop(thread::spawn(move || {
        // After an interruption the channel is closed, and the answer is dropped.
        let _unheard = sender.send(call());
    }));
    let mut grace = GRACE;
    loop {
        match answer.recv_timeout(GLANCE) {
            Ok(answer) => return Some(answer),
            Err(RecvTimeoutError::Timeout) if grace.is_zero() => return None,
            Err(RecvTimeoutError::Timeout) if interrupt.is_set() => grace = grace.saturating_sub(GLANCE),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Some(Err(io::Error::other("the call broke off").into()));
            }
        }
    }
}

impl From<io::Error> for CallError {
    fn from(error: io::Error) -> Self {
        Self::Lost(error.to_string())
    }
}

impl Line {
    fn exchange(&self, call: &Call) -> Result<Answer, CallError> {
        let answer = match call {
            Call::Send(body) => self
                .agent
                .post(format!("{}/api/v1/claims", self.base))
                .header("Authorization", &self.bearer)
                .header("Content-Type", "application/json")
                .send(body.as_bytes()),
            Call::Status(number) => {
                let number: String = form_urlencoded::byte_serialize(number.as_bytes()).collect();
                self.agent
                    .get(format!("{}/api/v1/claims/status?claim_number={number}", self.base))
                    .header("Authorization", &self.bearer)
                    .call()
            }
            Call::Get(path) => {
                self.agent.get(format!("{}{path}", self.base)).header("Authorization", &self.bearer).call()
            }
            Call::Post { path, once } => self
                .agent
                .post(format!("{}{path}", self.base))
                .header("Authorization", &self.bearer)
                .header("Idempotency-Key", once)
                .send_empty(),
        };
        answer.and_then(read).map_err(|error| trouble(&error))
    }
}

fn read(mut response: Response<Body>) -> Result<Answer, ureq::Error> {
    let header = response.headers().get("retry-after");
    let retry_after = header.and_then(|value| retry_after::of_header(value.to_str().ok()?, system::now()));
    let body = response.body_mut().with_config().limit(ANSWER_MAX);
    Ok(Answer { retry_after, body: body.read_to_vec()?, status: response.status().as_u16() })
}

fn trouble(error: &ureq::Error) -> CallError {
    let text = error.to_string();
    match error {
        // ureq reports certificate errors as `InvalidData`.
        ureq::Error::Io(io) if io.kind() == ErrorKind::InvalidData => CallError::Lasting(io.to_string()),
        ureq::Error::Io(io) => CallError::Lost(io.to_string()),
        ureq::Error::Timeout(_)
        | ureq::Error::HostNotFound
        | ureq::Error::ConnectionFailed
        | ureq::Error::ConnectProxyFailed(_)
        | ureq::Error::Protocol(_) => CallError::Lost(text),
        _ => CallError::Lasting(text),
    }
}
