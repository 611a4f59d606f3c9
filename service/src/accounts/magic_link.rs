//! `/api/v1/auth/magic_link`: signing in with a mailed link.

use crate::accounts::link::{self, LinkKind, LinkPressed, OpenedLink, RequestedLink};
use crate::accounts::new_session::{SignInContext, browser, setting};
use crate::accounts::sign_in::{self, FirstFactor, Passed, proceed};
use crate::extract::SignInRequest;
use crate::pipeline;
use crate::prelude::*;
use crate::sign_in_limits::{self, CountedAccount};

/// `POST`: emails a link if the address has an account.
pub(crate) async fn send(request: SignInRequest) -> Result<Response, AppError> {
    link::ask(request, RequestedLink::SignIn).await
}

/// `POST …/verify`: signs in with the link. It counts as the first factor, like a password.
pub(crate) async fn verify(request: SignInRequest) -> Result<Response, AppError> {
    let SignInRequest { call, presented, device, body } = request;
    sign_in_limits::link(&call).await?;
    let token = call.parse::<LinkPressed>(&body?)?.token;
    let session = presented.map(|presented| pipeline::session(&presented.hash));
    let (stored, standing) = call.db.read(&(link::stored(&token), session)).await?;
    let opened = link::open_or_record(&call, &token, stored.as_ref(), LinkKind::SignIn)?;
    let counted = CountedAccount { email_key: &opened.account.email_key(), device: device.as_deref() };
    let is_known = counted.device(&call).is_some();
    let browser = browser(&call, standing.flatten().as_ref(), is_known);
    proceed(&call, passed(&opened, SignInContext { browser, ..setting(&call)? })).await
}

pub(super) fn passed(opened: &OpenedLink<'_>, setting: SignInContext<'_>) -> Passed {
    let mut passed = sign_in::passed(opened.account, FirstFactor::MagicLink, setting);
    passed.change = opened.use_up(passed.change);
    passed
}
