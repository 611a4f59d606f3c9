//! The state of the scanner for `GET /health`.

use super::connection::{Connection, Stop};
use super::limits;
use super::protocol::{Answer, PING, ScanResult};
use crate::app::App;
use crate::config::{Clamd, ScannerSettings};
use crate::recent::recent;

/// `ok`, `away`, or `misconfigured` if its answers do not count. `None` if no scanner is configured.
pub(crate) async fn health(app: &App) -> Option<&'static str> {
    let ScannerSettings::Clamd(clamd) = &app.settings.scanner else {
        return None;
    };
    if !recent(&app.host, &app.memory.scanner, ping(app, clamd)).await {
        return Some("away");
    }
    Some(match limits::check(app, clamd).await {
        ScanResult::Clean => "ok",
        ScanResult::MISCONFIGURED => "misconfigured",
        _ => "away",
    })
}

/// True if clamd answers in time.
async fn ping(app: &App, clamd: &Clamd) -> bool {
    let Some(mut connection) = Connection::open(app, clamd) else {
        return false;
    };
    connection.write(PING);
    if let Err(Stop::Broken | Stop::Slow) = connection.written().await {
        return false;
    }
    let answer = connection.answer(clamd.connect_limit).await;
    answer.is_some_and(Answer::is_pong)
}
