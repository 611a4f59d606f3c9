//! A practice moves between databases while everybody works. `OVERTURN_MOVES` says how often.

mod callers;
mod mover;
mod tried;

use callers::{Noted, Upload, follow, pdf};
use mover::{BROKEN, FIRST, Mover};
use overturn_tests::account::Account;
use overturn_tests::host;
use overturn_tests::link::{MAGIC_LINK, ask, received, verify};
use overturn_tests::only_on_native;
use overturn_tests::person::verify_trail;
use overturn_tests::prelude::*;
use overturn_tests::project::{command, node};
use overturn_tests::receiver::{OK, Receiver};
use overturn_tests::server::OPERATOR_TOKEN;
use overturn_tests::signing::{Case, open, patient, proof, sign};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tried::Tried;

const DOCUMENTS: &str = "/api/v1/documents";
const BULK: &str = "/api/v1/documents/bulk";

fn moves() -> usize {
    let least = if host::is_native() { 6 } else { 3 };
    std::env::var("OVERTURN_MOVES").map_or(least, |count| count.parse().expect("OVERTURN_MOVES is a number"))
}

fn server() -> Server {
    // Some bodies wait while a practice moves, and a slow machine may need long for it.
    let vars = json!({ "LIMITS": "unlimited", "SCANNER": "none", "CELLS": "3", "BODY_SECONDS": "600" });
    Server::start(State::with_cells(3), &vars)
}

fn operator(server: &Server) -> Client {
    server.client().with("Authorization", &format!("Bearer {OPERATOR_TOKEN}"))
}

/// A pause of everybody between calls. Without it, a busy machine has no time left for the move, which has to overtake them.
const PACE: Duration = Duration::from_millis(50);

/// How long the longest call took, in milliseconds.
#[derive(Default)]
struct Longest(AtomicUsize);

impl Longest {
    fn of<T>(&self, call: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let answered = call();
        self.0.fetch_max(began.elapsed().as_millis().try_into().unwrap(), Ordering::SeqCst);
        answered
    }
}

