//! A tour of everything a person does with an account, with valid and invalid requests. Its texts occur nowhere else.

use data_encoding::BASE64;
use overturn_service::auth::totp::TotpSecret;
use overturn_service::request::secret::SessionToken;
use overturn_tests::account::{SECOND_FACTOR, SESSION, SIGN_OUT, cookie, page_of};
use overturn_tests::link::{CONFIRM, INVITATION, MAGIC_LINK, PASSWORD_RESET, VERIFY, token_of};
use overturn_tests::mail::Inbox;
use overturn_tests::prelude::*;
use overturn_tests::tenant::{self};
use std::cell::RefCell;

/// The person's email address.
pub(super) const EMAIL: &str = "qanarymail@example.com";
pub(super) const NAME: &str = "Qanaryname";
pub(super) const AGENT: &str = "Qanaryagent";
pub(super) const PRACTICE: &str = "Qanarypractice";
/// Texts that the person types, and texts in fields that do not exist.
pub(super) const TYPED: [&str; 5] =
    ["Qanarypassword", "Qanarynewword", "Qanarylastword", "Qanarywrongword", "Qanaryjunk"];
pub(super) const IDEMPOTENCY_KEY: &str = "7c5ad6f2-90b1-4e0e-9d62-c4a7f3b8e215";

/// What the tour collected.
#[derive(Default)]
pub(super) struct Souvenirs {
    /// Every answer, in order.
    pub(super) answers: Vec<Answer>,
    /// The secrets, with the number of answers that may hold each: none for secrets that came by mail.
    pub(super) secrets: Vec<(&'static str, String, usize)>,
}

pub(super) struct Tour<'s> {
    server: &'s Server,
    tenant: Tenant<'s>,
    inbox: RefCell<Inbox>,
    kept: RefCell<Souvenirs>,
}

impl<'s> Tour<'s> {
    pub(super) fn of(server: &'s Server) -> Souvenirs {
        let tour = Self {
            server,
            tenant: Tenant::new(server),
            inbox: RefCell::new(server.mails_to(EMAIL)),
            kept: RefCell::default(),
        };
        let owner = tour.tenant.owner();
        let id = tour.join(&owner);
        let (page, codes) = tour.enrol();
        let page = tour.come_back(&page, &codes);
        tour.run_the_practice(&owner, &id);
        tour.lead(&codes);
        tour.go_astray(&owner, &page);
        tour.kept.into_inner()
    }

    fn client(&self) -> Client {
        self.server.client().with("User-Agent", AGENT)
    }

    fn ask(&self, client: &Client, method: &str, target: &str, body: &Value) -> Answer {
        let body = (!body.is_null()).then(|| body.to_string());
        let answer = client.request(method, target, body.as_ref().map(String::as_bytes));
        self.kept.borrow_mut().answers.push(answer.clone());
        answer
    }

    /// A `POST` that must succeed.
    fn post(&self, client: &Client, target: &str, body: &Value, status: u16) -> Answer {
        let answer = self.ask(client, "POST", target, body);
        assert_eq!(answer.status, status, "{target}: {}", answer.text());
        answer
    }

    fn secret(&self, what: &'static str, value: &str, times: usize) -> String {
        let secret = (what, value.to_owned(), times);
        self.kept.borrow_mut().secrets.push(secret);
        value.to_owned()
    }

    fn shown(&self, answer: &Answer, pointer: &'static str) -> String {
        let value = answer.json.pointer(pointer).and_then(Value::as_str);
        self.secret(pointer, value.expect("it is shown"), 1)
    }

    fn link(&self) -> String {
        // Notification emails may come in between.
        let mut inbox = self.inbox.borrow_mut();
        let mut mails = std::iter::repeat_with(|| inbox.take());
        let mail = mails.find(|mail| mail.text.contains("#ovl_")).unwrap();
        let token = token_of(mail.link());
        self.secret("a link's token", &token, 0)
    }

    /// A client of the session that an answer began. Its tokens are recorded.
    fn page(&self, answer: &Answer) -> Client {
        for name in ["__Host-session", "csrf_token", "__Host-device"] {
            if let Some(value) = cookie(answer, name) {
                self.secret(name, &value, 1);
            }
        }
        page_of(&self.client(), answer)
    }

