//! The pages of the console (`console/`) that the Worker leads people to.
//!
//! Tokens travel in the fragment of the address. A browser sends the fragment to no server, so no log and no referrer
//! has it. The page takes it out of the address and the history, and keeps it in memory.

use crate::response::{self, Response};
use http::StatusCode;
use http::header::{LOCATION, REFERRER_POLICY};

/// The first page.
pub(crate) const HOME: &str = "/";
/// Signing in. The fragment can have `continue`, or `refused` with `request`.
pub(crate) const SIGN_IN: &str = "/sign-in";
/// Connecting the identity that waits in the browser.
pub(crate) const CONNECT: &str = "/sign-in/connect";
/// A sign-in link.
pub(crate) const MAGIC_LINK: &str = "/magic-link";
/// A new password.
pub(crate) const PASSWORD_RESET: &str = "/password-reset";
pub(crate) const INVITATION: &str = "/invitation";

/// The address of a page with a fragment.
pub(crate) fn with_fragment(page: &str, fragment: &str) -> String {
    format!("{page}#{fragment}")
}

/// Leads the browser to a page. The address that it comes from may have a secret, so no referrer names it. The interface's
/// redirects are `301` and `302`. A browser follows both by `GET`, also from a provider's `POST`.
pub(crate) fn lead(to: &str) -> Response {
    let headers = [(LOCATION, to.to_owned()), (REFERRER_POLICY, "no-referrer".to_owned())];
    response::with(StatusCode::FOUND, headers, "")
}
