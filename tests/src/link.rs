//! Links out of letters, and people who were invited.

use crate::client::{Answer, Client, encoded};
use crate::server::Server;
use crate::tenant::{self, Tenant};
use overturn_core::auth::role::Role;
use overturn_core::base::ctx::Purpose;
use overturn_core::base::email::EmailAddress;
use overturn_core::base::id::UserId;
use overturn_core::base::secret::LinkToken;
use overturn_core::plan::AccountsWrite;
use overturn_core::plan::Write;
use overturn_core::plan::accounts::{INVITATION_MS, LinkKind, NewLink, NewUser, UserState};
use serde_json::json;
use std::time::Duration;

/// Where a link to sign in with is asked for.
pub const MAGIC_LINK: &str = "/api/v1/auth/magic_link";
/// Where it comes back.
pub const VERIFY: &str = "/api/v1/auth/magic_link/verify";
/// Where a link to choose a new password with is asked for.
pub const PASSWORD_RESET: &str = "/api/v1/auth/password_reset";
/// Where it comes back.
pub const CONFIRM: &str = "/api/v1/auth/password_reset/confirm";
/// Where an invitation is accepted.
pub const INVITATION: &str = "/api/v1/auth/invitation";

/// Asks for a link to an address.
#[must_use]
pub fn ask(client: &Client, path: &str, email: &str) -> Answer {
    client.post(path, json!({ "email": email }).to_string())
}

/// Asks for a link to the address of an account, and reads its token out of the letter.
#[must_use]
pub fn received(server: &Server, path: &str, email: &str) -> String {
    let mut inbox = server.mails_to(email);
    while inbox.take_within(Duration::ZERO).is_some() {}
    let asked = ask(&server.client(), path, email);
    assert_eq!(asked.status, 202, "{}", asked.text());
    // Other letters can come between.
    loop {
        let letter = inbox.take();
        if letter.text.contains("?token=") {
            return token_of(letter.link());
        }
    }
}

/// The token of a link.
#[must_use]
pub fn token_of(link: &str) -> String {
    link.split_once("?token=").expect("a token").1.into()
}

/// Brings a sign-in link back.
#[must_use]
pub fn verify(client: &Client, token: &str) -> Answer {
    client.post(VERIFY, json!({ "token": token }).to_string())
}

/// Brings a reset link back with a new password.
#[must_use]
pub fn confirm(client: &Client, token: &str, password: &str) -> Answer {
    let body = json!({ "token": token, "password": password });
    client.post(CONFIRM, body.to_string())
}

/// Accepts an invitation.
#[must_use]
pub fn accept(client: &Client, token: &str, name: &str, password: &str) -> Answer {
    let body = json!({ "token": token, "name": name, "password": password });
    client.post(INVITATION, body.to_string())
}

/// Sends a form as the page does.
#[must_use]
pub fn submit(client: &Client, path: &str, fields: &[(&str, &str)]) -> Answer {
    let pairs = fields
        .iter()
        .map(|(name, value)| format!("{name}={}", encoded(value)));
    let body = pairs.collect::<Vec<_>>().join("&");
    client
        .with("Content-Type", "application/x-www-form-urlencoded")
        .with("Sec-Fetch-Site", "same-origin")
        .post(path, body)
}

/// Somebody who was invited and has not accepted yet.
#[derive(Debug)]
pub struct Invited {
    /// The account.
    pub id: UserId,
    /// The address.
    pub email: String,
    /// The token of the link in the letter.
    pub token: String,
}

impl Invited {
    /// Somebody with an address of their own.
    #[must_use]
    pub fn to(tenant: &Tenant<'_>, role: Role) -> Self {
        let unique = tenant::ctx().id(Purpose::Record, 7).simple();
        Self::at(tenant, role, &format!("invited.{unique}@account.example"))
    }

    /// Somebody with this address.
    #[must_use]
    pub fn at(tenant: &Tenant<'_>, role: Role, email: &str) -> Self {
        let ctx = tenant::ctx();
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
        tenant::carry_out(
            &tenant.server.database(),
            &ctx,
            vec![Write::Accounts(AccountsWrite::NewUser(user))],
        );
        Self {
            id,
            email: email.into(),
            token: invitation(tenant.server, id),
        }
    }
}

/// One more invitation of an account.
#[must_use]
pub fn invitation(server: &Server, user_id: UserId) -> String {
    let ctx = tenant::ctx();
    let token = LinkToken::mint(tenant::random());
    let link = NewLink {
        hash: token.hash(),
        kind: LinkKind::Invitation,
        user_id,
        epoch: 1,
        expires_at: ctx.now.plus(INVITATION_MS),
    };
    tenant::carry_out(
        &server.database(),
        &ctx,
        vec![Write::Accounts(AccountsWrite::NewLink(link))],
    );
    token.expose().into()
}
