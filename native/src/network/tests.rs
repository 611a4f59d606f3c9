use super::*;
use futures_util::future::{Either, select};
use overturn_service::host::Network as _;
use std::time::Duration;
use tokio::net::{TcpListener, UnixListener};
use tokio::task::{LocalSet, spawn_local};
use tokio::time::{sleep, timeout};

const SOON: Duration = Duration::from_millis(50);

/// Runs a test as the server runs: on one thread.
fn run(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    let test = async { timeout(Duration::from_secs(20), test).await };
    LocalSet::new().block_on(&runtime, test).unwrap();
}

/// A connection, and its other end.
async fn pair() -> (Box<dyn host::Connection>, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let sockets = Sockets::new(RootCertStore::empty()).unwrap();
    let mut connection = sockets.connect("127.0.0.1", port, false).unwrap();
    let opened = connection.opened();
    let (other, _) = listener.accept().await.unwrap();
    opened.await.unwrap();
    (connection, other)
}

#[test]
fn a_write_and_a_read_are_under_way_together() {
    run(async {
        let (mut connection, mut other) = pair().await;
        let reading = connection.read();
        // More than the buffers of both sides take.
        let writing = connection.write(&vec![7; 32 << 20]);
        sleep(SOON).await;
        other.write_all(b"stop").await.unwrap();
        let Either::Right((read, writing)) = select(writing, reading).await else {
            panic!("the write ended");
        };
        assert_eq!(read.unwrap(), "stop");
        let mut taken = vec![0; 32 << 20];
        let (written, read) = tokio::join!(writing, other.read_exact(&mut taken));
        assert!(written.is_ok() && read.is_ok());
        assert!(taken.iter().all(|byte| *byte == 7));
    });
}

#[test]
fn writes_go_on_by_themselves_one_after_the_other_to_a_slow_reader() {
    run(async {
        let (mut connection, mut other) = pair().await;
        drop(connection.write(&vec![1; 8 << 20]));
        drop(connection.write(&vec![2; 8 << 20]));
        let last = connection.write(&[3]);
        let taker = spawn_local(async move {
            let (mut taken, mut chunk) = (Vec::new(), vec![0; 1 << 20]);
            while taken.len() <= 16 << 20 {
                sleep(Duration::from_millis(2)).await;
                let count = other.read(&mut chunk).await.unwrap();
                taken.extend_from_slice(&chunk[..count]);
            }
            taken
        });
        last.await.unwrap();
        let taken = taker.await.unwrap();
        assert!(taken.is_sorted());
        assert_eq!(taken.iter().filter(|byte| **byte == 1).count(), 8 << 20);
        assert_eq!(taken.last(), Some(&3));
    });
}

#[test]
fn a_dropped_read_loses_nothing() {
    run(async {
        let (mut connection, mut other) = pair().await;
        let mut dropped = connection.read();
        assert!(timeout(SOON, &mut dropped).await.is_err());
        other.write_all(b"first").await.unwrap();
        sleep(SOON).await;
        drop(dropped);
        assert_eq!(connection.read().await.unwrap(), "first");
        other.write_all(b"second").await.unwrap();
        assert_eq!(connection.read().await.unwrap(), "second");
        drop(other);
        assert!(connection.read().await.unwrap().is_empty());
        assert!(connection.read().await.unwrap().is_empty());
    });
}

#[test]
fn a_dropped_connection_is_closed() {
    run(async {
        let (mut connection, mut other) = pair().await;
        let (reading, writing) = (connection.read(), connection.write(&vec![7; 32 << 20]));
        sleep(SOON).await;
        drop(connection);
        let mut taken = Vec::new();
        let _ended = other.read_to_end(&mut taken).await;
        assert!(taken.len() < 32 << 20);
        assert!(reading.await.is_err());
        assert!(writing.await.is_err());
    });
}

#[test]
fn a_connection_that_cannot_be_made_fails_every_step() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let sockets = Sockets::new(RootCertStore::empty()).unwrap();
        // The other side does not speak TLS.
        let plain = spawn_local(async move {
            let (mut other, _) = listener.accept().await.unwrap();
            let _sent = other.write_all(b"220 not TLS\r\n").await;
        });
        let mut spoken = sockets.connect("localhost", port, true).unwrap();
        assert!(spoken.opened().await.is_err());
        plain.await.unwrap();
        // Nobody listens there any more.
        let mut connection = sockets.connect("[127.0.0.1]", port, false).unwrap();
        let (reading, writing) = (connection.read(), connection.write(b"x"));
        assert!(connection.opened().await.is_err());
        assert!(reading.await.is_err());
        assert!(writing.await.is_err());
        assert!(connection.write(b"x").await.is_err());
        assert!(connection.read().await.is_err());
    });
}

#[test]
fn a_path_is_a_unix_socket() {
    run(async {
        let path = std::env::temp_dir().join(format!("overturn-{}.sock", std::process::id()));
        let _none = std::fs::remove_file(&path);
        let listener = UnixListener::bind(&path).unwrap();
        let host = path.to_str().unwrap();
        let sockets = Sockets::new(RootCertStore::empty()).unwrap();
        assert!(sockets.connect(host, 0, true).is_none());
        let mut connection = sockets.connect(host, 0, false).unwrap();
        let written = connection.write(b"PING");
        let (mut other, _) = listener.accept().await.unwrap();
        let mut taken = [0; 4];
        other.read_exact(&mut taken).await.unwrap();
        assert_eq!(&taken, b"PING");
        written.await.unwrap();
        std::fs::remove_file(&path).unwrap();
    });
}

#[test]
fn an_address_that_cannot_be_used_is_refused() {
    let cannot = |host, port, tls| place(host, port, tls).is_none();
    assert!(cannot("", 1, false) && cannot("host", 0, false) && cannot("a b", 1, true));
    assert!(matches!(place("[::1]", 1, false), Some(Place::Tcp(name, 1)) if name == "::1"));
}
