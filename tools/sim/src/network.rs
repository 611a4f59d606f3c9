//! The way of a request from a client to an isolate and back.

use crate::clock::{MS, SECOND};
use crate::dice::Dice;
use crate::faults::Fault;
use crate::isolates::Isolates;
use crate::platform::Platform;
use crate::record::{Act, Call, Record};
use crate::scheduler::Reach;
use crate::states;
use bytes::Bytes;
use futures_util::future::{Either, select};
use overturn_service::host::{Clock as _, PlatformError, Reader, Step};
use overturn_tests::client::encoded;
use serde_json::Value;
use std::borrow::Cow;
use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use tokio::sync::oneshot;

/// How long a client waits for an answer.
const PATIENCE: u64 = 30 * SECOND;

/// A request of a client.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: &'static str,
    /// Its path and query.
    pub(crate) target: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) address: String,
    /// The cells that it may use.
    pub(crate) reach: Reach,
}

impl Request {
    pub(crate) fn get(target: impl Into<String>) -> Self {
        Self {
            method: "GET",
            target: target.into(),
            headers: Vec::new(),
            body: None,
            address: "192.0.2.1".into(),
            reach: Reach::ALL,
        }
    }

    pub(crate) fn post(target: impl Into<String>, body: &Value) -> Self {
        Self { method: "POST", body: Some(body.to_string().into_bytes()), ..Self::get(target) }
    }

    /// A form of a page, as a browser sends it.
    pub(crate) fn form(target: impl Into<String>, fields: &[(&str, &str)]) -> Self {
        let pairs: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let form = Self { method: "POST", body: Some(pairs.join("&").into_bytes()), ..Self::get(target) };
        form.with("content-type", "application/x-www-form-urlencoded").with("sec-fetch-site", "same-origin")
    }

    pub(crate) fn delete(target: impl Into<String>) -> Self {
        Self { method: "DELETE", ..Self::get(target) }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) text: String,
    /// The body, `null` if it is no JSON.
    pub(crate) json: Value,
    /// Its headers, names in lower case.
    pub(crate) headers: Vec<(String, String)>,
}

impl Reply {
    pub(crate) fn new(status: u16, text: String, headers: Vec<(String, String)>) -> Self {
        let json = serde_json::from_str(&text).unwrap_or_default();
        Self { status, text, json, headers }
    }

    /// A header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// The value of a cookie that it sets.
    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        let mut set = self.headers.iter().filter(|(name, _)| name == "set-cookie");
        set.find_map(|(_, cookie)| cookie.split(';').next()?.strip_prefix(name)?.strip_prefix('='))
    }
}

/// The network between clients and isolates.
pub(crate) struct Internet {
    platform: Rc<Platform>,
    isolates: Rc<Isolates>,
    dice: Dice,
    record: Option<Rc<Record>>,
    /// How many calls were made.
    pub(crate) calls: Cell<u64>,
}

impl Internet {
    pub(crate) fn new(seed: u64, platform: Rc<Platform>, isolates: Rc<Isolates>, record: Option<Rc<Record>>) -> Self {
        Self { platform, isolates, dice: Dice::new(seed, "internet"), record, calls: Cell::new(0) }
    }

    /// Sends a request. `None` if no answer came: what it asked for may or may not be done.
    pub(crate) async fn call(&self, request: Request) -> Option<Reply> {
        let Some(record) = &self.record else {
            return self.try_call(request).await;
        };
        let _turn = record.turn().await;
        let clock = self.platform.ground.clock(0);
        let (asked, began) = (request.clone(), clock.now());
        let reply = self.try_call(request).await;
        if let Some(reply) = reply.clone() {
            record.add(Act::Call(Box::new(Call { request: asked, reply, began, ended: clock.now() })));
        }
        reply
    }

    async fn try_call(&self, request: Request) -> Option<Reply> {
        let (ground, dice) = (&self.platform.ground, &self.dice);
        let number = ground.scheduler.next();
        self.calls.set(self.calls.get() + 1);
        ground.trace.tell(|| {
            format!(
                "#{number} {} {} {}",
                request.method,
                request.target,
                brief(request.body.as_deref().unwrap_or_default())
            )
        });
        let going = self.go(request, number);
        let patience = ground.scheduler.sleep(PATIENCE);
        let reply = match select(pin!(going), patience).await {
            Either::Left((reply, _)) => reply,
            Either::Right(_) => None,
        };
        match &reply {
            None => ground.trace.sometimes(states::UNANSWERED),
            Some(reply) if reply.status >= 500 => ground.trace.sometimes(states::UNAVAILABLE),
            Some(reply) if reply.status == 429 => ground.trace.sometimes(states::LIMITED),
            Some(_) => {}
        }
        ground.trace.tell(|| match &reply {
            Some(reply) => format!("#{number} is answered {} {}", reply.status, brief(reply.text.as_bytes())),
            None => format!("#{number} is not answered"),
        });
        // A client does not know about an answer at the moment when it is given.
        ground.scheduler.sleep(dice.below(MS)).await;
        reply
    }

    async fn go(&self, mut request: Request, number: u64) -> Option<Reply> {
        let (ground, dice) = (&self.platform.ground, &self.dice);
        ground.scheduler.sleep(dice.between(MS, 40 * MS)).await;
        if ground.faults.strike(Fault::RequestLost) {
            ground.scheduler.sleep(dice.between(SECOND, 40 * SECOND)).await;
            return None;
        }
        let mut bytes = Bytes::from(request.body.take().unwrap_or_default());
        if request.method != "GET" {
            request.headers.push(("content-length", bytes.len().to_string()));
        }
        let is_cut = !bytes.is_empty() && ground.faults.strike(Fault::BodyCut);
        if is_cut {
            bytes.truncate(usize::try_from(dice.below(bytes.len() as u64)).unwrap_or(0));
        }
        let isolate = self.isolates.any(&self.platform);
        ground.trace.tell(|| format!("#{number} comes to isolate {}", isolate.number()));
        let (answer, answered) = oneshot::channel();
        isolate.answer(request, Box::new(Sent { bytes, is_cut }), answer);
        drop(isolate);
        let reply = answered.await.ok()?;
        ground.scheduler.sleep(dice.between(MS, 40 * MS)).await;
        if ground.faults.strike(Fault::AnswerLost) {
            return None;
        }
        Some(reply)
    }
}

/// The beginning of a body, for the story.
fn brief(body: &[u8]) -> Cow<'_, str> {
    const MOST: usize = 600;
    String::from_utf8_lossy(body.get(..MOST).unwrap_or(body))
}

/// The body of a request, which may break off.
struct Sent {
    bytes: Bytes,
    is_cut: bool,
}

impl Reader for Sent {
    fn read(&mut self, least: usize) -> Step<'_, Result<Bytes, PlatformError>> {
        const PIECE: usize = 64 * 1024;
        let most = self.bytes.len().min(least.max(PIECE));
        let piece = self.bytes.split_to(most);
        let read = if piece.is_empty() && self.is_cut { Err(PlatformError) } else { Ok(piece) };
        Box::pin(std::future::ready(read))
    }
}
