//! The signed request that begins a sign-in.

use super::keys::{random_id, unusable_key};
use super::names::{ASSERTION, FORMAT_UNSPECIFIED, POST, PROTOCOL, RSA_SHA256};
use super::provider::Provider;
use super::reasons::Step;
use super::tree::escaped;
use overturn_core::base::time::Time;
use overturn_core::identity::saml::{BeginSaml, BegunSaml};
use saml_rs::binding::{append_signature, build_redirect_octet};
use saml_rs::constants::ParserType;
use saml_rs::crypto::construct_message_signature;
use saml_rs::crypto::keys::load_private_key;

/// Begins a sign-in over HTTP-Redirect, signed with RSA-SHA256.
///
/// The request does not ask for a format of the NameID: many providers refuse a format that they are not configured
/// for. The library's own requests have the time of the host, so this module writes the request itself.
pub(super) fn begin(asked: &BeginSaml) -> Step<BegunSaml> {
    let provider = Provider::read(&asked.metadata, asked.now)?;
    let request_id = random_id()?;
    let xml = format!(
        concat!(
            r#"<samlp:AuthnRequest xmlns:samlp="{protocol}" xmlns:saml="{assertion}" ID="{id}" Version="2.0""#,
            r#" IssueInstant="{now}" Destination="{destination}" ProtocolBinding="{post}""#,
            r#" AssertionConsumerServiceURL="{acs}"><saml:Issuer>{issuer}</saml:Issuer>"#,
            r#"<samlp:NameIDPolicy Format="{format}" AllowCreate="true"/></samlp:AuthnRequest>"#,
        ),
        protocol = PROTOCOL,
        assertion = ASSERTION,
        id = request_id,
        now = Time(asked.now),
        destination = escaped(&provider.sign_in_url),
        post = POST,
        acs = escaped(&asked.sp.acs),
        issuer = escaped(&asked.sp.entity_id),
        format = FORMAT_UNSPECIFIED,
    );
    let key = asked.sp.keys.first().ok_or(unusable_key())?;
    let key = load_private_key(&key.key, None).map_err(|_| unusable_key())?;
    let relay_state = Some(asked.relay_state.as_str()).filter(|state| !state.is_empty());
    let octets =
        build_redirect_octet(ParserType::SamlRequest, &xml, relay_state, RSA_SHA256).map_err(|_| unusable_key())?;
    let signature = construct_message_signature(&octets, &key, RSA_SHA256).map_err(|_| unusable_key())?;
    Ok(BegunSaml { url: append_signature(&provider.sign_in_url, &octets, &signature), request_id })
}
