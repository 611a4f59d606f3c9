//! `/api/v1/auth/sessions`: a person's sessions, and ending them from another device.

use overturn_core::base::id::SessionId;
use overturn_tests::prelude::*;
use std::thread;

const SESSIONS: &str = "/api/v1/auth/sessions";

fn person(role: Role) -> Person<'static> {
    Person::of(&Tenant::shared(), role)
}

fn end(client: &Client, id: impl std::fmt::Display) -> Answer {
    client.delete(&format!("{SESSIONS}/{id}"))
}

fn listed(answer: &Answer) -> Vec<&str> {
    answer.expect(200);
    let sessions = answer.json["sessions"].as_array().unwrap().iter();
    sessions.map(|session| session["id"].as_str().unwrap()).collect()
}

fn change(sql: &str, id: SessionId) {
    Server::shared().database().change(sql, &[&id.to_string()]);
}

/// The audit rows about ended sessions of an account.
fn audited(person: &Person<'_>) -> Vec<Value> {
    let sql = "SELECT record, detail FROM audit WHERE action = 'session.revoked' AND actor = ?1 ORDER BY at";
    let actor = format!("user:{}", person.id);
    person.server.database().rows(sql, &[&actor])
}

#[test]
fn a_person_sees_only_their_own_active_sessions() {
    let tenant = Tenant::shared();
    let person = Person::of(&tenant, Role::Member);
    let colleague = Person::of(&tenant, Role::Owner);
    let gone = [
        "UPDATE sessions SET revoked_at = seen_at WHERE id = ?1",
        "UPDATE sessions SET seen_at = seen_at - 1800000 WHERE id = ?1",
        "UPDATE sessions SET ends_at = seen_at WHERE id = ?1",
        "UPDATE sessions SET epoch = 0 WHERE id = ?1",
    ];
    for sql in gone {
        change(sql, person.session(None).0);
    }
    let (later, _) = person.session(None);
    let answer = person.client().get(SESSIONS);
    let expected = [later, person.session_id].map(|id| id.to_string());
    assert_eq!(listed(&answer), expected);
    assert_eq!(answer.json["next_cursor"], Value::Null);
    let [other, own] = [0, 1].map(|n| &answer.json["sessions"][n]);
    assert_eq!((&other["current"], &own["current"]), (&json!(false), &json!(true)));
    assert_eq!((&own["ip"], &own["agent"]), (&json!("192.0.2.1"), &json!("tests")));
    for time in ["created_at", "last_seen_at", "ends_at"] {
        assert!(own[time].as_str().unwrap().ends_with('Z'), "{time}");
    }
    assert_eq!(listed(&colleague.client().get(SESSIONS)), [colleague.session_id.to_string()]);
}

#[test]
fn a_session_that_is_ended_is_refused_at_once_and_the_others_go_on() {
    let person = person(Role::Admin);
    let (id, stolen) = person.session(None);
    let thief = page(Server::shared(), &stolen);
    thief.get(SESSIONS).expect(200);
    let done = end(&person.client(), id);
    done.expect(204);
    assert_eq!(done.header("set-cookie"), None);
    thief.get(SESSIONS).expect(401);
    end(&thief, person.session_id).expect(401);
    person.client().get(SESSIONS).expect(200);
    assert_eq!(audited(&person)[0]["record"], id.to_string());
    assert_eq!(end(&person.client(), id).status, 204, "again");
    assert_eq!(audited(&person).len(), 1);
}

#[test]
fn ending_the_session_that_asks_signs_out() {
    let person = Person::staff(Server::shared());
    let done = end(&person.client(), person.session_id);
    done.expect(204);
    let cookies = done.headers.iter().filter(|(name, _)| name == "set-cookie");
    let cookies: Vec<&str> = cookies.map(|(_, value)| value.as_str()).collect();
    assert_eq!(cookies.len(), 2);
    for (cookie, name) in cookies.into_iter().zip(["__Host-session=;", "csrf_token=;"]) {
        assert!(cookie.starts_with(name) && cookie.contains("Max-Age=0"), "{cookie}");
    }
    person.client().get(SESSIONS).expect(401);
}

#[test]
fn all_others_end_together() {
    let person = person(Role::Member);
    let others = [person.session(None).1, person.session(None).1];
    let stranger = Person::of(&Tenant::shared(), Role::Member);
    let done = person.client().delete(SESSIONS);
    done.expect(204);
    for other in &others {
        page(Server::shared(), other).get(SESSIONS).expect(401);
    }
    assert_eq!(listed(&person.client().get(SESSIONS)), [person.session_id.to_string()]);
    stranger.client().get(SESSIONS).expect(200);
    let detail = json!({ "all_but": person.session_id }).to_string();
    assert_eq!(audited(&person), [json!({ "record": person.id, "detail": detail })]);
}

#[test]
fn another_persons_session_looks_like_a_missing_one() {
    let tenant = Tenant::shared();
    let person = Person::of(&tenant, Role::Owner);
    let colleague = Person::of(&tenant, Role::Member);
    let stranger = Person::staff(Server::shared());
    let nobody = "01a1fdae-17b7-7188-94a2-94a8e02c07c5";
    let ids = [colleague.session_id.to_string(), stranger.session_id.to_string()];
    for id in ids.iter().map(String::as_str).chain([nobody, "all"]) {
        let refused = end(&person.client(), id);
        refused.expect(404);
        assert_eq!(refused.json["error"]["message"], "no such session");
    }
    for other in [&colleague, &stranger] {
        other.client().get(SESSIONS).expect(200);
    }
    assert!(audited(&person).is_empty());
}

#[test]
fn two_who_end_each_other_leave_one_at_the_most() {
    for _ in 0..5 {
        let person = person(Role::Member);
        let (id, token) = person.session(None);
        let other = page(Server::shared(), &token);
        let answers = thread::scope(|scope| {
            let first = scope.spawn(|| end(&person.client(), id).status);
            let second = scope.spawn(|| end(&other, person.session_id).status);
            [first.join().unwrap(), second.join().unwrap()]
        });
        let left = [&person.client(), &other].map(|client| client.get(SESSIONS).status);
        assert!(matches!(answers, [204, 401] | [401, 204] | [204, 204]), "{answers:?}");
        let won = answers.map(|status| if status == 204 { 200 } else { 401 });
        assert!(left == won || answers == [204, 204] && left == [401, 401], "{answers:?} {left:?}");
    }
}

#[test]
fn an_answer_that_was_lost_ends_a_session_once() {
    let person = person(Role::Member);
    let (id, token) = person.session(None);
    end(&person.client().losing_commit(), id).expect(204);
    page(Server::shared(), &token).get(SESSIONS).expect(401);
    assert_eq!(audited(&person).len(), 1);
    let own = end(&person.client().losing_commit(), person.session_id);
    assert_eq!(own.status, 204, "its own guard no longer holds, and it was carried out");
    assert_eq!(audited(&person).len(), 2);
}
