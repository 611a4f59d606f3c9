//! Where and when a person signs in.

use crate::call::Call;
use crate::error::Refusal;
use crate::platform;
use overturn_core::accounts::sign_in::{Browser, SignInContext};

/// Where and when somebody signs in, with fresh randomness.
pub(crate) fn setting(call: &Call) -> Result<SignInContext<'_>, Refusal> {
    Ok(SignInContext {
        browser: Browser::default(),
        place: &call.place,
        random: platform::bytes()?,
        ctx: &call.ctx,
    })
}
