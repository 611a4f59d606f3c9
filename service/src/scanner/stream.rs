//! A document on its way to clamd.

use super::connection::{Connection, Stop};
use super::protocol::{Frame, INSTREAM, ScanResult};

/// A stream of frames. One is filled while the one before it is written.
pub(super) struct Stream<'s> {
    pub(super) connection: Connection<'s>,
    frame: Frame,
}

impl<'s> Stream<'s> {
    pub(super) fn new(mut connection: Connection<'s>) -> Self {
        connection.write(INSTREAM);
        Self { connection, frame: Frame::new() }
    }

    pub(super) async fn feed(&mut self, mut chunk: &[u8]) -> Result<(), ScanResult> {
        while !chunk.is_empty() {
            chunk = self.frame.take(chunk);
            if self.frame.is_full() {
                self.written().await?;
                self.connection.write(self.frame.sent());
                self.frame.clear();
            }
        }
        Ok(())
    }

    pub(super) async fn finish(&mut self) -> ScanResult {
        if let Err(result) = self.written().await {
            return result;
        }
        self.connection.write(self.frame.sent_last());
        // The answer may come before the platform says that the last write is done.
        match self.connection.written().await {
            Ok(()) | Err(Stop::Answered) => {}
            Err(stop) => return self.stopped(&stop).await,
        }
        let limit = self.connection.clamd.verdict_limit;
        match self.connection.answer(limit).await {
            Some(answer) => answer.result(true),
            None => ScanResult::SLOW,
        }
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