    fn pass_both(&self, asked: &Answer, code: &str) -> Client {
        let token = self.shown(asked, "/continuation_token");
        let wrong = json!({ "continuation_token": token, "code": "Qanaryjunk" });
        self.post(&self.client(), SECOND_FACTOR, &wrong, 401);
        let shown = json!({ "continuation_token": token, "code": code });
        self.page(&self.post(&self.client(), SECOND_FACTOR, &shown, 200))
    }

    fn join(&self, owner: &Client) -> String {
        let again = owner.with("Idempotency-Key", IDEMPOTENCY_KEY);
        let body = json!({ "email": EMAIL, "role": "member" });
        let member = self.post(&again, "/api/v1/settings/members", &body, 201);
        self.post(&again, "/api/v1/settings/members", &body, 201);
        let token = self.link();
        let body = json!({ "token": token, "name": NAME, "password": "Qanarypassword, the first" });
        self.post(&self.client(), INVITATION, &body, 204);
        self.post(&self.client(), INVITATION, &body, 401);
        member.id().into()
    }

    fn enrol(&self) -> (Client, Vec<String>) {
        let client = self.client();
        let wrong = json!({ "email": EMAIL, "password": "Qanarywrongword" });
        self.post(&client, SESSION, &wrong, 401);
        let right = json!({ "email": EMAIL, "password": "Qanarypassword, the first" });
        let page = self.page(&self.post(&client, SESSION, &right, 200));
        let page = page.with("Idempotency-Key", IDEMPOTENCY_KEY);
        let begun = self.post(&page, "/api/v1/auth/2fa/totp", &Value::Null, 201);
        self.post(&page, "/api/v1/auth/2fa/totp", &Value::Null, 201);
        let secret = begun.json["totp"]["secret"].as_str().unwrap();
        self.secret("the secret of the app", secret, 1);
        let secret = TotpSecret::from_base32(secret).unwrap();
        self.secret("its bytes", &BASE64.encode(secret.as_bytes()), 0);
        let id = begun.json["factor_id"].as_str().unwrap();
        let confirm = |code: &str| json!({ "factor_id": id, "code": code });
        let target = "/api/v1/auth/2fa/totp/confirm";
        self.post(&page, target, &confirm("Qanaryjunk"), 422);
        let code = secret.code_at(tenant::now());
        let enrolled = self.post(&page, target, &confirm(&code), 200);
        let codes = enrolled.json["recovery_codes"].as_array().unwrap().iter();
        let codes = codes.map(|code| self.secret("a recovery code", code.as_str().unwrap(), 1));
        (self.page(&enrolled), codes.collect())
    }

    /// Signs in by links, and sets new passwords.
    fn come_back(&self, page: &Client, codes: &[String]) -> Client {
        let client = self.client();
        let addressed = json!({ "email": EMAIL });
        let changed = json!({ "current_password": "Qanarypassword, the first",
            "new_password": "Qanarynewword, the second" });
        let wrong = json!({ "current_password": "Qanarywrongword", "new_password": "Qanarynewword" });
        self.post(page, "/api/v1/auth/password", &wrong, 422);
        let turned = self.post(page, "/api/v1/auth/password", &changed, 204);
        self.page(&turned);
        self.post(&client, MAGIC_LINK, &addressed, 202);
        let token = self.link();
        let asked = self.post(&client, VERIFY, &json!({ "token": token }), 402);
        self.pass_both(&asked, &codes[0]);
        self.post(&client, PASSWORD_RESET, &addressed, 202);
        let token = self.link();
        let reset = json!({ "token": token, "password": "Qanarylastword, the third" });
        self.post(&client, CONFIRM, &reset, 204);
        self.post(&client, CONFIRM, &reset, 401);
        let right = json!({ "email": EMAIL, "password": "Qanarylastword, the third" });
        let asked = self.post(&client, SESSION, &right, 402);
        self.pass_both(&asked, &codes[1])
    }

    fn run_the_practice(&self, owner: &Client, id: &str) {
        let again = owner.with("Idempotency-Key", IDEMPOTENCY_KEY);
        for (target, body) in [
            ("practice".into(), json!({ "name": PRACTICE, "x": "Qanaryjunk" })),
            ("practice".into(), json!({ "name": PRACTICE })),
            (format!("members/{id}"), json!({ "role": "admin" })),
        ] {
            let target = format!("/api/v1/settings/{target}");
            self.ask(&again.seeing(&target), "PATCH", &target, &body);
        }
        let everything = "api_keys api_tokens agreements audit members practice webhooks";
        for noun in everything.split(' ') {
            let read = self.ask(owner, "GET", &format!("/api/v1/settings/{noun}"), &Value::Null);
            read.expect(200);
        }
    }

