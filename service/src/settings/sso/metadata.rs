//! The metadata of a SAML provider, which the identity Worker reads.

use crate::call::Call;
use crate::prelude::*;
use overturn_core::identity::Verdict;
use overturn_core::identity::saml::{DescribeProvider, ProviderDescription};
use overturn_core::request::problem::Rule;

/// What the metadata says, if there is any to read. The log has the reason of a refusal.
pub(super) async fn described(call: &Call, metadata: Option<&str>) -> Result<Option<ProviderDescription>, AppError> {
    let Some(metadata) = metadata else {
        return Ok(None);
    };
    let question =
        DescribeProvider { metadata: metadata.into(), now: call.ctx.now, local: !call.app.settings.https_only };
    match call.app.identity.ask(&question).await? {
        Verdict::Accepted(description) => Ok(Some(description)),
        Verdict::Refused(refusal) => {
            log::info!(
                "{}",
                json!({
                    "event": "metadata_refused", "request_id": call.ctx.request_id,
                    "reason": refusal.reason, "detail": refusal.detail,
                })
            );
            Err(refused(&refusal.reason).into())
        }
    }
}

/// The refusal for a reason of the identity Worker, in words for the person who uploads the metadata. The text names no
/// value of it.
pub(super) fn refused(reason: &str) -> RequestError {
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
