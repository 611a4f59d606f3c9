//! Exact limits: one Durable Object for each principal, with a sliding log in its SQLite storage. And the platform's own
//! counter of addresses, which is cheap and inexact.
//!
//! The object runs one request at a time and awaits nothing while it checks its log. So of thirty parallel calls,
//! exactly as many pass as the limit allows.

mod counters;
mod send_marks;

use crate::clock::PlatformClock;
use counters::Counters;
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::{Mark, RecentSends};
use overturn_service::host::{self, PlatformError, Step};
use overturn_service::host::{AddressLimiter, Clock as _, LimiterAnswer};
use overturn_service::request::limit::{Ahead, Held, RateLimit, Unused};
use std::cell::RefCell;
use std::rc::Rc;
use worker::js_sys::{Promise, futures::JsFuture};
use worker::wasm_bindgen::{self, JsValue, prelude::wasm_bindgen};
use worker::{DurableObject, Env, ObjectNamespace, RateLimiter, Request, Response, Result, State, durable_object};

/// The platform's counter of addresses.
pub(crate) struct PlatformRateLimiter(RateLimiter);

impl PlatformRateLimiter {
    pub(crate) const fn new(limiter: RateLimiter) -> Self {
        Self(limiter)
    }
}

impl AddressLimiter for PlatformRateLimiter {
    fn count<'a>(&'a self, address: &'a str) -> Step<'a, std::result::Result<bool, PlatformError>> {
        Box::pin(async move {
            // The cause stays out: the platform's text could hold the address.
            let counted = self.0.limit(address.to_owned()).await;
            counted.map(|counted| counted.success).map_err(|_| PlatformError)
        })
    }
}

/// The objects, for their callers.
pub(crate) struct DurableLimiter(ObjectNamespace);

// The stub of the object. Its methods are called directly, because a request and a response would cost more than the
// limiter itself.
#[wasm_bindgen]
extern "C" {
    type Remote;
    #[wasm_bindgen(method, catch)]
    fn ask(
        this: &Remote,
        group: &str,
        limit: u32,
        window: f64,
        marks: Option<String>,
        unused: Option<String>,
    ) -> std::result::Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn hold(
        this: &Remote,
        group: &str,
        limit: u32,
        window: f64,
        ahead: String,
    ) -> std::result::Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch, js_name = giveBack)]
    fn give_back(this: &Remote, group: &str, at: f64) -> std::result::Result<Promise, JsValue>;
}

impl DurableLimiter {
    pub(crate) const fn new(objects: ObjectNamespace) -> Self {
        Self(objects)
    }

    async fn call(
        &self,
        principal: &str,
        call: impl FnOnce(&Remote) -> std::result::Result<Promise, JsValue>,
    ) -> std::result::Result<JsValue, PlatformError> {
        let remote = self.0.get_by_name(principal).map_err(|_| PlatformError)?;
        let remote: Remote = remote.into_rpc();
        let called = call(&remote).map_err(|_| PlatformError)?;
        JsFuture::from(called).await.map_err(|_| PlatformError)
    }
}

