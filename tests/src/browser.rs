//! A browser's cookies, and the calls of a page about passkeys.

use crate::account::SECOND_FACTOR;
use crate::authenticator::Authenticator;
use crate::client::{Answer, Client};
use crate::server::Server;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub const PASSKEYS: &str = "/api/v1/auth/passkeys";
pub const SIGN_IN: &str = "/api/v1/auth/session/passkey";
pub const SECOND_FACTOR_OPTIONS: &str = "/api/v1/auth/session/2fa/passkey/options";
/// The origin of the pages of the test servers, as clients name it.
pub const ORIGIN: &str = "http://127.0.0.1";
pub const CEREMONY: &str = "__Host-passkey";

/// A browser that keeps its cookies.
#[derive(Debug)]
pub struct Browser {
    client: Client,
    pub cookies: BTreeMap<String, String>,
}

impl Browser {
    pub fn new(server: &Server) -> Self {
        Self::with(server.client())
    }

    /// A new browser that sends the headers of a client.
    pub const fn with(client: Client) -> Self {
        Self { client, cookies: BTreeMap::new() }
    }

    /// Another browser with the same cookies.
    pub fn twin(&self) -> Self {
        Self { client: self.client.with("Accept", "*/*"), cookies: self.cookies.clone() }
    }

    /// Sends a request with the cookies and the CSRF token, and keeps the cookies of the answer.
    pub fn call(&mut self, method: &str, path: &str, body: &Value) -> Answer {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = self.client().request(method, path, Some(body.as_bytes()));
        let set = answer.headers.iter().filter(|(name, _)| name == "set-cookie");
        for (_, cookie) in set {
            let (name, rest) = cookie.split_once('=').unwrap();
            match rest.split(';').next().unwrap() {
                "" => drop(self.cookies.remove(name)),
                value => drop(self.cookies.insert(name.into(), value.into())),
            }
        }
        answer
    }

    /// A client that sends the cookies of now.
    pub fn client(&self) -> Client {
        let pairs = self.cookies.iter().map(|(name, value)| format!("{name}={value}"));
        let cookies = pairs.collect::<Vec<_>>().join("; ");
        let client = self.client.with("Cookie", &cookies);
        match self.cookies.get("csrf_token") {
            Some(csrf) => client.with("X-CSRF-Token", csrf),
            None => client,
        }
    }

    pub fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.call("POST", path, body)
    }

    pub fn get(&mut self, path: &str) -> Answer {
        self.call("GET", path, &Value::Null)
    }

    pub fn options(&mut self, path: &str, body: &Value) -> Value {
        let begun = self.post(path, body);
        begun.expect(200);
        assert!(self.cookies.contains_key(CEREMONY));
        begun.json["options"].clone()
    }

    /// Enrolls the passkey of an authenticator.
    pub fn enrol(&mut self, authenticator: &mut Authenticator, name: &str) -> Answer {
        let options = self.options(&format!("{PASSKEYS}/options"), &Value::Null);
        let credential = authenticator.create(&options);
        self.post(PASSKEYS, &json!({ "name": name, "credential": credential }))
    }

    pub fn sign_in(&mut self, authenticator: &mut Authenticator) -> Answer {
        let options = self.options(&format!("{SIGN_IN}/options"), &Value::Null);
        let credential = authenticator.get(&options);
        self.post(SIGN_IN, &json!({ "credential": credential }))
    }

    /// Shows a passkey in place of a code.
    pub fn show(&mut self, authenticator: &mut Authenticator, continuation: &str) -> Answer {
        let asked = json!({ "continuation_token": continuation });
        let options = self.options(SECOND_FACTOR_OPTIONS, &asked);
        let credential = authenticator.get(&options);
        self.post(SECOND_FACTOR, &shown(continuation, &credential))
    }
}

/// The body that shows a passkey in place of a code.
pub fn shown(continuation: &str, credential: &Value) -> Value {
    json!({ "continuation_token": continuation, "passkey": { "credential": credential } })
}