/// Ends the callers, also if the test fails.
struct End<'o>(&'o AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn a_practice_moves_back_and_forth_while_everybody_works_and_nothing_is_lost_or_doubled() {
    let server = server();
    let (case, link) = Case::needed_on(&server);
    let tenant = &case.tenant;
    let (mut mover, mut tried) = (Mover::of(tenant), Tried::of(tenant));
    let (owner, staff) = (tenant.owner(), Worker::on(tenant));
    let receiver = Receiver::new([OK]);
    let hook = json!({ "url": receiver.url(), "events": ["claim.status_changed"] });
    owner.post("/api/v1/settings/webhooks", hook.to_string()).expect(201);
    let account = Account::of(tenant, Role::Member);
    let mut mailed = String::new();
    let (over, next) = (AtomicBool::new(false), AtomicUsize::new(0));
    let [sent, stored, dead] = std::array::from_fn(|_| Mutex::new(Vec::<String>::new()));
    let longest = Longest::default();
    let (taken, noted) = (AtomicUsize::new(0), Mutex::new(VecDeque::new()));
    let mut seen = BTreeMap::new();
    let mut cursor = "start".to_owned();
    let working = || {
        thread::sleep(PACE);
        !over.load(Ordering::SeqCst)
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            let client = tenant.client();
            while working() {
                let number = format!("M-{}", next.fetch_add(1, Ordering::SeqCst));
                let claim = longest.of(|| tenant.send(&item(&number)));
                assert_eq!(claim.created(), [true]);
                longest.of(|| client.send(&item(&number))).expect(200);
                longest.of(|| client.status(&number)).expect(200);
                let seen = longest.of(|| staff.see(claim.id(0)));
                let tag = seen.header("etag").unwrap();
                longest.of(|| staff.act_on(claim.id(0), tag, "take", &json!({}))).expect(200);
                taken.fetch_add(1, Ordering::SeqCst);
                noted.lock().unwrap().push_back(longest.of(|| Noted::new(&staff, claim.id(0))));
                sent.lock().unwrap().push(number);
            }
        });
        scope.spawn(|| {
            while working() {
                let mut noted = noted.lock().unwrap();
                let again = if noted.len() > 8 { noted.pop_front() } else { None };
                drop(noted);
                if let Some(again) = again {
                    assert_eq!(again.send(&staff), again.id, "it was done twice");
                }
            }
        });
        scope.spawn(|| {
            while working() {
                let shown = longest.of(|| staff.client.get("/api/v1/staff/practices?limit=100"));
                shown.expect(200);
                let of = |row: &&Value| row["id"] == tenant.id.to_string();
                let times = shown.json["practices"].as_array().unwrap().iter().filter(of).count();
                assert!(times == 1 || times == 0 && shown.json["missing_cells"] != Value::Null, "{times} times");
                staff.client.get(QUEUE).expect(200);
                staff.client.get("/api/v1/staff/summary").expect(200);
                longest.of(|| open(&patient(&server), &link)).expect(200);
            }
        });
        scope.spawn(|| {
            while working() {
                let form = FormData::default().file("file", "a.pdf", &pdf());
                let client = owner.with("Content-Type", FormData::CONTENT_TYPE);
                let made = longest.of(|| client.post(DOCUMENTS, form.end()));
                made.expect(201);
                stored.lock().unwrap().push(made.id().to_owned());
            }
        });
        scope.spawn(|| {
            while working() {
                let body = json!({ "name": "Short", "scopes": ["claims:read"] });
                let made = longest.of(|| owner.post("/api/v1/settings/api_keys", body.to_string()));
                made.expect(201);
                let bearer = format!("Bearer {}", made.json["key"].as_str().unwrap());
                let client = server.client().with("Authorization", &bearer);
                client.status("unknown").expect(404);
                owner.delete(&format!("/api/v1/settings/api_keys/{}", made.id())).expect(204);
                client.status("unknown").expect(401);
                dead.lock().unwrap().push(bearer);
            }
        });
        scope.spawn(|| {
            while working() {
                follow(&owner, &mut cursor, &mut seen);
            }
        });
        scope.spawn(|| {
            while working() {
                tried.goes_on();
            }
        });
        let _ended = End(&over);
        let from = usize::from(tenant.id.cell().0);
        for n in 1..=moves() {
            let claims = || sent.lock().unwrap().len();
            let a_claim_more = || {
                let before = claims();
                wait::until("a claim more", || claims() > before);
            };
            if n == moves() {
                // The link does not last longer than many moves.
                mailed = received(&server, MAGIC_LINK, &account.email);
            }
            mover.moved((n, (from + n) % 3), a_claim_more);
            a_claim_more();
        }
    });
    let (sent, taken) = (sent.into_inner().unwrap(), taken.into_inner());
    let (longest, broken_off) = (longest.0.into_inner(), mover.broken_off);
    eprintln!("{} moves, broken off {broken_off:?}, {} claims, the longest call {longest} ms", moves(), sent.len());
    eprintln!("{} claims in the sandbox", tried.ends());
    follow(&owner, &mut cursor, &mut seen);
    assert_eq!(seen.iter().find(|(_, count)| **count > 1), None, "a change came twice");
    let client = tenant.client();
    for number in &sent {
        client.status(number).expect(200);
        assert!(seen.contains_key(&(number.clone(), "reviewing".to_owned())), "{number} was not followed");
    }
    for id in stored.into_inner().unwrap() {
        let read = owner.exchange("GET", &format!("{DOCUMENTS}/{id}/content"), None);
        read.expect(200);
        assert_eq!(read.body, pdf());
    }
    for bearer in dead.into_inner().unwrap() {
        server.client().with("Authorization", &bearer).status("unknown").expect(401);
    }
    verify(&server.client(), &mailed).expect(402);
    // The sweep sends what the queue named in the moment of a switch.
    wait::until("every message", || {
        server.client().exchange("POST", "/.tests/sweep", None).expect(204);
        receiver.received().len() >= taken
    });
    let told: Vec<String> = receiver.received().iter().map(|one| one.header("webhook-id").to_owned()).collect();
    assert_eq!(told.len(), told.iter().collect::<BTreeSet<_>>().len(), "a message came twice");
    let patient = patient(&server);
    sign(&patient, &link, &proof(&patient, &link), &[("name", "Ada Byron")]).expect(200);
    let practices = staff.client.get("/api/v1/staff/practices?limit=100");
    let of = |row: &&Value| row["id"] == tenant.id.to_string();
    assert_eq!(practices.json["practices"].as_array().unwrap().iter().filter(of).count(), 1);
    let summary = owner.get("/api/v1/denials/summary");
    assert_eq!(summary.json["total"]["claims"], sent.len() + 1);
    let all = staff.client.get("/api/v1/staff/summary");
    assert_eq!(all.json["missing_cells"], Value::Null);
    verify_trail(&owner);
}

