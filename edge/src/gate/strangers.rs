//! How many sign-ins of strangers may fail: in this isolate, in one network, and of all together.
//!
//! A stranger shows no cookie of a device that signed in to the account before. Each of their attempts costs a hash, and addresses
//! are cheap. So failed attempts have three budgets. A right password gives its attempt back. While a budget is used up, strangers
//! are refused before any work is done for them. A known device is not a stranger, and a mailed link needs no password.
//!
//! The isolate's own budget is the smallest. It keeps the thread free for claims: four hashes in 20 s take less than 1 % of its
//! time. It also comes first, so a flood makes no limiters.

use crate::ambient;
use crate::app::{App, Call};
use crate::error::Refusal;
use crate::limiter::Group;
use crate::shield;
use overturn_core::ctx::Instant;
use overturn_core::denied::Denied;
use overturn_core::limit::{SlidingLog, Verdict};
use std::cell::RefCell;
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
    /// Attempts of strangers in this isolate: those under way, and those that failed.
    static HERE: RefCell<SlidingLog> = RefCell::default();
}

/// Attempts that were counted, to be given back where the password was right.
#[derive(Default)]
pub(crate) struct Tries {
    here: Option<Here>,
    limiters: Vec<(String, Instant)>,
}

/// An attempt in this isolate. It gives itself back, unless it failed.
struct Here {
    at: Instant,
    has_failed: bool,
}

impl Here {
    fn enter(call: &Call) -> Result<Self, Refusal> {
        let rule = call.app.settings.limits.auth_isolate;
        let at = ambient::now();
        let verdict = HERE.with_borrow_mut(|log| log.ask(rule, at));
        if call.app.settings.enforces_limits && !verdict.allowed {
            return Err(Denied::SignInLimited(verdict).into());
        }
        Ok(Self {
            at,
            has_failed: false,
        })
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        if !self.has_failed {
            HERE.with_borrow_mut(|log| log.give_back(self.at));
        }
    }
}

/// Refuses where no attempt of a stranger would pass now. Counts nothing.
pub(crate) fn may_enter(app: &App) -> Result<(), Refusal> {
    let now = ambient::now();
    let rule = app.settings.limits.auth_isolate;
    let here = HERE.with_borrow(|log| log.clone().ask(rule, now));
    if app.settings.enforces_limits && !here.allowed {
        return Err(Denied::SignInLimited(here).into());
    }
    remembered(ALL, now)
}

/// Counts an attempt of a stranger, or says how long to wait.
pub(super) async fn enter(call: &Call) -> Result<Tries, Refusal> {
    let limits = &call.app.settings.limits;
    let network = format!("network:{}", shield::network(&call.place.ip));
    // Both before the first is asked: where all strangers are refused, the networks of a flood need not be counted.
    remembered(ALL, call.ctx.now)?;
    remembered(&network, call.ctx.now)?;
    let mut tries = Tries {
        here: Some(Here::enter(call)?),
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
    /// Keeps the attempts counted: the password was wrong.
    pub(crate) fn fail(mut self) {
        if let Some(here) = &mut self.here {
            here.has_failed = true;
        }
    }

    /// Gives the attempts back, behind the answer.
    pub(crate) fn give_back(self, call: &Arc<Call>) {
        let Self { here, limiters } = self;
        drop(here);
        if limiters.is_empty() {
            return;
        }
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
