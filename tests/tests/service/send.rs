//! Sending claims: what comes back, and what is stored.

use overturn_tests::answer::Sent;
use overturn_tests::claims::{batch, item};
use overturn_tests::server::Server;
use overturn_tests::tenant::Tenant;

#[test]
fn a_single_claim_is_created_and_has_a_submission() {
    let tenant = Tenant::new(Server::shared());
    let body = item("A-1");
    let answer = tenant.client().send(&body);
    assert_eq!(answer.status, 201);
    let sent = Sent::read(&body, &answer);
    assert_eq!(sent.created(), [true]);
    let _ = batch([]);
    tenant.check();
}
