//! Responses in the shapes of well-known providers, and responses that another implementation signed.

use super::kit::{ACS, ENVELOPED, EXCLUSIVE, How, IDP, NAME_ID, REQUEST, SP, accepted, body};
use overturn_core::identity::saml::SamlClaims;

/// Fills in what all shapes have.
fn filled(shape: &str, how: &How) -> String {
    shape
        .replace("SIGNATURE", &how.template())
        .replace("IDP", IDP)
        .replace("ACS", ACS)
        .replace("AUDIENCE", SP)
        .replace("REQUEST", REQUEST)
        .replace("NAMEID", NAME_ID)
}

/// A template in the default namespace, as .NET writes it.
fn unprefixed(how: &How) -> How {
    How { transforms: how.transforms.replace("ds:", ""), ..how.clone() }
}

fn check(claims: &SamlClaims) {
    assert_eq!(claims.subject, NAME_ID);
    assert_eq!(claims.email.as_deref(), Some("ana@clinic.example"));
    assert_eq!(claims.name.as_deref(), Some("Ana Ruiz"));
    assert_eq!(claims.contexts.len(), 1);
}

/// Microsoft Entra: default namespaces, and attributes before the statement of the sign-in.
#[test]
fn entra() {
    let shape = concat!(
        r#"<samlp:Response ID="_r1" Version="2.0" IssueInstant="2026-12-01T12:00:00.123Z" Destination="ACS" InResponseTo="REQUEST""#,
        r#" xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><Issuer xmlns="urn:oasis:names:tc:SAML:2.0:assertion">IDP</Issuer>"#,
        r#"<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>"#,
        r#"<Assertion ID="_a1" IssueInstant="2026-12-01T12:00:00.1234567Z" Version="2.0" xmlns="urn:oasis:names:tc:SAML:2.0:assertion">"#,
        r#"<Issuer>IDP</Issuer>SIGNATURE<Subject>"#,
        r#"<NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">NAMEID</NameID>"#,
        r#"<SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><SubjectConfirmationData InResponseTo="REQUEST""#,
        r#" NotOnOrAfter="2026-12-01T13:00:00.120Z" Recipient="ACS"/></SubjectConfirmation></Subject>"#,
        r#"<Conditions NotBefore="2026-12-01T11:55:00.120Z" NotOnOrAfter="2026-12-01T13:00:00.120Z"><AudienceRestriction>"#,
        r#"<Audience>AUDIENCE</Audience></AudienceRestriction></Conditions><AttributeStatement>"#,
        r#"<Attribute Name="http://schemas.microsoft.com/identity/claims/tenantid"><AttributeValue>t-1</AttributeValue></Attribute>"#,
        r#"<Attribute Name="http://schemas.microsoft.com/identity/claims/displayname"><AttributeValue>Ana Ruiz</AttributeValue></Attribute>"#,
        r#"<Attribute Name="http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress"><AttributeValue>ana@clinic.example</AttributeValue></Attribute>"#,
        r#"<Attribute Name="http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name"><AttributeValue>ana@corp.example</AttributeValue></Attribute>"#,
        r#"</AttributeStatement><AuthnStatement AuthnInstant="2026-12-01T11:50:00.000Z" SessionIndex="_a1"><AuthnContext>"#,
        r#"<AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</AuthnContextClassRef></AuthnContext></AuthnStatement>"#,
        r#"</Assertion></samlp:Response>"#,
    );
    let how = unprefixed(&How::usual("_a1"));
    let template = how.template().replace("ds:", "").replace("xmlns:ds", "xmlns");
    assert!(template.contains(r#"<Signature xmlns="http://www.w3.org/2000/09/xmldsig#">"#));
    let document = filled(&shape.replace("SIGNATURE", &template), &how);
    check(&accepted(&how.finish(&document)));
}

/// Okta and other providers with OpenSAML: both are signed, prefixes are kept, and values have types.
#[test]
fn okta() {
    let shape = concat!(
        r#"<saml2:Assertion ID="_a1" IssueInstant="2026-12-01T12:00:00.123Z" Version="2.0" xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion""#,
        r#" xmlns:xs="http://www.w3.org/2001/XMLSchema"><saml2:Issuer Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity">IDP</saml2:Issuer>"#,
        r#"SIGNATURE<saml2:Subject><saml2:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified">NAMEID</saml2:NameID>"#,
        r#"<saml2:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml2:SubjectConfirmationData InResponseTo="REQUEST""#,
        r#" NotOnOrAfter="2026-12-01T12:05:00.123Z" Recipient="ACS"/></saml2:SubjectConfirmation></saml2:Subject>"#,
        r#"<saml2:Conditions NotBefore="2026-12-01T11:55:00.123Z" NotOnOrAfter="2026-12-01T12:05:00.123Z"><saml2:AudienceRestriction>"#,
        r#"<saml2:Audience>AUDIENCE</saml2:Audience></saml2:AudienceRestriction></saml2:Conditions>"#,
        r#"<saml2:AuthnStatement AuthnInstant="2026-12-01T12:00:00.123Z" SessionIndex="REQUEST"><saml2:AuthnContext>"#,
        r#"<saml2:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml2:AuthnContextClassRef>"#,
        r#"</saml2:AuthnContext></saml2:AuthnStatement><saml2:AttributeStatement>"#,
        r#"<saml2:Attribute Name="firstName" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified">"#,
        r#"<saml2:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">Ana</saml2:AttributeValue></saml2:Attribute>"#,
        r#"<saml2:Attribute Name="lastName"><saml2:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">Ruiz"#,
        r#"</saml2:AttributeValue></saml2:Attribute><saml2:Attribute Name="email"><saml2:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#,
        r#" xsi:type="xs:string">ana@clinic.example</saml2:AttributeValue></saml2:Attribute></saml2:AttributeStatement></saml2:Assertion>"#,
    );
    let around = concat!(
        r#"<?xml version="1.0" encoding="UTF-8"?><saml2p:Response Destination="ACS" ID="_r1" InResponseTo="REQUEST" IssueInstant="2026-12-01T12:00:00.123Z""#,
        r#" Version="2.0" xmlns:saml2p="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:xs="http://www.w3.org/2001/XMLSchema">"#,
        r#"<saml2:Issuer Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity" xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion">IDP</saml2:Issuer>"#,
        r#"SIGNATURE<saml2p:Status xmlns:saml2p="urn:oasis:names:tc:SAML:2.0:protocol"><saml2p:StatusCode"#,
        r#" Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></saml2p:Status>INSIDE</saml2p:Response>"#,
    );
    let kept = |id: &str| How {
        transforms: format!(
            concat!(
                r#"<ds:Transform Algorithm="{}"/><ds:Transform Algorithm="{e}">"#,
                r#"<ec:InclusiveNamespaces PrefixList="xs" xmlns:ec="{e}"/></ds:Transform>"#,
            ),
            ENVELOPED,
            e = EXCLUSIVE
        ),
        ..How::usual(id)
    };
    let inside = kept("_a1").finish(&filled(shape, &kept("_a1")));
    let whole = filled(around, &kept("_r1")).replace("INSIDE", &inside);
    check(&accepted(&kept("_r1").finish(&whole)));
}

/// Keycloak: the key is named in three ways.
#[test]
fn keycloak() {
    let how = How::usual("_a1");
    let info = concat!(
        "<ds:KeyInfo><ds:KeyName>FJ86GcF3jTbNLOco4NvZkUCIUmfYCqoqtOQeMfbhNlE</ds:KeyName><ds:X509Data><ds:X509Certificate>CERTIFICATE",
        "</ds:X509Certificate></ds:X509Data><ds:KeyValue><ds:RSAKeyValue><ds:Modulus>AQAB</ds:Modulus><ds:Exponent>AQAB</ds:Exponent>",
        "</ds:RSAKeyValue></ds:KeyValue></ds:KeyInfo>",
    )
    .replace("CERTIFICATE", &body(how.pair.1));
    let signed = how.sign(super::kit::ASSERTION);
    let (before, rest) = signed.split_once("<ds:KeyInfo>").unwrap();
    let (_, after) = rest.split_once("</ds:KeyInfo>").unwrap();
    let document = super::kit::response(&format!("{before}{info}{after}"));
    assert_eq!(accepted(&document).subject, NAME_ID);
}

/// Signed with libxml2's canonicalization (signxml for Python), so that an error of the library that signs in the other
/// tests does not hide itself.
#[test]
fn another_implementation() {
    for document in [
        include_str!("fixtures/signxml.xml"),
        include_str!("fixtures/signxml_gcm.xml"),
        include_str!("fixtures/signxml_cbc.xml"),
    ] {
        let claims = accepted(document);
        assert_eq!(claims.subject, NAME_ID);
        assert_eq!(claims.email.as_deref(), Some("ana@clinic.example"));
        let name = "Ana Ruíz & 光 \u{1f600} > \"x\" ']]>'";
        assert_eq!(claims.name.as_deref(), Some(name));
        assert_eq!(claims.contexts, ["urn:oasis:names:tc:SAML:2.0:ac:classes:X509"]);
    }
}