#[test]
fn a_move_that_breaks_off_behind_the_fence_or_between_two_cells_holds_up_no_call() {
    let server = server();
    let (tenant, operator) = (Tenant::new(&server), operator(&server));
    tenant.send(&item("first"));
    let (id, owner) = (tenant.id.to_string(), tenant.owner());
    // Of two, the file has begun when the practice moves.
    let lefts = [150, 50, 150, 50];
    let uploads: Vec<Upload> = lefts
        .into_iter()
        .zip([DOCUMENTS, DOCUMENTS, BULK, BULK])
        .map(|(left, path)| Upload::begin(&owner, path, left))
        .collect();
    wait::until("two files", || tenant.count("loose_objects") == 2);
    let path = format!("/operations/moves?practice={id}&to={}", (tenant.id.cell().0 + 1) % 3);
    let newest = || operator.get("/operations/moves").json["moves"][0]["step"].as_str().unwrap_or("none").to_owned();
    let has_left = || server.database().rows("SELECT state FROM moving WHERE id = ?1", &[&id])[0]["state"] == "left";
    let (mut was_fenced, mut has_switched, mut at) = (false, false, FIRST);
    loop {
        let crash = json!({ at.to_string(): { "loses": BROKEN } });
        operator.faulty(&crash).post(&path, "");
        at += 1;
        match &*newest() {
            "follow" if !was_fenced => {
                let fence = "UPDATE moving SET state = 'fenced' WHERE of = ?1 AND state = 'leaving'";
                server.database().change(fence, &[&id]);
                assert_eq!(tenant.send(&item("fenced")).created(), [true]);
                // From here on it has fewer batches.
                (was_fenced, at) = (true, FIRST);
            }
            "switched" if has_left() => break,
            "switched" if !has_switched => (has_switched, at) = (true, FIRST),
            "done" => panic!("it did not break off between two cells"),
            _ => {}
        }
    }
    at_once(uploads.into_iter().map(|upload| || upload.end()).collect());
    assert_eq!(newest(), "done");
    tenant.client().status("first").expect(200);
    tenant.client().status("fenced").expect(200);
}

#[test]
fn a_link_is_mailed_also_when_the_practice_leaves_between_the_look_at_its_place_and_the_one_at_the_account() {
    let server = server();
    let (tenant, operator) = (Tenant::new(&server), operator(&server));
    let email = Account::of(&tenant, Role::Member).email;
    let [old, new] = [0, 1].map(|n| (tenant.id.cell().0 + n) % 3).map(|cell| cell.to_string());
    operator.post(&format!("/operations/moves?practice={}&to={new}", tenant.id), "").expect(200);
    let lives = "UPDATE addresses SET cell = CAST(?1 AS INTEGER) WHERE email_key = ?2 AND cell <> CAST(?1 AS INTEGER)";
    server.database().change(lives, &[&old, &email]);
    let mut inbox = server.mails_to(&email);
    ask(&server.client().overtaken_by(lives, &[&new, &email]), MAGIC_LINK, &email).expect(202);
    assert!(inbox.take().text.contains("#ovl_"));
}

#[test]
fn the_reseal_says_when_a_practice_moves_meanwhile() {
    only_on_native!("the program asks over HTTP only");
    let server = server();
    let (tenant, operator) = (Tenant::new(&server), operator(&server));
    let reseal = || {
        let mut program = command(&node());
        program.args(["tools/dev/reseal.mjs", &format!("http://127.0.0.1:{}", server.port())]);
        let done = program.env("OPERATOR_TOKEN", OPERATOR_TOKEN).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.success(), !said.contains("run it again"), "{said}");
        done.status.success()
    };
    assert!(reseal());
    let path = format!("/operations/moves?practice={}&to={}", tenant.id, (tenant.id.cell().0 + 1) % 3);
    operator.faulty(&json!({ FIRST.to_string(): { "fails": BROKEN } })).post(&path, "");
    assert!(!reseal());
    operator.post(&path, "").expect(200);
    assert!(reseal());
}
