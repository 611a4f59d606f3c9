//! Asks another host of the service what a recorded world was asked, and compares the answers.
//!
//! The world begins in the hour in which it is replayed, so all days are the same. What a server makes by itself differs: ids,
//! secrets, cursors and times. `words` learns them from the answers, puts them into later requests, and lets nothing else differ.

mod words;

use crate::plan::Plan;
use crate::record::{Act, Call, Recording};
use crate::run::run;
use overturn_core::base::instant::Instant;
use overturn_service::auth::totp::TotpSecret;
use overturn_tests::client::encoded;
use overturn_tests::host;
use overturn_tests::server::Server;
use overturn_tests::state::State;
use overturn_tests::tenant::now;
use overturn_tests::wire::Raw;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use words::{Done, Words};

const HOUR_MS: i64 = 3_600_000;
/// The connection makes these headers, not the service.
const OF_CONNECTIONS: [&str; 4] = ["connection", "content-length", "date", "transfer-encoding"];
const SECOND_FACTOR: &str = "/api/v1/auth/session/2fa";
const FORM: &str = "application/x-www-form-urlencoded";

/// What is in no recorded seed ([`Plan::recorded`] says why), for whoever reads the sums.
const LEFT_OUT: &str =
    "left out: faults, clocks that differ, limits of a minute, a new key of the service, a scanner, weeks that
  pass, several databases, mailed links, staff who sign in, lists after sends of several claims; emails and
  webhook messages are not compared";

/// What the replay of many seeds did.
#[derive(Default)]
pub struct Replayed {
    pub seeds: u64,
    pub calls: usize,
    /// How often each status was answered.
    pub statuses: BTreeMap<u16, usize>,
    /// The differences, each with its seed.
    pub wrong: Vec<(u64, String)>,
}

/// Replays seeds on all processors.
#[must_use]
pub fn over(seeds: Range<u64>) -> Replayed {
    let (next, all) = (AtomicU64::new(seeds.start), Mutex::new(Replayed::default()));
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    let one = replay(seed);
                    all.lock().unwrap_or_else(PoisonError::into_inner).add(seed, one);
                }
            });
        }
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Display for Replayed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let host = if host::is_native() { "the native program" } else { "workerd" };
        let Self { seeds, calls, statuses, wrong } = self;
        writeln!(f, "{seeds} seeds on {host}: {calls} calls, {} differences", wrong.len())?;
        statuses.iter().try_for_each(|(status, count)| writeln!(f, "  {count:>8} answers {status}"))?;
        write!(f, "{LEFT_OUT}")
    }
}

impl Replayed {
    fn add(&mut self, seed: u64, one: Self) {
        self.seeds += 1;
        self.calls += one.calls;
        for (status, count) in one.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        self.wrong.extend(one.wrong.into_iter().map(|(_, wrong)| (seed, wrong)));
    }
}

/// Records a seed and replays it, again if an hour ended meanwhile: a day may have ended with it.
fn replay(seed: u64) -> Replayed {
    loop {
        let hour = now().0.div_euclid(HOUR_MS);
        let plan = Plan::recorded(seed, Instant(hour * HOUR_MS));
        let mut report = run(seed, &plan, false);
        let mut replayed = Replayed::default();
        replayed.wrong.extend(report.problems.drain(..).map(|problem| (seed, format!("recorded: {problem}"))));
        if let Some(recording) = report.recording {
            let mut live = Live::begin(&plan, &recording);
            let found = recording.acts.iter().find_map(|act| live.act(act).err());
            replayed.wrong.extend(found.map(|found| (seed, found)));
            (replayed.calls, replayed.statuses) = (live.calls, live.statuses);
        }
        if now().0.div_euclid(HOUR_MS) == hour {
            return replayed;
        }
    }
}

/// A server that is asked what was recorded.
struct Live<'r> {
    server: Server,
    recording: &'r Recording,
    words: Words,
    /// The codes that are shown in place of recorded ones.
    codes: HashMap<String, String>,
    calls: usize,
    statuses: BTreeMap<u16, usize>,
}

impl<'r> Live<'r> {
    fn begin(plan: &Plan, recording: &'r Recording) -> Self {
        let mut vars = json!({ "LIMITS": "unlimited", "SCANNER": "none", "WEBHOOKS_LOCAL": "yes" });
        if let Some((of_claim, of_practice)) = plan.mismatches {
            vars["MISMATCHES_PER_CLAIM_PER_DAY"] = json!(of_claim.to_string());
            vars["MISMATCHES_PER_PRACTICE_PER_DAY"] = json!(of_practice.to_string());
        }
        let server = Server::start(State::fresh(), &vars);
        let rows: Vec<_> = recording.rows.iter().map(|sql| json!({ "sql": sql, "params": [] })).collect();
        let _none = server.database().batch(&rows);
        // The second factors that were shown at the beginning of the hour are shown now.
        let fresh = "UPDATE sessions SET verified_at = CAST(?1 AS INTEGER), seen_at = CAST(?1 AS INTEGER)";
        server.database().change(fresh, &[&now().0.to_string()]);
        let mut words = Words::default();
        let begun = plan.recorded.unwrap_or(Instant(0));
        words.done(Done { recorded: (begun, begun), live: (begun, begun) });
        Self { server, recording, words, codes: HashMap::new(), calls: 0, statuses: BTreeMap::new() }
    }

