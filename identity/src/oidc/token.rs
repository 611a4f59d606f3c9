//! An ID token (OpenID Connect Core 1.0, section 3.1.3.7).

use super::claims::Claims;
use super::keys;
use chrono::{DateTime, Duration, Utc};
use data_encoding::BASE64URL_NOPAD;
use openidconnect::core::{CoreIdToken, CoreIdTokenVerifier};
use openidconnect::{ClaimsVerificationError, ClientId, IssuerUrl, Nonce, SignatureVerificationError};
use overturn_core::identity::oidc::{CheckIdToken, OidcClaims};
use overturn_core::identity::{Refusal, Verdict};
use serde_json::Value;
use std::str::FromStr;

/// The largest token.
const MAX_BYTES: usize = 16 * 1024;
/// How far the clocks may be apart.
const SKEW: Duration = Duration::seconds(60);
/// The provider makes the token when the code is exchanged. An older one was kept by someone.
const MAX_AGE: Duration = Duration::minutes(10);

pub(crate) fn check(asked: &CheckIdToken) -> Verdict<OidcClaims> {
    checked(asked).into()
}

fn checked(asked: &CheckIdToken) -> Result<OidcClaims, Refusal> {
    let now = DateTime::from_timestamp_millis(asked.now.0)
        .ok_or_else(|| Refusal::new(Refusal::CONFIGURATION, "the time is out of range"))?;
    let [header, payload] = parts(&asked.id_token)?;
    let algorithms = keys::algorithms(&asked.client);
    let named = header.get("alg").and_then(Value::as_str);
    if !algorithms.iter().any(|(name, _)| Some(*name) == named) {
        return Err(Refusal::new(Refusal::ALGORITHM, "the algorithm is not in the list of the client"));
    }
    let verifier = verifier(asked, now)?.set_allowed_algs(algorithms.into_iter().map(|(_, a)| a));
    let token = CoreIdToken::from_str(&asked.id_token)
        .map_err(|_| Refusal::new(Refusal::MALFORMED, "the token is not an ID token"))?;
    let kid = header.get("kid").and_then(Value::as_str);
    keys::check_key(&token, kid, &asked.keys, &verifier)?;
    let nonce = Nonce::new(asked.nonce.clone());
    let verified = token.claims(&verifier, &nonce).map_err(|error| refusal(&error, kid))?;
    let claims = Claims { client: &asked.client, payload: &payload };
    claims.check(now, SKEW)?;
    let (issued, ends) = (verified.issue_time(), verified.expiration());
    check_age(issued, now)?;
    // Both limits of the token have to hold, so the earlier one counts.
    Ok(claims.facts(instant(ends, SKEW).min(instant(issued, MAX_AGE))))
}

fn instant(at: DateTime<Utc>, later: Duration) -> overturn_core::base::instant::Instant {
    use overturn_core::base::instant::Instant;
    Instant(at.timestamp_millis()).plus(later.num_milliseconds())
}

/// The header and the payload of a token in the compact form of a JWS. All three parts must be canonical base64url.
fn parts(token: &str) -> Result<[Value; 2], Refusal> {
    let malformed = |detail| Refusal::new(Refusal::MALFORMED, detail);
    if token.len() > MAX_BYTES {
        return Err(malformed("the token is too large"));
    }
    let parts: Option<Vec<_>> = token.split('.').map(|part| BASE64URL_NOPAD.decode(part.as_bytes()).ok()).collect();
    let Some([header, payload, _]) = parts.as_deref() else {
        return Err(malformed("the token does not have three parts"));
    };
    let object = |bytes: &[u8]| match serde_json::from_slice(bytes) {
        Ok(value @ Value::Object(_)) => Ok(value),
        _ => Err(malformed("a part of the token is not a JSON object")),
    };
    Ok([object(header)?, object(payload)?])
}

fn verifier<'a>(asked: &CheckIdToken, now: DateTime<Utc>) -> Result<CoreIdTokenVerifier<'a>, Refusal> {
    let issuer = IssuerUrl::new(asked.client.issuer.clone())
        .map_err(|_| Refusal::new(Refusal::CONFIGURATION, "the issuer is not an address"))?;
    let keys = serde_json::from_value(asked.keys.clone())
        .map_err(|_| Refusal::new(Refusal::PROVIDER, "the key set is not a key set"))?;
    let id = ClientId::new(asked.client.client_id.clone());
    let before = now.checked_sub_signed(SKEW).unwrap_or(now);
    Ok(CoreIdTokenVerifier::new_public_client(id, issuer, keys).set_time_fn(move || before))
}

fn check_age(issued: DateTime<Utc>, now: DateTime<Utc>) -> Result<(), Refusal> {
    let age = now.signed_duration_since(issued);
    if age > MAX_AGE {
        return Err(Refusal::new(Refusal::EXPIRED, "the token is too old"));
    }
    if age.checked_add(&SKEW).is_none_or(|age| age < Duration::zero()) {
        return Err(Refusal::new(Refusal::NOT_YET, "the token was made in the future"));
    }
    Ok(())
}

/// The library's error as a reason. Its messages hold values of the token, so they are not repeated.
fn refusal(error: &ClaimsVerificationError, kid: Option<&str>) -> Refusal {
    use ClaimsVerificationError as E;
    let (reason, detail) = match error {
        E::Expired(_) => (Refusal::EXPIRED, "the token has ended"),
        E::InvalidAudience(_) => (Refusal::AUDIENCE, "the token is for another client"),
        E::InvalidIssuer(_) => (Refusal::ISSUER, "the token is of another issuer"),
        E::InvalidNonce(_) => (Refusal::NONCE, "the token answers another request"),
        // Without a key id, a new key looks like a wrong signature.
        E::SignatureVerification(SignatureVerificationError::CryptoError(_)) if kid.is_none() => {
            return keys::unknown();
        }
        E::SignatureVerification(SignatureVerificationError::CryptoError(_)) => {
            (Refusal::SIGNATURE, "the signature does not fit the key")
        }
        E::SignatureVerification(SignatureVerificationError::InvalidKey(_)) => (Refusal::KEY, "the key cannot be read"),
        E::SignatureVerification(_) => (Refusal::SIGNATURE, "the token cannot be verified"),
        _ => (Refusal::MALFORMED, "the header of the token is not supported"),
    };
    Refusal::new(reason, detail)
}
