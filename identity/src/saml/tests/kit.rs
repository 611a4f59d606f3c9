//! Keys, documents and questions of the tests.

use crate::saml::reasons::ALL;
use bergshamra::keys::Key;
use bergshamra::keys::loader::load_pem_auto;
use bergshamra::{DsigContext, KeysManager, sign};
use data_encoding::BASE64;
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_core::identity::Verdict;
use overturn_core::identity::saml::{
    CheckSamlResponse, DescribeProvider, ProviderDescription, SamlClaims, SamlKey, ServiceProvider,
};

macro_rules! pair {
    ($name:literal) => {
        (include_str!(concat!("fixtures/", $name, ".key.pem")), include_str!(concat!("fixtures/", $name, ".cert.pem")))
    };
}

/// A private key and its certificate, in PEM.
pub(super) type Pair = (&'static str, &'static str);

pub(super) const PROVIDER: Pair = pair!("provider");
/// The provider's next key.
pub(super) const NEXT: Pair = pair!("next");
pub(super) const ATTACKER: Pair = pair!("attacker");
/// RSA with 1,024 bits.
pub(super) const WEAK: Pair = pair!("weak");
/// ECDSA on P-256.
pub(super) const CURVE: Pair = pair!("curve");
pub(super) const SERVICE: Pair = pair!("service");
/// The service's next key.
pub(super) const LATER: Pair = pair!("later");
/// A certificate of the provider's key that ended before `NOW`.
pub(super) const ENDED: &str = include_str!("fixtures/ended.cert.pem");

pub(super) const IDP: &str = "https://idp.example.org/metadata";
pub(super) const SIGN_IN: &str = "https://idp.example.org/sso";
pub(super) const SP: &str = "https://overturn.example/saml/p1/metadata";
pub(super) const ACS: &str = "https://overturn.example/api/v1/auth/saml/p1";
pub(super) const REQUEST: &str = "_request1";
pub(super) const NOW: &str = "2026-12-01T12:00:00Z";
pub(super) const NAME_ID: &str = "u-4711";

/// An assertion without a signature.
pub(super) const ASSERTION: &str = concat!(
    r#"<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a1" Version="2.0" IssueInstant="2026-12-01T12:00:00Z">"#,
    r#"<saml:Issuer>https://idp.example.org/metadata</saml:Issuer>"#,
    r#"<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">u-4711</saml:NameID>"#,
    r#"<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">"#,
    r#"<saml:SubjectConfirmationData InResponseTo="_request1" NotOnOrAfter="2026-12-01T12:05:00Z" Recipient="https://overturn.example/api/v1/auth/saml/p1"/>"#,
    r#"</saml:SubjectConfirmation></saml:Subject>"#,
    r#"<saml:Conditions NotBefore="2026-12-01T11:59:00Z" NotOnOrAfter="2026-12-01T12:10:00Z"><saml:AudienceRestriction>"#,
    r#"<saml:Audience>https://overturn.example/saml/p1/metadata</saml:Audience></saml:AudienceRestriction></saml:Conditions>"#,
    r#"<saml:AuthnStatement AuthnInstant="2026-12-01T11:58:00Z" SessionIndex="_s1"><saml:AuthnContext>"#,
    r#"<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef>"#,
    r#"</saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>"#,
    r#"<saml:Attribute Name="email"><saml:AttributeValue>ana@clinic.example</saml:AttributeValue></saml:Attribute>"#,
    r#"<saml:Attribute Name="displayName"><saml:AttributeValue>Ana Ruiz &amp; Co</saml:AttributeValue></saml:Attribute>"#,
    r#"</saml:AttributeStatement></saml:Assertion>"#,
);

const RESPONSE: &str = concat!(
    r#"<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r1" Version="2.0""#,
    r#" IssueInstant="2026-12-01T12:00:00Z" Destination="https://overturn.example/api/v1/auth/saml/p1" InResponseTo="_request1">"#,
    r#"<saml:Issuer>https://idp.example.org/metadata</saml:Issuer>"#,
    r#"<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>"#,
    "ASSERTION</samlp:Response>",
);

pub(super) fn now() -> Instant {
    Time::parse(NOW).unwrap().0
}

/// `ms` milliseconds after `NOW`.
pub(super) fn later(ms: i64) -> Instant {
    now().plus(ms)
}

pub(super) fn response(assertion: &str) -> String {
    RESPONSE.replace("ASSERTION", assertion)
}

/// How a signature is made.
#[derive(Clone)]
pub(super) struct How {
    pub(super) pair: Pair,
    pub(super) algorithm: String,
    pub(super) digest: String,
    pub(super) canonicalization: String,
    /// The elements inside `Transforms`.
    pub(super) transforms: String,
    pub(super) uri: String,
    /// Another key than that of the pair.
    pub(super) key: Option<Key>,
}

pub(super) const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
pub(super) const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";

