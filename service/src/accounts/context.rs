//! The circumstances of a sign-in.

use crate::call::Call;
use crate::error::AppError;
use overturn_core::accounts::new_session::{Browser, EarlierSession, SignInContext};
use overturn_core::auth::person::StoredPerson;

/// The circumstances of a sign-in, with fresh randomness.
pub(crate) fn setting(call: &Call) -> Result<SignInContext<'_>, AppError> {
    Ok(SignInContext {
        browser: Browser::default(),
        place: &call.place,
        random: call.app.host.bytes()?,
        ctx: &call.ctx,
    })
}

/// The facts about the browser: `is_known` for its device, and its current session, if active.
pub(crate) fn browser(call: &Call, standing: Option<&StoredPerson>, is_known: bool) -> Browser {
    let session = standing.and_then(|standing| {
        Some(EarlierSession {
            user_id: standing.user_id,
            practice_id: standing.practice.as_ref().map(|practice| practice.id),
            id: standing.session_in_force(call.ctx.now)?,
        })
    });
    Browser { is_known, session }
}
