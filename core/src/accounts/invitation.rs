//! Joining: an invited person accepts by the link of the invitation.

use crate::accounts::link::OpenedLink;
use crate::accounts::new_password::NewPassword;
use crate::accounts::new_session::SignInContext;
use crate::base::secret::LinkToken;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::{Printable, Token, Trimmed};
use alloc::string::String;
use serde::Serialize;
use serde_json::json;

/// Most characters of a person's name.
pub const NAME_MAX: usize = 200;

body! {
    AcceptedInvitation { token: Token<LinkToken>, name: Trimmed<Printable<NAME_MAX>>, password: NewPassword }
}

/// An invitation, as the invited person sees it before accepting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InvitationView {
    /// The address that the invitation went to, by which the person will sign in.
    pub email: String,
    /// The practice; `null` for an invitation to our staff.
    pub practice_name: Option<String>,
}

/// What the link of an invitation invites to. This does not use up the link.
#[must_use]
pub fn view(opened: &OpenedLink<'_>) -> InvitationView {
    InvitationView { email: opened.account.email.clone(), practice_name: opened.account.practice_name.clone() }
}

/// The invited person joins the practice or the staff. This does not sign in, and it ends every other invitation of the
/// account.
#[must_use]
pub fn join(opened: &OpenedLink<'_>, name: String, hash: String, setting: SignInContext<'_>) -> Change {
    let account = opened.account;
    let (user, practice_id) = (account.user_id, account.practice_id);
    let event = Event::MemberJoined;
    let entry = Entry::new(setting.ctx, 0, practice_id, event, user)
        .detail(json!({ "role": account.role, "ip": setting.place.ip }));
    let change = Change::new(entry, Answer::empty())
        .guard(Guard::Accounts(AccountsGuard::Unchanged { practice: practice_id, user, epoch: account.epoch }))
        .write(Write::Accounts(AccountsWrite::UserJoined { user, name, password_hash: hash }))
        .write(Write::Accounts(AccountsWrite::Epoch { user, epoch: account.epoch.saturating_add(1) }));
    opened.spend(change)
}

#[cfg(test)]
mod tests;
