//! A connection to clamd.

use super::protocol::Answer;
use crate::app::App;
use crate::config::Clamd;
use crate::host::{self, PlatformError, Step};
use bytes::Bytes;
use futures_util::future::{Either, select};
use std::time::Duration;

/// How long to wait for the answer after a write has failed: clamd may have answered before it closed the connection.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Why a write did not go on.
pub(super) enum Stop {
    /// clamd has answered, or has closed the connection.
    Answered,
    /// The connection could not be made in time, or it broke.
    Broken,
    /// clamd reads nothing.
    Slow,
}

/// A connection. Dropping it closes it.
pub(super) struct Connection<'s> {
    pub(super) app: &'s App,
    pub(super) clamd: &'s Clamd,
    connection: Box<dyn host::Connection>,
    /// Until the connection is made.
    opening: Option<Step<'static, Result<(), PlatformError>>>,
    /// The write in progress.
    writing: Option<Step<'static, Result<(), PlatformError>>>,
    /// The read in progress. There always is one, so that an early answer arrives.
    reading: Step<'static, Result<Bytes, PlatformError>>,
    answer: Answer,
}

impl<'s> Connection<'s> {
    /// Begins to connect. `None` if the platform refuses the address.
    pub(super) fn open(app: &'s App, clamd: &'s Clamd) -> Option<Self> {
        let network = &app.host.network;
        let mut connection = network.connect(&clamd.host, clamd.port, clamd.tls)?;
        Some(Self {
            app,
            clamd,
            opening: Some(connection.opened()),
            writing: None,
            reading: connection.read(),
            connection,
            answer: Answer::default(),
        })
    }

    /// Begins to write. The write before it must be done.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.writing = Some(self.connection.write(bytes));
    }

    /// Waits until the connection is made and the write is done.
    pub(super) async fn written(&mut self) -> Result<(), Stop> {
        let host = &self.app.host;
        if let Some(opening) = self.opening.take() {
            match host.within(self.clamd.connect_limit, opening).await {
                Some(Ok(())) => {}
                Some(Err(_)) | None => return Err(Stop::Broken),
            }
        }
        let limit = self.clamd.write_limit;
        let done = host.within(limit, self.write_done()).await;
        done.unwrap_or(Err(Stop::Slow))
    }

    async fn write_done(&mut self) -> Result<(), Stop> {
        while let Some(writing) = &mut self.writing {
            match select(writing, &mut self.reading).await {
                Either::Left((Ok(()), _)) => self.writing = None,
                Either::Left((Err(_), _)) => return Err(Stop::Broken),
                Either::Right((read, _)) => {
                    self.take(read);
                    if self.answer.is_complete() {
                        return Err(Stop::Answered);
                    }
                }
            }
        }
        Ok(())
    }

    /// Waits for the whole answer. `None` if the time is up.
    pub(super) async fn answer(&mut self, limit: Duration) -> Option<&Answer> {
        let host = &self.app.host;
        host.within(limit, self.answered()).await?;
        Some(&self.answer)
    }

    /// The answer after a write has stopped.
    pub(super) async fn last_words(&mut self) -> &Answer {
        if self.answer(LAST_WORDS).await.is_none() {
            self.answer.close();
        }
        &self.answer
    }

    async fn answered(&mut self) {
        while !self.answer.is_complete() {
            let read = (&mut self.reading).await;
            self.take(read);
        }
    }

    fn take(&mut self, read: Result<Bytes, PlatformError>) {
        match read {
            Ok(bytes) if !bytes.is_empty() => {
                self.answer.push(&bytes);
                self.reading = self.connection.read();
            }
            // The end has no bytes. A broken connection sends no more either.
            Ok(_) | Err(_) => self.answer.close(),
        }
    }
}
