//! What people keep secret is shown to them alone: every secret of an account, and a search for it everywhere outside.

use super::canary::holds;
use overturn_core::role::Role;
use overturn_core::totp::TotpSecret;
use overturn_tests::account::{Account, SECOND_FACTOR, SESSION, cookie, page_of, show};
use overturn_tests::client::{Answer, Client};
use overturn_tests::link::{
    Invited, MAGIC_LINK, PASSWORD_RESET, accept, confirm, received, verify,
};
use overturn_tests::server::Server;
use overturn_tests::state::State;
use overturn_tests::tenant::{self, Tenant};
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;

const TOTP: &str = "/api/v1/auth/2fa/totp";
const PASSWORD: &str = "Qanarypassword of Ann";
const WRONG: &str = "Qanarywrong password";

/// Every secret that was handed out or typed.
#[derive(Default)]
struct Secrets(Vec<String>);

impl Secrets {
    fn keep(&mut self, text: &str) {
        assert!(text.len() >= 10, "too short to be looked for: {text}");
        self.0.push(text.into());
    }

    /// The cookies of an answer, and the texts of these fields of its body.
    fn shown(&mut self, answer: &Answer, fields: &[&str]) {
        for name in ["__Host-session", "__Host-device", "csrf_token"] {
            if let Some(value) = cookie(answer, name) {
                self.keep(&value);
            }
        }
        for field in fields {
            match answer.json.pointer(field).unwrap() {
                Value::Array(texts) => texts
                    .iter()
                    .for_each(|text| self.keep(text.as_str().unwrap())),
                text => self.keep(text.as_str().unwrap()),
            }
        }
    }
}

/// A request under an idempotency key, twice.
fn repeated(client: &Client, path: &str, body: &Value) -> Answer {
    let key = uuid::Builder::from_random_bytes(tenant::random()).into_uuid();
    let client = client.with("Idempotency-Key", &key.to_string());
    let first = client.post(path, body.to_string());
    assert!(first.status < 300, "{path} {}", first.text());
    let _again = client.post(path, body.to_string());
    first
}

/// Enrols a second factor, and hands out the page that goes on from there.
fn enrol(account: &Account<'_>, client: &Client, secrets: &mut Secrets) -> Client {
    let begun = account.try_password(client, &account.password);
    secrets.shown(&begun, &[]);
    let page = page_of(client, &begun);
    let totp = repeated(&page, TOTP, &json!({}));
    secrets.shown(&totp, &["/totp/secret"]);
    let secret = TotpSecret::from_base32(totp.json["totp"]["secret"].as_str().unwrap()).unwrap();
    secrets.keep(&String::from_utf8_lossy(secret.as_bytes()));
    let code = secret.code_at(tenant::now());
    let body = json!({ "factor_id": totp.json["factor_id"], "code": code });
    let confirmed = repeated(&page, &format!("{TOTP}/confirm"), &body);
    secrets.shown(&confirmed, &["/recovery_codes"]);
    page_of(client, &confirmed)
}

#[test]
fn nothing_that_lets_somebody_in_is_logged_or_stored() {
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let tenant = Tenant::new(&server);
    let mut secrets = Secrets::default();
    let client = server.client();
    let account = Account::unenrolled(&tenant, Role::Owner);
    secrets.keep(&account.password);
    let page = enrol(&account, &client, &mut secrets);

    let key = json!({ "name": "Billing", "scopes": ["claims:read"] });
    secrets.shown(
        &repeated(&page, "/api/v1/settings/api_keys", &key),
        &["/key"],
    );
    let token = json!({ "name": "Export", "scopes": ["settings:read"], "expires_in_days": 1 });
    let path = "/api/v1/settings/api_tokens";
    let made = repeated(&page, path, &token);
    secrets.shown(&made, &["/token"]);
    let path = format!("{path}/{}/regenerate", made.json["id"].as_str().unwrap());
    let made = repeated(&page, &path, &json!({ "grace_days": 1 }));
    secrets.shown(&made, &["/token"]);
    let codes = repeated(&page, "/api/v1/auth/2fa/recovery_codes", &json!({}));
    secrets.shown(&codes, &["/recovery_codes"]);
    let change = json!({ "current_password": account.password, "new_password": PASSWORD });
    secrets.shown(&repeated(&page, "/api/v1/auth/password", &change), &[]);
    secrets.keep(PASSWORD);

    let wrong = account.try_password(&client, WRONG);
    assert_eq!(wrong.status, 401);
    secrets.keep(WRONG);
    let asked = account.try_password(&client, PASSWORD);
    secrets.shown(&asked, &["/continuation_token"]);
    let token = asked.json["continuation_token"].as_str().unwrap();
    let spare = codes.json["recovery_codes"][0].as_str().unwrap();
    secrets.shown(&show(&client, token, spare), &[]);
    for path in [MAGIC_LINK, PASSWORD_RESET] {
        let token = received(&server, path, &account.email);
        secrets.keep(&token);
        let _opened = client.get(&format!(
            "/auth{}?token={token}",
            &path["/api/v1/auth".len()..]
        ));
        let done = match path {
            MAGIC_LINK => verify(&client, &token),
            _ => confirm(&client, &token, "Qanarychosen anew"),
        };
        assert!([204, 402].contains(&done.status), "{}", done.text());
    }
    secrets.keep("Qanarychosen anew");
    let invited = Invited::to(&tenant, Role::Member);
    secrets.keep(&invited.token);
    assert_eq!(accept(&client, &invited.token, "Ann", PASSWORD).status, 204);
    for path in [SESSION, SECOND_FACTOR, "/auth/password_reset"] {
        let _refused = client.post(&format!("{path}?token={WRONG}").replace(' ', "+"), WRONG);
    }

    drop(tenant);
    let (log, email) = (Arc::clone(server.log()), account.email.clone());
    let state = server.stop();
    let mail = state.folder().join("mail");
    let files = state
        .files()
        .into_iter()
        .filter(|file| !file.starts_with(&mail));
    let files: Vec<Vec<u8>> = files.filter_map(|file| fs::read(file).ok()).collect();
    let stored = |text: &str| files.iter().any(|bytes| holds(bytes, text));
    assert!(stored(&email), "the search looks where accounts are stored");
    // Letters stand in the log of a laptop, with their links.
    let lines = log.lines().into_iter();
    let lines: Vec<String> = lines
        .filter(|line| !line.contains(r#""event":"mail""#))
        .collect();
    assert!(lines.len() > 20);
    for secret in &secrets.0 {
        assert!(!stored(secret), "stored: {secret}");
        assert!(
            !lines.iter().any(|line| holds(line.as_bytes(), secret)),
            "logged: {secret}"
        );
    }
}
