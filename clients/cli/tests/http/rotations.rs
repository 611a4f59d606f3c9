//! A key is replaced, and whatever happens meanwhile, the caller has one that works.

use crate::interrupts::patiently;
use crate::program::{Ended, end, item, key, lines, program};
use crate::service::{accept, numbers, request, say};
use overturn_core::base::token::{ApiKey, ApiToken, Realm};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// What happens to one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// It does not arrive.
    Before,
    /// It is carried out, and its answer is lost.
    After,
    /// It does not arrive, and the connection hangs.
    HangBefore,
    /// It is carried out, and then the connection hangs.
    HangAfter,
}

#[derive(Default)]
struct State {
    live: BTreeSet<String>,
    /// All keys that were made, in order. The first is `new-1`.
    made: Vec<String>,
    /// The ids of keys, and of those that replaced them.
    replaced: BTreeMap<String, String>,
    /// The idempotency keys of rotations.
    seen: BTreeSet<String>,
    calls: Vec<String>,
    /// What happens to which call.
    faults: Vec<(usize, Fault)>,
    scopes: Vec<&'static str>,
    refuses_claims: bool,
    hanging: bool,
}

/// A practice's keys, of which one is in the environment of the program.
struct Keys {
    port: u16,
    state: Arc<Mutex<State>>,
}

impl Keys {
    fn new(faults: &[(usize, Fault)]) -> Self {
        let scopes = vec!["claims:write", "claims:read"];
        let state = State { live: [key()].into(), faults: faults.into(), scopes, ..State::default() };
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        Self { port: accept(move |stream| serve(stream, &shared)), state }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn program(&self, own: &str, args: &[&str]) -> Command {
        let mut command = program(args);
        let token = ApiToken::mint(Realm::Test, [3; 24]);
        command
            .env("OVERTURN_URL", format!("http://127.0.0.1:{}", self.port))
            .env("OVERTURN_API_KEY", own)
            .env("OVERTURN_API_TOKEN", token.expose());
        command
    }

    fn run(&self, own: &str, args: &[&str]) -> Ended {
        ended(self.program(own, args).spawn().unwrap())
    }

    /// The newest key, if the service has made one.
    fn made(&self) -> Option<String> {
        self.state().made.last().cloned()
    }
}

impl State {
    fn id(&self, key: &str) -> String {
        self.made.iter().position(|made| made == key).map_or("old-1".into(), |at| format!("new-{}", at + 1))
    }

    fn newest_alone(&self) -> bool {
        self.live.iter().eq(self.made.last())
    }

    fn works(&self, id: &str) -> bool {
        self.live.iter().any(|live| self.id(live) == id)
    }

    fn has_replacement(&self, id: &str) -> bool {
        self.replaced.get(id).is_some_and(|by| self.works(by))
    }

    fn rotate(&mut self, id: &str, once: &str) -> (u16, Value) {
        let shown = if self.seen.insert(once.into()) {
            if self.has_replacement(id) {
                return (409, json!({ "error": { "code": "conflict", "message": "replaced" } }));
            }
            let made = ApiKey::mint(Realm::Test, [u8::try_from(self.made.len() + 1).unwrap(); 24]);
            self.made.push(made.expose().into());
            self.live.insert(made.expose().into());
            let new = format!("new-{}", self.made.len());
            self.replaced.values_mut().filter(|by| *by == id).for_each(|by| by.clone_from(&new));
            self.replaced.insert(id.into(), new);
            Some(made.expose().to_owned())
        } else {
            None
        };
        (
            201,
            json!({ "id": format!("new-{}", self.made.len()), "expires_at": "2027-11-27T00:00:00.000Z", "key": shown }),
        )
    }

    fn finish(&mut self, id: &str) -> (u16, Value) {
        if self.works(id) && !self.has_replacement(id) {
            return (409, json!({ "error": { "code": "conflict", "message": "not replaced" } }));
        }
        let ended = self.live.iter().find(|live| self.id(live) == id).cloned();
        ended.map(|ended| self.live.remove(&ended));
        (204, Value::Null)
    }
}

fn ended(child: Child) -> Ended {
    let ended = end(child);
    assert!(!ended.err.contains("ovu_"), "{}", ended.err);
    ended
}

fn serve(stream: TcpStream, state: &Mutex<State>) {
    let (head, body) = request(&stream);
    if head.is_empty() {
        return;
    }
    let fault = {
        let mut state = state.lock().unwrap();
        let line = head.lines().next().unwrap().to_owned();
        let nth = state.calls.len();
        state.calls.push(line);
        state.faults.iter().find(|(at, _)| *at == nth).map(|(_, fault)| *fault)
    };
    let answer = match fault {
        Some(Fault::Before | Fault::HangBefore) => None,
        _ => Some(answer(&head, &body, &mut state.lock().unwrap())),
    };
    if matches!(fault, Some(Fault::HangBefore | Fault::HangAfter)) {
        state.lock().unwrap().hanging = true;
        thread::sleep(Duration::from_secs(30));
    }
    if let (Some((status, body)), None) = (answer, fault) {
        say(stream, status, "", &body);
    }
}

fn header<'h>(head: &'h str, name: &str) -> &'h str {
    let found =
        head.lines().find_map(|line| line.split_once(": ").filter(|(known, _)| known.eq_ignore_ascii_case(name)));
    found.map(|(_, value)| value).unwrap_or_default()
}