pub(super) fn transform(algorithm: &str) -> String {
    format!(r#"<ds:Transform Algorithm="{algorithm}"/>"#)
}

impl How {
    /// The way that a provider signs the element with this id.
    pub(super) fn usual(id: &str) -> Self {
        Self {
            pair: PROVIDER,
            algorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256".into(),
            digest: "http://www.w3.org/2001/04/xmlenc#sha256".into(),
            canonicalization: EXCLUSIVE.into(),
            transforms: transform(ENVELOPED) + &transform(EXCLUSIVE),
            uri: format!("#{id}"),
            key: None,
        }
    }

    /// The signature before its values are computed.
    pub(super) fn template(&self) -> String {
        format!(
            concat!(
                r#"<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>"#,
                r#"<ds:CanonicalizationMethod Algorithm="{}"/><ds:SignatureMethod Algorithm="{}"/>"#,
                r#"<ds:Reference URI="{}"><ds:Transforms>{}</ds:Transforms>"#,
                r#"<ds:DigestMethod Algorithm="{}"/><ds:DigestValue></ds:DigestValue></ds:Reference>"#,
                r#"</ds:SignedInfo><ds:SignatureValue></ds:SignatureValue><ds:KeyInfo><ds:X509Data>"#,
                r#"<ds:X509Certificate>{}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>"#,
            ),
            self.canonicalization,
            self.algorithm,
            self.uri,
            self.transforms,
            self.digest,
            body(self.pair.1),
        )
    }

    /// Computes the values of the first signature in a document.
    pub(super) fn finish(&self, document: &str) -> String {
        let mut manager = KeysManager::new();
        manager.add_key(self.key.clone().unwrap_or_else(|| key(self.pair)));
        sign(&DsigContext::new(manager).with_insecure(true), document).unwrap()
    }

    /// Signs the document element, with the signature after its issuer.
    pub(super) fn sign(&self, document: &str) -> String {
        let (before, after) = document.split_once("</saml:Issuer>").unwrap();
        self.finish(&format!("{before}</saml:Issuer>{}{after}", self.template()))
    }
}

pub(super) fn key(pair: Pair) -> Key {
    load_pem_auto(pair.0.as_bytes(), None).unwrap()
}

/// The body of a certificate.
pub(super) fn body(pem: &str) -> String {
    pem.lines().filter(|line| !line.starts_with('-')).collect()
}

/// The usual assertion, signed as usual.
pub(super) fn signed() -> String {
    How::usual("_a1").sign(ASSERTION)
}

/// The usual assertion with one change before it is signed.
pub(super) fn signed_with(from: &str, to: &str) -> String {
    How::usual("_a1").sign(&changed(ASSERTION, from, to))
}

/// A text with one change. The change must change something.
pub(super) fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

/// The provider's metadata with these certificates.
pub(super) fn metadata(certificates: &[&str]) -> String {
    let keys: String = certificates
        .iter()
        .map(|pem| {
            format!(
                concat!(
                    r#"<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>{}"#,
                    r#"</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>"#,
                ),
                body(pem)
            )
        })
        .collect();
    format!(
        concat!(
            r#"<?xml version="1.0" encoding="UTF-8"?><!-- a remark -->"#,
            r#"<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata""#,
            r#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="{}">"#,
            r#"<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">{}"#,
            r#"<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example.org/post"/>"#,
            r#"<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="{}"/>"#,
            r#"</md:IDPSSODescriptor></md:EntityDescriptor>"#,
        ),
        IDP, keys, SIGN_IN,
    )
}

pub(super) fn service() -> ServiceProvider {
    let pem = |pair: Pair| SamlKey { key: pair.0.into(), certificate: pair.1.into() };
    ServiceProvider { entity_id: SP.into(), acs: ACS.into(), keys: vec![pem(SERVICE), pem(LATER)] }
}

pub(super) fn describe(metadata: &str) -> Verdict<ProviderDescription> {
    crate::saml::describe(&DescribeProvider { local: true, metadata: metadata.into(), now: now() })
}

/// The question about a response.
pub(super) fn question(xml: &str) -> CheckSamlResponse {
    CheckSamlResponse {
        sp: service(),
        metadata: metadata(&[PROVIDER.1]),
        response: BASE64.encode(xml.as_bytes()),
        request_id: Some(REQUEST.into()),
        now: now(),
    }
}

/// The claims of a response that is accepted.
pub(super) fn accepted(xml: &str) -> SamlClaims {
    claims(&question(xml))
}

pub(super) fn claims(asked: &CheckSamlResponse) -> SamlClaims {
    match crate::saml::check(asked) {
        Verdict::Accepted(claims) => claims,
        Verdict::Refused(refusal) => panic!("{refusal:?}"),
    }
}

/// Why a response is refused.
pub(super) fn reason(xml: &str) -> String {
    why(&crate::saml::check(&question(xml)))
}

/// The reason of a refusal. It is a known one, and the detail repeats nothing of the documents above.
pub(super) fn why<T: std::fmt::Debug>(verdict: &Verdict<T>) -> String {
    match verdict {
        Verdict::Accepted(facts) => panic!("accepted: {facts:?}"),
        Verdict::Refused(refusal) => {
            assert!(ALL.contains(&refusal.reason.as_str()), "{refusal:?}");
            for value in ["example", NAME_ID, "_a1", "_r1", REQUEST, "://", "Ana"] {
                assert!(!refusal.detail.contains(value), "{refusal:?}");
            }
            refusal.reason.clone()
        }
    }
}
