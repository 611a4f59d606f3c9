//! Links in emails, and invited people.

use crate::client::{Answer, Client, encoded};
use crate::server::Server;
use crate::tenant::{self, Tenant};
use overturn_core::base::ctx::Purpose;
use overturn_core::base::id::UserId;
use overturn_service::auth::role::Role;
use overturn_service::people::{INVITATION_MS, LinkKind, NewLink, NewUser, UserState};
use overturn_service::request::email::EmailAddress;
use overturn_service::request::secret::LinkToken;
use serde_json::json;
use std::time::Duration;

/// The path that sends a sign-in link.
pub const MAGIC_LINK: &str = "/api/v1/auth/magic_link";
/// The path that redeems a sign-in link.
pub const VERIFY: &str = "/api/v1/auth/magic_link/verify";
/// The path that sends a password reset link.
pub const PASSWORD_RESET: &str = "/api/v1/auth/password_reset";
/// The path that redeems a password reset link.
pub const CONFIRM: &str = "/api/v1/auth/password_reset/confirm";
/// The path that accepts an invitation.
pub const INVITATION: &str = "/api/v1/auth/invitation";

/// Requests a link for an email address.
pub fn ask(client: &Client, path: &str, email: &str) -> Answer {
    client.post(path, json!({ "email": email }).to_string())
}

/// Requests a link for an account's address, and reads its token from the email.
pub fn received(server: &Server, path: &str, email: &str) -> String {
    let mut inbox = server.mails_to(email);
    while inbox.take_within(Duration::ZERO).is_some() {}
    let asked = ask(&server.client(), path, email);
    asked.expect(202);
    // Other emails may come first.
    loop {
        let letter = inbox.take();
        if letter.text.contains("#ovl_") {
            return token_of(letter.link());
        }
    }
}

/// The token of a link: its fragment, which no server gets.
pub fn token_of(link: &str) -> String {
    link.split_once('#').expect("a token").1.into()
}

/// Redeems a sign-in link.
pub fn verify(client: &Client, token: &str) -> Answer {
    client.post(VERIFY, json!({ "token": token }).to_string())
}

/// Redeems a reset link with a new password.
pub fn confirm(client: &Client, token: &str, password: &str) -> Answer {
    let body = json!({ "token": token, "password": password });
    client.post(CONFIRM, body.to_string())
}

/// Reads what an invitation invites to.
pub fn preview(client: &Client, token: &str) -> Answer {
    let path = format!("{INVITATION}/preview");
    client.post(&path, json!({ "token": token }).to_string())
}

/// Accepts an invitation.
pub fn accept(client: &Client, token: &str, name: &str, password: &str) -> Answer {
    let body = json!({ "token": token, "name": name, "password": password });
    client.post(INVITATION, body.to_string())
}

/// Submits a form as a browser does.
pub fn submit(client: &Client, path: &str, fields: &[(&str, &str)]) -> Answer {
    let pairs = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
    let body = pairs.collect::<Vec<_>>().join("&");
    client
        .with("Content-Type", "application/x-www-form-urlencoded")
        .with("Sec-Fetch-Site", "same-origin")
        .post(path, body)
}

/// A person who has not accepted the invitation yet.
#[derive(Debug)]
pub struct Invited {
    pub id: UserId,
    pub email: String,
    /// The token of the link in the email.
    pub token: String,
}

impl Invited {
    /// Invites a new address.
    pub fn to(tenant: &Tenant<'_>, role: Role) -> Self {
        let unique = tenant::ctx().id(Purpose::Record, 7).simple();
        Self::at(tenant, role, &format!("invited.{unique}@account.example"))
    }

    /// Invites this address.
    pub fn at(tenant: &Tenant<'_>, role: Role, email: &str) -> Self {
        let ctx = tenant::ctx_of(Some(tenant.id));
        let user = NewUser {
            id: UserId(ctx.id(Purpose::Record, 0)),
            practice_id: Some(tenant.id),
            role,
            state: UserState::Invited,
            email: email.into(),
            email_key: EmailAddress::parse(email).unwrap().key(),
            name: String::new(),
            password_hash: None,
            created_at: ctx.now,
        };
        let id = user.id;
        tenant::carry_out(&tenant.server.database(), &ctx, vec![user.write()]);
        Self { id, email: email.into(), token: invitation(tenant.server, id) }
    }
}

/// Makes another invitation for an account.
pub fn invitation(server: &Server, user_id: UserId) -> String {
    let ctx = tenant::ctx().in_cell(user_id.cell());
    let token = LinkToken::mint(ctx.cell.stamp(tenant::random()));
    let link = NewLink {
        hash: token.hash(),
        kind: LinkKind::Invitation,
        user_id,
        epoch: 1,
        expires_at: ctx.now.plus(INVITATION_MS),
    };
    tenant::carry_out(&server.database(), &ctx, link.writes(ctx.now).into());
    token.expose().into()
}
