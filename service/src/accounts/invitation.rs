//! `/api/v1/auth/invitation`: an invited person joins a practice or the staff.

use crate::accounts::account::{NAME_MAX, set_epoch, unchanged};
use crate::accounts::link::{self, LinkKind, OpenedLink};
use crate::accounts::new_session::{SignInContext, setting};
use crate::accounts::password::{self, NewPassword};
use crate::extract::SignInRequest;
use crate::pipeline;
use crate::prelude::*;
use crate::sign_in_limits;
use overturn_core::base::secret::LinkToken;
use overturn_core::body;
use overturn_core::plan::Actor;
use overturn_core::request::declare::kinds::{Printable, Token, Trimmed};

body! {
    AcceptedInvitation { token: Token<LinkToken>, name: Trimmed<Printable<NAME_MAX>>, password: NewPassword }
}

/// An invitation, as the invited person sees it before accepting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct InvitationView {
    /// The address that the invitation went to, by which the person will sign in.
    email: String,
    /// The practice; `null` for an invitation to our staff.
    practice_name: Option<String>,
}

/// `POST …/preview`: what the invitation invites to.
pub(crate) async fn preview(request: SignInRequest) -> Result<Response, AppError> {
    link::preview(request, LinkKind::Invitation, view).await
}

/// `POST`: the invited person joins. They sign in with their password afterward, and enroll a second factor.
pub(crate) async fn accept(request: SignInRequest) -> Result<Response, AppError> {
    let SignInRequest { call, body, .. } = request;
    sign_in_limits::link(&call).await?;
    let joining = call.parse::<AcceptedInvitation>(&body?)?;
    let stored = call.db.read(&link::stored(&joining.token)).await?;
    let opened = link::open_or_record(&call, &joining.token, stored.as_ref(), LinkKind::Invitation)?;
    password::suits(&joining.password, "password", opened.account, &joining.name)?;
    let hash = password::hash(&call, &joining.password).await?;
    let change = accepted(&opened, joining.name, hash, setting(&call)?);
    pipeline::commit_signing_in(&call, Actor::User(opened.account.user_id), change).await
}

fn view(opened: &OpenedLink<'_>) -> InvitationView {
    InvitationView { email: opened.account.email.clone(), practice_name: opened.account.practice_name.clone() }
}

/// This does not sign in, and it ends every other invitation of the account.
fn accepted(opened: &OpenedLink<'_>, name: String, hash: String, setting: SignInContext<'_>) -> Change {
    let account = opened.account;
    let (user, practice, epoch) = (account.user_id, account.practice_id, account.epoch);
    let entry = Entry::new(setting.ctx, 0, practice, Event::MemberJoined, user)
        .detail(json!({ "role": account.role, "ip": setting.place.ip }));
    let change = Change::new(entry, Answer::empty())
        .guard(unchanged(practice, user, epoch))
        .write(sql!(
            "UPDATE users SET state = 'active', name = {name}, password_hash = {hash}
             WHERE id = {user} AND state = 'invited'";
            user, name, hash
        ))
        .write(set_epoch(user, epoch.saturating_add(1)));
    opened.use_up(change)
}

#[cfg(test)]
mod tests;
