//! Connections over TCP, with TLS if asked, and over Unix sockets.

use bytes::Bytes;
use overturn_service::host::{self, PlatformError, Step};
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, Error, RootCertStore};

/// The most bytes of one read.
const READ_MAX: usize = 8 * 1024;

/// The sockets of the machine. Threads can share them.
#[derive(Clone)]
pub(crate) struct Sockets {
    tls: TlsConnector,
}

impl Sockets {
    /// Trusts these certificate authorities.
    ///
    /// # Errors
    ///
    /// The TLS library has no protocol, which does not happen.
    pub(crate) fn new(roots: RootCertStore) -> Result<Self, Error> {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self { tls: Arc::new(config).into() })
    }
}

impl host::Network for Sockets {
    fn has_unix_sockets(&self) -> bool {
        true
    }

    /// A host that begins with `/` is the path of a Unix socket, and has no port and no TLS.
    fn connect(&self, host: &str, port: u16, tls: bool) -> Option<Box<dyn host::Connection>> {
        let place = place(host, port, tls)?;
        let (tell_opened, opened) = oneshot::channel();
        let (writes, to_write) = mpsc::unbounded_channel();
        // One chunk waits to be read. The next one waits in the loop, and the others wait outside.
        let (tell_read, reads) = mpsc::channel(1);
        let tls = self.tls.clone();
        let drive = async move {
            // A caller that waits learns of a failure, because the channels close.
            let Ok(stream) = open(place, tls).await else {
                return;
            };
            let _listens = tell_opened.send(());
            let (reader, writer) = tokio::io::split(stream);
            tokio::join!(read_all(reader, tell_read), write_all(writer, to_write));
        };
        Some(Box::new(Connection {
            opened: Some(opened),
            writes,
            reads: Rc::new(Mutex::new(reads)),
            driver: tokio::task::spawn_local(drive).abort_handle(),
        }))
    }
}

/// Where to connect to.
enum Place {
    Tcp(String, u16),
    Tls(String, u16, ServerName<'static>),
    Unix(String),
}

fn place(host: &str, port: u16, tls: bool) -> Option<Place> {
    if host.starts_with('/') {
        return (!tls).then(|| Place::Unix(host.to_owned()));
    }
    // An IPv6 address may have brackets.
    let inside = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let name = inside.unwrap_or(host).to_owned();
    if name.is_empty() || port == 0 {
        return None;
    }
    if !tls {
        return Some(Place::Tcp(name, port));
    }
    let server = ServerName::try_from(name.clone()).ok()?;
    Some(Place::Tls(name, port, server))
}

trait Stream: AsyncRead + AsyncWrite + Unpin {}

impl<S: AsyncRead + AsyncWrite + Unpin> Stream for S {}

async fn open(place: Place, tls: TlsConnector) -> io::Result<Box<dyn Stream>> {
    Ok(match place {
        Place::Unix(path) => Box::new(UnixStream::connect(path).await?),
        Place::Tcp(name, port) => Box::new(tcp(&name, port).await?),
        Place::Tls(name, port, server) => Box::new(tls.connect(server, tcp(&name, port).await?).await?),
    })
}

async fn tcp(name: &str, port: u16) -> io::Result<TcpStream> {
    let stream = TcpStream::connect((name, port)).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

type Read = Result<Bytes, PlatformError>;

/// Reads until no more is wanted. After the end, each read ends again.
async fn read_all(mut stream: impl AsyncRead + Unpin, tell: mpsc::Sender<Read>) {
    loop {
        let mut bytes = Vec::with_capacity(READ_MAX);
        let read = stream.read_buf(&mut bytes).await;
        let read = read.map(|_| bytes.into()).map_err(|_| PlatformError);
        if tell.send(read).await.is_err() {
            return;
        }
    }
}

struct Write {
    bytes: Vec<u8>,
    done: oneshot::Sender<Result<(), PlatformError>>,
}

/// Writes until nothing more comes, or a write fails: what follows would belong to no message.
async fn write_all(mut stream: impl AsyncWrite + Unpin, mut to_write: mpsc::UnboundedReceiver<Write>) {
    while let Some(Write { bytes, done }) = to_write.recv().await {
        let mut written = stream.write_all(&bytes).await;
        if written.is_ok() {
            written = stream.flush().await;
        }
        let is_broken = written.is_err();
        let _listens = done.send(written.map_err(|_| PlatformError));
        if is_broken {
            return;
        }
    }
}

/// A connection, which a task of its own drives.
struct Connection {
    opened: Option<oneshot::Receiver<()>>,
    writes: mpsc::UnboundedSender<Write>,
    reads: Rc<Mutex<mpsc::Receiver<Read>>>,
    driver: AbortHandle,
}

impl host::Connection for Connection {
    fn opened(&mut self) -> Step<'static, Result<(), PlatformError>> {
        let opened = self.opened.take();
        Box::pin(async move {
            let opened = opened.ok_or(PlatformError)?;
            opened.await.map_err(|_| PlatformError)
        })
    }

    fn write(&mut self, bytes: &[u8]) -> Step<'static, Result<(), PlatformError>> {
        let (done, written) = oneshot::channel();
        let bytes = bytes.to_vec();
        // If the task has ended, this closes the channel of the answer.
        let _sent = self.writes.send(Write { bytes, done });
        Box::pin(async move { written.await.unwrap_or(Err(PlatformError)) })
    }

    /// The task has begun to read already. A read that is dropped loses nothing.
    fn read(&mut self) -> Step<'static, Read> {
        let reads = Rc::clone(&self.reads);
        Box::pin(async move {
            let read = reads.lock().await.recv().await;
            read.unwrap_or(Err(PlatformError))
        })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

#[cfg(test)]
mod tests;
