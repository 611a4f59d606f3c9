//! Webhook deliveries to a receiver that gives every kind of answer.

mod failures;
mod faults;
mod log;
mod missed;
mod moved;

use crate::webhooks::WEBHOOKS;
use overturn_core::base::ctx::Purpose;
use overturn_tests::prelude::*;
use overturn_tests::receiver::{OK, Receiver, Reply};
use overturn_tests::tenant::ctx;
use std::sync::{OnceLock, PoisonError, RwLock, RwLockWriteGuard};

/// A server that makes three attempts, one second apart.
fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    let vars = json!({ "LIMITS": "unlimited", "WEBHOOKS_WAITS": "1,1" });
    SERVER.get_or_init(|| Server::lasting(&vars))
}

/// A practice with an endpoint. `new` takes the events that it subscribes to.
struct Hook {
    tenant: Tenant<'static>,
    owner: Person<'static>,
    receiver: Receiver,
    path: String,
    id: String,
    secret: String,
}

impl Hook {
    fn new(replies: impl Into<std::collections::VecDeque<Reply>>) -> Self {
        let tenant = Tenant::new(server());
        let owner = Person::of(&tenant, Role::Owner);
        let receiver = Receiver::new(replies);
        let events = ["claim.status_changed", "claim.signing_changed", "report.delivered"];
        let body = json!({ "url": receiver.url(), "events": events });
        let made = owner.client().post(WEBHOOKS, body.to_string());
        made.expect(201);
        let text = |key: &str| made.json[key].as_str().unwrap().to_owned();
        Self {
            path: format!("{WEBHOOKS}/{}", text("id")),
            id: text("id"),
            secret: text("secret"),
            tenant,
            owner,
            receiver,
        }
    }

    /// Inserts a delivery that is due, and returns its id.
    fn write(&self) -> String {
        let id = ctx().id(Purpose::Message, 0).to_string();
        self.tenant.change(
            "INSERT INTO deliveries (practice_id, webhook_id, id, kind, body, created_at, next_at)
             VALUES (?1, ?2, ?3, 'report.delivered', '{\"type\":\"report.delivered\"}', 1, 1)",
            &[&self.id, &id],
        );
        id
    }

    /// The queue message of a delivery.
    fn message(&self, id: &str) -> String {
        json!([{ "practice_id": self.tenant.id, "messages": [id] }]).to_string()
    }

    /// Inserts a delivery, runs the queue's consumer once, and waits for the first attempt: the sweep of another test may have
    /// taken the delivery, and the consumer then leaves it alone.
    fn tell(&self) -> String {
        let id = self.write();
        enter(&server().client(), "/.tests/queue", &self.message(&id));
        self.when(&id, |delivery| !(delivery["last_status"].is_null() && delivery["last_error"].is_null()));
        id
    }

    /// A delivery as the owner reads it.
    fn delivery(&self, id: &str) -> Value {
        let listed = self.owner.client().get(&format!("{}/deliveries", self.path));
        let listed = listed.json["deliveries"].as_array().unwrap().clone();
        listed.into_iter().find(|one| one["id"] == id).unwrap()
    }

    /// Waits until a delivery is in a state, and returns it.
    fn settled(&self, id: &str, state: &str) -> Value {
        self.when(id, |delivery| delivery["state"] == state)
    }

    /// Waits until a delivery is so, and returns it.
    fn when(&self, id: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        wait::found("a delivery as it should be", || Some(self.delivery(id)).filter(&is_so))
    }

    fn shown(&self) -> Value {
        self.owner.client().get(&self.path).json.clone()
    }
}

/// Calls the test entrance of the Worker.
pub(crate) fn enter(client: &Client, target: &str, body: &str) {
    let raw = client.exchange("POST", target, Some(body.as_bytes()));
    assert_eq!(raw.status, 204, "{}", String::from_utf8_lossy(&raw.body));
}

fn sweep() {
    let _sweeping = SWEEPS.read().unwrap_or_else(PoisonError::into_inner);
    enter(&server().client(), "/.tests/sweep", "");
}

/// A sweep takes what is due of every practice here.
static SWEEPS: RwLock<()> = RwLock::new(());

/// While a test holds this, no sweep of another test takes its delivery.
fn without_sweeps() -> RwLockWriteGuard<'static, ()> {
    SWEEPS.write().unwrap_or_else(PoisonError::into_inner)
}

