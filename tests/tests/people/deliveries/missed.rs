//! Events that an endpoint missed while it was switched off.

use super::{Hook, move_claim, server, sweep};
use overturn_tests::prelude::*;
use overturn_tests::receiver::OK;

fn set(hook: &Hook, state: &str) {
    let body = json!({ "state": state }).to_string();
    let client = hook.owner.client();
    let changed = client.seeing(&hook.path).patch(&hook.path, &body);
    changed.expect(200);
}

fn replay(hook: &Hook, body: &str) -> (u16, Value) {
    let target = format!("{}/replay", hook.path);
    let answer = hook.owner.client().post(&target, body);
    (answer.status, answer.json)
}

fn replayed(count: usize) -> (u16, Value) {
    (202, json!({ "replayed": count, "more": false }))
}

#[test]
fn missed_messages_are_sent_on_request_once_the_endpoint_is_on_again() {
    let hook = Hook::new([OK]);
    let staff = Person::staff(server()).client();
    set(&hook, "disabled");
    let claim = move_claim(&hook, &staff);
    sweep();
    let listed = hook.owner.client().get(&format!("{}/deliveries", hook.path));
    let missed = &listed.json["deliveries"][0];
    assert_eq!(
        (&missed["state"], &missed["attempts"], &missed["last_error"], &missed["last_at"]),
        (&json!("failed"), &json!(0), &json!("endpoint_inactive"), &Value::Null)
    );
    let id = missed["id"].as_str().unwrap();
    assert_eq!(replay(&hook, "").0, 409);
    set(&hook, "active");
    sweep();
    assert_eq!(hook.receiver.received().len(), 0, "only what is asked for is told");
    let tomorrow = json!({ "since": "2999-01-01T00:00:00Z" }).to_string();
    assert_eq!(replay(&hook, &tomorrow), replayed(0));
    assert_eq!(replay(&hook, ""), replayed(1));
    let told = hook.receiver.wait(1).remove(0);
    assert_eq!(told.header("webhook-id"), id);
    let body: Value = serde_json::from_str(&told.body).unwrap();
    assert_eq!(body["data"]["claim"]["id"], claim);
    hook.settled(id, "delivered");
    assert_eq!(replay(&hook, "{}"), replayed(0));
    let rows = hook.tenant.audit("webhook.replayed");
    assert_eq!((rows.len(), &rows[0]["record"]), (1, &json!(hook.id)));
}

#[test]
fn only_who_runs_the_practice_replays_and_another_practice_finds_no_endpoint() {
    let (hook, other) = (Hook::new([OK]), Hook::new([OK]));
    let target = format!("{}/replay", hook.path);
    let refused = other.owner.client().post(&target, "");
    assert_eq!(refused.nested(404), ("not_found", "no such webhook"));
    let member = Person::of(&hook.tenant, overturn_service::auth::role::Role::Member).client();
    member.post(&target, "").expect(403);
    for wrong in [r#"{"since": "yesterday"}"#, r#"{"from": "2026-01-01T00:00:00Z"}"#] {
        assert_eq!(replay(&hook, wrong).0, 422, "{wrong}");
    }
    let gone = hook.owner.client().request("DELETE", &hook.path, Some(b""));
    gone.expect(204);
    assert_eq!(replay(&hook, "").0, 404);
}
