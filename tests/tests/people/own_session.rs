//! What a session says about itself: when it ends, what its person may do, and reads that are no use of it.

use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_service::auth::rights::Action;
use overturn_tests::prelude::*;

const SESSION: &str = "/api/v1/auth/session";
const DENIALS: &str = "/api/v1/denials";
const MINUTE: i64 = 60_000;

fn passive(client: &Client) -> Client {
    client.with("X-Passive-Read", "true")
}

fn seen_at(person: &Person<'_>) -> Instant {
    let sql = "SELECT seen_at AS n FROM sessions WHERE id = ?1";
    let id = person.session_id.to_string();
    Instant(person.server.database().number(sql, &[&id]))
}

fn shift(person: &Person<'_>, by: i64) {
    let sql = format!("UPDATE sessions SET seen_at = seen_at + ({by}) WHERE id = ?1");
    let id = person.session_id.to_string();
    person.server.database().change(&sql, &[&id]);
}

/// True if KV has a use of the session.
fn is_in_kv(person: &Person<'_>) -> bool {
    let question = json!({ "key": format!("session:{}", person.session.hash()) }).to_string();
    let client = person.server.client();
    let raw = client.exchange("POST", "/.tests/sessions", Some(question.as_bytes()));
    let said: Value = serde_json::from_slice(&raw.body).unwrap();
    said["value"].is_string()
}

fn idle_ends_at(answer: &Answer) -> Instant {
    answer.expect(200);
    let text = answer.json["session"]["idle_ends_at"].as_str().unwrap();
    Time::parse(text).unwrap().0
}

fn may(client: &Client) -> Vec<String> {
    let answer = client.get(SESSION);
    answer.expect(200);
    let names = answer.json["may"].as_array().unwrap().iter();
    names.map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_passive_read_does_not_keep_a_session_alive_and_an_ordinary_one_does() {
    let person = Person::of(&Tenant::shared(), Role::Member);
    shift(&person, -10 * MINUTE);
    let before = seen_at(&person);
    for target in [SESSION, DENIALS] {
        passive(&person.client()).get(target).expect(200);
    }
    wait::quiet();
    assert_eq!(seen_at(&person), before);
    assert!(!is_in_kv(&person));
    for other in ["false", "TRUE", "1", ""] {
        // KV knows a use by then, so each value has its own session.
        let person = Person::of(&Tenant::shared(), Role::Member);
        shift(&person, -2 * MINUTE);
        let before = seen_at(&person);
        let client = person.client().with("X-Passive-Read", other);
        client.get(DENIALS).expect(200);
        wait::until(other, || seen_at(&person) > before);
        wait::until(other, || is_in_kv(&person));
    }
}

#[test]
fn a_write_is_a_use_whatever_it_says_about_itself() {
    let person = Person::of(&Tenant::shared(), Role::Member);
    shift(&person, -10 * MINUTE);
    let before = seen_at(&person);
    let client = passive(&person.client());
    let ended = client.delete("/api/v1/auth/sessions");
    ended.expect(204);
    wait::until("the use is noted", || seen_at(&person) > before);
}

#[test]
fn a_session_is_gone_when_it_says_and_not_before() {
    let person = Person::of(&Tenant::shared(), Role::Member);
    shift(&person, -20 * MINUTE);
    let client = passive(&person.client());
    let ends = idle_ends_at(&client.get(SESSION));
    assert_eq!(ends, seen_at(&person).plus(30 * MINUTE));
    // Passive reads say the same, so nothing is sent again.
    let first = client.get(SESSION);
    let tag = first.header("etag").unwrap();
    client.with("If-None-Match", tag).get(SESSION).expect(304);
    // Two seconds before its end, and just after it.
    shift(&person, 2_000 - (ends.since(overturn_tests::tenant::now())));
    client.get(SESSION).expect(200);
    shift(&person, -2_000);
    client.get(SESSION).expect(401);
    person.client().get(SESSION).expect(401);
}

#[test]
fn an_ordinary_read_says_the_end_that_it_causes() {
    let person = Person::of(&Tenant::shared(), Role::Member);
    shift(&person, -20 * MINUTE);
    let before = seen_at(&person);
    let ends = idle_ends_at(&person.client().get(SESSION));
    wait::until("the use is noted", || seen_at(&person) > before);
    assert_eq!(ends, seen_at(&person).plus(30 * MINUTE));
    // A use within a minute changes nothing.
    assert_eq!(idle_ends_at(&person.client().get(SESSION)), ends);
}

#[test]
fn a_session_tells_the_state_of_its_practice() {
    let tenant = Tenant::shared();
    let owner = Person::of(&tenant, Role::Owner);
    let practice = |client: &Client| client.get(SESSION).json["practice"].clone();
    let shown = practice(&owner.client());
    assert_eq!(
        shown,
        json!({ "id": tenant.id.to_string(), "name": "Practice", "status": "active", "agreement": "in_force",
            "appeal_button": shown["appeal_button"], "sso_required": false })
    );
    tenant.change("UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1", &[]);
    assert_eq!(practice(&owner.client())["agreement"], "ended");
    tenant.change("UPDATE practices SET appeal_button = 1, state = 'inactive' WHERE id = ?1", &[]);
    let shown = practice(&owner.client());
    assert_eq!((&shown["status"], &shown["appeal_button"]), (&json!("inactive"), &json!(true)));
    let terms = Terms { signed: false, ..Terms::default() };
    let unsigned = Tenant::on(Server::shared(), terms);
    let member = Person::of(&unsigned, Role::Member);
    assert_eq!(practice(&member.client())["agreement"], "missing");
    let staff = Person::staff(Server::shared());
    assert_eq!(practice(&staff.client()), Value::Null);
}

#[test]
fn a_session_tells_what_its_person_may_do_and_calls_agree() {
    let tenant = Tenant::shared();
    for role in Role::ALL {
        let person = match role {
            Role::Staff => Person::staff(Server::shared()),
            Role::Auditor => Person::auditor(Server::shared()),
            _ => Person::of(&tenant, role),
        };
        let names = may(&person.client());
        for (action, target) in [
            (Action::ListMembers, "/api/v1/settings/members"),
            (Action::ReadAudit, "/api/v1/settings/audit"),
            (Action::ReadStaffAudit, "/api/v1/staff/audit"),
            (Action::ReadDenials, DENIALS),
            (Action::ReadWork, "/api/v1/staff/claims"),
        ] {
            let answer = person.client().get(target);
            let listed = names.iter().any(|name| name == action.name());
            assert_eq!(listed, answer.status == 200, "{role:?} {target}");
            if !listed {
                assert_eq!(answer.json["error"]["reason"], "role_not_allowed");
            }
        }
    }
    tenant.change("UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1", &[]);
    let owner = Person::of(&tenant, Role::Owner);
    assert!(!may(&owner.client()).contains(&"read_denials".to_owned()));
    let refused = owner.client().get(DENIALS);
    assert_eq!(refused.json["error"]["reason"], "agreement_required");
    tenant.change("UPDATE practices SET state = 'inactive' WHERE id = ?1", &[]);
    let refused = owner.client().get(DENIALS);
    assert_eq!(refused.json["error"]["reason"], "practice_inactive");
    assert!(!may(&owner.client()).contains(&"list_members".to_owned()));
}

#[test]
fn a_planted_cookie_outside_ascii_signs_nobody_out() {
    let person = Person::of(&Tenant::shared(), Role::Member);
    let cookies = format!("café=crème; __Host-session={}", person.session.expose());
    person.client().with("Cookie", &cookies).get(SESSION).expect(200);
}
