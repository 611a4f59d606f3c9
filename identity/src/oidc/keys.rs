//! The algorithms and keys that may sign ID tokens.

use data_encoding::BASE64URL_NOPAD;
use openidconnect::core::{CoreIdToken, CoreIdTokenVerifier, CoreJwsSigningAlgorithm};
use openidconnect::{SignatureVerificationError, core::CoreJsonWebKey};
use overturn_core::identity::Refusal;
use overturn_core::identity::oidc::OidcClient;
use serde_json::Value;

/// NIST SP 800-131A: RSA keys have at least 2048 bits.
const MIN_MODULUS_BYTES: usize = 256;

/// The algorithms of a client. Symmetric ones and `none` are never among them, also if they are configured.
pub(super) fn algorithms(client: &OidcClient) -> Vec<(&str, CoreJwsSigningAlgorithm)> {
    use CoreJwsSigningAlgorithm as A;
    let named = client.algorithms.iter().filter_map(|name| {
        let algorithm = match name.as_str() {
            "RS256" => A::RsaSsaPkcs1V15Sha256,
            "RS384" => A::RsaSsaPkcs1V15Sha384,
            "RS512" => A::RsaSsaPkcs1V15Sha512,
            "PS256" => A::RsaSsaPssSha256,
            "PS384" => A::RsaSsaPssSha384,
            "PS512" => A::RsaSsaPssSha512,
            "ES256" => A::EcdsaP256Sha256,
            "ES384" => A::EcdsaP384Sha384,
            "EdDSA" => A::EdDsa,
            _ => return None,
        };
        Some((name.as_str(), algorithm))
    });
    named.collect()
}

/// Refuses a token whose key is unknown, is not clear, or is too weak.
pub(super) fn check_key(
    token: &CoreIdToken,
    kid: Option<&str>,
    keys: &Value,
    verifier: &CoreIdTokenVerifier<'_>,
) -> Result<(), Refusal> {
    let listed = keys.get("keys").and_then(Value::as_array);
    let is_listed = |kid: &str| {
        let mut ids = listed.into_iter().flatten().map(|key| key.get("kid"));
        ids.any(|id| id.and_then(Value::as_str) == Some(kid))
    };
    if kid.is_some_and(|kid| !is_listed(kid)) {
        return Err(unknown());
    }
    let key = token.signing_key(verifier).map_err(|error| match error {
        SignatureVerificationError::NoMatchingKey if kid.is_none() => unknown(),
        SignatureVerificationError::AmbiguousKeyId(_) => Refusal::new(Refusal::KEY, "several keys fit the token"),
        _ => Refusal::new(Refusal::KEY, "the key may not sign such a token"),
    })?;
    if is_weak(key) {
        return Err(Refusal::new(Refusal::KEY, "the key is too short"));
    }
    Ok(())
}

pub(super) fn unknown() -> Refusal {
    Refusal::new(Refusal::UNKNOWN_KEY, "the key set does not have the key of the token")
}

fn is_weak(key: &CoreJsonWebKey) -> bool {
    let key = serde_json::to_value(key).unwrap_or_default();
    let modulus = key.get("n").and_then(Value::as_str).map(|text| {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).unwrap_or_default();
        bytes.iter().skip_while(|byte| **byte == 0).count()
    });
    modulus.is_some_and(|bytes| bytes < MIN_MODULUS_BYTES)
}
