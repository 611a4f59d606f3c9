//! Signatures that do not count: missing, weak, of others, or over something else.

use super::kit::{
    ASSERTION, ATTACKER, CURVE, ENVELOPED, EXCLUSIVE, How, NEXT, PROVIDER, body, changed, key, metadata, question,
    reason, response, signed, transform, why,
};
use crate::saml::check;
use bergshamra::keys::loader::load_hmac_key;
use data_encoding::BASE64;

/// Why the usual assertion is refused when it is signed in this way.
fn signed_as(how: &How) -> String {
    reason(&response(&how.sign(ASSERTION)))
}

fn usual() -> How {
    How::usual("_a1")
}

#[test]
fn an_unsigned_assertion_is_refused() {
    assert_eq!(reason(&response(ASSERTION)), "not_signed");
}

#[test]
fn a_signed_response_around_an_unsigned_assertion_is_refused() {
    let document = How::usual("_r1").sign(&response(ASSERTION));
    assert_eq!(reason(&document), "not_signed");
}

#[test]
fn a_response_with_a_signature_that_does_not_match_is_refused() {
    let document = How::usual("_r1").sign(&response(&signed()));
    let other = changed(&document, r#"IssueInstant="2026-12-01T12:00:00Z""#, r#"IssueInstant="2026-12-01T12:00:01Z""#);
    assert_eq!(reason(&other), "signature");
    let attacker = How { pair: ATTACKER, ..How::usual("_r1") };
    assert_eq!(reason(&attacker.sign(&response(&signed()))), "unknown_certificate");
}

#[test]
fn a_signed_response_around_an_assertion_of_an_attacker_is_refused() {
    let attacker = How { pair: ATTACKER, ..usual() };
    let document = How::usual("_r1").sign(&response(&attacker.sign(ASSERTION)));
    assert_eq!(reason(&document), "unknown_certificate");
}

#[test]
fn changed_values_are_refused() {
    for (from, to) in [
        ("u-4711", "u-1"),
        ("ana@clinic.example", "eve@clinic.example"),
        ("PasswordProtectedTransport", "X509"),
        ("2026-12-01T12:10:00Z", "2027-12-01T12:10:00Z"),
    ] {
        assert_eq!(reason(&changed(&response(&signed()), from, to)), "signature", "{from}");
    }
}

#[test]
fn a_certificate_of_the_attacker_is_refused() {
    let attacker = How { pair: ATTACKER, ..usual() };
    assert_eq!(signed_as(&attacker), "unknown_certificate");
    // The attacker's signature with the provider's certificate.
    let document = attacker.sign(ASSERTION);
    let named = document.replace(&body(ATTACKER.1), &body(PROVIDER.1));
    assert_eq!(reason(&response(&named)), "signature");
    // And without any certificate, or with a bare key.
    let (before, rest) = document.split_once("<ds:X509Data>").unwrap();
    let (_, after) = rest.split_once("</ds:X509Data>").unwrap();
    for inside in [
        "",
        "<ds:KeyName>provider</ds:KeyName>",
        "<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>AQAB</ds:Modulus><ds:Exponent>AQAB</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>",
        "<ds:RetrievalMethod URI='https://evil.example/key'/>",
    ] {
        assert_eq!(reason(&response(&format!("{before}{inside}{after}"))), "signature", "{inside}");
    }
}

#[test]
fn a_certificate_that_left_the_metadata_is_refused() {
    let mut asked = question(&response(&signed()));
    asked.metadata = metadata(&[NEXT.1]);
    assert_eq!(why(&check(&asked)), "unknown_certificate");
}

#[test]
fn sha1_is_refused() {
    let signature = How { algorithm: "http://www.w3.org/2000/09/xmldsig#rsa-sha1".into(), ..usual() };
    assert_eq!(signed_as(&signature), "signature_algorithm");
    let digest = How { digest: "http://www.w3.org/2000/09/xmldsig#sha1".into(), ..usual() };
    assert_eq!(signed_as(&digest), "digest_algorithm");
}

#[test]
fn sha1_in_the_signature_of_the_response_is_refused() {
    let how = How { algorithm: "http://www.w3.org/2000/09/xmldsig#rsa-sha1".into(), ..How::usual("_r1") };
    assert_eq!(reason(&how.sign(&response(&signed()))), "signature_algorithm");
}

#[test]
fn hmac_with_the_certificate_as_the_key_is_refused() {
    let der = BASE64.decode(body(PROVIDER.1).as_bytes()).unwrap();
    for secret in [PROVIDER.1.as_bytes(), body(PROVIDER.1).as_bytes(), &der] {
        let how = How {
            algorithm: "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256".into(),
            key: Some(load_hmac_key(secret).unwrap()),
            ..usual()
        };
        assert_eq!(signed_as(&how), "signature_algorithm");
    }
}

#[test]
fn other_algorithms_are_refused() {
    let document = response(&signed());
    let rsa = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
    for other in [
        "",
        "none",
        "rsa-sha256",
        "http://www.w3.org/2001/04/xmldsig-more#rsa-sha224",
        "http://www.w3.org/2001/04/xmldsig-more#rsa-md5",
        "http://www.w3.org/2000/09/xmldsig#dsa-sha1",
    ] {
        assert_eq!(reason(&changed(&document, rsa, other)), "signature_algorithm", "{other}");
    }
    let sha256 = "http://www.w3.org/2001/04/xmlenc#sha256";
    for other in ["", "http://www.w3.org/2001/04/xmldsig-more#md5", "http://www.w3.org/2001/04/xmldsig-more#sha224"] {
        assert_eq!(reason(&changed(&document, sha256, other)), "digest_algorithm", "{other}");
    }
}

#[test]
fn an_rsa_signature_does_not_become_an_ecdsa_one() {
    let ecdsa = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256";
    let rsa = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
    assert_eq!(reason(&changed(&response(&signed()), rsa, ecdsa)), "signature");
    let curve = How { pair: CURVE, algorithm: ecdsa.into(), ..usual() };
    let document = curve.sign(ASSERTION).replace(&body(CURVE.1), &body(PROVIDER.1));
    assert_eq!(reason(&response(&document)), "signature");
    assert!(key(CURVE).has_private_key());
}

#[test]
fn other_canonicalizations_are_refused() {
    for other in [
        "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
        "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
        "http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments",
        "http://www.w3.org/2006/12/xml-c14n11",
    ] {
        let how = How { canonicalization: other.into(), ..usual() };
        assert_eq!(signed_as(&how), "canonicalization", "{other}");
        let how = How { transforms: transform(ENVELOPED) + &transform(other), ..usual() };
        assert_eq!(signed_as(&how), "transform", "{other}");
    }
}

#[test]
fn xslt_and_xpath_are_refused() {
    let document = response(&signed());
    let exclusive = transform(EXCLUSIVE);
    for other in [
        concat!(
            r#"<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116">"#,
            r#"<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform" version="1.0">"#,
            r#"<xsl:template match="/"><a/></xsl:template></xsl:stylesheet></ds:Transform>"#,
        ),
        r#"<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>1=1</ds:XPath></ds:Transform>"#,
        concat!(
            r#"<ds:Transform Algorithm="http://www.w3.org/2002/06/xmldsig-filter2">"#,
            r#"<f:XPath xmlns:f="http://www.w3.org/2002/06/xmldsig-filter2" Filter="subtract">//*</f:XPath></ds:Transform>"#,
        ),
        r#"<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#base64"/>"#,
        r#"<e:Transform xmlns:e="urn:e" Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>"#,
    ] {
        for both in [other.to_owned(), format!("{other}{exclusive}"), format!("{exclusive}{other}")] {
            assert_eq!(reason(&changed(&document, &exclusive, &both)), "transform", "{both}");
        }
    }
}

#[test]
fn a_signature_with_an_xpath_transform_that_matches_is_refused() {
    // The transform leaves the subject out of what is signed, so the attacker may change the subject.
    let how = How {
        transforms: transform(ENVELOPED)
            + concat!(
                r#"<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116">"#,
                r#"<ds:XPath xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">not(ancestor-or-self::saml:Subject)</ds:XPath></ds:Transform>"#,
            )
            + &transform(EXCLUSIVE),
        ..usual()
    };
    let document = changed(&response(&how.sign(ASSERTION)), "u-4711", "u-1");
    assert_eq!(reason(&document), "transform");
}

#[test]
fn both_transforms_are_needed_in_order() {
    for transforms in [
        transform(ENVELOPED),
        transform(EXCLUSIVE),
        transform(EXCLUSIVE) + &transform(ENVELOPED),
        transform(ENVELOPED) + &transform(EXCLUSIVE) + &transform(EXCLUSIVE),
    ] {
        let document = changed(&response(&signed()), &(transform(ENVELOPED) + &transform(EXCLUSIVE)), &transforms);
        assert_eq!(reason(&document), "transform");
    }
}

#[test]
fn a_reference_to_something_else_is_refused() {
    let document = response(&signed());
    for uri in [
        "",
        "#",
        "#_r1",
        "#_a2",
        "#xpointer(/)",
        "#xpointer(id('_a1'))",
        "_a1",
        "https://evil.example/a.xml",
        "cid:a",
        "file:///etc/passwd",
    ] {
        let other = changed(&document, r##"URI="#_a1""##, &format!(r#"URI="{uri}""#));
        assert_eq!(reason(&other), "wrapping", "{uri}");
    }
    assert_eq!(reason(&changed(&document, r##" URI="#_a1""##, "")), "wrapping");
}

#[test]
fn two_references_and_other_parts_are_refused() {
    let document = response(&signed());
    let (_, rest) = document.split_once("<ds:Reference ").unwrap();
    let (reference, _) = rest.split_once("</ds:Reference>").unwrap();
    let reference = format!("<ds:Reference {reference}</ds:Reference>");
    let twice = changed(&document, &reference, &format!("{reference}{reference}"));
    assert_eq!(reason(&twice), "signature_form");
    assert_eq!(reason(&changed(&document, &reference, "")), "signature_form");
    let object = changed(&document, "</ds:Signature>", "<ds:Object/></ds:Signature>");
    assert_eq!(reason(&object), "signature_form");
    let text = changed(&document, "<ds:SignedInfo>", "text<ds:SignedInfo>");
    assert_eq!(reason(&text), "signature_form");
}

#[test]
fn values_that_are_no_signature_are_refused() {
    let document = response(&signed());
    let (before, rest) = document.split_once("<ds:SignatureValue>").unwrap();
    let (_, after) = rest.split_once("</ds:SignatureValue>").unwrap();
    for value in ["", "AAAA", "not base64", &"A".repeat(10_000), "<ds:a/>"] {
        let other = format!("{before}<ds:SignatureValue>{value}</ds:SignatureValue>{after}");
        assert_eq!(reason(&other), "signature", "{value}");
    }
}
