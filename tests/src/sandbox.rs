//! A practice's sandbox.

use crate::client::{Answer, Client};
use crate::server::Server;
use crate::tenant::{Key, Tenant};
use crate::wait;
use overturn_core::base::id::PracticeId;
use overturn_core::base::time::Time;
use serde_json::{Value, json};

pub const SANDBOX: &str = "/api/v1/settings/sandbox";
pub const CLOCK: &str = "/api/v1/sandbox/clock";

/// Runs the job of each minute.
pub fn sweep(server: &Server) {
    server.client().exchange("POST", "/.tests/sweep", Some(b"")).expect(204);
}

/// The sandbox of a practice, with a key of all scopes.
#[derive(Debug)]
pub struct Sandbox<'s> {
    pub owner: Client,
    /// It has the key.
    pub client: Client,
    /// The sandbox as a practice.
    pub practice: Tenant<'s>,
}

impl<'s> Sandbox<'s> {
    pub fn of(live: &Tenant<'s>) -> Self {
        let owner = live.owner();
        let made = owner.post(SANDBOX, "");
        made.expect(200);
        let id = PracticeId(made.id().parse().unwrap());
        let new = json!({ "name": "Billing", "scopes": ["claims:write", "claims:read"] });
        let key = owner.post(&format!("{SANDBOX}/keys"), new.to_string());
        key.expect(201);
        let text = key.json["key"].as_str().unwrap().to_owned();
        assert!(text.starts_with("ovt_test_"));
        let client = live.server.client().with("Authorization", &format!("Bearer {text}"));
        let key = Key { hash: String::new(), id: key.id().into(), text };
        Self { owner, client, practice: Tenant { server: live.server, id, key } }
    }

    /// A client with a token that lasts so many days, and the token's id.
    pub fn token(&self, days: u32) -> (Client, String) {
        let scopes = ["denials:read", "documents:write", "settings:read"];
        let new = json!({ "name": "Events", "scopes": scopes, "expires_in_days": days });
        let made = self.owner.post(&format!("{SANDBOX}/tokens"), new.to_string());
        made.expect(201);
        let text = made.json["token"].as_str().unwrap();
        assert!(text.starts_with("ovu_test_"));
        (self.practice.server.client().with("Authorization", &format!("Bearer {text}")), made.id().into())
    }

    /// Advances the clock, and returns what it says.
    pub fn advance(&self, by: &str) -> Answer {
        let answer = self.client.post(CLOCK, json!({ "advance": by }).to_string());
        answer.expect(200);
        answer
    }

    /// Waits until it is empty, and returns what its owner sees then.
    pub fn emptied(&self) -> Value {
        wait::found("an empty sandbox", || {
            let shown = self.owner.get(SANDBOX).json["sandbox"].clone();
            (shown["emptying"] == false).then_some(shown)
        })
    }

    pub fn status(&self, number: &str) -> Value {
        let read = self.client.status(number);
        read.expect(200);
        read.json["claim"]["status"].clone()
    }

    /// What the made-up person did, in the order in which it was committed.
    pub fn events(&self) -> Vec<Value> {
        self.practice.rows(
            "SELECT a.action, json(a.detail) ->> 'status' AS status, a.at - (SELECT min(received_at) FROM claims
                 WHERE practice_id = ?1) AS after, (SELECT group_concat(c.claim_number) FROM claims c
                 WHERE c.practice_id = ?1 AND a.record IN (c.id, c.case_id, c.report_id)) AS claims
             FROM audit a WHERE a.practice_id = ?1 AND a.actor = 'sandbox' ORDER BY a.seq",
            &[],
        )
    }
}

/// What a clock says, in milliseconds.
pub fn says(answer: &Answer) -> i64 {
    Time::parse(answer.json["clock"]["now"].as_str().unwrap()).unwrap().0.0
}
