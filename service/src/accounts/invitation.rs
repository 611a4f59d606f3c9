//! `/api/v1/auth/invitation`: an invited person joins a practice or the staff.

use crate::accounts::account::{NAME_MAX, set_epoch, unchanged};
use crate::accounts::link::{self, LinkKind, LinkPressed, OpenedLink};
use crate::accounts::new_session::{SignInContext, setting};
use crate::accounts::password::{self, NewPassword};
use crate::directory::ADDRESSES;
use crate::extract::{NamesCell, SignInRequest};
use crate::pipeline;
use crate::plan::Actor;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::{Printable, Token, Trimmed};
use crate::request::secret::LinkToken;
use crate::sign_in_limits;
use overturn_core::base::cell::Cell;

body! {
    AcceptedInvitation { token: Token<LinkToken>, name: Trimmed<Printable<NAME_MAX>>, password: NewPassword }
}

impl NamesCell for AcceptedInvitation {
    fn handed_out(&self) -> Option<(String, Cell)> {
        self.token.as_ref().ok().map(LinkToken::handed_out)
    }
}

/// An invitation, as the invited person sees it before accepting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct InvitationPreview {
    /// The address that the invitation went to. The person will sign in with it.
    email: String,
    /// `null` for an invitation to our staff.
    practice_name: Option<String>,
}

/// `previewInvitation`: Read what an invitation invites to.
///
/// Show this to the person before they accept. The link stays usable. A link that cannot be accepted any more gets
/// `401`.
pub(crate) async fn preview(request: SignInRequest<LinkPressed>) -> Result<Gives<InvitationPreview>, AppError> {
    link::preview(request, LinkKind::Invitation, view).await
}

/// `acceptInvitation`: Join a practice with an invitation link.
///
/// Afterward, the person signs in and enrolls a second factor. An invitation link works once, for seven days.
pub(crate) async fn accept(request: SignInRequest<AcceptedInvitation>) -> Result<Gives<(), 204>, AppError> {
    let SignInRequest { call, body, .. } = request;
    sign_in_limits::link(&call).await?;
    let (joining, call) = body.parse_in_cell(&call)?;
    let token = joining.token?;
    let stored = call.db.read(&link::stored(&token)).await?;
    let opened = link::open_or_record(&call, &token, stored.as_ref(), LinkKind::Invitation)?;
    password::suits(&joining.password, "password", opened.account, &joining.name)?;
    let hash = password::hash(&call, &joining.password).await?;
    let user = opened.account.user_id;
    if !ADDRESSES.reserve(&call, &opened.account.email_key(), user.0).await? {
        return Err(pipeline::ADDRESS_TAKEN.into());
    }
    let change = accepted(&opened, joining.name, hash, setting(&call)?);
    pipeline::commit_signing_in(&call, Actor::User(user), change).await.map(Gives::from)
}

fn view(opened: &OpenedLink<'_>) -> InvitationPreview {
    InvitationPreview { email: opened.account.email.clone(), practice_name: opened.account.practice_name.clone() }
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
