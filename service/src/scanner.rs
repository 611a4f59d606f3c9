//! The virus scanner: clamd over TCP, by its command INSTREAM.
//!
//! A scan never fails. If clamd does not say that a document is clean or infected, the result is
//! [`ScanResult::Unavailable`], and the document stays in quarantine.
//!
//! clamd looks only at as much of a document as its own limits allow, and depending on its configuration it then says that
//! the document is clean. So that answer counts only from a clamd that `limits` tried out.

mod connection;
mod health;
mod limits;
mod protocol;
mod stream;

pub(crate) use health::health;

use crate::app::App;
use crate::config::ScannerSettings;
use connection::Connection;
pub(crate) use protocol::ScanResult;
use stream::Stream;

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
    pub(crate) fn begin(app: &'s App) -> Self {
        let state = match &app.settings.scanner {
            ScannerSettings::Clamd(clamd) => match Connection::open(app, clamd) {
                Some(connection) => State::Streaming(Stream::new(connection)),
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
                ScanResult::Clean => {
                    let Connection { app, clamd, .. } = &stream.connection;
                    limits::check(app, clamd).await
                }
                other => other,
            },
            State::Over(result) => result,
        }
    }
}
