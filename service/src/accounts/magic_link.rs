//! `/api/v1/auth/magic_link`: signing in with a mailed link.

use crate::accounts::link::{self, Accepted, LinkAsked, LinkKind, LinkPressed, OpenedLink, RequestedLink};
use crate::accounts::new_session::{PresentedSession, SignInContext, setting};
use crate::accounts::sign_in::{self, FirstFactor, Passed, proceed};
use crate::accounts::signed_in::SignedInView;
use crate::extract::SignInRequest;
use crate::prelude::*;
use crate::sign_in_limits::{self, CountedAccount};

/// `sendMagicLink`: Request a sign-in link.
///
/// The answer is the same for every address, whether it has an account or not. The link works once, for ten
/// minutes.
pub(crate) async fn send(request: SignInRequest<LinkAsked>) -> Result<Gives<Accepted, 202>, AppError> {
    link::ask(request, RequestedLink::SignIn).await
}

/// `verifyMagicLink`: Sign in with a link.
///
/// Make this call when a person presses a button, not when the link is opened: mail filters open links. The link
/// replaces the password, so the answer is the same as that of `POST /api/v1/auth/session`.
pub(crate) async fn verify(request: SignInRequest<LinkPressed>) -> Result<Gives<SignedInView>, AppError> {
    let SignInRequest { call, presented, device, body } = request;
    sign_in_limits::link(&call).await?;
    let session = PresentedSession::new(&call, presented.as_ref());
    let (pressed, call) = body.parse_in_cell(&call)?;
    let token = pressed.token?;
    let (stored, standing) = call.db.read(&(link::stored(&token), session.beside(&call))).await?;
    let standing = session.standing(standing).await?;
    let opened = link::open_or_record(&call, &token, stored.as_ref(), LinkKind::SignIn)?;
    let counted = CountedAccount { email_key: &opened.account.email_key(), device: device.as_deref() };
    let is_known = counted.device(&call).is_some();
    let browser = session.browser(standing.as_ref(), is_known);
    proceed(&call, passed(&opened, SignInContext { browser, ..setting(&call)? })).await.map(Gives::from)
}

pub(super) fn passed(opened: &OpenedLink<'_>, setting: SignInContext<'_>) -> Passed {
    let mut passed = sign_in::passed(opened.account, FirstFactor::MagicLink, setting);
    passed.change = opened.use_up(passed.change);
    passed
}
