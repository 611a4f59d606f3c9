//! The HTTP server of one thread: hyper takes the requests, and the service or the files of the console answer them.

mod body;

use crate::clock;
use crate::entrance::Entrance;
use crate::files;
use crate::tasks::AfterAnswer;
use crate::thread::{Shared, Thread};
use body::{RequestReader, Sent};
use http::header::HOST;
use http::{HeaderMap, HeaderName, Request, Response, StatusCode, Uri};
use hyper::body::Incoming as Body;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use overturn_service::host::{Incoming, Reader as _};
use overturn_service::http::{Answer, serve};
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::spawn_local;
use tokio::time::timeout;

/// How long a client may take to send the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// How long a stop waits for requests, the work after their answers, and jobs.
pub(crate) const STOP_TIME: Duration = Duration::from_secs(10);
/// How long the entrance of the tests waits for work after answers. Some tests stop such work for longer.
const SETTLING_TIME: Duration = Duration::from_secs(5);
/// How long to wait after the system refused a connection, for example because too many are open.
const REFUSED_TIME: Duration = Duration::from_millis(50);

/// What clients and proxies are.
#[derive(Clone, Default)]
pub(crate) struct Edge {
    /// The header in which a proxy in front names the client. Without one, and if it names none, the client is who connects.
    pub(crate) address_header: Option<HeaderName>,
    /// True if clients reach the proxy by https.
    pub(crate) is_https: bool,
}

/// Serves until a stop is asked for, and then finishes what was begun.
pub(crate) async fn listen(listener: TcpListener, thread: Rc<Thread>, mut stop: watch::Receiver<bool>) {
    while let Some((stream, client)) = accept(&listener, &mut stop).await {
        let (of, stop) = (Rc::clone(&thread), stop.clone());
        thread.tasks.spawn(connection(stream, client, of, stop));
    }
    drop(listener);
    let ended = async {
        thread.tasks.wait().await;
        thread.after_answers.wait().await;
    };
    let _in_time = timeout(STOP_TIME, ended).await;
}

/// The next connection. `None` if a stop is asked for.
async fn accept(listener: &TcpListener, stop: &mut watch::Receiver<bool>) -> Option<(TcpStream, SocketAddr)> {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => return None,
        };
        match accepted {
            Ok(accepted) => return Some(accepted),
            Err(_) => tokio::time::sleep(REFUSED_TIME).await,
        }
    }
}