    /// The person makes keys and tokens, and is then removed.
    fn lead(&self, codes: &[String]) {
        let right = json!({ "email": EMAIL, "password": "Qanarylastword, the third" });
        let asked = self.post(&self.client(), SESSION, &right, 402);
        let page = self.pass_both(&asked, &codes[2]);
        let page = page.with("Idempotency-Key", IDEMPOTENCY_KEY);
        let key = json!({ "name": "x", "scopes": ["claims:read"] });
        let made = self.post(&page, "/api/v1/settings/api_keys", &key, 201);
        self.shown(&made, "/key");
        self.post(&page, "/api/v1/settings/api_keys", &key, 201);
        let token = json!({ "name": "x", "scopes": ["settings:read"], "expires_in_days": 1 });
        let made = self.post(&page, "/api/v1/settings/api_tokens", &token, 201);
        let bearer = format!("Bearer {}", self.shown(&made, "/token"));
        self.post(&page, "/api/v1/settings/api_tokens", &token, 201);
        let one = format!("/api/v1/settings/api_tokens/{}", made.id());
        let next = json!({ "grace_days": 1 });
        let next = self.post(&page, &format!("{one}/regenerate"), &next, 201);
        self.shown(&next, "/token");
        let hook = json!({ "url": "https://hooks.example.com/", "events": ["report.delivered"] });
        let made = self.post(&page, "/api/v1/settings/webhooks", &hook, 201);
        self.shown(&made, "/secret");
        self.post(&page, "/api/v1/settings/webhooks", &hook, 201);
        let one = made.id();
        let rotate = format!("/api/v1/settings/webhooks/{one}/rotate_secret");
        let rotated = self.post(&page.seeing(&rotate), &rotate, &Value::Null, 200);
        self.shown(&rotated, "/secret");
        let integration = self.client().with("Authorization", &bearer);
        for (client, target) in [
            (&integration, "/api/v1/settings/members"),
            (&integration, "/api/v1/settings/webhooks"),
            (&page, "/api/v1/auth/sessions"),
            (&page, SESSION),
        ] {
            self.ask(client, "GET", target, &Value::Null).expect(200);
        }
        let codes = self.post(&page, "/api/v1/auth/2fa/recovery_codes", &Value::Null, 201);
        self.shown(&codes, "/recovery_codes/0");
        self.post(&page, SIGN_OUT, &Value::Null, 204);
    }

    /// Sends every text where it does not belong, as a person with rights and as one whose rights are gone.
    fn go_astray(&self, owner: &Client, gone: &Client) {
        let junk = SessionToken::mint(tenant::random());
        let stranger = self.client().with("Authorization", "Bearer Qanaryjunk");
        let forged = owner.with("X-CSRF-Token", "Qanaryjunk");
        let cookies = format!("__Host-session={}; csrf_token=Qanaryjunk", junk.expose());
        let nobody = self.client().with("Cookie", &cookies);
        let broken = owner.with("Tests-Database", r#"{"1+": {"fails": "near Qanaryjunk"}}"#);
        let once = owner.with("Idempotency-Key", "Qanaryjunk");
        let body = json!({ "email": ["Qanaryjunk"], "password": { "x": "Qanaryjunk" }, "token": "Qanaryjunk",
            "name": "Qanaryjunk\u{7}", "scopes": ["Qanaryjunk"], "code": "Qanaryjunk", "factor_id": "Qanaryjunk",
            "kind": "Qanaryjunk", "url": "https://u:Qanaryjunk@Qanaryjunk.internal", "events": ["Qanaryjunk"], "version": "Qanaryjunk", "role": "Qanaryjunk", "grace_days": "Qanaryjunk",
            "new_password": "Qanaryjunk", "continuation_token": "Qanaryjunk", "Qanaryjunk": "Qanaryjunk" });
        for (method, target) in super::canary_people::operations(self.server) {
            let target =
                target.replace("{id}", "Qanaryjunk").replace("{delivery_id}", "Qanaryjunk") + "?cursor=Qanaryjunk";
            for client in [owner, gone, &stranger, &forged, &nobody, &broken, &once] {
                // A description is long and the same for everybody.
                if !target.contains("openapi") {
                    self.ask(client, &method, &target, &body);
                }
            }
        }
    }
}
