//! Requests and the service's metadata.

use super::kit::{ACS, IDP, LATER, NOW, PROVIDER, SERVICE, SIGN_IN, SP, body, describe, metadata, now, service, why};
use crate::saml::guard::{Remarks, read};
use crate::saml::names::{ASSERTION, DSIG, METADATA, PROTOCOL};
use crate::saml::reasons::{STRUCTURE, refused};
use crate::saml::{begin, metadata as own_metadata};
use overturn_core::identity::Verdict;
use overturn_core::identity::saml::{BeginSaml, BegunSaml, DescribeService};
use saml_rs::binding::{base64_decode, deflate_raw_decode};
use saml_rs::crypto::verify_message_signature;
use url::Url;

fn question() -> BeginSaml {
    BeginSaml { sp: service(), metadata: metadata(&[PROVIDER.1]), relay_state: "state & more".into(), now: now() }
}

fn begun(asked: &BeginSaml) -> BegunSaml {
    match begin(asked) {
        Verdict::Accepted(begun) => begun,
        Verdict::Refused(refusal) => panic!("{refusal:?}"),
    }
}

#[test]
fn a_request_is_signed_and_says_where_the_answer_goes() {
    let begun = begun(&question());
    let url = Url::parse(&begun.url).unwrap();
    assert!(begun.url.starts_with(&format!("{SIGN_IN}?SAMLRequest=")));
    let value = |name: &str| {
        let mut pairs = url.query_pairs().filter(|(key, _)| key == name);
        let (_, value) = pairs.next().unwrap();
        assert!(pairs.next().is_none());
        value.into_owned()
    };
    assert_eq!(value("RelayState"), "state & more");
    assert_eq!(value("SigAlg"), "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256");

    let (octets, _) = url.query().unwrap().split_once("&Signature=").unwrap();
    let verify = |pem| verify_message_signature(octets, &value("Signature"), pem, &value("SigAlg"));
    assert!(verify(SERVICE.1).unwrap());
    assert!(!verify(LATER.1).unwrap());

    let xml = deflate_raw_decode(&base64_decode(&value("SAMLRequest")).unwrap()).unwrap();
    let request = read(std::str::from_utf8(&xml).unwrap(), Remarks::Refuse).unwrap();
    assert!(request.is(PROTOCOL, "AuthnRequest"));
    assert_eq!(request.attribute("ID"), Some(begun.request_id.as_str()));
    assert_eq!(request.attribute("IssueInstant"), Some(NOW.replace('Z', ".000Z").as_str()));
    assert_eq!(request.attribute("Destination"), Some(SIGN_IN));
    assert_eq!(request.attribute("AssertionConsumerServiceURL"), Some(ACS));
    let other = refused(STRUCTURE, "");
    let issuer = request.only(ASSERTION, "Issuer", other).unwrap();
    assert_eq!(issuer.text(other).unwrap(), SP);
    assert!(request.only(PROTOCOL, "NameIDPolicy", other).is_ok());
}

#[test]
fn request_ids_differ() {
    let [a, b] = [begun(&question()), begun(&question())].map(|begun| begun.request_id);
    assert_ne!(a, b);
    assert_eq!(a.len(), 33);
}

#[test]
fn an_address_with_a_query_keeps_it() {
    let mut asked = question();
    asked.metadata = asked.metadata.replace(SIGN_IN, "https://idp.example.org/sso?app=1&amp;b=2");
    let begun = begun(&asked);
    assert!(begun.url.starts_with("https://idp.example.org/sso?app=1&b=2&SAMLRequest="));
}

#[test]
fn a_key_that_cannot_be_used_refuses() {
    let mut asked = question();
    asked.sp.keys[0].key = "no key".into();
    assert_eq!(why(&begin(&asked)), "service_key");
    asked.sp.keys.clear();
    assert_eq!(why(&begin(&asked)), "service_key");
}

#[test]
fn the_services_metadata_has_all_keys() {
    let asked = DescribeService { sp: service() };
    let Verdict::Accepted(answer) = own_metadata(&asked) else {
        panic!("refused");
    };
    let root = read(&answer.xml, Remarks::Refuse).unwrap();
    assert_eq!(root.attribute("entityID"), Some(SP));
    let other = refused(STRUCTURE, "");
    let role = root.only(METADATA, "SPSSODescriptor", other).unwrap();
    assert_eq!(role.attribute("AuthnRequestsSigned"), Some("true"));
    assert_eq!(role.attribute("WantAssertionsSigned"), Some("true"));
    let acs = role.only(METADATA, "AssertionConsumerService", other).unwrap();
    assert_eq!(acs.attribute("Location"), Some(ACS));
    let mut found = Vec::new();
    role.walk(&mut |element| {
        if element.is(DSIG, "X509Certificate") {
            found.push(element.text(other)?);
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(found, [SERVICE, LATER, SERVICE, LATER].map(|pair| body(pair.1)));
    // It is the metadata of a service, not of a provider.
    assert_eq!(why(&describe(&answer.xml)), "no_provider");
    assert_ne!(IDP, SP);
}

#[test]
fn the_services_metadata_needs_a_key() {
    let mut asked = DescribeService { sp: service() };
    asked.sp.keys[1].certificate = "no certificate".into();
    assert_eq!(why(&own_metadata(&asked)), "service_key");
    asked.sp.keys.clear();
    assert_eq!(why(&own_metadata(&asked)), "service_key");
}
