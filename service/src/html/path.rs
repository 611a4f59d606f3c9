//! The paths of pages, and of the steps of a sign-in by a provider, which a browser opens too.

/// Everything below this path is a step of a sign-in by an OpenID Connect provider.
pub(crate) const OAUTH: &str = "/api/v1/auth/oauth";
/// Everything below this path is a step of a sign-in by a SAML provider.
pub(crate) const SAML: &str = "/api/v1/auth/saml";
/// The signing page of a link, and the form with the date of birth.
pub(crate) const SIGN: &str = "/sign";
/// The form with the signature.
pub(crate) const SIGNATURE: &str = "/sign/signature";
/// The script of the drawing field.
pub(crate) const PAD: &str = "/sign/pad.js";
