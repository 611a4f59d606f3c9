//! What an endpoint answers stays inside: only the practice's owners and admins read it, in the log.

use super::search::holds;
use overturn_tests::prelude::*;
use overturn_tests::receiver::{Receiver, Reply};
use std::fs;
use std::sync::Arc;

const ANSWER: &str = "Qanaryanswer";

fn assert_not_stored(state: &State) {
    for file in state.files() {
        let bytes = fs::read(&file).unwrap_or_default();
        assert!(!holds(&bytes, ANSWER), "{}", file.display());
    }
}

#[test]
fn the_answer_of_an_endpoint_is_shown_in_the_log_and_stored_and_logged_nowhere_in_the_clear() {
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited", "WEBHOOKS_LOCAL": "yes" }));
    let tenant = Tenant::new(&server);
    let owner = tenant.owner();
    let receiver = Receiver::new([Reply::Text(200, ANSWER.as_bytes())]);
    let hook = json!({ "url": receiver.url(), "events": ["report.delivered"] });
    let made = owner.post("/api/v1/settings/webhooks", hook.to_string());
    let path = format!("/api/v1/settings/webhooks/{}", made.id());
    let asked = owner.post(&format!("{path}/test"), "");
    asked.expect(202);
    receiver.wait(1);
    let log = || owner.get(&format!("{path}/deliveries/{}", asked.id())).json["log"].clone();
    let mut looks = std::iter::repeat_with(log).take(2000);
    let shown = looks.find(|log| !log.as_array().unwrap().is_empty()).unwrap();
    assert_eq!(shown[0]["answer"], ANSWER);
    let list = owner.get(&format!("{path}/deliveries"));
    assert!(!holds(list.text().as_bytes(), ANSWER));
    assert_not_stored(server.state());
    drop(tenant);
    let lines = Arc::clone(server.log());
    assert_not_stored(&server.stop());
    for line in lines.lines() {
        assert!(!holds(line.as_bytes(), ANSWER), "{line}");
    }
}
