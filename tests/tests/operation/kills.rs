//! `kill -9` while claims are sent: what was answered is there, and what was not can be sent again.
//!
//! The kill ends the process and not the machine. So this is about the order of commits and answers and about the recovery
//! of the database's log, and says nothing of a disk that loses power.
//!
//! `OVERTURN_KILLS` and `OVERTURN_SENDS` set how often the server is killed, and after how many answers each time.

use overturn_tests::answer::{Sent, numbers_of};
use overturn_tests::client::CLAIMS;
use overturn_tests::only_on_native;
use overturn_tests::person::{VERIFY, verify_trail};
use overturn_tests::prelude::*;
use overturn_tests::tenant::Key;
use rusqlite::{Connection, OpenFlags};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

/// How many connections send at the same time.
const CONNECTIONS: usize = 16;
/// Each tenth body is a batch of so many claims.
const BATCH: usize = 5;

/// A body that was sent, and its answer unless the connection was lost.
struct Try {
    body: Value,
    answer: Option<Sent>,
}

/// The ids of claims by their numbers.
type Ids = HashMap<String, String>;

fn number_of(variable: &str, default: usize) -> usize {
    let set = std::env::var(variable);
    set.map_or(default, |text| text.parse().unwrap())
}

fn bearer(key: &Key) -> String {
    format!("Bearer {}", key.text)
}

fn body(round: usize, n: usize) -> Value {
    let number = format!("K-{round}-{n}");
    match n % 10 {
        0 => numbered((0..BATCH).map(|part| format!("{number}-{part}"))),
        _ => item(&number),
    }
}

/// Sends until the connection is lost.
fn send_on(client: &Client, round: usize, next: &AtomicUsize, tries: &Sender<Try>) {
    loop {
        let body = body(round, next.fetch_add(1, Ordering::Relaxed));
        let text = body.to_string();
        let raw = client.attempt("POST", CLAIMS, Some(text.as_bytes())).ok();
        let answer = raw.map(|raw| Sent::read(&body, &Answer::checked(raw)));
        let is_lost = answer.is_none();
        tries.send(Try { body, answer }).unwrap();
        if is_lost {
            return;
        }
    }
}

/// Sends on many connections, and kills the server after so many answers. Meanwhile `reader` asks for the trail, which links
/// its rows.
fn kill_after(answers: usize, round: usize, server: Server, key: &Key, reader: &Client) -> (State, Vec<Try>) {
    let next = &AtomicUsize::new(0);
    let bearer = bearer(key);
    thread::scope(|scope| {
        let (sender, tries) = mpsc::channel();
        for _ in 0..CONNECTIONS {
            let client = server.client().with("Authorization", &bearer);
            let sender = sender.clone();
            scope.spawn(move || send_on(&client, round, next, &sender));
        }
        drop(sender);
        scope.spawn(move || while reader.attempt("GET", VERIFY, None).is_ok() {});
        let (mut server, mut state) = (Some(server), None);
        let mut all = Vec::new();
        // This ends when all senders have, also if they panic.
        for one in tries {
            all.push(one);
            if all.len() == answers {
                state = server.take().map(Server::kill);
            }
        }
        // Without a kill, the server ended by itself.
        (state.expect("the senders ended before the kill"), all)
    })
}

/// The claims whose numbers match, in the database of a running server.
fn stored(server: &Server, numbers: &str) -> Ids {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let db = Connection::open_with_flags(server.state().database(), flags).unwrap();
    let sql = "SELECT claim_number, id FROM claims WHERE claim_number GLOB ?1";
    let mut query = db.prepare(sql).unwrap();
    let rows = query.query_map([numbers], |row| Ok((row.get(0)?, row.get(1)?)));
    let mut ids = Ids::new();
    for row in rows.unwrap() {
        let (number, id) = row.unwrap();
        assert_eq!(ids.insert(number, id), None, "a number has one claim");
    }
    ids
}

/// Checks what a killed server left, and sends again what it did not answer. Returns how many of these bodies were
/// committed all the same.
fn send_again(tries: &[Try], stored: &Ids, client: &Client, ids: &mut Ids) -> usize {
    let mut committed = 0;
    for Try { body, answer } in tries {
        let numbers = numbers_of(body);
        let kept: Vec<_> = numbers.iter().map(|number| stored.get(*number)).collect();
        let are_there = kept.iter().all(|id| id.is_some());
        let sent = match answer {
            Some(sent) => {
                assert!(are_there, "an answered claim is lost: {numbers:?}");
                assert!(sent.created().iter().all(|created| *created));
                sent
            }
            None => {
                let is_whole = are_there || kept.iter().all(|id| id.is_none());
                assert!(is_whole, "a batch is there in part: {numbers:?}");
                committed += usize::from(are_there);
                let sent = &Sent::read(body, &client.send(body));
                assert!(sent.created().iter().all(|created| *created != are_there));
                &sent.clone()
            }
        };
        for (n, (number, kept)) in numbers.into_iter().zip(kept).enumerate() {
            let id = sent.id(n);
            assert!(kept.is_none_or(|kept| kept == id), "{number} has another id");
            assert_eq!(ids.insert(number.into(), id.into()), None);
        }
    }
    committed
}

#[test]
fn a_server_that_is_killed_loses_no_answered_claim_and_doubles_none() {
    only_on_native!("the database of workerd belongs to the platform");
    let kills = number_of("OVERTURN_KILLS", 5);
    let answers = number_of("OVERTURN_SENDS", 200);
    let vars = json!({ "LIMITS": "unlimited" });
    let server = Server::start(State::fresh(), &vars);
    // The checks of a practice take time in the square of its claims, so each kill has a practice of its own.
    let practices: Vec<_> = std::iter::repeat_with(|| Tenant::in_cell(&server, 0))
        .take(kills)
        .map(|tenant| {
            let session = Person::of(&tenant, Role::Owner).session;
            (tenant.id, tenant.key, session)
        })
        .collect();

    let mut server = Server::installed(server.stop(), &vars, &[]);
    let mut ids = Ids::new();
    let (mut lost, mut committed) = (0, 0);
    for (round, (_, key, session)) in practices.iter().enumerate() {
        let reader = page(&server, session);
        let (state, tries) = kill_after(answers, round, server, key, &reader);
        lost += tries.iter().filter(|one| one.answer.is_none()).count();
        server = Server::installed(state, &vars, &[]);
        let stored = stored(&server, &format!("K-{round}-*"));
        let client = server.client().with("Authorization", &bearer(key));
        committed += send_again(&tries, &stored, &client, &mut ids);
        verify_trail(&page(&server, session));
    }
    assert_eq!(stored(&server, "*"), ids);

    let server = &Server::start(server.stop(), &vars);
    for (id, key, session) in practices {
        let tenant = Tenant { server, id, key };
        tenant.check();
        verify_trail(&page(server, &session));
    }
    eprintln!(
        "{kills} kills, {} claims, {lost} bodies without an answer, of which {committed} were committed",
        ids.len()
    );
}