impl host::Limiter for DurableLimiter {
    fn ask<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        rule: RateLimit,
        marks: &'a [Mark],
        unused: Unused,
    ) -> Step<'a, std::result::Result<LimiterAnswer, PlatformError>> {
        Box::pin(async move {
            #[expect(clippy::cast_precision_loss, reason = "windows are minutes, not ages")]
            let window = rule.window_ms as f64;
            let marks = (!marks.is_empty()).then(|| send_marks::encode(marks));
            let unused = unused.map(|unused| serde_json::to_string(&unused).unwrap_or_default());
            let call = |remote: &Remote| remote.ask(group, rule.limit, window, marks, unused);
            let answer = self.call(principal, call).await?.as_string();
            serde_json::from_str(&answer.unwrap_or_default()).map_err(|_| PlatformError)
        })
    }

    fn hold<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        rule: RateLimit,
        ahead: Ahead,
    ) -> Step<'a, std::result::Result<Held, PlatformError>> {
        Box::pin(async move {
            #[expect(clippy::cast_precision_loss, reason = "windows are minutes, not ages")]
            let window = rule.window_ms as f64;
            let ahead = serde_json::to_string(&ahead).map_err(|_| PlatformError)?;
            let call = |remote: &Remote| remote.hold(group, rule.limit, window, ahead);
            let answer = self.call(principal, call).await?.as_string();
            serde_json::from_str(&answer.unwrap_or_default()).map_err(|_| PlatformError)
        })
    }

    fn give_back<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        at: Instant,
    ) -> Step<'a, std::result::Result<(), PlatformError>> {
        Box::pin(async move {
            #[expect(clippy::cast_precision_loss, reason = "milliseconds of this century")]
            let at = at.0 as f64;
            let call = |remote: &Remote| remote.give_back(group, at);
            self.call(principal, call).await.map(drop)
        })
    }
}

/// The Durable Object of one principal. `edge/worker.js` exposes its methods.
#[durable_object]
pub struct Limiter {
    state: State,
    counters: Rc<Counters>,
    recent_sends: RefCell<RecentSends>,
}

#[wasm_bindgen(js_sys = worker::js_sys, wasm_bindgen_futures = worker::wasm_bindgen_futures)]
impl Limiter {
    /// Checks one call: at most `limit` in any `window` of milliseconds. The verdict and the unused calls are JSON. A send has
    /// the marks of its items.
    pub fn ask(
        &self,
        group: &str,
        limit: u32,
        window: f64,
        marks: Option<String>,
        unused: Option<String>,
    ) -> Result<String> {
        #[expect(clippy::cast_possible_truncation, reason = "whole milliseconds")]
        let window_ms = window as i64;
        let rule = RateLimit { limit, window_ms };
        let now = PlatformClock.now();
        if let Some(unused) = unused {
            self.counters.give_back(group, serde_json::from_str(&unused)?, now)?;
        }
        let (verdict, at, waits) = self.counters.ask(group, rule, now)?;
        if waits {
            self.state.wait_until(counters::write_down(Rc::clone(&self.counters)));
        }
        let marks = marks.filter(|_| verdict.allowed).unwrap_or_default();
        let contested = self.recent_sends.borrow_mut().contested(&send_marks::decode(&marks), now);
        let asked = LimiterAnswer { verdict, at: at.unwrap_or(now), contested };
        Ok(serde_json::to_string(&asked)?)
    }

    /// Counts calls before they are made. What is asked for and the answer are JSON.
    pub fn hold(&self, group: &str, limit: u32, window: f64, ahead: &str) -> Result<String> {
        #[expect(clippy::cast_possible_truncation, reason = "whole milliseconds")]
        let window_ms = window as i64;
        let rule = RateLimit { limit, window_ms };
        let (held, waits) = self.counters.hold(group, rule, serde_json::from_str(ahead)?, PlatformClock.now())?;
        if waits {
            self.state.wait_until(counters::write_down(Rc::clone(&self.counters)));
        }
        Ok(serde_json::to_string(&held)?)
    }

    /// Takes back a call that was counted at an instant in milliseconds.
    pub fn give_back(&self, group: &str, at: f64) -> Result<()> {
        #[expect(clippy::cast_possible_truncation, reason = "whole milliseconds")]
        self.counters.give_back(group, Some((Instant(at as i64), 1)), PlatformClock.now())
    }
}

impl DurableObject for Limiter {
    fn new(state: State, _env: Env) -> Self {
        let counters = Rc::new(Counters::new(state.storage()));
        Self { state, counters, recent_sends: RefCell::default() }
    }

    async fn fetch(&self, _: Request) -> Result<Response> {
        Response::error("", 404)
    }

    async fn alarm(&self) -> Result<Response> {
        self.counters.tidy(PlatformClock.now()).await?;
        Response::empty()
    }
}
