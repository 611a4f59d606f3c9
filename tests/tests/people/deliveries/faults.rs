//! Deliveries happen at least once, even if the queue, the database or the dispatch fails.

use super::{Hook, enter, move_claim, server, sweep, without_sweeps};
use overturn_tests::prelude::*;
use overturn_tests::receiver::{OK, Reply};

const LOST: &str = "D1_ERROR: Network connection lost.";

/// Delivers a message while the nth batch behaves as given.
fn tell_in(hook: &Hook, batch: &str, what: &str, message: &str) -> String {
    let _alone = without_sweeps();
    let id = hook.write();
    let faults = json!({ batch: { what: message } }).to_string();
    let client = server().client().with("Tests-Database", &faults);
    enter(&client, "/.tests/queue", &hook.message(&id));
    id
}

/// Ends the lease on a message.
fn end_lease(hook: &Hook) {
    hook.tenant.change("UPDATE deliveries SET lease_ends = 1 WHERE practice_id = ?1", &[]);
}

#[test]
fn a_queue_that_is_gone_fails_no_request_and_the_clock_finds_what_is_due() {
    let hook = Hook::new([OK]);
    let staff = Person::staff(server()).client();
    let staff = staff.with("Tests-Bindings", r#"{"WEBHOOKS": "gone"}"#);
    move_claim(&hook, &staff);
    assert!(server().log().has(|line| line["event"] == "not_queued"));
    sweep();
    assert_eq!(hook.receiver.wait(1).len(), 1);
}

#[test]
fn parallel_sweeps_send_everything_once() {
    let hook = Hook::new([OK]);
    let mut ids: Vec<_> = (0..12).map(|_| hook.write()).collect();
    at_once(vec![sweep; 4]);
    let told = hook.receiver.wait(12);
    let mut seen: Vec<_> = told.iter().map(|told| told.header("webhook-id").to_owned()).collect();
    ids.sort();
    seen.sort();
    assert_eq!(seen, ids);
    sweep();
    assert_eq!(hook.receiver.received().len(), 12);
}

#[test]
fn a_message_of_the_queue_that_comes_twice_tells_once() {
    let hook = Hook::new([OK]);
    let id = hook.write();
    at_once(vec![|| { enter(&server().client(), "/.tests/queue", &hook.message(&id)) }; 4]);
    hook.settled(&id, "delivered");
    enter(&server().client(), "/.tests/queue", &hook.message(&id));
    assert_eq!(hook.receiver.received().len(), 1);
}

#[test]
fn a_delivery_whose_result_could_not_be_recorded_is_repeated() {
    let hook = Hook::new([OK]);
    let id = tell_in(&hook, "3", "fails", "D1_ERROR: no such table");
    assert_eq!(hook.delivery(&id)["state"], "pending");
    sweep();
    assert_eq!(hook.receiver.received().len(), 1, "somebody has it still");
    end_lease(&hook);
    sweep();
    let told = hook.receiver.wait(2);
    assert!(told.iter().all(|told| told.header("webhook-id") == id));
    let delivery = hook.settled(&id, "delivered");
    assert_eq!(delivery["attempts"], 2);
}

#[test]
fn a_lease_whose_answer_was_lost_is_left_to_end() {
    let hook = Hook::new([OK]);
    let id = tell_in(&hook, "2", "loses", LOST);
    assert!(hook.receiver.received().is_empty());
    assert_eq!(hook.delivery(&id)["attempts"], 1);
    end_lease(&hook);
    sweep();
    hook.settled(&id, "delivered");
    assert_eq!(hook.receiver.received().len(), 1);
}

#[test]
fn an_outcome_whose_answer_was_lost_is_written_once() {
    let hook = Hook::new([Reply::Status(500, &[]), OK]);
    let id = tell_in(&hook, "3", "loses", LOST);
    assert_eq!(hook.delivery(&id)["attempts"], 1);
    hook.settled(&id, "delivered");
    assert_eq!(hook.receiver.received().len(), 2);
}

#[test]
fn a_late_attempt_does_not_undo_another_attempts_result() {
    let hook = Hook::new([Reply::Status(500, &[]), OK]);
    let _alone = without_sweeps();
    let id = hook.write();
    let taken = [json!({
        "sql": "UPDATE deliveries SET attempts = 2, lease_ends = 9000000000000 WHERE practice_id = ?1 AND id = ?2",
        "params": [hook.tenant.id.to_string(), id],
    })];
    let faults = json!({ "3": { "before": taken } }).to_string();
    let client = server().client().with("Tests-Database", &faults);
    enter(&client, "/.tests/queue", &hook.message(&id));
    let delivery = hook.delivery(&id);
    assert_eq!((&delivery["attempts"], &delivery["last_status"]), (&json!(2), &json!(null)));
    let sql = "SELECT lease_ends AS n FROM deliveries WHERE practice_id = ?1";
    assert_eq!(hook.tenant.number(sql), 9_000_000_000_000);
}