fn answer(head: &str, body: &Value, state: &mut State) -> (u16, Value) {
    let line = head.lines().next().unwrap();
    let bearer = header(head, "authorization").strip_prefix("Bearer ").unwrap();
    let is_person = bearer.starts_with("ovu_");
    let unknown = (401, json!({ "error": "invalid API key" }));
    let line = line.rsplit_once(' ').unwrap().0;
    let of = |end: &str| line.strip_prefix("POST /api/v1/settings/api_keys/").and_then(|rest| rest.strip_suffix(end));
    if let (true, Some(id)) = (is_person, of("/rotate")) {
        return state.rotate(id, header(head, "idempotency-key"));
    }
    if let (true, Some(id)) = (is_person, of("/rotate/finish")) {
        return state.finish(id);
    }
    match line {
        "GET /api/v1/settings/api_keys?limit=100" if is_person => {
            let listed = state.live.iter().map(|live| {
                let id = state.id(live);
                let by = state.replaced.get(&id);
                let nth = state.made.iter().position(|made| made == live).map_or(0, |at| at + 1);
                let created = format!("2026-11-27T00:00:00.{nth:03}Z");
                json!({ "id": id, "prefix": live.get(..13), "scopes": state.scopes, "created_at": created, "revoked_at": null, "replaced_by": by })
            });
            (200, json!({ "api_keys": listed.collect::<Vec<_>>(), "next_cursor": null }))
        }
        _ if !state.live.contains(bearer) => unknown,
        "POST /api/v1/claims" if state.refuses_claims => (403, json!({ "error": "not now", "code": "baa_required" })),
        "POST /api/v1/claims" => {
            let results = numbers(body).into_iter();
            let results = results
                .map(|number| json!({ "claim_number": number, "created": false, "id": "x", "status": "received" }));
            (201, json!({ "claims": results.collect::<Vec<_>>() }))
        }
        line if line.starts_with("GET /api/v1/claims/status?") => {
            (404, json!({ "error": "no claim with that claim_number" }))
        }
        line => panic!("{line}"),
    }
}

/// A name that no other test uses.
fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("overturn-rotation-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

fn claims(name: &str) -> PathBuf {
    let path = scratch(name);
    fs::write(&path, lines([item("A-1")])).unwrap();
    path
}

#[test]
fn a_key_is_made_checked_printed_used_and_only_then_is_the_old_one_revoked() {
    let keys = Keys::new(&[]);
    let file = claims("whole.ndjson");
    let done = keys.run(&key(), &["rotate", "--send", file.to_str().unwrap()]);
    assert_eq!(done.status, 0, "{done:?}");
    let new = keys.made().unwrap();
    assert_eq!(done.out.lines().next(), Some(&*new));
    assert_eq!(done.out.matches(&*new).count(), 1);
    assert_eq!(keys.state().live, [new].into());
    let calls: Vec<String> = keys.state().calls.iter().map(|line| line.split_once(" HTTP").unwrap().0.into()).collect();
    let [_, rotated, checked, sent, ended] = &calls[..] else { panic!("{calls:?}") };
    assert_eq!(rotated, "POST /api/v1/settings/api_keys/old-1/rotate");
    assert!(checked.starts_with("GET /api/v1/claims/status?"));
    assert_eq!(sent, "POST /api/v1/claims");
    assert_eq!(ended, "POST /api/v1/settings/api_keys/old-1/rotate/finish");
}

#[cfg(unix)]
#[test]
fn a_file_for_the_key_is_its_owners_only_and_is_never_overwritten() {
    use std::os::unix::fs::PermissionsExt as _;
    let keys = Keys::new(&[]);
    let out = scratch("key");
    let args = ["rotate", "--out", out.to_str().unwrap()];
    let done = keys.run(&key(), &args);
    assert_eq!(done.status, 0, "{done:?}");
    let new = keys.made().unwrap();
    assert_eq!(fs::read_to_string(&out).unwrap(), format!("{new}\n"));
    assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!done.out.contains(&new) && !done.err.contains(&new));
    assert!(done.err.contains("both keys work") && keys.state().live.len() == 2, "{done:?}");
    let again = keys.run(&key(), &["rotate", "--lost", "--out", out.to_str().unwrap()]);
    assert_eq!((again.status, keys.state().live.len()), (2, 2), "no second key is made");
}

