//! The practices that send, each with a key.

use overturn_tests::server::Server;
use overturn_tests::state::State;
use overturn_tests::tenant::Tenant;
use serde_json::json;

/// A state with so many practices in it, and their keys.
pub(crate) fn fresh(count: usize) -> (State, Vec<String>) {
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let keys = (0..count).map(|_| Tenant::new(&server).key.text).collect();
    (server.stop(), keys)
}
