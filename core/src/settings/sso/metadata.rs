//! Why the metadata of an identity provider is not accepted, in words for the person who uploads it.

use crate::request::error::RequestError;
use crate::request::problem::Rule;

/// The refusal for a reason of the identity Worker. The text names no value of the metadata.
#[must_use]
pub fn refused(reason: &str) -> RequestError {
    let text = match reason {
        "too_large" | "too_deep" => "is too large or too deeply nested",
        "doctype" | "entity" => "must not have a DOCTYPE or entities of its own",
        "no_provider" => "describes no SAML 2.0 identity provider",
        "several_providers" => "describes more than one identity provider",
        "entity_id" => "has no entity id, or one that is too long",
        "no_redirect_endpoint" => "has no sign-in address for the binding HTTP-Redirect",
        "endpoint" => "has a sign-in address that is not an https address",
        "certificate" => "has no signing certificate that can be read",
        "certificate_expired" => "has only signing certificates that have ended",
        "weak_key" => "has a signing key that is too weak: RSA needs 2,048 bits, and ECDSA a known curve",
        _ => "must be the XML metadata of a SAML 2.0 identity provider",
    };
    RequestError::invalid("metadata", Rule::Form(text))
}
