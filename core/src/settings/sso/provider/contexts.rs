//! The contexts of a sign-in that a practice lets stand for a second factor.

use crate::base::text::is_printable;
use crate::request::body::Texts;
use crate::request::field::{self, CodeList, Problems};
use crate::request::problem::Rule;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Most contexts of a provider, and most characters of one.
const CONTEXTS: CodeList = CodeList {
    items: 10,
    length: 200,
    commas: false,
};

/// Contexts that stand for one factor, for no person at all, or for the place of a browser. A practice that trusted one
/// would have no second factor. They are compared without case. The list cannot be complete: each provider may have names
/// of its own.
const WITHOUT_SECOND_FACTOR: [&str; 19] = [
    "0",
    "1",
    "geo",
    "http://schemas.microsoft.com/ws/2008/06/identity/authenticationmethod/password",
    "kba",
    "pwd",
    "rba",
    "urn:federation:authentication:windows",
    "urn:oasis:names:tc:SAML:2.0:ac:classes:InternetProtocol",
    "urn:oasis:names:tc:SAML:2.0:ac:classes:InternetProtocolPassword",
    "urn:oasis:names:tc:SAML:2.0:ac:classes:Kerberos",
    "urn:oasis:names:tc:SAML:2.0:ac:classes:Password",
    "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport",
    "urn:oasis:names:tc:SAML:2.0:ac:classes:PreviousSession",
    "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified",
    "urn:okta:loa:1fa:any",
    "urn:okta:loa:1fa:pwd",
    "user",
    "wia",
];

/// The contexts without repetitions. `None` if they are absent.
pub(super) fn contexts(p: &mut Problems, value: Texts<'_>) -> Option<Vec<String>> {
    if matches!(value, Texts::Absent) {
        return None;
    }
    let mut contexts: Vec<String> = Vec::new();
    for context in field::codes(p, "contexts", value, CONTEXTS) {
        let context: Cow<'_, str> = context;
        let context = context.trim();
        if !context.chars().all(is_printable) {
            p.add("contexts", Rule::Printable);
            return None;
        }
        let is_weak = |weak: &&str| weak.eq_ignore_ascii_case(context);
        if WITHOUT_SECOND_FACTOR.iter().any(is_weak) {
            let rule = "must not have one that a sign-in with one factor gives";
            p.add("contexts", Rule::Form(rule));
            return None;
        }
        if !contexts.iter().any(|known| known == context) {
            contexts.push(context.to_string());
        }
    }
    Some(contexts)
}
