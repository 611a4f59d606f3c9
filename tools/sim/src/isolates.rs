//! The isolates of the service: each has its own memory and clock, and ends when chance says so.

use crate::clients::guest::GUESSES;
use crate::dice::Dice;
use crate::network::{Reply, Request};
use crate::platform::Platform;
use crate::scheduler::{Group, Scheduler};
use crate::states;
use futures_util::StreamExt as _;
use http::{HeaderName, HeaderValue};
use overturn_service::config::ConfigError;
use overturn_service::host::{Background, Basics, Incoming, QueueMessage, Reader, Step};
use overturn_service::http::{Answer, serve};
use overturn_service::response::Body;
use overturn_service::service::Service;
use overturn_tests::server::{OPERATOR_TOKEN, SEALING_KEYS};
use std::cell::RefCell;
use std::rc::Rc;
use tokio::sync::oneshot;

/// The waits between the attempts at a webhook message, in seconds: short, so that a run sees the end of them.
const WAITS: &str = "3,10,30";

/// What a plan says about each isolate.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    pub(crate) count: usize,
    pub(crate) skew_ms: u64,
    pub(crate) sends_a_minute: Option<u64>,
    /// How many resends of a claim, and of a practice, a day may be for another patient or claim.
    pub(crate) mismatches: Option<(u64, u64)>,
    pub(crate) patients: Option<u64>,
    pub(crate) scans: bool,
    /// Few wrong passwords close one.
    pub(crate) guesses: bool,
}

/// An instance of the service.
pub(crate) struct Isolate {
    number: u64,
    /// How many times the keys were replaced before it began.
    generation: usize,
    basics: Basics,
    service: Result<Rc<Service>, ConfigError>,
    scheduler: Rc<Scheduler>,
}

/// The places of isolates. If the isolate of a place has ended, another one begins there.
pub(crate) struct Isolates {
    places: RefCell<Vec<Option<Rc<Isolate>>>>,
    dice: Dice,
    manner: Manner,
    /// The secrets that each next isolate begins with. The last one holds.
    keys: RefCell<Vec<String>>,
}

struct AfterAnswer(Rc<Isolate>);

impl Background for AfterAnswer {
    fn go_on(&self, work: Step<'static, ()>) {
        self.0.scheduler.spawn(Group::Isolate(self.0.number), work);
    }
}

impl Isolates {
    pub(crate) fn new(seed: u64, manner: Manner) -> Self {
        let keys = RefCell::new(vec![SEALING_KEYS.to_owned()]);
        Self { places: RefCell::new(vec![None; manner.count]), dice: Dice::new(seed, "isolates"), manner, keys }
    }

    /// Deploys other keys: requests come to isolates that have them, and what is under way goes on.
    pub(crate) fn deploy(&self, keys: &str) {
        self.keys.borrow_mut().push(keys.to_owned());
    }

    /// One of them.
    pub(crate) fn any(&self, platform: &Platform) -> Rc<Isolate> {
        let scheduler = &platform.ground.scheduler;
        let mut places = self.places.borrow_mut();
        let place = usize::try_from(self.dice.below(places.len() as u64)).unwrap_or(0);
        match &places[place] {
            Some(isolate) if isolate.generation < self.keys.borrow().len() => {}
            Some(isolate) if !scheduler.has_ended(isolate.number) => return Rc::clone(isolate),
            Some(_) => platform.ground.trace.sometimes(states::ISOLATE_BEGINS_AGAIN),
            None => {}
        }
        let isolate = Rc::new(self.begin(platform));
        places[place] = Some(Rc::clone(&isolate));
        isolate
    }

