//! A receiver of webhooks: an HTTP server in the test, with scripted answers.

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

const TIME_OUT: Duration = Duration::from_secs(30);

/// What the receiver answers.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A status with header lines.
    Status(u16, &'static [&'static str]),
    /// A status with a text.
    Text(u16, &'static [u8]),
    /// A redirect to an address.
    Redirect(String),
    /// No answer: the connection is closed.
    Close,
    /// No answer: the connection stays open for this long.
    Hang(Duration),
    /// Success, with an endless body.
    Endless,
    /// Success, once nothing listens on this port of the machine any more.
    WhenGone(u16),
    /// Success, once another receiver has a request.
    Behind(Arc<Receiver>),
}

/// `200`.
pub const OK: Reply = Reply::Status(200, &[]);

/// A request as received.
#[derive(Clone, Debug)]
pub struct Received {
    /// Its headers, names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Received {
    /// The value of a header.
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        &found.unwrap_or_else(|| panic!("no {name}: {self:?}")).1
    }

    /// How many of the signatures match a secret.
    pub fn signed_by(&self, secret: &str) -> usize {
        let key = BASE64.decode(secret.strip_prefix("whsec_").unwrap().as_bytes());
        let mut mac = Hmac::<Sha256>::new_from_slice(&key.unwrap()).unwrap();
        for part in [self.header("webhook-id"), self.header("webhook-timestamp")] {
            mac.update(part.as_bytes());
            mac.update(b".");
        }
        mac.update(self.body.as_bytes());
        let ours = format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()));
        let theirs = self.header("webhook-signature").split(' ');
        theirs.filter(|theirs| *theirs == ours).count()
    }
}

#[derive(Debug, Default)]
struct Shared {
    replies: Mutex<VecDeque<Reply>>,
    received: Mutex<Vec<Received>>,
    more: Condvar,
}

/// A receiver on a port of its own.
#[derive(Debug)]
pub struct Receiver {
    port: u16,
    shared: Arc<Shared>,
}

impl Receiver {
    /// A receiver that gives these answers, and then repeats the last one.
    pub fn new(replies: impl Into<VecDeque<Reply>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared { replies: Mutex::new(replies.into()), ..Shared::default() });
        let serving = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let shared = Arc::clone(&serving);
                thread::spawn(move || shared.serve(&stream));
            }
        });
        Self { port, shared }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    /// The requests received so far.
    pub fn received(&self) -> Vec<Received> {
        self.shared.received.lock().unwrap().clone()
    }

    /// Waits until this many requests have come, and returns them.
    pub fn wait(&self, count: usize) -> Vec<Received> {
        let received = self.shared.received.lock().unwrap();
        let fewer = |received: &mut Vec<Received>| received.len() < count;
        let waited = self.shared.more.wait_timeout_while(received, TIME_OUT, fewer);
        let (received, waited) = waited.unwrap();
        assert!(!waited.timed_out(), "{} of {count} came", received.len());
        received.clone()
    }
}

impl Shared {
    /// Answers the requests of one connection.
    fn serve(&self, stream: &TcpStream) {
        let mut reader = BufReader::new(stream);
        while let Some(received) = read(&mut reader) {
            let reply = self.reply();
            self.received.lock().unwrap().push(received);
            self.more.notify_all();
            if answer(stream, &reply).is_none() {
                return;
            }
        }
    }

    fn reply(&self) -> Reply {
        let mut replies = self.replies.lock().unwrap();
        if replies.len() > 1 { replies.pop_front().unwrap() } else { replies[0].clone() }
    }
}

fn read(reader: &mut impl BufRead) -> Option<Received> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    assert_eq!(line.trim_end(), "POST /hook HTTP/1.1");
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let mut body = vec![0; length?.1.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8(body).ok()?;
    Some(Received { headers, body })
}

/// `None` if the connection has ended.
fn answer(mut stream: &TcpStream, reply: &Reply) -> Option<()> {
    let (status, headers) = match reply {
        Reply::Status(status, headers) => (*status, headers.join("\r\n")),
        Reply::WhenGone(port) => {
            while TcpStream::connect((Ipv4Addr::LOCALHOST, *port)).is_ok() {
                thread::yield_now();
            }
            (200, String::new())
        }
        Reply::Behind(other) => {
            other.wait(1);
            (200, String::new())
        }
        Reply::Text(status, text) => {
            let head = format!("HTTP/1.1 {status} Status\r\nContent-Length: {}\r\n\r\n", text.len());
            return stream.write_all(&[head.as_bytes(), text].concat()).ok();
        }
        Reply::Redirect(to) => (302, format!("Location: {to}")),
        Reply::Close => return None,
        Reply::Hang(time) => {
            thread::sleep(*time);
            return None;
        }
        Reply::Endless => {
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n";
            stream.write_all(head.as_bytes()).ok()?;
            while stream.write_all(&[b'x'; 65_536]).is_ok() {}
            return None;
        }
    };
    let gap = if headers.is_empty() { "" } else { "\r\n" };
    let text = format!("HTTP/1.1 {status} Status\r\nContent-Length: 0\r\n{headers}{gap}\r\n");
    stream.write_all(text.as_bytes()).ok()
}
