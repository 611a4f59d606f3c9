//! A document on its way to clamd.

use super::connection::{Connection, Stop};
use super::protocol::{BUFFER, END, Frame, INSTREAM, ScanResult};
use crate::config::Clamd;
use worker::js_sys::Uint8Array;

/// A stream of frames. One is filled while the one before it is written.
pub(super) struct Stream<'s> {
    pub(super) clamd: &'s Clamd,
    connection: Connection,
    frame: Frame,
    /// The buffer of the frame that is filled.
    filling: Uint8Array,
    /// The buffer of the frame that is written.
    writing: Uint8Array,
}

impl<'s> Stream<'s> {
    pub(super) fn new(mut connection: Connection, clamd: &'s Clamd) -> Self {
        connection.write(&Uint8Array::from(INSTREAM));
        Self {
            clamd,
            connection,
            frame: Frame::default(),
            filling: Uint8Array::new_with_length(BUFFER),
            writing: Uint8Array::new_with_length(BUFFER),
        }
    }

    pub(super) async fn feed(&mut self, mut chunk: &[u8]) -> Result<(), ScanResult> {
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

    pub(super) async fn finish(&mut self) -> ScanResult {
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
