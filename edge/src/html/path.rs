//! The paths of pages and their forms.

/// Signing in with a link: page and form.
pub(crate) const MAGIC_LINK: &str = "/auth/magic_link";
/// The form for the second factor after it.
pub(crate) const MAGIC_LINK_CODE: &str = "/auth/magic_link/code";
/// A new password: page and form.
pub(crate) const PASSWORD_RESET: &str = "/auth/password_reset";
/// An invitation: page and form.
pub(crate) const INVITATION: &str = "/auth/invitation";
/// The signing page of a link, and the form with the date of birth.
pub(crate) const SIGN: &str = "/sign";
/// The form with the signature.
pub(crate) const SIGNATURE: &str = "/sign/signature";
/// The script of the drawing field.
pub(crate) const PAD: &str = "/sign/pad.js";

/// The address that an emailed link or a patient's link leads to. `origin` is that of the service.
pub(crate) fn link(origin: &str, path: &str, token: &str) -> String {
    format!("{origin}{path}?token={token}")
}