    fn begin(&self, platform: &Platform) -> Isolate {
        let scheduler = &platform.ground.scheduler;
        let number = scheduler.next();
        let Manner { skew_ms, sends_a_minute, mismatches, patients, scans, guesses, .. } = self.manner;
        let most = i64::try_from(skew_ms).unwrap_or(0);
        let ahead_ms = i64::try_from(self.dice.between(0, 2 * skew_ms)).unwrap_or(0) - most;
        let (generation, keys) = (self.keys.borrow().len(), self.keys.borrow().last().cloned());
        platform.ground.trace.tell(|| format!("isolate {number} begins, its clock {ahead_ms} ms ahead"));
        let host = Rc::new(platform.host(ahead_ms));
        let variables = |name: &str| match name {
            "ENVIRONMENT" => Some("dev".to_owned()),
            "SEALING_KEYS" => keys.clone(),
            "OPERATOR_TOKEN" => Some(OPERATOR_TOKEN.to_owned()),
            "SCANNER" if !scans => Some("none".to_owned()),
            "SCANNER_ADDRESS" if scans => Some("scanner.example:3310".to_owned()),
            "WEBHOOKS_LOCAL" => Some("yes".to_owned()),
            "WEBHOOKS_WAITS" => Some(WAITS.to_owned()),
            "LIMITS" if sends_a_minute.is_none() => Some("unlimited".to_owned()),
            "CLAIMS_SENDS_PER_MINUTE" => sends_a_minute.map(|most| most.to_string()),
            "MISMATCHES_PER_CLAIM_PER_DAY" => mismatches.map(|(most, _)| most.to_string()),
            "MISMATCHES_PER_PRACTICE_PER_DAY" => mismatches.map(|(_, most)| most.to_string()),
            "PASSWORD_FAILURES" if guesses => Some(GUESSES.to_string()),
            "PATIENTS_PER_HOUR" => patients.map(|most| most.to_string()),
            _ => None,
        };
        let service = Service::new(Rc::clone(&host), &variables).map(Rc::new);
        Isolate { number, generation, basics: host.basics.clone(), service, scheduler: Rc::clone(scheduler) }
    }
}

impl Isolate {
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Does work in this isolate. It is dropped if the isolate ends.
    fn spawn(&self, work: impl Future<Output = ()> + 'static) {
        self.scheduler.spawn(Group::Isolate(self.number), work);
    }

    /// Answers a request. The sender is dropped if the request or the isolate ends.
    pub(crate) fn answer(self: &Rc<Self>, request: Request, body: Box<dyn Reader>, answer: oneshot::Sender<Reply>) {
        let isolate = Rc::clone(self);
        self.scheduler.spawn_within(request.reach, Group::Isolate(self.number), async move {
            let reply = isolate.respond(request, body).await;
            if let Some(reply) = reply {
                let _gone = answer.send(reply);
            }
        });
    }

    async fn respond(self: &Rc<Self>, request: Request, body: Box<dyn Reader>) -> Option<Reply> {
        let header = |name: &HeaderName| {
            let found = request.headers.iter().find(|(known, _)| *known == name.as_str());
            found.map(|(_, value)| value.clone())
        };
        let incoming = Incoming {
            method: request.method.to_owned(),
            url: format!("http://overturn.example{}", request.target),
            path: request.target.split('?').next().unwrap_or_default().to_owned(),
            header: &header,
            address: request.address.clone(),
            body,
            background: Rc::new(AfterAnswer(Rc::clone(self))),
        };
        let Answer { response, unread, .. } = serve(&self.basics, &self.service, incoming).await;
        if let Some(unread) = unread {
            unread.drain(&self.basics).await;
        }
        let (head, body) = response.into_parts();
        let body = match body {
            Body::Bytes(bytes) => bytes,
            Body::Stream { mut chunks, .. } => {
                let mut all = Vec::new();
                while let Some(chunk) = chunks.next().await {
                    all.extend_from_slice(&chunk.ok()?);
                }
                all
            }
        };
        let text = String::from_utf8_lossy(&body).into_owned();
        let text_of = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = head.headers.iter().map(|(name, value)| (name.to_string(), text_of(value)));
        Some(Reply::new(head.status.as_u16(), text, headers.collect()))
    }

    /// Consumes messages of the queue.
    pub(crate) fn consume(&self, messages: Vec<QueueMessage>) {
        if let Ok(service) = self.service.as_ref().map(Rc::clone) {
            self.spawn(async move { service.consume(&messages).await });
        }
    }

    /// Runs the jobs of a minute. The sender is dropped in any case.
    pub(crate) fn sweep(&self, done: oneshot::Sender<()>) {
        if let Ok(service) = self.service.as_ref().map(Rc::clone) {
            self.spawn(async move {
                service.sweep().await;
                let _gone = done.send(());
            });
        }
    }
}
