//! The circumstances of a sign-in.

use crate::call::Call;
use crate::error::AppError;
use crate::platform;
use overturn_core::accounts::new_session::{Browser, SignInContext};

/// The circumstances of a sign-in, with fresh randomness.
pub(crate) fn setting(call: &Call) -> Result<SignInContext<'_>, AppError> {
    Ok(SignInContext {
        browser: Browser::default(),
        place: &call.place,
        random: platform::bytes()?,
        ctx: &call.ctx,
    })
}
