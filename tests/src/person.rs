//! People with an account and a session, made by the plans used in production.

use crate::client::Client;
use crate::server::Server;
use crate::tenant::{self, Tenant};
use overturn_core::base::ctx::Purpose;
use overturn_core::base::id::{PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use overturn_service::auth::role::Role;
use overturn_service::auth::session::SessionKind;
use overturn_service::people::{ClientOrigin, NewSession, NewUser, UserState, csrf};
use overturn_service::request::email::EmailAddress;
use overturn_service::request::secret::SessionToken;

/// A signed-in person.
#[derive(Debug)]
pub struct Person<'s> {
    /// The server that the account is on.
    pub server: &'s Server,
    pub id: UserId,
    pub email: String,
    pub session_id: SessionId,
    pub session: SessionToken,
}

impl<'s> Person<'s> {
    /// A person of a practice who has just passed the second factor.
    pub fn of(tenant: &Tenant<'s>, role: Role) -> Self {
        Self::in_practice(tenant.server, Some(tenant.id), role)
    }

    /// A person of the staff who has just passed the second factor.
    pub fn staff(server: &'s Server) -> Self {
        Self::in_practice(server, None, Role::Staff)
    }

    /// An auditor of the staff trail who has just passed the second factor.
    pub fn auditor(server: &'s Server) -> Self {
        Self::in_practice(server, None, Role::Auditor)
    }

    /// A person with an account that exists, and a new session. `verified_at` is when it passed the second factor, if ever.
    pub fn signed_in(server: &'s Server, id: UserId, email: &str, verified_at: Option<Instant>) -> Self {
        let (session_id, session) = sign_in(server, id, verified_at);
        Self { server, id, email: email.into(), session_id, session }
    }

    fn in_practice(server: &'s Server, practice_id: Option<PracticeId>, role: Role) -> Self {
        let ctx = tenant::ctx_of(practice_id);
        let id = UserId(ctx.id(Purpose::Record, 0));
        let email = format!("{}@{}.example", role.name(), id.0.simple());
        let address = EmailAddress::parse(&email).unwrap();
        let user = NewUser {
            id,
            practice_id,
            role,
            state: UserState::Active,
            email: email.clone(),
            email_key: address.key(),
            name: format!("A person, {}", role.name()),
            password_hash: None,
            created_at: ctx.now,
        };
        tenant::tell_directory(server, &user.email_key, id);
        tenant::carry_out(&server.database(), &ctx, vec![user.write()]);
        let (session_id, session) = sign_in(server, id, Some(ctx.now));
        Self { server, id, email, session_id, session }
    }

    /// Makes another session of the account. `verified_at` is when it passed the second factor, if ever.
    pub fn session(&self, verified_at: Option<Instant>) -> (SessionId, SessionToken) {
        sign_in(self.server, self.id, verified_at)
    }

    /// A client with the session's cookie and its CSRF token.
    pub fn client(&self) -> Client {
        page(self.server, &self.session)
    }
}

/// A client with this session's cookie and its CSRF token.
pub fn page(server: &Server, session: &SessionToken) -> Client {
    let cookie = format!("__Host-session={}", session.expose());
    let client = server.client().with("Cookie", &cookie);
    client.with("X-CSRF-Token", &csrf::token(session))
}

pub const VERIFY: &str = "/api/v1/settings/audit/verify";

/// Verifies a practice's trail from its beginning.
pub fn verify_trail(reader: &Client) {
    let mut cursor = String::new();
    loop {
        let found = reader.get(&format!("{VERIFY}?cursor={cursor}"));
        found.expect(200);
        assert_eq!(found.json["intact"], true, "{}", found.text());
        assert!(found.json["broken"].is_null(), "{}", found.text());
        match found.json["next_cursor"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => return,
        }
    }
}

fn sign_in(server: &Server, user_id: UserId, verified_at: Option<Instant>) -> (SessionId, SessionToken) {
    let ctx = tenant::ctx().in_cell(user_id.cell());
    let token = SessionToken::mint(ctx.cell.stamp(tenant::random()));
    let id = SessionId(ctx.id(Purpose::Record, 0));
    let session = NewSession {
        id,
        user_id,
        hash: token.hash(),
        kind: SessionKind::Full,
        sso: None,
        epoch: 1,
        created_at: ctx.now,
        verified_at,
        place: ClientOrigin { ip: "192.0.2.1".into(), agent: "tests".into() },
    };
    tenant::carry_out(&server.database(), &ctx, session.writes().into());
    (id, token)
}