/// Answers `GET /metrics`, and nothing else.
pub(crate) async fn tell_metrics(listener: std::net::TcpListener, shared: Shared, mut stop: watch::Receiver<bool>) {
    let Ok(listener) = TcpListener::from_std(listener) else {
        return;
    };
    let shared = Rc::new(shared);
    while let Some((stream, _)) = accept(&listener, &mut stop).await {
        let shared = Rc::clone(&shared);
        let answer = service_fn(move |request: Request<Body>| {
            let is_known = request.uri().path() == "/metrics";
            let text = shared.metrics.text(&shared.cells, &shared.webhooks);
            let response = match is_known {
                true => Response::new(Sent::bytes(text.into())),
                false => plain(StatusCode::NOT_FOUND),
            };
            async { Ok::<_, Infallible>(response) }
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
        spawn_local(http.serve_connection(TokioIo::new(stream), answer));
    }
}

async fn connection(stream: TcpStream, client: SocketAddr, thread: Rc<Thread>, mut stop: watch::Receiver<bool>) {
    let _slower_without = stream.set_nodelay(true);
    let answer = service_fn(|request| {
        let (thread, client) = (Rc::clone(&thread), client.ip());
        async move {
            // A client that disconnects must not cancel a write halfway, so the request is a task of its own.
            let (answered, answer) = tokio::sync::oneshot::channel();
            let of = Rc::clone(&thread);
            thread.tasks.spawn(async move {
                drop(answered.send(respond(request, client, of).await));
            });
            let gone = |_| plain(StatusCode::INTERNAL_SERVER_ERROR);
            Ok::<_, Infallible>(answer.await.unwrap_or_else(gone))
        }
    });
    let mut http = http1::Builder::new();
    // A client may say that it sends no more, and still wait for its answer.
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).half_close(true);
    let mut serving = pin!(http.serve_connection(TokioIo::new(stream), answer));
    tokio::select! {
        // A broken connection cannot be answered.
        _ = serving.as_mut() => return,
        _ = stop.wait_for(|stop| *stop) => serving.as_mut().graceful_shutdown(),
    }
    let _ended = serving.await;
}

async fn respond(request: Request<Body>, client: IpAddr, thread: Rc<Thread>) -> Response<Sent> {
    let (head, body) = request.into_parts();
    let shared = &thread.shared;
    // The service refuses a URL that is none.
    let url = url(&head, shared);
    let path = head.uri.path().to_owned();
    let variables = |name: &str| shared.settings.get(name);
    let here = thread.here(&variables);
    let mut reader = RequestReader::new(body);
    if let Some(entrance) = &shared.entrance
        && Entrance::is_own(&path)
    {
        let body = reader.read_all().await.unwrap_or_default();
        // A test that looks into the database sees what the answers before have left behind.
        let _in_time = timeout(SETTLING_TIME, thread.after_answers.wait()).await;
        let answer = entrance.answer(&path, &head.headers, &body, &here);
        return answer.await.map(|bytes| Sent::bytes(bytes.into()));
    }
    if url.is_some() && !files::is_of_service(&path) && !shared.files.is_empty() {
        let files = &shared.files;
        let found = files.answer(&head.method, &path, &head.headers);
        return found.map(Sent::bytes);
    }
    let (headers, method) = (head.headers, head.method);
    let header = |name: &HeaderName| text(&headers, name);
    let entrance = shared.entrance.as_ref();
    let other = entrance.map_or(Ok(None), |entrance| entrance.service(&headers, &here));
    let Ok(other) = other else {
        return plain(StatusCode::INTERNAL_SERVER_ERROR);
    };
    let named = shared.edge.address_header.as_ref();
    let address = match entrance {
        Some(_) => Entrance::address(&headers),
        None => named.and_then(header).and_then(|named| last(&named)),
    };
    let address = address.unwrap_or_else(|| client.to_string());
    let incoming = Incoming {
        method: method.as_str().to_owned(),
        path,
        url: url.as_ref().map(Uri::to_string).unwrap_or_default(),
        header: &header,
        address,
        body: Box::new(reader),
        background: Rc::new(AfterAnswer(Rc::clone(&thread.after_answers))),
    };
    let service = other.as_ref().unwrap_or(&thread.service);
    let began = clock::moment();
    let Answer { route, response, unread } = serve(&thread.basics, service, incoming).await;
    let status = response.status().as_u16();
    shared.metrics.count(route, status, began.elapsed());
    if let Some(unread) = unread {
        let basics = thread.basics.clone();
        // Many clients write the whole body before they read.
        thread.tasks.spawn(async move { unread.drain(&basics).await });
    }
    response.map(Sent::from)
}

/// The URL of a request, as it was sent. `None` if the request names no host, several hosts, or no path.
fn url(head: &http::request::Parts, shared: &Shared) -> Option<Uri> {
    let mut hosts = head.headers.get_all(HOST).into_iter();
    let (host, None) = (hosts.next()?.to_str().ok()?, hosts.next()) else {
        return None;
    };
    let entrance = shared.entrance.as_ref();
    let scheme = match entrance.and_then(|_| Entrance::scheme(&head.headers)) {
        Some(scheme) => scheme,
        None if shared.edge.is_https => "https",
        None => "http",
    };
    let asked = head.uri.path_and_query()?.as_str();
    // Networks of containers have names with `_`.
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
    if !asked.starts_with('/') || host.is_empty() || !host.chars().all(is_host) {
        return None;
    }
    format!("{scheme}://{host}{asked}").parse().ok()
}

/// The value of a header. Several values of a header are one, as Workers join them.
fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let values = headers.get_all(name).into_iter();
    let values: Vec<_> = values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

/// The last address of a list: the proxy in front adds who connects to it, and the client can write what comes before.
fn last(named: &str) -> Option<String> {
    let last = named.rsplit(',').next()?.trim();
    let alone = last.parse::<IpAddr>();
    let address = alone.or_else(|_| last.parse().map(|with_port: SocketAddr| with_port.ip()));
    address.ok().map(|address| address.to_string())
}

fn plain(status: StatusCode) -> Response<Sent> {
    let mut response = Response::new(Sent::bytes(bytes::Bytes::new()));
    *response.status_mut() = status;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_client_is_the_last_of_the_list_and_nothing_else() {
        for (named, address) in [
            ("192.0.2.7", Some("192.0.2.7")),
            ("198.51.100.1, 192.0.2.7", Some("192.0.2.7")),
            ("someone,2001:db8::7", Some("2001:db8::7")),
            ("192.0.2.7:4711", Some("192.0.2.7")),
            ("[2001:db8::7]:4711", Some("2001:db8::7")),
            ("192.0.2.7, unknown", None),
            ("192.0.2.7,", None),
            ("", None),
        ] {
            assert_eq!(last(named).as_deref(), address, "{named}");
        }
    }
}
