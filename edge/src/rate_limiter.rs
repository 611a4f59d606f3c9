//! Exact limits: one Durable Object for each principal, with a sliding log in its SQLite storage.
//!
//! The object runs one request at a time and awaits nothing while it checks its log. So of thirty parallel calls,
//! exactly as many pass as the limit allows. A key's object is called only if the key is known to exist, so that
//! made-up keys leave no objects behind.

mod counters;
pub(crate) mod send_marks;

use crate::error::AppError;
use crate::platform;
use counters::Counters;
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::{Mark, Volleys};
use overturn_core::request::limit::{RateLimit, SlidingLog, Verdict};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use worker::js_sys::{Promise, futures::JsFuture};
use worker::wasm_bindgen::{self, JsValue, prelude::wasm_bindgen};
use worker::{
    DurableObject, Env, ObjectNamespace, Request, Response, Result, State, durable_object,
};

/// A group of calls with its own count.
#[derive(Clone, Copy)]
pub(crate) enum Group {
    Reads,
    Sends,
    Writes,
    Uploads,
    Factors,
    Passkeys,
    Providers,
    Auth,
    Mail,
    Links,
    Strangers,
    Invitations,
}

impl Group {
    const fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Sends => "sends",
            Self::Writes => "writes",
            Self::Uploads => "uploads",
            Self::Factors => "factors",
            Self::Passkeys => "passkeys",
            Self::Providers => "providers",
            Self::Auth => "auth",
            Self::Mail => "mail",
            Self::Links => "links",
            Self::Strangers => "strangers",
            Self::Invitations => "invitations",
        }
    }
}

/// The limiters, for their callers.
pub(crate) struct Limiters {
    objects: ObjectNamespace,
    /// True if the objects are called. Otherwise every call passes as the first of its window, and its headers show the
    /// limit that would apply.
    enforces: bool,
}

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
    ) -> std::result::Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch, js_name = giveBack)]
    fn give_back(this: &Remote, group: &str, at: f64) -> std::result::Result<Promise, JsValue>;
}

/// The limiter's verdict, and the instant at which it counted the call.
#[derive(Serialize, Deserialize)]
struct LimiterAnswer {
    verdict: Verdict,
    at: Instant,
    /// The indexes of the marks whose claim number just came for another patient or claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    contested: Vec<usize>,
}

impl Limiters {
    pub(crate) fn new(objects: ObjectNamespace, enforces: bool) -> Self {
        Self { objects, enforces }
    }

    /// Checks one call of a principal.
    pub(crate) async fn ask(
        &self,
        principal: &str,
        group: Group,
        rule: RateLimit,
    ) -> std::result::Result<Verdict, AppError> {
        let (verdict, _) = self.take(principal, group, rule).await?;
        Ok(verdict)
    }

    /// Checks one send of a key with the marks of its items. Also returns which items have a number that just came for
    /// another patient or claim.
    pub(crate) async fn ask_to_send(
        &self,
        key: &str,
        rule: RateLimit,
        marks: &[Mark],
    ) -> std::result::Result<(Verdict, Vec<usize>), AppError> {
        let marks = (!marks.is_empty()).then(|| send_marks::encode(marks));
        let asked = self.count(key, Group::Sends, rule, marks).await?;
        Ok((asked.verdict, asked.contested))
    }

    /// Checks one call of a principal that can be given back by its counted instant.
    pub(crate) async fn take(
        &self,
        principal: &str,
        group: Group,
        rule: RateLimit,
    ) -> std::result::Result<(Verdict, Instant), AppError> {
        let asked = self.count(principal, group, rule, None).await?;
        Ok((asked.verdict, asked.at))
    }

    async fn count(
        &self,
        principal: &str,
        group: Group,
        rule: RateLimit,
        marks: Option<String>,
    ) -> std::result::Result<LimiterAnswer, AppError> {
        if !self.enforces {
            let now = platform::now();
            return Ok(LimiterAnswer {
                verdict: SlidingLog::default().ask(rule, now),
                at: now,
                contested: Vec::new(),
            });
        }
        #[expect(clippy::cast_precision_loss, reason = "windows are minutes, not ages")]
        let window = rule.window_ms as f64;
        let call = |remote: &Remote| remote.ask(group.name(), rule.limit, window, marks);
        let answer = self.call(principal, call).await;
        let asked = answer.and_then(|answer| serde_json::from_str(&answer.as_string()?).ok());
        asked.ok_or(AppError::Unavailable("limiter"))
    }

    /// Takes back a call that was counted at an instant, as if it had not been made.
    pub(crate) async fn give_back(
        &self,
        principal: &str,
        group: Group,
        at: Instant,
    ) -> std::result::Result<(), AppError> {
        if !self.enforces {
            return Ok(());
        }
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of this century")]
        let at = at.0 as f64;
        let call = |remote: &Remote| remote.give_back(group.name(), at);
        let done = self.call(principal, call).await;
        done.map(|_| ()).ok_or(AppError::Unavailable("limiter"))
    }

    async fn call(
        &self,
        principal: &str,
        call: impl FnOnce(&Remote) -> std::result::Result<Promise, JsValue>,
    ) -> Option<JsValue> {
        let remote: Remote = self.objects.get_by_name(principal).ok()?.into_rpc();
        JsFuture::from(call(&remote).ok()?).await.ok()
    }
}

/// The Durable Object of one principal. `edge/worker.js` exposes its methods.
#[durable_object]
pub struct Limiter {
    state: State,
    counters: Rc<Counters>,
    volleys: RefCell<Volleys>,
}

#[wasm_bindgen(js_sys = worker::js_sys, wasm_bindgen_futures = worker::wasm_bindgen_futures)]
impl Limiter {
    /// Checks one call: at most `limit` in any `window` of milliseconds. The verdict is JSON. A send has the marks of
    /// its items.
    pub fn ask(
        &self,
        group: &str,
        limit: u32,
        window: f64,
        marks: Option<String>,
    ) -> Result<String> {
        #[expect(clippy::cast_possible_truncation, reason = "whole milliseconds")]
        let window_ms = window as i64;
        let rule = RateLimit { limit, window_ms };
        let now = platform::now();
        let (verdict, at, waits) = self.counters.ask(group, rule, now)?;
        if waits {
            self.state
                .wait_until(counters::write_down(Rc::clone(&self.counters)));
        }
        let marks = marks.filter(|_| verdict.allowed).unwrap_or_default();
        let contested = self
            .volleys
            .borrow_mut()
            .contested(&send_marks::decode(&marks), now);
        let asked = LimiterAnswer {
            verdict,
            at: at.unwrap_or(now),
            contested,
        };
        Ok(serde_json::to_string(&asked)?)
    }

    /// Takes back a call that was counted at an instant in milliseconds.
    pub fn give_back(&self, group: &str, at: f64) -> Result<()> {
        #[expect(clippy::cast_possible_truncation, reason = "whole milliseconds")]
        self.counters.give_back(group, Instant(at as i64))
    }
}

impl DurableObject for Limiter {
    fn new(state: State, _env: Env) -> Self {
        let counters = Rc::new(Counters::new(state.storage()));
        Self {
            state,
            counters,
            volleys: RefCell::default(),
        }
    }

    async fn fetch(&self, _: Request) -> Result<Response> {
        Response::error("", 404)
    }

    async fn alarm(&self) -> Result<Response> {
        self.counters.tidy(platform::now()).await?;
        Response::empty()
    }
}
