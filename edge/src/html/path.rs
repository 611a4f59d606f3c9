//! Where the pages are, and where their forms go.

/// Signing in with a link: page and form.
pub(crate) const MAGIC_LINK: &str = "/auth/magic_link";
/// The form of the second factor after it.
pub(crate) const MAGIC_LINK_CODE: &str = "/auth/magic_link/code";
/// A new password: page and form.
pub(crate) const PASSWORD_RESET: &str = "/auth/password_reset";
/// An invitation: page and form.
pub(crate) const INVITATION: &str = "/auth/invitation";
/// Where a patient signs: the page of the link, and the form with the date of birth.
pub(crate) const SIGN: &str = "/sign";
/// The form with the signature.
pub(crate) const SIGNATURE: &str = "/sign/signature";
/// The script of the field to draw a signature on.
pub(crate) const PAD: &str = "/sign/pad.js";
