//! A page as a response, and what a browser may do with it.

use super::STYLE;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY};
use axum::response::{IntoResponse, Response};
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

/// What a browser may do with a page: show it with its one style sheet, and send its form here.
#[must_use]
pub(crate) fn content_security_policy() -> String {
    policy("")
}

/// The same of a page with a script, which is one of the service's own.
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

/// A page as a response, under a policy.
pub(crate) fn respond_under(policy: String, status: StatusCode, html: String) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (CONTENT_SECURITY_POLICY, policy),
        // The page's address has the token in it, so no other site is told of it. Under `no-referrer` a browser would send
        // the page's form with `Origin: null`, by which those that send no `Sec-Fetch-Site` could not tell that it is ours.
        (REFERRER_POLICY, "same-origin".to_owned()),
        // A page uses nothing of the device, and neither may what gets into it.
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), geolocation=(), microphone=(), payment=(), usb=()".to_owned(),
        ),
    ];
    (status, headers, html).into_response()
}