/// A staff client moves a claim of the practice.
fn move_claim(hook: &Hook, staff: &Client) -> String {
    let sent = hook.tenant.send(&item("THE-PRACTICE'S-OWN"));
    let id = sent.claims[0].outcome.as_ref().unwrap().id.clone();
    let claim = format!("/api/v1/staff/practices/{}/claims/{id}", hook.tenant.id);
    let tag = staff.get(&claim).header("etag").unwrap().to_owned();
    let moved = staff.with("If-Match", &tag).post(&format!("{claim}/moves"), r#"{"status": "reviewing"}"#);
    assert_eq!(moved.status, 200, "{}", moved.text());
    id
}

#[test]
fn a_claim_that_moves_is_told_signed_and_without_anything_of_the_patient() {
    let hook = Hook::new([OK]);
    let staff = Person::staff(server()).client();
    let claim = move_claim(&hook, &staff);
    let told = hook.receiver.wait(1).remove(0);
    assert_eq!(told.signed_by(&hook.secret), 1);
    assert_eq!(told.header("content-type"), "application/json");
    let id = told.header("webhook-id");
    let mut body: Value = serde_json::from_str(&told.body).unwrap();
    assert!(body["timestamp"].take().is_string());
    let data = json!({ "claim": { "id": claim, "claim_number": "THE-PRACTICE'S-OWN", "status": "reviewing" } });
    let expected = json!({ "type": "claim.status_changed", "timestamp": null, "data": data });
    assert_eq!(body, expected);

    let delivery = hook.settled(id, "delivered");
    assert_eq!(delivery["type"], "claim.status_changed");
    assert_eq!((&delivery["attempts"], &delivery["last_status"]), (&json!(1), &json!(200)));
    assert_eq!((&delivery["next_at"], &delivery["last_error"]), (&Value::Null, &Value::Null));
    let line = |line: &Value| line["event"] == "delivery" && line["message_id"] == id;
    assert!(server().log().has(line));
    assert!(!server().log().lines().join("\n").contains(&hook.receiver.url()));
}

#[test]
fn an_endpoint_gets_only_its_events_and_nothing_of_another_practice() {
    let hook = Hook::new([OK]);
    let other = Hook::new([OK]);
    let only = br#"{"events": ["report.delivered"]}"#;
    let deaf = Hook::new([OK]);
    let changed = deaf.owner.client().seeing(&deaf.path).patch(&deaf.path, only);
    changed.expect(200);
    let staff = Person::staff(server()).client();
    move_claim(&hook, &staff);
    move_claim(&deaf, &staff);
    assert_eq!(hook.receiver.wait(1).len(), 1);
    sweep();
    let rows = |hook: &Hook| hook.tenant.count("deliveries");
    assert_eq!([&hook, &other, &deaf].map(rows), [1, 0, 0]);
    assert_eq!(hook.receiver.received().len(), 1);
    assert!(other.receiver.received().is_empty() && deaf.receiver.received().is_empty());
}

#[test]
fn a_rotated_secret_signs_beside_the_old_one_until_that_ends() {
    let hook = Hook::new([OK]);
    let first = hook.write();
    let rotated = hook.owner.client().seeing(&hook.path).post(&format!("{}/rotate_secret", hook.path), "");
    rotated.expect(200);
    let new = rotated.json["secret"].as_str().unwrap();
    assert_ne!(new, hook.secret);
    enter(&server().client(), "/.tests/queue", &hook.message(&first));
    let told = hook.receiver.wait(1).remove(0);
    assert_eq!((told.signed_by(new), told.signed_by(&hook.secret)), (1, 1));

    hook.tenant.change("UPDATE webhooks SET old_until = 1 WHERE practice_id = ?1", &[]);
    hook.tell();
    let told = hook.receiver.wait(2).remove(1);
    assert_eq!((told.signed_by(new), told.signed_by(&hook.secret)), (1, 0));
    assert_eq!(told.header("webhook-signature").split(' ').count(), 1);
}

#[test]
fn a_replay_tells_the_same_message_again() {
    let hook = Hook::new([OK]);
    let id = hook.tell();
    hook.settled(&id, "delivered");
    let replay = format!("{}/deliveries/{id}/replay", hook.path);
    let replayed = hook.owner.client().post(&replay, "");
    replayed.expect(202);
    assert_eq!((&replayed.json["state"], &replayed.json["attempts"]), (&json!("pending"), &json!(0)));
    let told = hook.receiver.wait(2);
    assert_eq!(told[0].header("webhook-id"), told[1].header("webhook-id"));
    assert_eq!(told[0].body, told[1].body);
    hook.settled(&id, "delivered");
    assert_eq!(hook.tenant.audit("delivery.replayed").len(), 1);

    let off = hook.owner.client().seeing(&hook.path).patch(&hook.path, br#"{"state": "disabled"}"#);
    off.expect(200);
    let refused = hook.owner.client().post(&replay, "");
    assert_eq!(refused.nested(409), ("conflict", "the webhook is disabled"));
}

#[test]
fn a_test_goes_to_one_endpoint_as_every_message_does() {
    let hook = Hook::new([OK]);
    let body = json!({ "url": "http://127.0.0.1:9/", "events": ["report.delivered"] });
    let other = hook.owner.client().post(WEBHOOKS, body.to_string());
    let test = format!("{}/test", hook.path);
    let asked = hook.owner.client().post(&test, "");
    asked.expect(202);
    assert_eq!(
        (&asked.json["type"], &asked.json["state"], &asked.json["attempts"]),
        (&json!("webhook.test"), &json!("pending"), &json!(0))
    );
    let told = hook.receiver.wait(1).remove(0);
    assert_eq!(told.signed_by(&hook.secret), 1);
    assert_eq!(told.header("webhook-id"), asked.id());
    let mut sent: Value = serde_json::from_str(&told.body).unwrap();
    assert!(sent["timestamp"].take().is_string());
    let data = json!({ "webhook": { "id": hook.id, "test": true } });
    assert_eq!(sent, json!({ "type": "webhook.test", "timestamp": null, "test": true, "data": data }));
    let delivery = hook.settled(asked.id(), "delivered");
    assert_eq!(delivery["last_status"], 200);
    let deliveries = format!("{WEBHOOKS}/{}/deliveries", other.id());
    let of_other = hook.owner.client().get(&deliveries);
    assert_eq!(of_other.json["deliveries"], json!([]));
    let trail = hook.tenant.audit("webhook.tested");
    assert_eq!((trail.len(), &trail[0]["record"]), (1, &json!(hook.id)));
}

#[test]
fn a_test_needs_the_right_a_working_endpoint_and_a_minute_after_twenty() {
    let hook = Hook::new([OK]);
    let test = format!("{}/test", hook.path);
    let member = hook.tenant.member();
    member.post(&test, "").refused(403, "not_authorized");
    let stranger = Hook::new([OK]);
    stranger.owner.client().post(&test, "").refused(404, "not_found");
    for _ in 0..20 {
        hook.owner.client().post(&test, "").expect(202);
    }
    let refused = hook.owner.client().post(&test, "");
    assert_eq!(refused.nested(409), ("conflict", "a webhook has at most 20 tests in a minute"));
    hook.tenant.change("UPDATE webhooks SET state = 'disabled' WHERE practice_id = ?1", &[]);
    let refused = hook.owner.client().post(&test, "");
    assert_eq!(refused.nested(409), ("conflict", "the webhook is disabled"));
    let body = json!({ "url": "https://a.example/", "events": ["webhook.test"] });
    hook.owner.client().post(WEBHOOKS, body.to_string()).expect(422);
}

#[test]
fn completed_deliveries_are_deleted_after_thirty_days() {
    let hook = Hook::new([OK]);
    let ids = [31, 29].map(|days| {
        let id = hook.tell();
        hook.settled(&id, "delivered");
        let at = ctx().now.plus(-days * 86_400_000).0.to_string();
        let sql = "UPDATE deliveries SET last_at = CAST(?3 AS INTEGER) WHERE practice_id = ?1 AND id = ?2";
        hook.tenant.change(sql, &[&id, &at]);
        id
    });
    let old = hook.write();
    hook.tenant.change("UPDATE deliveries SET next_at = 9e15, last_at = 1 WHERE practice_id = ?1 AND id = ?2", &[&old]);
    sweep();
    let left = hook.tenant.rows("SELECT id FROM deliveries WHERE practice_id = ?1 ORDER BY id", &[]);
    let left: Vec<_> = left.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(left, [&ids[1], &old]);
}
