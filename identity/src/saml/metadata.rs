//! The service's own metadata, for the administrator of an identity provider.

use super::keys::{own_certificate, unusable_key};
use super::names::{CIPHERS, DSIG, KEY_TRANSPORTS, METADATA, POST, PROTOCOL};
use super::reasons::{Step, require};
use super::tree::escaped;
use overturn_core::identity::saml::{DescribeService, ServiceMetadata};

/// The metadata: the entity id, the address that responses are posted to, and all certificates, so that a provider
/// knows the next key before the service uses it.
pub(super) fn metadata(asked: &DescribeService) -> Step<ServiceMetadata> {
    let unusable = unusable_key();
    require(!asked.sp.keys.is_empty(), unusable.reason, unusable.detail)?;
    let mut signing = String::new();
    let mut encryption = String::new();
    for key in &asked.sp.keys {
        let certificate = own_certificate(key)?;
        signing.push_str(&descriptor("signing", &certificate, &[]));
        encryption.push_str(&descriptor("encryption", &certificate, &[CIPHERS, KEY_TRANSPORTS]));
    }
    let xml = format!(
        concat!(
            r#"<?xml version="1.0" encoding="UTF-8"?>"#,
            r#"<md:EntityDescriptor xmlns:md="{metadata}" xmlns:ds="{dsig}" entityID="{id}">"#,
            r#"<md:SPSSODescriptor protocolSupportEnumeration="{protocol}" AuthnRequestsSigned="true""#,
            r#" WantAssertionsSigned="true">{signing}{encryption}<md:AssertionConsumerService"#,
            r#" Binding="{post}" Location="{acs}" index="0" isDefault="true"/>"#,
            r#"</md:SPSSODescriptor></md:EntityDescriptor>"#,
        ),
        metadata = METADATA,
        dsig = DSIG,
        id = escaped(&asked.sp.entity_id),
        protocol = PROTOCOL,
        signing = signing,
        encryption = encryption,
        post = POST,
        acs = escaped(&asked.sp.acs),
    );
    Ok(ServiceMetadata { xml })
}

fn descriptor(purpose: &str, certificate: &str, methods: &[&[&str]]) -> String {
    let methods: String = methods
        .iter()
        .flat_map(|list| list.iter())
        .map(|method| format!(r#"<md:EncryptionMethod Algorithm="{method}"/>"#))
        .collect();
    format!(
        concat!(
            r#"<md:KeyDescriptor use="{}"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>{}"#,
            r#"</ds:X509Certificate></ds:X509Data></ds:KeyInfo>{}</md:KeyDescriptor>"#,
        ),
        purpose, certificate, methods,
    )
}
