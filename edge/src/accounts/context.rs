//! The circumstances of a sign-in.

use crate::call::Call;
use crate::error::Refusal;
use crate::platform;
use overturn_core::accounts::sign_in::{Browser, SignInContext};

/// The circumstances of a sign-in, with fresh randomness.
pub(crate) fn setting(call: &Call) -> Result<SignInContext<'_>, Refusal> {
    Ok(SignInContext {
        browser: Browser::default(),
        place: &call.place,
        random: platform::bytes()?,
        ctx: &call.ctx,
    })
}
