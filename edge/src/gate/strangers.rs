//! What all strangers may try together, and those of one network: few attempts that fail.
//!
//! A stranger is whoever shows no cookie of a device that completed a sign-in to the account before. Each attempt of theirs costs
//! a hash, and there are as many addresses on the internet as somebody wants to pay for. So their attempts have one budget, and
//! each network a smaller one. A right password gives its attempt back: the budgets are for those who fail. While they are used
//! up, strangers are refused before anything is done for them. People on their own devices are not strangers, and a link out of a
//! letter needs no password.

use crate::app::Call;
use crate::error::Refusal;
use crate::limiter::Group;
use crate::shield;
use overturn_core::base::instant::Instant;
use overturn_core::request::denied::Denied;
use overturn_core::request::limit::{Rule, Verdict};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// How long this isolate refuses by itself after a limiter has said no. A flood then costs neither the limiter nor the
/// database anything.
const REMEMBERED_MS: i64 = 1_000;
/// How many refusals are remembered before all are forgotten.
const REMEMBERED_MAX: usize = 10_000;
/// What counts the attempts of all.
const ALL: &str = "strangers";

thread_local! {
    static REFUSED: RefCell<HashMap<String, (Instant, Verdict)>> = RefCell::default();
}

/// Attempts that were counted, to be given back where the password was right.
#[derive(Default)]
pub(crate) struct Tries(Vec<(String, Instant)>);

/// Counts an attempt of a stranger, or says how long to wait.
pub(super) async fn enter(call: &Call, network: Rule, all: Rule) -> Result<Tries, Refusal> {
    let principal = format!("network:{}", shield::network(&call.place.ip));
    // Both before the first is asked: where all strangers are refused, the networks of a flood need not be counted.
    remembered(call, ALL)?;
    remembered(call, &principal)?;
    let mut tries = Tries::default();
    for (principal, rule) in [(principal, network), (ALL.to_owned(), all)] {
        let (verdict, at) = call
            .app
            .limiters
            .take(&principal, Group::Strangers, rule)
            .await?;
        if !verdict.allowed {
            remember(call, &principal, verdict);
            return Err(Denied::SignInLimited(verdict).into());
        }
        tries.0.push((principal, at));
    }
    Ok(tries)
}

impl Tries {
    /// Gives the attempts back, behind the answer.
    pub(crate) fn give_back(self, call: &Arc<Call>) {
        if self.0.is_empty() {
            return;
        }
        let call = Arc::clone(call);
        call.clone().context.wait_until(async move {
            for (principal, at) in self.0 {
                let limiters = &call.app.limiters;
                // One that is not given back leaves its window by itself.
                let _given = limiters.give_back(&principal, Group::Strangers, at).await;
            }
        });
    }
}

fn remembered(call: &Call, principal: &str) -> Result<(), Refusal> {
    let now = call.ctx.now;
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
