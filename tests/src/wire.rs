//! HTTP/1.1 as bytes on a socket, so that a test can send anything.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::time::Duration;

const TIME_OUT: Duration = Duration::from_secs(60);

/// An answer as received.
#[derive(Clone, Debug, Default)]
pub struct Raw {
    pub status: u16,
    /// The headers in the order received, their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, without its transfer encoding.
    pub body: Vec<u8>,
}

impl Raw {
    /// Fails with the body if the status is another one.
    #[track_caller]
    pub fn expect(&self, status: u16) {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
    }

    /// The value of a header that may occur once.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        let value = values.next().map(|(_, value)| &**value);
        assert!(values.next().is_none(), "{name} comes twice");
        value
    }
}

#[derive(Debug)]
pub struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    pub fn open(port: u16) -> io::Result<Self> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIME_OUT))?;
        stream.set_write_timeout(Some(TIME_OUT))?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    /// Whether the other side has ended it, as it does with one that is idle for long.
    pub fn is_over(&self) -> io::Result<bool> {
        let stream = self.stream.get_ref();
        stream.set_nonblocking(true)?;
        let nothing_yet = stream.peek(&mut [0]).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock);
        stream.set_nonblocking(false)?;
        Ok(!nothing_yet)
    }

    /// A second handle on the same connection, to write from another thread.
    pub fn writer(&self) -> io::Result<TcpStream> {
        self.stream.get_ref().try_clone()
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// Ends the sending side of the connection.
    pub fn close_write(&self) -> io::Result<()> {
        self.stream.get_ref().shutdown(Shutdown::Write)
    }

    /// Reads one answer; `bodiless` is for the answer to a `HEAD`.
    pub fn read(&mut self, bodiless: bool) -> io::Result<Raw> {
        let line = self.line()?;
        let status = line.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3));
        let status = status.and_then(|status| status.parse().ok());
        let mut raw = Raw { status: status.ok_or_else(|| wrong("status line"))?, ..Raw::default() };
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').ok_or_else(|| wrong("header"))?;
            raw.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        if !bodiless && ![204, 304].contains(&raw.status) {
            raw.body = self.body(&raw)?;
        }
        Ok(raw)
    }

    /// Reads what comes until the other side ends the connection, in any way.
    pub fn rest(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // An error is an end as well. The bytes before it are kept.
        let _ended = self.stream.read_to_end(&mut bytes);
        bytes
    }

    fn body(&mut self, raw: &Raw) -> io::Result<Vec<u8>> {
        if raw.header("transfer-encoding").is_some() {
            return self.chunks();
        }
        let length = raw.header("content-length").ok_or_else(|| wrong("length"))?;
        // The test that reads it needs no more than the part that is wrong.
        self.exactly(length.parse().map_err(|_| wrong("length"))?)
    }

    fn chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            // As for the length.
            let size = usize::from_str_radix(&self.line()?, 16).map_err(|_| wrong("chunk"))?;
            body.extend(self.exactly(size)?);
            self.line()?;
            if size == 0 {
                return Ok(body);
            }
        }
    }

    fn exactly(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end_matches(['\r', '\n']).to_owned())
    }
}

fn wrong(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
