//! Metadata of identity providers.

use super::kit::{CURVE, ENDED, IDP, NEXT, PROVIDER, SIGN_IN, WEAK, changed, describe, metadata, now, why};
use overturn_core::identity::Verdict;
use overturn_core::identity::saml::{DescribeProvider, ProviderDescription};
use proptest::prelude::*;

fn described(metadata: &str) -> ProviderDescription {
    match describe(metadata) {
        Verdict::Accepted(description) => description,
        Verdict::Refused(refusal) => panic!("{refusal:?}"),
    }
}

fn reason(metadata: &str) -> String {
    why(&describe(metadata))
}

fn usual() -> String {
    metadata(&[PROVIDER.1])
}

#[test]
fn metadata_has_an_address_and_certificates() {
    let description = described(&metadata(&[PROVIDER.1, NEXT.1]));
    assert_eq!(description.entity_id, IDP);
    assert_eq!(description.sign_in_url, SIGN_IN);
    let [first, second] = &description.certificates[..] else {
        panic!("{description:?}");
    };
    // `openssl x509 -noout -fingerprint -sha256 -enddate`
    assert_eq!(first.sha256, "2203b02fa8c7bb7c72ef81432b0aaf233b511d49bf4516d31032ca5bc5546d92");
    assert_eq!(first.expires_at.0, 4_948_959_747_000);
    assert_ne!(first.sha256, second.sha256);
}

#[test]
fn the_same_certificate_counts_once() {
    assert_eq!(described(&metadata(&[PROVIDER.1, PROVIDER.1])).certificates.len(), 1);
}

#[test]
fn certificates_for_encryption_do_not_sign() {
    let metadata = metadata(&[PROVIDER.1, NEXT.1]);
    let one = changed(&metadata, r#"use="signing""#, r#"use="encryption""#);
    assert_eq!(described(&one).certificates.len(), 1);
    let any = changed(&metadata, r#" use="signing""#, "");
    assert_eq!(described(&any).certificates.len(), 2);
}

#[test]
fn ended_certificates_do_not_count() {
    let two = described(&metadata(&[ENDED, NEXT.1]));
    assert_eq!(two.certificates.len(), 1);
    assert_eq!(reason(&metadata(&[ENDED])), "certificate_expired");
    // The same certificate before it ended.
    let asked = DescribeProvider { local: false, metadata: metadata(&[ENDED]), now: now().plus(-10 * 86_400_000) };
    assert!(matches!(crate::saml::describe(&asked), Verdict::Accepted(_)));
}

#[test]
fn weak_and_unreadable_keys_are_refused() {
    assert_eq!(reason(&metadata(&[WEAK.1])), "weak_key");
    assert_eq!(reason(&metadata(&[PROVIDER.1, WEAK.1])), "weak_key");
    assert_eq!(described(&metadata(&[CURVE.1])).certificates.len(), 1);
    assert_eq!(reason(&metadata(&[])), "certificate");
    assert_eq!(reason(&metadata(&["AAAA"])), "certificate");
    assert_eq!(reason(&metadata(&["not base64"])), "certificate");
}

#[test]
fn the_address_is_https() {
    for (address, expected) in [
        ("http://idp.example.org/sso", Some("endpoint")),
        ("http://localhost:7000/sso", None),
        ("http://127.0.0.1/sso", None),
        ("http://[::1]:7000/sso", None),
        ("http://localhost.example.org/sso", Some("endpoint")),
        ("https://user@idp.example.org/sso", Some("endpoint")),
        ("https://idp.example.org/sso#part", Some("endpoint")),
        ("javascript:alert(1)", Some("endpoint")),
        ("/sso", Some("endpoint")),
    ] {
        let document = usual().replace(SIGN_IN, address);
        match expected {
            None => {
                assert_eq!(described(&document).sign_in_url, address);
                let asked = DescribeProvider { local: false, metadata: document, now: now() };
                let refused = crate::saml::describe(&asked);
                assert!(
                    matches!(&refused, Verdict::Refused(refusal) if refusal.reason == "endpoint"),
                    "{address}: {refused:?}"
                );
            }
            Some(expected) => assert_eq!(reason(&document), expected, "{address}"),
        }
    }
}

#[test]
fn an_address_for_http_redirect_is_needed() {
    let document = usual().replace("bindings:HTTP-Redirect", "bindings:SOAP");
    assert_eq!(reason(&document), "no_redirect_endpoint");
}

#[test]
fn one_provider_is_needed() {
    let document = usual();
    let (_, entity) = document.split_once("<!-- a remark -->").unwrap();
    let group = |inside: &str| {
        format!(
            r#"<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">{inside}</md:EntitiesDescriptor>"#
        )
    };
    assert_eq!(described(&group(&group(entity))).entity_id, IDP);
    assert_eq!(reason(&group(&format!("{entity}{entity}"))), "several_providers");
    assert_eq!(reason(&group("")), "no_provider");
    let service = entity.replace("IDPSSODescriptor", "SPSSODescriptor");
    assert_eq!(reason(&service), "no_provider");
    assert_eq!(described(&group(&format!("{service}{entity}"))).entity_id, IDP);
    let saml1 = entity.replace("SAML:2.0:protocol", "SAML:1.1:protocol");
    assert_eq!(reason(&saml1), "no_provider");
}

#[test]
fn an_entity_id_is_needed() {
    assert_eq!(reason(&usual().replace(IDP, "")), "entity_id");
    assert_eq!(reason(&usual().replace(IDP, &"x".repeat(1025))), "entity_id");
}

#[test]
fn a_doctype_is_refused() {
    let document = usual().replace("<!-- a remark -->", "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>");
    assert_eq!(reason(&document), "doctype");
}

#[test]
fn large_metadata_is_refused() {
    let document = usual().replace("a remark", &"x".repeat(256 * 1024));
    assert_eq!(reason(&document), "too_large");
}

#[test]
fn other_text_is_refused() {
    for text in ["", "metadata", "{}", "<html></html>", "<a>", "<a></b>"] {
        assert!(["xml", "no_provider"].contains(&reason(text).as_str()), "{text}");
    }
}

proptest! {
    #[test]
    fn changed_metadata_does_not_panic(
        place: prop::sample::Index,
        length in 0_usize..200,
        with in "[ -~]{0,8}",
    ) {
        let mut bytes = metadata(&[PROVIDER.1, CURVE.1]).into_bytes();
        let from = place.index(bytes.len());
        let to = bytes.len().min(from.saturating_add(length));
        bytes.splice(from..to, with.bytes());
        if let Verdict::Accepted(description) = describe(&String::from_utf8_lossy(&bytes)) {
            prop_assert!(description.sign_in_url.starts_with("https://"));
            prop_assert!(!description.certificates.is_empty());
        }
    }
}
