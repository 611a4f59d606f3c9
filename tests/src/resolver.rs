//! A DNS resolver over HTTPS in the test, which answers by the name that it is asked for.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What the resolver answers about a name.
#[derive(Clone, Debug)]
pub enum Found {
    /// TXT records, each as a JSON text has it, such as `"\"a\" \"b\""`.
    Texts(Vec<String>),
    /// This body, with a status of HTTP.
    Raw(u16, String),
    /// A redirect to an address.
    Redirect(String),
    /// No answer: the connection stays open for this long.
    Hang(Duration),
    /// An endless body.
    Endless,
}

#[derive(Debug, Default)]
struct Shared {
    names: Mutex<HashMap<String, Found>>,
    asked: Mutex<Vec<(String, String)>>,
}

/// A resolver on a port of its own. It does not know a name that was not set (NXDOMAIN).
#[derive(Debug)]
pub struct Resolver {
    port: u16,
    shared: Arc<Shared>,
}

impl Default for Resolver {
    fn default() -> Self {
        Self::start()
    }
}

impl Resolver {
    /// Starts a resolver that knows no name.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared::default());
        let serving = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let shared = Arc::clone(&serving);
                thread::spawn(move || shared.serve(&stream));
            }
        });
        Self { port, shared }
    }

    /// Its address, for `DNS_RESOLVER`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/dns-query", self.port)
    }

    /// Sets what it finds at a name.
    pub fn set(&self, name: &str, found: Found) {
        self.shared.names.lock().unwrap().insert(name.into(), found);
    }

    /// How often it was asked for a name, with the `Accept` header of each question.
    pub fn asked(&self, name: &str) -> Vec<String> {
        let asked = self.shared.asked.lock().unwrap();
        let asked = asked.iter().filter(|(known, _)| known == name);
        asked.map(|(_, accept)| accept.clone()).collect()
    }
}

impl Shared {
    fn serve(&self, mut stream: &TcpStream) {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        if reader.read_line(&mut line).is_err() {
            return;
        }
        let query = line.strip_prefix("GET /dns-query?name=");
        let Some(name) = query.and_then(|query| query.strip_suffix("&type=TXT HTTP/1.1\r\n")) else {
            return;
        };
        let name = name.to_owned();
        let mut accept = String::new();
        loop {
            let mut line = String::new();
            let read = reader.read_line(&mut line).unwrap_or(0);
            let Some((header, value)) = line.trim_end().split_once(':') else {
                break;
            };
            if read == 0 {
                return;
            }
            if header.eq_ignore_ascii_case("accept") {
                value.trim().clone_into(&mut accept);
            }
        }
        self.asked.lock().unwrap().push((name.clone(), accept));
        let found = self.names.lock().unwrap().get(&name).cloned();
        let (status, head, body) = match found {
            None => (200, String::new(), r#"{"Status":3}"#.to_owned()),
            Some(Found::Texts(texts)) => {
                let record = |text: &String| serde_json::json!({ "name": name, "type": 16, "TTL": 60, "data": text });
                let records: Vec<_> = texts.iter().map(record).collect();
                let body = serde_json::json!({ "Status": 0, "Answer": records });
                (200, String::new(), body.to_string())
            }
            Some(Found::Raw(status, body)) => (status, String::new(), body),
            Some(Found::Redirect(to)) => (302, format!("Location: {to}\r\n"), String::new()),
            Some(Found::Hang(time)) => {
                thread::sleep(time);
                return;
            }
            Some(Found::Endless) => {
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n";
                let _head = stream.write_all(head.as_bytes());
                while stream.write_all(&[b'x'; 65_536]).is_ok() {}
                return;
            }
        };
        let length = body.len();
        let text =
            format!("HTTP/1.1 {status} Status\r\nConnection: close\r\nContent-Length: {length}\r\n{head}\r\n{body}");
        let _sent = stream.write_all(text.as_bytes());
    }
}