    /// Does one thing. The error says how the server differs.
    fn act(&mut self, act: &Act) -> Result<(), String> {
        match act {
            Act::Call(call) => self.call(call),
            Act::Sweep => {
                let swept = self.server.client().exchange("POST", "/.tests/sweep", Some(b""));
                if swept.status == 204 { Ok(()) } else { Err(format!("a sweep ends with {}", swept.status)) }
            }
        }
    }

    fn call(&mut self, call: &Call) -> Result<(), String> {
        let Call { request, reply, began, ended } = call;
        let (target, body) = (self.words.translated(&request.target), self.body(call));
        let mut client =
            self.server.client().with("Host", "overturn.example").with("CF-Connecting-IP", &request.address);
        for (name, value) in &request.headers {
            client = client.with(name, &self.words.translated(value));
        }
        let asked = now();
        let answer = client.exchange(request.method, &target, body.as_deref());
        self.words.done(Done { recorded: (*began, *ended), live: (asked, now()) });
        self.calls += 1;
        *self.statuses.entry(answer.status).or_default() += 1;
        let head = |status: u16, mut headers: Vec<(String, String)>| {
            headers.retain(|(name, _)| !OF_CONNECTIONS.contains(&name.as_str()));
            headers.sort();
            let lines = headers.into_iter().map(|(name, value)| format!("\n{name}: {value}"));
            std::iter::once(status.to_string()).chain(lines).collect::<String>()
        };
        let Raw { status, headers, body: text } = answer;
        let (ours, theirs) = (head(reply.status, reply.headers.clone()), head(status, headers));
        let (text, said) = (String::from_utf8_lossy(&text), &reply.text);
        let same = self.words.compare(&ours, &theirs).and_then(|()| self.words.compare(said, &text));
        same.map_err(|why| {
            let number = self.calls;
            let sent = String::from_utf8_lossy(body.as_deref().unwrap_or_default()).into_owned();
            let lines = |all: String| all.lines().map(str::to_owned).collect::<Vec<_>>();
            let pairs = lines(format!("{ours}\n{said}")).into_iter().zip(lines(format!("{theirs}\n{text}")));
            let differ = pairs.filter(|(ours, theirs)| ours != theirs);
            let shown = differ.map(|(ours, theirs)| format!("\n  recorded {ours}\n  answered {theirs}"));
            let method = request.method;
            format!("call {number}, {method} {target}: {why}\n  sent {sent}{}", shown.collect::<String>())
        })
    }

    /// The body of a call as the server is sent it.
    fn body(&mut self, call: &Call) -> Option<Vec<u8>> {
        let request = &call.request;
        let Some(body) = &request.body else {
            return (request.method != "GET").then(Vec::new);
        };
        let Ok(text) = std::str::from_utf8(body) else {
            return Some(body.clone());
        };
        if request.target == SECOND_FACTOR {
            return Some(self.with_code(call, text).into_bytes());
        }
        let is_form = request.headers.iter().any(|(name, value)| *name == "content-type" && value == FORM);
        Some(if is_form { self.form(text) } else { self.words.translated(text) }.into_bytes())
    }

    /// A form, whose values are encoded.
    fn form(&self, text: &str) -> String {
        let fields = text.split('&').filter_map(|field| field.split_once('='));
        let fields = fields.map(|(name, value)| format!("{name}={}", encoded(&self.words.translated(&decoded(value)))));
        fields.collect::<Vec<_>>().join("&")
    }

    /// A body whose code is shown now. A code that was shown before is shown again.
    fn with_code(&mut self, call: &Call, text: &str) -> String {
        let mut body: Value = serde_json::from_str(&self.words.translated(text)).expect("a code is shown in JSON");
        let shown = body["code"].as_str().unwrap_or_default().to_owned();
        let code = match self.codes.get(&shown) {
            Some(code) => code.clone(),
            None => {
                // In the recorded world, the code before is of another time.
                self.server.database().change("UPDATE factors SET last_step = NULL", &[]);
                let code = self.guest(call).code_at(now());
                self.codes.insert(shown, code.clone());
                code
            }
        };
        body["code"] = json!(code);
        body.to_string()
    }

    /// The authenticator app of the guest whose address a call comes from.
    fn guest(&self, call: &Call) -> &TotpSecret {
        let (_, practice) = call.request.address.rsplit_once('.').expect("an address of IPv4");
        let practice: usize = practice.parse().expect("the address of a guest ends with the practice");
        &self.recording.guests[practice]
    }
}

/// The text of an encoded value.
fn decoded(value: &str) -> String {
    let mut pieces = value.split('%');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (code, rest) = piece.split_at(2);
        text.push(char::from(u8::from_str_radix(code, 16).expect("two digits")));
        text.push_str(rest);
    }
    text
}
