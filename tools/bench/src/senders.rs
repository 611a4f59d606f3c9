//! The practices that send claims, each with a key.

use overturn_tests::server::Server;
use overturn_tests::state::State;
use overturn_tests::tenant::Tenant;
use serde_json::json;

/// A practice and the key it sends with.
pub(crate) struct Sender {
    pub(crate) practice: String,
    key: String,
}

/// A fresh state with this many practices.
pub(crate) fn fresh(count: usize) -> (State, Vec<Sender>) {
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let sender = |_| {
        let tenant = Tenant::new(&server);
        Sender { practice: tenant.id.to_string(), key: tenant.key.text }
    };
    let senders = (0..count).map(sender).collect();
    (server.stop(), senders)
}

/// Their keys.
pub(crate) fn keys(senders: &[Sender]) -> Vec<String> {
    senders.iter().map(|sender| sender.key.clone()).collect()
}
