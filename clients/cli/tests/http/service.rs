//! A service on this machine with scripted answers.

use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// What the service does with one call.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// It answers with this status, these header lines and this body.
    Say(u16, &'static str, Value),
    /// It carries out the call, and the answer is lost.
    Lose,
    /// It carries out the call, and answers after a second.
    Slow,
    /// It never answers.
    Hang,
    /// It closes the connection before it reads the call.
    Drop,
}

#[derive(Default)]
struct Inner {
    acts: VecDeque<Act>,
    calls: Vec<Vec<String>>,
    heads: Vec<String>,
    claims: BTreeMap<String, u32>,
}

/// The service. It accepts every call that has no script.
pub(crate) struct Service {
    port: u16,
    inner: Arc<Mutex<Inner>>,
}

impl Service {
    /// A service that does these things first, one for each call.
    pub(crate) fn new(acts: impl IntoIterator<Item = Act>) -> Self {
        let inner = Arc::new(Mutex::new(Inner { acts: acts.into_iter().collect(), ..Inner::default() }));
        let shared = Arc::clone(&inner);
        Self { port: accept(move |stream| serve(stream, &shared)), inner }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap()
    }

    /// The claim numbers of each call, in order.
    pub(crate) fn calls(&self) -> Vec<Vec<String>> {
        self.inner().calls.clone()
    }

    /// How many claims each call had.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.calls().iter().map(Vec::len).collect()
    }

    /// The request line and headers of every call.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.inner().heads.clone()
    }

    /// The claims that the service accepted.
    pub(crate) fn claims(&self) -> Vec<String> {
        self.inner().claims.keys().cloned().collect()
    }
}

/// Serves each connection on a thread of its own. Returns the port.
pub(crate) fn accept(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = Arc::new(serve);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = Arc::clone(&serve);
            // The client may have gone away.
            thread::spawn(move || serve(stream));
        }
    });
    port
}

fn serve(stream: TcpStream, inner: &Mutex<Inner>) {
    let (head, body) = request(&stream);
    let act = {
        let mut inner = inner.lock().unwrap();
        inner.heads.push(head.clone());
        inner.calls.push(numbers(&body));
        inner.acts.pop_front()
    };
    if matches!(act, Some(Act::Slow)) {
        thread::sleep(Duration::from_secs(1));
    }
    match act {
        Some(Act::Drop) => {}
        Some(Act::Hang) => thread::sleep(Duration::from_secs(3600)),
        Some(Act::Say(status, headers, body)) => say(stream, status, headers, &body),
        Some(Act::Lose) => drop(take(&body, inner)),
        None if head.starts_with("GET ") => {
            say(stream, 404, "", &json!({ "error": "no claim with that claim_number" }))
        }
        None | Some(Act::Slow) => {
            let answer = take(&body, inner);
            say(stream, 201, "", &answer);
        }
    }
}

pub(crate) fn request(stream: &TcpStream) -> (String, Value) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap() == 0 {
            return (head, Value::Null);
        }
    }
    let lower = head.to_ascii_lowercase();
    let length = lower.split("content-length: ").nth(1);
    let length = length.and_then(|rest| rest.split("\r\n").next());
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    (head, serde_json::from_slice(&body).unwrap_or_default())
}

pub(crate) fn numbers(body: &Value) -> Vec<String> {
    let items = body["claims"].as_array().cloned().unwrap_or_default();
    let number = |item: &Value| item["claim"]["claim_number"].as_str().unwrap().to_owned();
    items.iter().map(number).collect()
}

fn take(body: &Value, inner: &Mutex<Inner>) -> Value {
    let mut inner = inner.lock().unwrap();
    let mut results = Vec::new();
    for number in numbers(body) {
        let sent = inner.claims.entry(number.clone()).or_default();
        *sent += 1;
        let id = "01a1fc69-15d5-7679-abf8-d8d7bb0bb088";
        results.push(json!({ "claim_number": number, "created": *sent == 1, "id": id, "status": "received" }));
    }
    json!({ "claims": results, "submission_id": null })
}

pub(crate) fn say(mut stream: TcpStream, status: u16, headers: &str, body: &Value) {
    let body = body.to_string();
    let head = format!("HTTP/1.1 {status} Said\r\nConnection: close\r\n{headers}Content-Length: {}", body.len());
    // The client may be gone.
    let _written = write!(stream, "{head}\r\n\r\n{body}");
}
