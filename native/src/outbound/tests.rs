use super::*;
use http::Method;
use http::header::{CONTENT_TYPE, USER_AGENT};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

/// A server that answers one request and returns what it read.
fn server(answer: &'static str, delay: Duration) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/path?q=1", listener.local_addr().unwrap());
    let served = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut read = vec![0; 4096];
        let count = stream.read(&mut read).unwrap();
        thread::sleep(delay);
        let _sent = stream.write_all(answer.as_bytes());
        let mut text = String::from_utf8_lossy(&read[..count]).into_owned();
        let _ended = stream.read_to_string(&mut text);
        text
    });
    (url, served)
}

fn ask(requests: &Requests, asked: Outgoing<'_>) -> Result<Fetched, FetchError> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    runtime.block_on(requests.fetch(asked))
}

fn get(url: &str, wanted: Wanted) -> Outgoing<'_> {
    Outgoing { url, method: Method::GET, headers: vec![(USER_AGENT, "Overturn/1.0")], body: None, wanted }
}

fn everywhere() -> Requests {
    Requests::within(Reach::Everywhere, RootCerts::WebPki, Duration::from_secs(5))
}

const ELEVEN: &str = "HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\nhello world";
const CHUNKED: &str = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nb\r\nhello world\r\n0\r\n\r\n";

#[test]
fn a_request_goes_out_as_given() {
    let (url, served) = server(ELEVEN, Duration::ZERO);
    let requests = everywhere();
    let asked = Outgoing {
        method: Method::POST,
        headers: vec![(USER_AGENT, "Overturn/1.0"), (CONTENT_TYPE, "application/json")],
        body: Some("{\"é\":1}"),
        ..get(&url, Wanted::Start(4))
    };
    let fetched = ask(&requests, asked).unwrap();
    assert_eq!((fetched.status, &*fetched.body), (200, &b"hell"[..]));
    // Its connections close.
    drop(requests);
    let sent = served.join().unwrap();
    let (head, body) = sent.split_once("\r\n\r\n").unwrap();
    let mut lines: Vec<_> = head.lines().map(str::to_lowercase).collect();
    lines.sort_unstable();
    assert!(head.starts_with("POST /path?q=1 HTTP/1.1\r\n"));
    let names = lines.iter().filter_map(|line| line.split_once(": "));
    let names: Vec<_> = names.map(|(name, _)| name).collect();
    assert_eq!(names, ["content-length", "content-type", "host", "user-agent"]);
    assert_eq!(body, "{\"é\":1}");
}

#[test]
fn a_redirect_is_not_followed() {
    let moved = "HTTP/1.1 307 Moved\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";
    for method in [Method::GET, Method::POST] {
        let (url, _) = server(moved, Duration::ZERO);
        let body = (method == Method::POST).then_some("{}");
        let asked = Outgoing { method, body, ..get(&url, Wanted::Whole(10)) };
        assert_eq!(ask(&everywhere(), asked).unwrap().status, 307);
    }
}

#[test]
fn an_error_is_an_answer() {
    let busy = "HTTP/1.1 503 Busy\r\nretry-after: 120\r\ncontent-length: 4\r\n\r\nbusy";
    let (url, _) = server(busy, Duration::ZERO);
    let fetched = ask(&everywhere(), get(&url, Wanted::Whole(4))).unwrap();
    assert_eq!(fetched.status, 503);
    assert_eq!(fetched.retry_after.as_deref(), Some("120"));
    assert_eq!(fetched.body, b"busy");
}

#[test]
fn an_answer_has_a_most() {
    for answer in [ELEVEN, CHUNKED] {
        let (url, _) = server(answer, Duration::ZERO);
        let fetched = ask(&everywhere(), get(&url, Wanted::Whole(11))).unwrap();
        assert_eq!(fetched.body, b"hello world");
        let (url, _) = server(answer, Duration::ZERO);
        let fetched = ask(&everywhere(), get(&url, Wanted::Whole(10)));
        assert_eq!(fetched.err(), Some(FetchError::TooLarge));
    }
}

#[test]
fn a_start_is_what_came_in_time_and_no_fault_of_the_body_counts() {
    for (answer, start) in [
        ("HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\nhello", "hello"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\nnonsense", "hello"),
        (CHUNKED, "hello wo"),
    ] {
        let (url, _) = server(answer, Duration::ZERO);
        let fetched = ask(&everywhere(), get(&url, Wanted::Start(8))).unwrap();
        assert_eq!((fetched.status, &*fetched.body), (200, start.as_bytes()), "{answer}");
    }
}

#[test]
fn a_slow_service_is_told_from_one_that_is_away() {
    let (url, _) = server(ELEVEN, Duration::from_secs(1));
    let requests = Requests::within(Reach::Everywhere, RootCerts::WebPki, Duration::from_millis(100));
    let fetched = ask(&requests, get(&url, Wanted::Whole(11)));
    assert_eq!(fetched.err(), Some(FetchError::Slow));
    // The body does not come.
    let (url, _) = server("HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\nhello", Duration::ZERO);
    let fetched = ask(&requests, get(&url, Wanted::Whole(11)));
    assert_eq!(fetched.err(), Some(FetchError::Slow));
    let (url, _) = server("SSH-2.0\r\n", Duration::ZERO);
    let fetched = ask(&everywhere(), get(&url, Wanted::Whole(11)));
    assert_eq!(fetched.err(), Some(FetchError::Away));
    let fetched = ask(&everywhere(), get("http://127.0.0.1:1/", Wanted::Whole(11)));
    assert_eq!(fetched.err(), Some(FetchError::Away));
}

#[test]
fn an_address_that_cannot_be_requested_is_told() {
    for url in ["", "/path", "ftp://host/", "http://a b/"] {
        let fetched = ask(&everywhere(), get(url, Wanted::Whole(11)));
        assert_eq!(fetched.err(), Some(FetchError::Address), "{url}");
    }
}

#[test]
fn the_internet_does_not_hold_this_machine() {
    let (url, _) = server(ELEVEN, Duration::ZERO);
    let by_name = url.replace("127.0.0.1", "localhost");
    for url in [url, by_name] {
        let fetched = ask(&Requests::new(Reach::Internet, RootCerts::WebPki), get(&url, Wanted::Start(4)));
        assert_eq!(fetched.err(), Some(FetchError::Away));
    }
}
