//! The session copies in KV may fail, be empty or be wrong: they let no one in and sign no one out.

use overturn_core::base::id::SessionId;
use overturn_core::base::instant::Instant;
use overturn_service::request::secret::SessionToken;
use overturn_tests::prelude::*;
use overturn_tests::tenant::{self};
use std::thread;

const SESSIONS: &str = "/api/v1/auth/sessions";
const MINUTE: i64 = 60_000;

fn person() -> Person<'static> {
    Person::of(&Tenant::shared(), Role::Member)
}

/// The KV record of a session that was last used this many milliseconds ago.
fn record(id: SessionId, ago: i64) -> Value {
    json!({ "id": id, "seen_at": tenant::now().plus(-ago) })
}

/// A client of the session, with KV in this state.
fn with(token: &SessionToken, kv: &Value) -> Client {
    let bindings = json!({ "SESSIONS": kv }).to_string();
    page(Server::shared(), token).with("Tests-Bindings", &bindings)
}

fn stale(record: &Value) -> Value {
    json!({ "stale": record })
}

fn ask(person: &Person<'_>, kv: &Value) -> Answer {
    with(&person.session, kv).get(SESSIONS)
}

/// Every state that KV can have for this session.
fn every(id: SessionId) -> Vec<Value> {
    let used = [0, 10 * MINUTE, 40 * MINUTE, 25 * 60 * MINUTE].map(|ago| stale(&record(id, ago)));
    let odd = ["{}", "", "not JSON"].map(|text| stale(&json!(text)));
    let kinds = ["gone", "empty", "silent"].map(Value::from);
    [&kinds[..], &used, &odd].concat()
}

/// Shifts a time of the person's session in the database.
fn shift(person: &Person<'_>, column: &str, by: i64) {
    let sql = format!("UPDATE sessions SET {column} = {column} + ({by}) WHERE id = ?1");
    person.server.database().change(&sql, &[&person.session_id.to_string()]);
}

fn seen_at(person: &Person<'_>) -> Instant {
    let sql = "SELECT seen_at AS n FROM sessions WHERE id = ?1";
    Instant(person.server.database().number(sql, &[&person.session_id.to_string()]))
}

/// The KV record of the person's session, and how often watched requests wrote it.
fn kept(person: &Person<'_>, value: Option<&Value>) -> (Option<Value>, i64) {
    let key = format!("session:{}", person.session.hash());
    let mut question = json!({ "key": key });
    if let Some(value) = value {
        question["value"] = value.to_string().into();
    }
    let client = person.server.client();
    let raw = client.exchange("POST", "/.tests/sessions", Some(question.to_string().as_bytes()));
    raw.expect(200);
    let said: Value = serde_json::from_slice(&raw.body).unwrap();
    let value = said["value"].as_str().map(|text| serde_json::from_str(text).unwrap());
    (value, said["puts"].as_i64().unwrap())
}

#[test]
fn an_active_session_works_in_every_state_of_kv() {
    let person = person();
    for kv in every(person.session_id) {
        let answer = ask(&person, &kv);
        assert_eq!(answer.status, 200, "{kv}: {}", answer.text());
        let revoked = with(&person.session, &kv).delete(SESSIONS);
        assert_eq!(revoked.status, 204, "{kv}: {}", revoked.text());
    }
}

#[test]
fn a_session_that_ended_in_the_database_has_ended_in_every_state_of_kv() {
    for (why, column, by) in [
        ("revoked", "revoked_at", 0),
        ("a day old", "ends_at", -24 * 60 * MINUTE),
        ("made before its rights changed", "epoch", -1),
    ] {
        let person = person();
        let (session, _) = (person.session_id, person.client().get(SESSIONS));
        let _used = kept(&person, Some(&record(session, 0)));
        if column == "revoked_at" {
            let target = format!("{SESSIONS}/{session}");
            person.client().delete(&target).expect(204);
            let _stays = kept(&person, Some(&record(session, 0)));
        } else {
            shift(&person, column, by);
        }
        assert_eq!(person.client().get(SESSIONS).status, 401, "{why}");
        for kv in every(session) {
            assert_eq!(ask(&person, &kv).status, 401, "{why}, {kv}");
        }
    }
}

#[test]
fn kv_knows_no_session_that_the_database_does_not() {
    let person = person();
    let unknown = SessionToken::mint(tenant::random());
    for kv in every(person.session_id) {
        assert_eq!(with(&unknown, &kv).get(SESSIONS).status, 401, "{kv}");
    }
}

#[test]
fn an_idle_session_ends_where_kv_says_nothing_of_a_later_use() {
    let (person, colleague) = (person(), person());
    shift(&person, "seen_at", -31 * MINUTE);
    let id = person.session_id;
    let future = stale(&record(id, -10 * MINUTE));
    let another = stale(&record(colleague.session_id, 0));
    let as_idle = stale(&record(id, 31 * MINUTE));
    let older = stale(&record(id, 60 * MINUTE));
    let kinds = ["gone", "empty", "silent"].map(Value::from);
    for kv in kinds.iter().chain([&future, &another, &as_idle, &older]) {
        assert_eq!(ask(&person, kv).status, 401, "{kv}");
    }
    person.client().get(SESSIONS).expect(401);
}

#[test]
fn a_use_that_only_kv_knows_of_keeps_a_session_alive_and_is_written_down() {
    let person = person();
    shift(&person, "seen_at", -31 * MINUTE);
    let before = seen_at(&person);
    let _put = kept(&person, Some(&record(person.session_id, 29 * MINUTE)));
    let answer = person.client().get(SESSIONS);
    answer.expect(200);
    wait::until("the database hears of it", || seen_at(&person).since(before) > 30 * MINUTE);
    ask(&person, &json!("gone")).expect(200);
}

#[test]
fn a_use_is_kept_in_kv_if_the_database_write_fails() {
    let person = person();
    shift(&person, "seen_at", -2 * MINUTE);
    let before = seen_at(&person);
    // The first batch reads the session, the second writes its use.
    let faults = json!({ "2": { "fails": "D1_ERROR: disk full" } }).to_string();
    let answer = person.client().with("Tests-Database", &faults).get(SESSIONS);
    answer.expect(200);
    wait::until("KV hears of it", || kept(&person, None).0.is_some());
    assert_eq!(seen_at(&person), before);
    shift(&person, "seen_at", -29 * MINUTE);
    person.client().get(SESSIONS).expect(200);
}

#[test]
fn a_use_is_written_down_once_a_minute_however_many_requests_come_at_once() {
    let person = person();
    let watched = json!("watched");
    ask(&person, &watched).expect(200);
    let begun = seen_at(&person);
    shift(&person, "seen_at", -MINUTE);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| ask(&person, &watched).expect(200));
        }
    });
    wait::until("KV hears of it", || kept(&person, None).1 > 0);
    // The requests that lost the race have nothing to wait for.
    wait::quiet();
    let (value, puts) = kept(&person, None);
    assert_eq!(puts, 1);
    let written = seen_at(&person);
    assert!(written >= begun);
    assert_eq!(value.unwrap()["seen_at"], json!(written));

    ask(&person, &watched).expect(200);
    wait::quiet();
    assert_eq!((seen_at(&person), kept(&person, None).1), (written, 1));
}
