//! A scanner that misbehaves.

use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

const TIME_OUT: Duration = Duration::from_secs(30);
/// How long [`Manner::ReadsNothing`] lasts.
const NOT_READING: Duration = Duration::from_secs(15);

/// How a fake scanner behaves.
#[derive(Clone, Copy, Debug)]
pub enum Manner {
    /// It reads the whole stream, and then says this.
    Says(&'static [u8]),
    /// It says this as soon as the command has come, and closes the connection.
    SaysAtOnce(&'static [u8]),
    /// It reads everything and says nothing.
    Silent,
    /// It reads nothing for 15 seconds, and says nothing.
    ReadsNothing,
}

/// A scanner on a port of its own.
#[derive(Debug)]
pub struct FakeClamd {
    port: u16,
    seen: Arc<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    counts: Mutex<Counts>,
    more: Condvar,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    opened: usize,
    closed: usize,
}

impl FakeClamd {
    /// A scanner that behaves like this on every connection.
    pub fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Seen::default());
        let serving = Arc::clone(&seen);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let seen = Arc::clone(&serving);
                thread::spawn(move || {
                    seen.count(|counts| counts.opened += 1);
                    // An error means that the service has closed the connection.
                    let _sent = serve(&stream, manner);
                    seen.count(|counts| counts.closed += 1);
                });
            }
        });
        Self { port, seen }
    }

    /// The variables of a server that scans with it.
    pub fn vars(&self) -> Value {
        let address = format!("127.0.0.1:{}", self.port);
        json!({ "LIMITS": "unlimited", "SCANNER_ADDRESS": address })
    }

    /// How many connections the service has opened.
    pub fn opened(&self) -> usize {
        self.seen.counts.lock().unwrap().opened
    }

    /// Waits until the service has opened this many connections and closed all of them.
    pub fn wait_closed(&self, connections: usize) {
        let counts = self.seen.counts.lock().unwrap();
        let open = |counts: &mut Counts| counts.opened < connections || counts.closed < counts.opened;
        let waited = self.seen.more.wait_timeout_while(counts, TIME_OUT, open);
        let (counts, waited) = waited.unwrap();
        assert!(!waited.timed_out(), "{connections} connections, {counts:?}");
    }
}

impl Seen {
    fn count(&self, add: impl Fn(&mut Counts)) {
        add(&mut self.counts.lock().unwrap());
        self.more.notify_all();
    }
}

/// Serves one connection until the other side closes it.
fn serve(mut stream: &TcpStream, manner: Manner) -> std::io::Result<()> {
    if let Manner::ReadsNothing = manner {
        // Nobody can see that the other side is gone without reading, so it reads after a while.
        thread::sleep(NOT_READING);
        return std::io::copy(&mut stream, &mut std::io::sink()).map(drop);
    }
    let command = read_command(stream)?;
    if let Manner::SaysAtOnce(text) = manner {
        return stream.write_all(text);
    }
    if command == b"zINSTREAM" {
        read_stream(stream)?;
    }
    if let Manner::Says(text) = manner {
        return stream.write_all(text);
    }
    std::io::copy(&mut stream, &mut std::io::sink()).map(drop)
}

/// The command without the zero byte that ends it.
fn read_command(mut stream: &TcpStream) -> std::io::Result<Vec<u8>> {
    let mut command = Vec::new();
    loop {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        if byte == [0] {
            return Ok(command);
        }
        command.extend(byte);
    }
}

/// Reads frames until the one that ends the stream.
fn read_stream(mut stream: &TcpStream) -> std::io::Result<()> {
    loop {
        let mut length = [0; 4];
        stream.read_exact(&mut length)?;
        if length == [0; 4] {
            return Ok(());
        }
        let length = u64::from(u32::from_be_bytes(length));
        std::io::copy(&mut stream.take(length), &mut std::io::sink())?;
    }
}
