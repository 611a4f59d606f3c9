//! The state of the scanner for `GET /health`.

use super::connection::{Connection, Stop};
use super::protocol::{Answer, PING};
use crate::config::{Clamd, ScannerSettings};
use crate::platform;
use overturn_core::base::instant::Instant;
use std::cell::Cell;
use worker::js_sys::Uint8Array;

/// How long a state is kept, in milliseconds. Anybody may ask for it, so not every call may open a connection.
const KEPT_MS: i64 = 3_000;

thread_local! {
    /// The last known state of this isolate, and when it was asked for.
    static LAST: Cell<Option<(Instant, bool)>> = const { Cell::new(None) };
}

/// `ok` or `away`. `None` if no scanner is configured.
pub(crate) async fn health(settings: &ScannerSettings) -> Option<&'static str> {
    let ScannerSettings::Clamd(clamd) = settings else {
        return None;
    };
    Some(if answers(clamd).await { "ok" } else { "away" })
}

async fn answers(clamd: &Clamd) -> bool {
    if let Some((at, answers)) = LAST.get() {
        if platform::now().since(at) < KEPT_MS {
            return answers;
        }
        // Calls during the ping get the last known state.
        LAST.set(Some((platform::now(), answers)));
    }
    let answers = ping(clamd).await;
    LAST.set(Some((platform::now(), answers)));
    answers
}

/// True if clamd answers in time.
async fn ping(clamd: &Clamd) -> bool {
    let Some(mut connection) = Connection::open(clamd) else {
        return false;
    };
    connection.write(&Uint8Array::from(PING));
    if let Err(Stop::Broken | Stop::Slow) = connection.written().await {
        return false;
    }
    let answer = connection.answer(clamd.connect_limit).await;
    answer.is_some_and(Answer::is_pong)
}
