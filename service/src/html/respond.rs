//! Pages as responses, with their browser policies.

use super::document::STYLE;
use crate::response::{self, Response};
use data_encoding::BASE64;
use http::StatusCode;
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY};
use sha2::{Digest, Sha256};

/// The policy of a page: its one style sheet, and forms only to this service.
#[must_use]
pub(crate) fn content_security_policy() -> String {
    policy("")
}

/// The same policy with one of the service's own scripts.
#[must_use]
pub(crate) fn content_security_policy_with_script() -> String {
    policy("script-src 'self'; ")
}

fn policy(more: &str) -> String {
    let style = BASE64.encode(&Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; {more}form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// A page as a response.
pub(crate) fn respond(status: StatusCode, html: String) -> Response {
    respond_under(content_security_policy(), status, html)
}

/// A page as a response, with this policy.
pub(crate) fn respond_under(policy: String, status: StatusCode, html: String) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (CONTENT_SECURITY_POLICY, policy),
        // The page's URL has the token, so it must not go to other sites. With `no-referrer`, a browser would send the
        // page's form with `Origin: null`. Without `Sec-Fetch-Site`, the service could then not recognize its own form.
        (REFERRER_POLICY, "same-origin".to_owned()),
        // A page uses no device features, and injected code must not use them, either.
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), geolocation=(), microphone=(), payment=(), usb=()".to_owned(),
        ),
    ];
    response::with(status, headers, html)
}
