//! Headers for browsers. `Answer::checked` checks the headers that every answer has.

use overturn_tests::server::Server;
use overturn_tests::state::State;
use serde_json::{Value, json};

const HTTPS_ONLY: &str = "strict-transport-security";

fn staging() -> Value {
    json!({
        "ENVIRONMENT": "staging",
        "MAIL_FROM": "overturn@example.com",
        "PUBLIC_URL": "https://overturn.example",
        "WEBHOOKS_LOCAL": null,
    })
}

#[test]
fn only_https_answers_tell_browsers_to_use_https() {
    let server = Server::start(State::fresh(), &staging());
    let https = server.client().with("Tests-Scheme", "https");
    for path in [
        "/health",
        "/nowhere",
        "/api/v1/claims/status",
        "/auth/magic_link",
    ] {
        let secure = https.get(path);
        assert_eq!(
            secure.header(HTTPS_ONLY),
            Some("max-age=31536000"),
            "{path}"
        );
        assert_eq!(server.client().get(path).header(HTTPS_ONLY), None, "{path}");
    }
}

#[test]
fn a_development_host_still_serves_other_things_by_http() {
    let https = Server::shared().client().with("Tests-Scheme", "https");
    assert_eq!(https.get("/health").header(HTTPS_ONLY), None);
}
