//! How many sign-ins of strangers may fail: in this isolate, in one network, and of all together.
//!
//! A stranger shows no cookie of a device that signed in to the account before. Each of their attempts costs a hash, and addresses
//! are cheap. So failed attempts have three budgets. A right password gives its attempt back. While a budget is used up, strangers
//! are refused before any work is done for them. A known device is not a stranger, and a mailed link needs no password.
//!
//! The isolate's own budget is the smallest. It keeps the thread free for claims: two hashes in 20 s take less than 1 % of its
//! time. It also comes first, so a flood makes no limiters. Strangers that come together wait for their turns, and the budget is
//! looked at again when a turn comes. So five people with new devices and right passwords do not keep each other out.

use crate::app::App;
use crate::call::Call;
use crate::error::Refusal;
use crate::hashing::{self, For};
use crate::ip_ban;
use crate::platform;
use crate::rate_limiter::Group;
use overturn_core::base::instant::Instant;
use overturn_core::request::denied::Denied;
use overturn_core::request::limit::{SlidingLog, Verdict};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

/// How long this isolate goes on refusing after a limiter has refused. A flood then costs the limiter nothing.
const REMEMBERED_MS: i64 = 1_000;
/// How many refusals are remembered before all are forgotten.
const REMEMBERED_MAX: usize = 10_000;
/// The limiter that counts the attempts of all.
const ALL: &str = "strangers";

thread_local! {
    static REFUSED: RefCell<HashMap<String, (Instant, Verdict)>> = RefCell::default();
    /// Attempts of strangers in this isolate that failed.
    static FAILED: RefCell<SlidingLog> = RefCell::default();
    /// Attempts of strangers that are under way in this isolate.
    static UNDER_WAY: Cell<u32> = const { Cell::new(0) };
}

/// An attempt of a stranger, with what is to be given back where the password was right.
pub(crate) struct Tries {
    limiters: Vec<(String, Instant)>,
}

impl Drop for Tries {
    fn drop(&mut self) {
        UNDER_WAY.with(|count| count.set(count.get().saturating_sub(1)));
    }
}

/// Refuses where no attempt of a stranger would pass now. Counts nothing.
pub(crate) fn may_enter(app: &App) -> Result<(), Refusal> {
    hashing::has_room(app, For::Stranger)?;
    may_fail(app)?;
    if UNDER_WAY.with(Cell::get) >= hashing::places(app, For::Stranger) {
        return Err(hashing::refused(app, 0));
    }
    remembered(ALL, platform::now())
}

/// Refuses while as many attempts have failed in this isolate as may.
pub(super) fn may_fail(app: &App) -> Result<(), Refusal> {
    let rule = app.settings.limits.auth_isolate;
    let verdict = FAILED.with_borrow(|failed| failed.clone().ask(rule, platform::now()));
    if app.settings.enforces_limits && !verdict.allowed {
        return Err(Denied::SignInLimited(verdict).into());
    }
    Ok(())
}

/// Counts an attempt of a stranger, or says how long to wait.
pub(super) async fn enter(call: &Call) -> Result<Tries, Refusal> {
    let limits = &call.app.settings.limits;
    let network = format!("network:{}", ip_ban::network(&call.place.ip));
    // Before the first limiter is asked: where all strangers are refused, the networks of a flood need not be counted.
    may_enter(&call.app)?;
    remembered(&network, call.ctx.now)?;
    UNDER_WAY.with(|count| count.set(count.get().saturating_add(1)));
    let mut tries = Tries {
        limiters: Vec::new(),
    };
    for (principal, rule) in [
        (network, limits.auth_network),
        (ALL.to_owned(), limits.auth_all),
    ] {
        let limiters = &call.app.limiters;
        let (verdict, at) = limiters.take(&principal, Group::Strangers, rule).await?;
        if !verdict.allowed {
            remember(call, &principal, verdict);
            return Err(Denied::SignInLimited(verdict).into());
        }
        tries.limiters.push((principal, at));
    }
    Ok(tries)
}

impl Tries {
    /// Keeps the attempt counted: the password was wrong.
    pub(crate) fn fail(self, app: &App) {
        let rule = app.settings.limits.auth_isolate;
        FAILED.with_borrow_mut(|failed| failed.ask(rule, platform::now()));
    }

    /// Gives the attempt back, behind the answer.
    pub(crate) fn give_back(mut self, call: &Arc<Call>) {
        let limiters = std::mem::take(&mut self.limiters);
        let call = Arc::clone(call);
        call.clone().context.wait_until(async move {
            for (principal, at) in limiters {
                let limiters = &call.app.limiters;
                // One that is not given back leaves its window by itself.
                let _given = limiters.give_back(&principal, Group::Strangers, at).await;
            }
        });
    }
}

fn remembered(principal: &str, now: Instant) -> Result<(), Refusal> {
    let known = REFUSED.with_borrow(|refused| refused.get(principal).copied());
    match known.filter(|(until, _)| now < *until) {
        Some((_, verdict)) => Err(Denied::SignInLimited(verdict).into()),
        None => Ok(()),
    }
}

fn remember(call: &Call, principal: &str, verdict: Verdict) {
    REFUSED.with_borrow_mut(|refused| {
        if refused.len() >= REMEMBERED_MAX {
            refused.clear();
        }
        let until = call.ctx.now.plus(REMEMBERED_MS);
        refused.insert(principal.to_owned(), (until, verdict));
    });
}
