//! The state of the scanner for `GET /health`.

use super::connection::{Connection, Stop};
use super::limits;
use super::protocol::{Answer, PING, ScanResult};
use crate::config::{Clamd, ScannerSettings};
use crate::recent::{Recent, recent};
use std::cell::Cell;
use worker::js_sys::Uint8Array;

thread_local! {
    static LAST: Recent = const { Cell::new(None) };
}

/// `ok`, `away`, or `misconfigured` if its answers do not count. `None` if no scanner is configured.
pub(crate) async fn health(settings: &ScannerSettings) -> Option<&'static str> {
    let ScannerSettings::Clamd(clamd) = settings else {
        return None;
    };
    if !recent(&LAST, ping(clamd)).await {
        return Some("away");
    }
    Some(match limits::check(clamd).await {
        ScanResult::Clean => "ok",
        ScanResult::MISCONFIGURED => "misconfigured",
        _ => "away",
    })
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
