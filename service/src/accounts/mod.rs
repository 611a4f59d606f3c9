//! Signing in, joining and choosing passwords.

pub(crate) mod context;
pub(crate) mod handlers;
pub(crate) mod invitation;
pub(crate) mod links;
pub(crate) mod passkeys;
pub(crate) mod passwords;
pub(crate) mod sign_in;

use crate::call::Call;
use crate::error::AppError;
use overturn_core::accounts::recovery::{CODES, RecoveryCode};

/// Fresh recovery codes.
pub(crate) fn recovery_codes(call: &Call) -> Result<Vec<RecoveryCode>, AppError> {
    let drawn = (0..CODES).map(|_| call.app.host.bytes().map(RecoveryCode::mint));
    Ok(drawn.collect::<Result<_, _>>()?)
}
