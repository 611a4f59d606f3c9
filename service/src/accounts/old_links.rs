//! The paths in emails that were sent before the console had these pages. They lead to the console, as long as such links
//! are valid: an invitation for seven days.

use crate::console::{self, INVITATION, MAGIC_LINK, PASSWORD_RESET};
use crate::extract::OldLink;
use crate::response::Response;

/// `GET /auth/invitation`.
pub(crate) async fn invitation(link: OldLink) -> Response {
    lead(INVITATION, &link)
}

/// `GET /auth/magic_link`.
pub(crate) async fn magic_link(link: OldLink) -> Response {
    lead(MAGIC_LINK, &link)
}

/// `GET /auth/password_reset`.
pub(crate) async fn password_reset(link: OldLink) -> Response {
    lead(PASSWORD_RESET, &link)
}

/// Leads to the page, which shows its own problem if the link has no token. The link is not looked up, so a mail scanner
/// that opens it does not use it up.
fn lead(page: &str, OldLink(token): &OldLink) -> Response {
    match token {
        Some(token) => console::lead(&console::with_fragment(page, token.expose())),
        None => console::lead(page),
    }
}
