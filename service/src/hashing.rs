//! Schedules the password hashes of this isolate. Only this module computes them.
//!
//! A hash is slow on purpose. While it is computed, the isolate's only thread does nothing else, so an incoming claim
//! waits. Therefore hashes take turns. Between the starts of two hashes the thread has time for other requests, and
//! only a limited number may wait. When the queue is full, a caller is refused before any work. Unknown devices are
//! refused when half of the places are taken, so that a person with a known device or a mailed link still gets one.

use crate::app::App;
use crate::call::Call;
use crate::error::AppError;
use crate::password::{Check, Password};
use crate::request::error::RequestError;
use crate::request::limit::Verdict;
use overturn_core::base::instant::Instant;
use std::time::Duration;

/// The time from the start of one hash to the next, in milliseconds. A hash takes 30 to 75, so at least half of the
/// time is left for other requests.
const EVERY_MS: i64 = 150;

/// The person that a hash is computed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum For {
    /// A person whose device has never signed in to the account.
    UnknownDevice,
    /// A person with a known device, a session, or a mailed link.
    Known,
}

/// A turn to compute hashes. Every hash needs one.
pub(crate) struct Turn {
    at: Instant,
}

/// Refuses if no turn is free now. It takes none.
pub(crate) fn has_room(app: &App, who: For) -> Result<(), AppError> {
    let wait = next(app).since(app.host.now());
    if wait > time_out_ms(app, who) {
        return Err(refused(app, wait));
    }
    Ok(())
}

/// Takes a turn for `hashes` hashes. The caller may have to wait for it.
pub(crate) fn turn(call: &Call, hashes: i64, who: For) -> Result<Turn, AppError> {
    has_room(&call.app, who)?;
    let at = next(&call.app).max(call.app.host.now());
    let next = at.plus(EVERY_MS.saturating_mul(hashes));
    call.app.memory.next_hash.set(Some(next));
    Ok(Turn { at })
}

impl Turn {
    /// Waits for the turn.
    pub(crate) async fn come(&self, call: &Call) {
        let wait = self.at.since(call.app.host.now());
        if wait > 0 && call.app.settings.enforces_limits {
            let wait = Duration::from_millis(wait.unsigned_abs());
            call.app.host.sleep(wait).await;
        }
    }

    /// Compares a password with a stored hash. A missing hash takes as long.
    pub(crate) fn check(&self, call: &Call, password: &Password, stored: Option<&str>) -> Check {
        call.trace.hashed();
        call.app.host.crypto.check_password(password, stored)
    }

    /// The hash of a new password.
    pub(crate) fn hash(&self, call: &Call, password: &Password) -> Result<String, AppError> {
        call.trace.hashed();
        let host = &call.app.host;
        Ok(host.crypto.hash_password(password, host.bytes()?)?)
    }
}

fn next(app: &App) -> Instant {
    app.memory.next_hash.get().unwrap_or(Instant(0))
}

/// How many hashes may wait at the same time.
pub(crate) fn places(app: &App, who: For) -> u32 {
    let places = match app.settings.enforces_limits {
        true => app.settings.limits.hashes_waiting,
        false => u32::MAX,
    };
    match who {
        For::UnknownDevice => places.div_euclid(2),
        For::Known => places,
    }
}

/// The longest wait for a turn, which limits the queue to its places.
fn time_out_ms(app: &App, who: For) -> i64 {
    i64::from(places(app, who)).saturating_mul(EVERY_MS)
}

/// The refusal if no place is free.
pub(crate) fn refused(app: &App, wait_ms: i64) -> AppError {
    let seconds = |ms: i64| ms.saturating_add(999).div_euclid(1000);
    RequestError::SignInLimited(Verdict {
        allowed: false,
        limit: app.settings.limits.hashes_waiting,
        remaining: 0,
        reset: seconds(app.host.now().plus(wait_ms).0),
        retry_after: seconds(wait_ms).max(1),
    })
    .into()
}
