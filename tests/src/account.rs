//! Accounts with a password, a second factor and recovery codes, and how people sign in to them.

use crate::client::{Answer, Client};
use crate::server::Server;
use crate::tenant::{self, Tenant};
use overturn_core::base::ctx::Purpose;
use overturn_core::base::id::{FactorId, PracticeId, UserId};
use overturn_core::base::instant::Instant;
use overturn_service::auth::role::Role;
use overturn_service::auth::totp::TotpSecret;
use overturn_service::people::{
    CODES, NewUser, Password, RecoveryCode, UserState, factor_confirmed, new_factor, replace_codes,
};
use overturn_service::request::email::EmailAddress;
use serde_json::json;

pub const SESSION: &str = "/api/v1/auth/session";
pub const SECOND_FACTOR: &str = "/api/v1/auth/session/2fa";
pub const SIGN_OUT: &str = "/api/v1/auth/session/logout";

/// An account that a test can sign in to.
#[derive(Debug)]
pub struct Account<'s> {
    pub server: &'s Server,
    pub id: UserId,
    /// Its practice; `None` for staff.
    pub practice_id: Option<PracticeId>,
    pub email: String,
    pub password: String,
    /// The secret of its authenticator app, if it has one.
    pub totp: Option<TotpSecret>,
    pub recovery: Vec<RecoveryCode>,
}

impl<'s> Account<'s> {
    /// An account of a practice, with a second factor.
    pub fn of(tenant: &Tenant<'s>, role: Role) -> Self {
        Self::on(tenant.server, Some(tenant.id), role, true)
    }

    /// An account of a practice, without a second factor yet.
    pub fn unenrolled(tenant: &Tenant<'s>, role: Role) -> Self {
        Self::on(tenant.server, Some(tenant.id), role, false)
    }

    /// A staff account, with a second factor.
    pub fn staff(server: &'s Server) -> Self {
        Self::on(server, None, Role::Staff, true)
    }

    /// An account of an auditor of the staff trail, with a second factor.
    pub fn auditor(server: &'s Server) -> Self {
        Self::on(server, None, Role::Auditor, true)
    }

    fn on(server: &'s Server, practice_id: Option<PracticeId>, role: Role, enrolled: bool) -> Self {
        let ctx = tenant::ctx_of(practice_id);
        let id = UserId(ctx.id(Purpose::Record, 0));
        let email = format!("{}.{}@account.example", role.name(), id.0.simple());
        let password = format!("correct horse {}", id.0.simple());
        let hash = Password::given(&password).hash(tenant::random()).unwrap();
        let user = NewUser {
            id,
            practice_id,
            role,
            state: UserState::Active,
            email: email.clone(),
            email_key: EmailAddress::parse(&email).unwrap().key(),
            name: format!("Somebody, {}", role.name()),
            password_hash: Some(hash),
            created_at: ctx.now,
        };
        let mut writes = vec![user.write()];
        let mut account = Self { server, id, practice_id, email, password, totp: None, recovery: Vec::new() };
        if enrolled {
            let factor = FactorId(ctx.id(Purpose::Record, 1));
            let secret = TotpSecret::new(tenant::random());
            account.totp = Some(secret.clone());
            account.recovery = (0..CODES).map(|_| RecoveryCode::mint(tenant::random())).collect();
            writes.extend(new_factor(id, factor, &secret, ctx.now));
            writes.extend(factor_confirmed(id, factor, ctx.now));
            writes.extend(replace_codes(id, &account.recovery));
        }
        tenant::tell_directory(server, &EmailAddress::parse(&account.email).unwrap().key(), id);
        tenant::carry_out(&server.database(), &ctx, writes);
        account
    }

    pub fn try_password(&self, client: &Client, password: &str) -> Answer {
        let body = json!({ "email": self.email, "password": password });
        client.post(SESSION, body.to_string())
    }

    /// Sends the correct password, and returns the continuation token.
    pub fn continuation(&self, client: &Client) -> String {
        let asked = self.try_password(client, &self.password);
        asked.expect(402);
        let token = asked.json["continuation_token"].as_str();
        token.expect("a 402 has a continuation token").into()
    }

    /// The code of the authenticator app, `from_now` milliseconds from now (or ago).
    pub fn code(&self, from_now: i64) -> String {
        let now: Instant = tenant::now();
        self.totp.as_ref().unwrap().code_at(now.plus(from_now))
    }

    /// Signs in with password and code, and returns a client with the session.
    pub fn sign_in(&self) -> Client {
        let client = self.server.client();
        let done = show(&client, &self.continuation(&client), &self.code(0));
        done.expect(200);
        page_of(&client, &done)
    }
}

pub fn show(client: &Client, continuation: &str, code: &str) -> Answer {
    let body = json!({ "continuation_token": continuation, "code": code });
    client.post(SECOND_FACTOR, body.to_string())
}

/// The value of a cookie that an answer sets.
pub fn cookie(answer: &Answer, name: &str) -> Option<String> {
    let set = answer.headers.iter().filter(|(known, _)| known == "set-cookie");
    let mut pairs = set.filter_map(|(_, value)| value.split(';').next()?.split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value.into())
}

/// A client with the session that an answer began.
pub fn page_of(client: &Client, answer: &Answer) -> Client {
    let session = cookie(answer, "__Host-session").expect("a session cookie");
    let csrf = cookie(answer, "csrf_token").expect("a CSRF cookie");
    let cookies = format!("csrf_token={csrf}; __Host-session={session}");
    client.with("Cookie", &cookies).with("X-CSRF-Token", &csrf)
}
