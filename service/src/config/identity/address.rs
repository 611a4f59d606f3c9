//! Addresses in the settings of identity providers.

use crate::config::checks;
use http::Uri;

/// The name of a variable and its problem, without its value.
pub(super) type Wrong = (&'static str, &'static str);

/// True for an https address with a public host, without a user name, query or fragment. In dev also for an http address
/// of this machine.
pub(super) fn is_web_address(text: &str, is_dev: bool) -> bool {
    let Some(uri) = text.parse::<Uri>().ok().filter(|_| !text.contains('#')) else {
        return false;
    };
    let is_plain = uri.query().is_none() && uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
    let host = uri.host().unwrap_or_default();
    is_plain
        && match uri.scheme_str() {
            Some("https") => checks::is_public(host) || (is_dev && is_this_machine(host)),
            Some("http") => is_dev && is_this_machine(host),
            _ => false,
        }
}

/// True for the names of this machine that browsers know.
pub(super) fn is_this_machine(host: &str) -> bool {
    matches!(host, "localhost" | "127.0.0.1")
}
