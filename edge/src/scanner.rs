//! The virus scanner: clamd over TCP, by its command INSTREAM.
//!
//! A scan never fails. If clamd does not say that a document is clean or infected, the result is
//! [`ScanResult::Unavailable`], and the document stays in quarantine.
//!
//! clamd looks only at as much of a document as its own limits allow, and depending on its configuration it then says that
//! the document is clean. So that answer counts only from a clamd whose [`limits`] were tried out.

mod connection;
mod health;
mod limits;
mod protocol;

pub(crate) use health::health;

use crate::config::{Clamd, ScannerSettings};
use connection::{Connection, Stop};
pub(crate) use protocol::ScanResult;
use protocol::{BUFFER, END, Frame, INSTREAM};
use worker::js_sys::Uint8Array;

/// The scan of one document.
pub(crate) struct Scan<'s> {
    state: State<'s>,
}

enum State<'s> {
    Streaming(Stream<'s>),
    /// The result is known before the end. Further chunks cost nothing.
    Over(ScanResult),
}

impl<'s> Scan<'s> {
    /// Begins a scan. It connects in the background.
    pub(crate) fn begin(settings: &'s ScannerSettings) -> Self {
        let state = match settings {
            ScannerSettings::Clamd(clamd) => match Connection::open(clamd) {
                Some(connection) => State::Streaming(Stream::new(connection, clamd)),
                None => State::Over(ScanResult::AWAY),
            },
            ScannerSettings::Absent => State::Over(ScanResult::NO_SCANNER),
            ScannerSettings::Skipped => State::Over(ScanResult::Clean),
        };
        Self { state }
    }

    /// Passes the next bytes of the document on. It waits while clamd has not read the earlier ones, up to the limits.
    pub(crate) async fn feed(&mut self, chunk: &[u8]) {
        if let State::Streaming(stream) = &mut self.state
            && let Err(result) = stream.feed(chunk).await
        {
            self.state = State::Over(result);
        }
    }

    /// Ends the document, and waits for the result.
    pub(crate) async fn finish(self) -> ScanResult {
        match self.state {
            State::Streaming(mut stream) => match stream.finish().await {
                ScanResult::Clean => limits::check(stream.clamd).await,
                other => other,
            },
            State::Over(result) => result,
        }
    }
}

/// A document on its way to clamd. One frame is filled while the one before it is written.
struct Stream<'s> {
    clamd: &'s Clamd,
    connection: Connection,
    frame: Frame,
    /// The buffer of the frame that is filled.
    filling: Uint8Array,
    /// The buffer of the frame that is written.
    writing: Uint8Array,
}

impl<'s> Stream<'s> {
    fn new(mut connection: Connection, clamd: &'s Clamd) -> Self {
        connection.write(&Uint8Array::from(INSTREAM));
        Self {
            clamd,
            connection,
            frame: Frame::default(),
            filling: Uint8Array::new_with_length(BUFFER),
            writing: Uint8Array::new_with_length(BUFFER),
        }
    }

    async fn feed(&mut self, mut chunk: &[u8]) -> Result<(), ScanResult> {
        while !chunk.is_empty() {
            let place = self.frame.take(chunk.len());
            let Some((now, later)) = chunk.split_at_checked(place.len()) else {
                return Err(ScanResult::AWAY);
            };
            self.put(place.start, now);
            chunk = later;
            if self.frame.is_full() {
                self.send(self.frame.end()).await?;
            }
        }
        Ok(())
    }

    async fn finish(&mut self) -> ScanResult {
        let sent = if self.frame.is_empty() {
            self.send(self.frame.end()).await
        } else {
            let end = self.frame.end_of_stream();
            self.put(end.start, &END);
            self.send(end.end).await
        };
        if let Err(result) = sent {
            return result;
        }
        // The answer may come before the platform says that the last write is done.
        match self.connection.written().await {
            Ok(()) | Err(Stop::Answered) => {}
            Err(stop) => return self.stopped(&stop).await,
        }
        match self.connection.answer(self.clamd.verdict_limit).await {
            Some(answer) => answer.result(true),
            None => ScanResult::SLOW,
        }
    }

    /// Copies bytes into the buffer that is filled.
    fn put(&self, at: u32, bytes: &[u8]) {
        let end = u32::try_from(bytes.len()).map_or(BUFFER, |length| at.saturating_add(length));
        self.filling.subarray(at, end).copy_from(bytes);
    }

    /// Begins to write the frame once the one before it is written, and begins a new frame.
    async fn send(&mut self, end: u32) -> Result<(), ScanResult> {
        self.put(0, &self.frame.length());
        self.written().await?;
        core::mem::swap(&mut self.filling, &mut self.writing);
        self.connection.write(&self.writing.subarray(0, end));
        self.frame = Frame::default();
        Ok(())
    }

    /// Waits until the last write is done. If it stopped, the result of the scan is known.
    async fn written(&mut self) -> Result<(), ScanResult> {
        match self.connection.written().await {
            Ok(()) => Ok(()),
            Err(stop) => Err(self.stopped(&stop).await),
        }
    }

    /// The result if clamd did not take the whole stream.
    async fn stopped(&mut self, stop: &Stop) -> ScanResult {
        match stop {
            Stop::Slow => ScanResult::SLOW,
            Stop::Answered | Stop::Broken => self.connection.last_words().await.result(false),
        }
    }
}
