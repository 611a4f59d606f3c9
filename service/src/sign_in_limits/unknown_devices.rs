//! How many sign-ins from unknown devices may fail: in this isolate, in one network, and of all together.
//!
//! An unknown device has no cookie of an earlier sign-in to the account. Each of its attempts costs a hash, and IP
//! addresses are cheap. So failed attempts have three budgets. A correct password gives its attempt back. While a budget
//! is used up, unknown devices are refused before any work. A mailed link needs no password.
//!
//! The isolate's own budget (`crate::memory::FailureRules`) is as many failures as the interface allows to one
//! person, and fewer during a flood. It keeps the thread free for claims. It also comes first, so a flood creates no
//! limiters. Attempts that come together wait for their turns, and each counts as failed only when its turn comes. So
//! people with new devices and correct passwords do not keep each other out.

use crate::app::App;
use crate::call::Call;
use crate::error::AppError;
use crate::hashing::{self, For};
use crate::ip_ban;
use crate::rate_limiter::Group;
use crate::request::error::RequestError;
use crate::request::limit::{RateLimit, Verdict};
use overturn_core::base::instant::Instant;
use std::rc::Rc;

/// How long this isolate keeps refusing after a limiter refused. A flood then does not reach the limiter.
const REMEMBERED_MS: i64 = 1_000;
/// How many refusals are remembered before all are forgotten.
const REMEMBERED_MAX: usize = 10_000;
/// The limiter that counts the attempts of all unknown devices.
const ALL: &str = "unknown_devices";

/// An attempt from an unknown device. It counts as failed from its turn until it is given back, so closing the connection gains
/// nothing.
pub(crate) struct UnknownDeviceAttempt {
    app: Rc<App>,
    entered_at: Instant,
    /// When its turn came.
    turn_at: Option<Instant>,
    limiters: Vec<(String, Instant)>,
}

impl Drop for UnknownDeviceAttempt {
    fn drop(&mut self) {
        let mut under_way = self.app.memory.unknown_devices.under_way.borrow_mut();
        under_way.give_back(self.entered_at);
    }
}

/// Refuses if no attempt from an unknown device in this network would pass now. Counts no attempt.
pub(crate) fn may_enter(app: &App, network: &str) -> Result<(), AppError> {
    let now = app.host.now();
    let rules = app.settings.limits.auth_isolate;
    let mut budget = app.memory.unknown_devices.budget.borrow_mut();
    within(app, budget.may_fail(rules, network, now))?;
    has_place(app, now).inspect_err(|_| budget.refuse(rules, network, now))?;
    remembered(app, ALL, now)
}

/// Refuses if too many wait for a hash.
fn has_place(app: &App, now: Instant) -> Result<(), AppError> {
    hashing::has_room(app, For::UnknownDevice)?;
    let verdict = app.memory.unknown_devices.under_way.borrow().peek(under_way(app), now);
    if verdict.allowed { Ok(()) } else { Err(hashing::refused(app, 0)) }
}

/// How many attempts may be in progress, each for a minute at most.
fn under_way(app: &App) -> RateLimit {
    RateLimit { limit: hashing::places(app, For::UnknownDevice), window_ms: 60_000 }
}

fn within(app: &App, verdict: Verdict) -> Result<(), AppError> {
    if app.settings.enforces_limits && !verdict.allowed {
        return Err(RequestError::SignInLimited(verdict).into());
    }
    Ok(())
}

/// Counts an attempt from an unknown device, or returns the wait.
pub(super) async fn enter(call: &Call) -> Result<UnknownDeviceAttempt, AppError> {
    let limits = &call.app.settings.limits;
    let network = ip_ban::network(&call.place.ip);
    // Checked before the first limiter: while all unknown devices are refused, the networks of a flood need not be counted.
    may_enter(&call.app, &network)?;
    let network = format!("network:{network}");
    remembered(&call.app, &network, call.ctx.now)?;
    let entered_at = call.app.host.now();
    let under_way_now = &call.app.memory.unknown_devices.under_way;
    under_way_now.borrow_mut().ask(under_way(&call.app), entered_at);
    let mut attempt =
        UnknownDeviceAttempt { app: Rc::clone(&call.app), entered_at, turn_at: None, limiters: Vec::new() };
    for (principal, rule) in [(network, limits.auth_network), (ALL.to_owned(), limits.auth_all)] {
        let limiters = &call.app.limiters;
        let (verdict, at) = limiters.take(&call.counted, &principal, Group::UnknownDevices, rule).await?;
        if !verdict.allowed {
            remember(call, &principal, verdict);
            return Err(RequestError::SignInLimited(verdict).into());
        }
        attempt.limiters.push((principal, at));
    }
    Ok(attempt)
}

impl UnknownDeviceAttempt {
    /// Counts the attempt as failed before its hash is computed. Refuses if earlier attempts in the queue used up the
    /// budget.
    pub(super) fn begin(&mut self, app: &App) -> Result<(), AppError> {
        let now = app.host.now();
        let rules = app.settings.limits.auth_isolate;
        let mut budget = app.memory.unknown_devices.budget.borrow_mut();
        within(app, budget.begin(rules, now))?;
        self.turn_at = Some(now);
        Ok(())
    }

    /// Gives the attempt back after the answer.
    pub(crate) fn give_back(mut self, call: &Rc<Call>) {
        if let Some(at) = self.turn_at {
            let mut budget = call.app.memory.unknown_devices.budget.borrow_mut();
            budget.give_back(at);
        }
        let limiters = std::mem::take(&mut self.limiters);
        call.counted.forget(Group::UnknownDevices);
        call.after_answer(async move |call| {
            for (principal, at) in limiters {
                let limiters = &call.app.limiters;
                // An attempt that is not given back leaves its window in time.
                let _given = limiters.give_back(&principal, Group::UnknownDevices, at).await;
            }
        });
    }
}

fn remembered(app: &App, principal: &str, now: Instant) -> Result<(), AppError> {
    let refused = app.memory.unknown_devices.refused.borrow();
    let known = refused.get(principal).copied();
    match known.filter(|(until, _)| now < *until) {
        Some((_, verdict)) => Err(RequestError::SignInLimited(verdict).into()),
        None => Ok(()),
    }
}

fn remember(call: &Call, principal: &str, verdict: Verdict) {
    let mut refused = call.app.memory.unknown_devices.refused.borrow_mut();
    if refused.len() >= REMEMBERED_MAX {
        refused.clear();
    }
    let until = call.ctx.now.plus(REMEMBERED_MS);
    refused.insert(principal.to_owned(), (until, verdict));
}
