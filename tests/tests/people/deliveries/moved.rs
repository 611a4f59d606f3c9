//! A writer of the database without a key moves an endpoint's row to another practice.

use super::{Hook, OK, enter, server};
use crate::tampered::reported;
use overturn_core::base::ctx::Purpose;
use overturn_tests::prelude::*;
use overturn_tests::tenant::ctx;

#[test]
fn a_webhook_secret_that_was_moved_to_another_practice_signs_nothing() {
    overturn_tests::only_in_one_cell!("a row is moved within a database");
    let hook = Hook::new([OK]);
    let other = Tenant::new(server());
    // The other practice has its own data key.
    other.send(&item("A-1"));
    other.change(
        "INSERT INTO webhooks (practice_id, id, url, events, state, key_version, sealed, created_at, created_by)
         SELECT ?1, id, url, events, state, key_version, sealed, created_at, created_by FROM webhooks WHERE id = ?2",
        &[&hook.id],
    );
    let message = ctx().id(Purpose::Message, 0).to_string();
    other.change(
        "INSERT INTO deliveries (practice_id, webhook_id, id, kind, body, created_at, next_at)
         VALUES (?1, ?2, ?3, 'report.delivered', '{}', 1, 1)",
        &[&hook.id, &message],
    );
    let told = json!([{ "practice_id": other.id, "messages": [message] }]);
    enter(&server().client(), "/.tests/queue", &told.to_string());
    reported(&other, ("webhooks", "sealed"), None, &hook.id);
    // The secret is not accepted as the old one of a rotation, either.
    let owner = other.owner();
    let path = format!("{}/rotate_secret", hook.path);
    let refused = owner.seeing(&path).post(&path, "");
    refused.expect(500);
    assert!(!refused.text().contains("whsec_"), "{}", refused.text());
    assert_eq!(hook.receiver.received().len(), 0, "nothing was sent");
    // In its own row, the secret still signs.
    hook.tell();
    assert_eq!(hook.receiver.wait(1)[0].signed_by(&hook.secret), 1);
}
