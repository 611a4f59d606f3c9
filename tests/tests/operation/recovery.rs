//! After the module breaks, only the requests in it are lost.

use overturn_tests::client::CLAIMS;
use overturn_tests::only_on_workerd;
use overturn_tests::prelude::*;

#[test]
fn a_module_that_broke_is_made_anew_for_the_next_request_and_its_limiters_with_it() {
    only_on_workerd!("a panic ends a wasm module");
    let server = Server::start(State::fresh(), &json!({ "CLAIMS_SENDS_PER_MINUTE": "5" }));
    let tenant = Tenant::new(&server);
    let send = || tenant.client().post(CLAIMS, item("A-1").to_string()).status;
    let broken = || {
        let client = tenant.client().with("Tests-Break", "yes");
        client.exchange("GET", "/health", None).status
    };
    assert_eq!(send(), 201);
    for _ in 0..3 {
        assert_eq!(broken(), 500);
        assert_eq!(send(), 200);
    }
    // The limiter loses the calls that it had not stored, at most those of one moment.
    let refused = (0..5).map(|_| send()).filter(|status| *status == 429);
    assert!(refused.count() >= 1);
    tenant.check();
}
