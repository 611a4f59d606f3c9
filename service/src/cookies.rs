//! The cookies of a browser: names, attributes and parsing.
//!
//! No other host can set a cookie whose name begins with `__Host-`. Browsers send them with requests from other sites
//! only where a provider leads back to the service.

pub mod ceremony;
pub mod csrf;
pub(crate) mod device;

use crate::auth::session::LONGEST_MS;
use crate::request::secret::SessionToken;
use ceremony::CEREMONY_MS;
use cookie::time::Duration;
use cookie::{Cookie, CookieBuilder, SameSite};
use device::KNOWN_MS;

/// The token of the session. Scripts cannot read it.
pub(crate) const SESSION: &str = "__Host-session";
/// The accounts to which the device has completed a sign-in. Scripts cannot read it.
pub(crate) const DEVICE: &str = "__Host-device";
/// The challenge of a passkey.
pub(crate) const PASSKEY: Ceremony = Ceremony("__Host-passkey", SameSite::Strict);
/// A sign-in by an OpenID Connect provider. The provider leads back with a link.
pub(crate) const OIDC: Ceremony = Ceremony("__Host-oauth", SameSite::Lax);
/// A sign-in by a SAML provider. The provider's page posts back.
pub(crate) const SAML: Ceremony = Ceremony("__Host-saml", SameSite::None);
/// An identity that waits to be joined to an account.
pub(crate) const IDENTITY: Ceremony = Ceremony("__Host-identity", SameSite::Strict);
/// The CSRF token of the session, which the service's own page reads.
const CSRF: &str = "csrf_token";

/// The value of a cookie in the header `Cookie`.
///
/// Only a pair that begins with the name and `=` is read. The parser of the `cookie` crate trims every kind of white
/// space from the name, but a browser does not: it lets a neighboring host set a cookie named as one of these and a
/// space outside ASCII.
#[must_use]
pub(crate) fn read<'h>(header: &'h str, name: &str) -> Option<&'h str> {
    let mut pairs = header.split(';').map(str::trim_ascii);
    let value = pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
    Some(value.trim())
}

/// Sets the session and its CSRF token.
#[must_use]
pub(crate) fn begin_session(token: &SessionToken) -> [String; 2] {
    let age = Duration::milliseconds(LONGEST_MS);
    [write(SESSION, token.expose(), age).http_only(true), write(CSRF, &csrf::token(token), age)]
        .map(|cookie| cookie.to_string())
}

/// Removes both cookies.
#[must_use]
pub(crate) fn end_session() -> [String; 2] {
    [write(SESSION, "", Duration::ZERO).http_only(true), write(CSRF, "", Duration::ZERO)]
        .map(|cookie| cookie.to_string())
}

/// Sets the device's record of completed sign-ins.
#[must_use]
pub(crate) fn know_device(marks: &str) -> String {
    let age = Duration::milliseconds(KNOWN_MS);
    write(DEVICE, marks, age).http_only(true).to_string()
}

/// The cookie of a [ceremony]: its name, and whether requests from other sites
/// have it. Scripts cannot read it.
#[derive(Clone, Copy)]
pub(crate) struct Ceremony(pub(crate) &'static str, SameSite);

impl Ceremony {
    /// Sets the cookie.
    #[must_use]
    pub(crate) fn begin(self, value: &str) -> String {
        let cookie = write(self.0, value, Duration::milliseconds(CEREMONY_MS));
        cookie.http_only(true).same_site(self.1).to_string()
    }

    /// Removes the cookie.
    #[must_use]
    pub(crate) fn end(self) -> String {
        let cookie = write(self.0, "", Duration::ZERO);
        cookie.http_only(true).same_site(self.1).to_string()
    }
}

fn write<'c>(name: &'c str, value: &'c str, age: Duration) -> CookieBuilder<'c> {
    Cookie::build((name, value)).path("/").max_age(age).secure(true).same_site(SameSite::Strict)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pair of a cookie, and its attributes sorted.
    fn parts(cookie: &str) -> Vec<&str> {
        let mut parts: Vec<_> = cookie.split("; ").collect();
        parts[1..].sort_unstable();
        parts
    }

    #[test]
    fn every_cookie_has_its_attributes_and_no_other() {
        let token = SessionToken::mint([7; 32]);
        let strict = ["Path=/", "SameSite=Strict", "Secure"];
        let shown = |age: &'static str, hidden: bool| {
            let hidden = hidden.then_some("HttpOnly");
            let all: Vec<_> = hidden.into_iter().chain([age]).chain(strict).collect();
            all
        };
        let [session, csrf] = begin_session(&token);
        let age = format!("Max-Age={}", LONGEST_MS / 1000);
        let age: &'static str = age.leak();
        assert_eq!(parts(&session)[0], format!("{SESSION}={}", token.expose()));
        assert_eq!(parts(&session)[1..], shown(age, true));
        assert_eq!(parts(&csrf)[0], format!("csrf_token={}", csrf::token(&token)));
        assert_eq!(parts(&csrf)[1..], shown(age, false));
        let [session, csrf] = end_session();
        assert_eq!(parts(&session)[0], "__Host-session=");
        assert_eq!(parts(&session)[1..], shown("Max-Age=0", true));
        assert_eq!(parts(&csrf)[0], "csrf_token=");
        assert_eq!(parts(&csrf)[1..], shown("Max-Age=0", false));
        let device = know_device("a.b");
        let age = format!("Max-Age={}", KNOWN_MS / 1000);
        assert_eq!(parts(&device)[0], "__Host-device=a.b");
        assert_eq!(parts(&device)[1..], shown(age.leak(), true));
    }

    #[test]
    fn a_ceremony_goes_to_other_sites_only_where_a_provider_leads_back() {
        for (cookie, site) in [
            (PASSKEY, "SameSite=Strict"),
            (OIDC, "SameSite=Lax"),
            (SAML, "SameSite=None"),
            (IDENTITY, "SameSite=Strict"),
        ] {
            let age = format!("Max-Age={}", CEREMONY_MS / 1000);
            let (begun, ended) = (cookie.begin("a.b"), cookie.end());
            assert_eq!(parts(&begun)[0], format!("{}=a.b", cookie.0));
            let attributes = ["HttpOnly", &age, "Path=/", site, "Secure"];
            assert_eq!(parts(&begun)[1..], attributes);
            assert_eq!(parts(&ended)[2], "Max-Age=0");
        }
    }

    #[test]
    fn only_the_cookie_of_the_exact_name_is_read() {
        for (header, value) in [
            ("__Host-session=x", Some("x")),
            ("a=b; __Host-session=x; c", Some("x")),
            ("a;=;__Host-session=x=y", Some("x=y")),
            ("__Host-session=x; __Host-session=y", Some("x")),
            ("ünï=cödé; __Host-session=x", Some("x")),
            ("__Host-session", None),
            ("__Host-sessions=x", None),
            ("__host-session=x", None),
            ("x__Host-session=x", None),
            ("a=__Host-session=x", None),
            // A neighboring host can set these.
            ("\u{2000}__Host-session=x", None),
            ("\u{a0}__Host-session=x", None),
            ("\u{85}__Host-session=x; __Host-session=y", Some("y")),
            ("__Host-session\u{2000}=x", None),
            ("", None),
        ] {
            assert_eq!(read(header, SESSION), value, "{header:?}");
        }
    }
}