#[test]
fn a_refusal_leaves_no_file() {
    let keys = Keys::new(&[]);
    let folder = scratch("folder");
    fs::create_dir(&folder).unwrap();
    let out = folder.join("key");
    let args = ["rotate", "--out", out.to_str().unwrap()];
    keys.state().live.clear();
    assert_eq!(keys.run(&key(), &args).status, 2);
    keys.state().live.insert(key());
    assert_eq!(keys.run(&key(), &args).status, 0);
    fs::remove_file(&out).unwrap();
    let again = keys.run(&key(), &args);
    assert_eq!((again.status, keys.state().made.len()), (2, 1), "{again:?}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    fs::remove_dir(&folder).unwrap();
}

#[test]
fn a_second_rotation_makes_no_key_unless_the_first_replacement_was_lost_which_then_ends() {
    let keys = Keys::new(&[]);
    keys.run(&key(), &["rotate"]);
    let first = keys.made().unwrap();
    let again = keys.run(&key(), &["rotate"]);
    assert_eq!((again.status, keys.state().made.len()), (2, 1), "{again:?}");
    for said in ["(new-1) has replaced it", "overturn rotate --end old-1", "--lost"] {
        assert!(again.err.contains(said), "{again:?}");
    }
    let lost = keys.run(&key(), &["rotate", "--lost"]);
    let new = keys.made().unwrap();
    assert_eq!((lost.status, lost.out.lines().next()), (0, Some(&*new)), "{lost:?}");
    assert_eq!(keys.state().live, [key(), new.clone()].into());
    assert_ne!(first, new);
    let file = claims("lost.ndjson");
    assert_eq!(keys.run(&new, &["rotate", "--end", "old-1", "--send", file.to_str().unwrap()]).status, 0);
    assert_eq!(keys.state().live, [new].into());
}

#[test]
fn a_rotation_is_finished_later_by_the_new_key_and_not_by_the_old_one() {
    let keys = Keys::new(&[]);
    keys.run(&key(), &["rotate"]);
    let new = keys.made().unwrap();
    let file = claims("later.ndjson");
    let path = file.to_str().unwrap();
    for (own, args) in
        [(&key(), &["rotate", "--end", "old-1", "--send", path][..]), (&new, &["rotate", "--end", "old-1"])]
    {
        assert_eq!(keys.run(own, args).status, 2, "{args:?}");
        assert_eq!(keys.state().live.len(), 2);
    }
    let done = keys.run(&new, &["rotate", "--end", "old-1", "--send", path]);
    assert_eq!((done.status, &keys.state().live), (0, &[new].into()), "{done:?}");
}

#[test]
fn a_key_that_only_reads_is_ended_without_a_send() {
    let keys = Keys::new(&[]);
    keys.state().scopes = vec!["claims:read"];
    keys.run(&key(), &["rotate"]);
    let new = keys.made().unwrap();
    assert_eq!(keys.run(&new, &["rotate", "--end", "old-1"]).status, 0);
    assert_eq!(keys.state().live, [new].into());
}

#[test]
fn a_send_that_is_refused_leaves_both_keys_and_says_so() {
    let keys = Keys::new(&[]);
    keys.state().refuses_claims = true;
    let file = claims("refused.ndjson");
    let done = keys.run(&key(), &["rotate", "--send", file.to_str().unwrap()]);
    assert_eq!((done.status, keys.state().live.len()), (3, 2), "{done:?}");
    assert!(done.err.contains("both keys work") && done.err.contains("overturn rotate --end old-1 --send"), "{done:?}");
    assert_eq!(done.out.lines().next(), keys.made().as_deref());
}

#[test]
fn a_wrong_file_is_found_before_a_key_is_made_and_changes_nothing() {
    let keys = Keys::new(&[]);
    let file = scratch("wrong.json");
    let path = file.to_str().unwrap();
    let missing = scratch("none");
    for (text, name, status, says) in [
        (json!([item("A-1")]).to_string(), path, 1, "an array is not one"),
        // It says what is wrong, and no advice.
        (lines([item("0"), json!({})]), path, 1, "line 2: patient.first_name is required\n"),
        (" ".into(), path, 2, "there is no claim in it"),
        (lines([item("A-1")]), "-", 2, "a file that can be read twice"),
        (lines([item("A-1")]), missing.to_str().unwrap(), 2, "cannot read"),
    ] {
        fs::write(&file, text).unwrap();
        let done = keys.run(&key(), &["rotate", "--send", name]);
        assert_eq!(done.status, status, "{done:?}");
        assert!([&done.out, &done.err].iter().any(|text| text.contains(says)), "{done:?}");
        assert!(done.err.contains("nothing was changed; the old key works"), "{done:?}");
        assert!(!done.out.contains("advice:") && keys.state().calls.is_empty(), "{done:?}");
    }
    assert!(keys.run(&key(), &["rotate", "--help"]).out.contains("one for `overturn send`"));
}

/// The caller has the key of the environment, and the one that was printed.
fn has_a_key(keys: &Keys, out: &str, of: &str) {
    let live = keys.state().live.clone();
    let printed = out.lines().any(|line| line != key() && live.contains(line));
    assert!(live.contains(&key()) || printed, "{of}: {live:?} {out}");
}

#[test]
fn an_answer_that_is_lost_leaves_one_key_that_works_and_is_known() {
    for at in 0..5 {
        for fault in [Fault::Before, Fault::After] {
            let keys = Keys::new(&[(at, fault)]);
            let file = claims(&format!("lost-{at}-{fault:?}.ndjson"));
            let done = keys.run(&key(), &["rotate", "--send", file.to_str().unwrap()]);
            has_a_key(&keys, &done.out, &format!("{at} {fault:?}"));
            assert_eq!(done.status, 0, "{at} {fault:?} {done:?}");
            // The value of a key is in one answer only: another key is made, and the lost one ends.
            let made = if (at, fault) == (1, Fault::After) { 2 } else { 1 };
            let state = keys.state();
            assert_eq!((state.made.len(), state.newest_alone()), (made, true), "{done:?}");
        }
    }
}

#[test]
fn a_program_that_is_killed_at_any_call_leaves_a_key_that_works() {
    for at in 0..5 {
        for fault in [Fault::HangBefore, Fault::HangAfter] {
            let keys = Keys::new(&[(at, fault)]);
            let file = claims(&format!("killed-{at}-{fault:?}.ndjson"));
            let mut child = keys.program(&key(), &["rotate", "--send", file.to_str().unwrap()]).spawn().unwrap();
            patiently("the call hangs", || keys.state().hanging);
            child.kill().unwrap();
            let output = child.wait_with_output().unwrap();
            has_a_key(&keys, &String::from_utf8(output.stdout).unwrap(), &format!("{at} {fault:?}"));
            let survives = keys.state().live.contains(&key());
            assert_eq!(survives, (at, fault) != (4, Fault::HangAfter), "{at} {fault:?}");
            if survives {
                keys.state().faults.clear();
                let done = keys.run(&key(), &["rotate", "--lost", "--send", file.to_str().unwrap()]);
                assert_eq!((done.status, keys.state().newest_alone()), (0, true), "{at} {fault:?} {done:?}");
            }
        }
    }
}

/// Calls: the list, a lost key, another lost one, a third one, its check, and then the end of both lost ones.
#[test]
fn keys_that_were_lost_in_a_run_that_did_not_end_are_ended_by_the_next_one() {
    for killed_at in 2..7 {
        for hang in [Fault::HangBefore, Fault::HangAfter] {
            let keys = Keys::new(&[(1, Fault::After), (3, Fault::After), (killed_at + 2, hang)]);
            let mut child = keys.program(&key(), &["rotate"]).spawn().unwrap();
            patiently("the call hangs", || keys.state().hanging);
            child.kill().unwrap();
            child.wait().unwrap();
            keys.state().faults.clear();
            let done = keys.run(&key(), &["rotate", "--lost"]);
            let newest = keys.made().unwrap();
            assert_eq!(keys.state().live, [key(), newest].into(), "{killed_at} {hang:?} {done:?}");
        }
    }
}

#[test]
fn a_lost_replacement_of_a_replacement_leaves_the_first_key_alone() {
    let keys = Keys::new(&[]);
    keys.run(&key(), &["rotate"]);
    let second = keys.made().unwrap();
    keys.run(&second, &["rotate"]);
    assert_eq!(keys.run(&second, &["rotate", "--lost"]).status, 0);
    let newest = keys.made().unwrap();
    assert_eq!(keys.state().live, [key(), second, newest].into());
}
