//! The discovery document of a provider.

use openidconnect::core::CoreProviderMetadata;
use openidconnect::url::{Host, Url};
use overturn_core::identity::oidc::{DescribeOidc, OidcClient, OidcDescription, SecretIn};
use overturn_core::identity::{Refusal, Verdict};
use serde_json::Value;

pub(crate) fn describe(asked: &DescribeOidc) -> Verdict<OidcDescription> {
    description(asked).into()
}

fn description(asked: &DescribeOidc) -> Result<OidcDescription, Refusal> {
    checked(&asked.client, &asked.discovery)?;
    let text = |name| asked.discovery.get(name).and_then(Value::as_str);
    Ok(OidcDescription {
        token_endpoint: text("token_endpoint").unwrap_or_default().to_owned(),
        jwks_uri: text("jwks_uri").unwrap_or_default().to_owned(),
        secret_in: secret_in(&asked.discovery)?,
        names_issuer: asked
            .discovery
            .get("authorization_response_iss_parameter_supported")
            .and_then(Value::as_bool)
            .unwrap_or_default(),
    })
}

/// The provider's metadata, if it describes a provider that this service can trust.
pub(super) fn checked(client: &OidcClient, document: &Value) -> Result<CoreProviderMetadata, Refusal> {
    let unfit = |detail| Refusal::new(Refusal::PROVIDER, detail);
    if document.get("issuer").and_then(Value::as_str) != Some(&client.issuer) {
        return Err(Refusal::new(Refusal::ISSUER, "the document names another issuer"));
    }
    for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
        let address = document.get(name).and_then(Value::as_str);
        if !address.is_some_and(|address| is_safe(address, client.local)) {
            return Err(Refusal::new(Refusal::PROVIDER, format_args!("{name} is not an address with https")));
        }
    }
    if !lists(document, "response_types_supported", "code") {
        return Err(unfit("there is no response type code"));
    }
    if document.get("code_challenge_methods_supported").is_some()
        && !lists(document, "code_challenge_methods_supported", "S256")
    {
        return Err(unfit("there is no code challenge method S256"));
    }
    secret_in(document)?;
    serde_json::from_value(document.clone()).map_err(|_| unfit("the document is not a description of a provider"))
}

/// OpenID Connect Discovery 1.0: without a list, a provider supports `client_secret_basic`.
fn secret_in(document: &Value) -> Result<SecretIn, Refusal> {
    let methods = "token_endpoint_auth_methods_supported";
    if document.get(methods).is_none() || lists(document, methods, "client_secret_basic") {
        Ok(SecretIn::Header)
    } else if lists(document, methods, "client_secret_post") {
        Ok(SecretIn::Body)
    } else {
        Err(Refusal::new(Refusal::PROVIDER, "there is no method for a client with a secret"))
    }
}

fn lists(document: &Value, name: &str, value: &str) -> bool {
    let values = document.get(name).and_then(Value::as_array);
    values.is_some_and(|values| values.iter().any(|one| one.as_str() == Some(value)))
}

/// Whether an address has `https`, or in development `http` on this machine.
fn is_safe(address: &str, local: bool) -> bool {
    Url::parse(address).is_ok_and(|url| {
        let this_machine = match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            None => false,
        };
        let secure = url.scheme() == "https" || (local && url.scheme() == "http" && this_machine);
        secure && url.username().is_empty() && url.password().is_none() && url.fragment().is_none()
    })
}
