//! Responses of a SAML provider that the provider never gave, signed with its key.
//!
//! The text of an assertion is already in the canonical form that signatures are made over (exclusive XML
//! canonicalization): attributes in order, and no empty-element tags.

use data_encoding::BASE64;
use rsa::RsaPrivateKey;
use rsa::pkcs1v15::SigningKey;
use rsa::pkcs8::DecodePrivateKey;
use rsa::signature::{SignatureEncoding, Signer};
use sha2::{Digest, Sha256};

const SIGNATURE: &str = "http://www.w3.org/2000/09/xmldsig#";
const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
const ASSERTION: &str = "urn:oasis:names:tc:SAML:2.0:assertion";
const PROTOCOL: &str = "urn:oasis:names:tc:SAML:2.0:protocol";
const STATUS: &str = "urn:oasis:names:tc:SAML:2.0:status:Success";
const PERSISTENT: &str = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";
const BEARER: &str = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
const PASSWORD: &str = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";

/// What a response says. Times are in RFC 3339.
#[derive(Clone, Debug)]
pub struct SamlResponse {
    /// The entity id of the provider.
    pub issuer: String,
    /// The address of the assertion consumer service. The service's metadata are below it.
    pub acs: String,
    /// The request that it answers, if any.
    pub in_response_to: Option<String>,
    /// The person's id.
    pub subject: String,
    /// The person's address.
    pub email: String,
    /// The id of the assertion.
    pub id: String,
    pub made_at: String,
    pub ends_at: String,
}

impl SamlResponse {
    /// The form field `SAMLResponse`, with an assertion that is signed with a private key (PEM).
    pub fn signed(&self, (key, certificate): (&str, &str)) -> String {
        let (before, after) = self.assertion();
        let digest = BASE64.encode(&Sha256::digest(format!("{before}{after}")));
        let content = format!(
            "<ds:CanonicalizationMethod Algorithm=\"{EXCLUSIVE}\"></ds:CanonicalizationMethod>\
             <ds:SignatureMethod Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#rsa-sha256\"></ds:SignatureMethod>\
             <ds:Reference URI=\"#{}\"><ds:Transforms>\
             <ds:Transform Algorithm=\"{SIGNATURE}enveloped-signature\"></ds:Transform>\
             <ds:Transform Algorithm=\"{EXCLUSIVE}\"></ds:Transform></ds:Transforms>\
             <ds:DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"></ds:DigestMethod>\
             <ds:DigestValue>{digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>",
            self.id
        );
        let key = SigningKey::<rsa::sha2::Sha256>::new(RsaPrivateKey::from_pkcs8_pem(key).unwrap());
        let canonical = format!("<ds:SignedInfo xmlns:ds=\"{SIGNATURE}\">{content}");
        let value = BASE64.encode(&key.sign(canonical.as_bytes()).to_bytes());
        let certificate: String = certificate.lines().filter(|line| !line.starts_with('-')).collect();
        let signature = format!(
            "<ds:Signature xmlns:ds=\"{SIGNATURE}\"><ds:SignedInfo>{content}\
             <ds:SignatureValue>{value}</ds:SignatureValue><ds:KeyInfo><ds:X509Data><ds:X509Certificate>{certificate}\
             </ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>"
        );
        let answers = self.answers();
        let response = format!(
            "<samlp:Response xmlns:samlp=\"{PROTOCOL}\" xmlns:saml=\"{ASSERTION}\" ID=\"_r{}\" Version=\"2.0\" \
             IssueInstant=\"{}\" Destination=\"{}\"{answers}><saml:Issuer>{}</saml:Issuer>\
             <samlp:Status><samlp:StatusCode Value=\"{STATUS}\"/></samlp:Status>{before}{signature}{after}</samlp:Response>",
            self.id, self.made_at, self.acs, self.issuer
        );
        BASE64.encode(response.as_bytes())
    }

    /// The assertion, before and after the place of its signature.
    fn assertion(&self) -> (String, String) {
        let before = format!(
            "<saml:Assertion xmlns:saml=\"{ASSERTION}\" ID=\"{}\" IssueInstant=\"{}\" Version=\"2.0\">\
             <saml:Issuer>{}</saml:Issuer>",
            self.id, self.made_at, self.issuer
        );
        let after = format!(
            "<saml:Subject><saml:NameID Format=\"{PERSISTENT}\">{}</saml:NameID>\
             <saml:SubjectConfirmation Method=\"{BEARER}\"><saml:SubjectConfirmationData{} NotOnOrAfter=\"{}\" \
             Recipient=\"{}\"></saml:SubjectConfirmationData></saml:SubjectConfirmation></saml:Subject>\
             <saml:Conditions NotBefore=\"{}\" NotOnOrAfter=\"{}\"><saml:AudienceRestriction>\
             <saml:Audience>{}/metadata</saml:Audience></saml:AudienceRestriction></saml:Conditions>\
             <saml:AuthnStatement AuthnInstant=\"{}\" SessionIndex=\"{}\"><saml:AuthnContext>\
             <saml:AuthnContextClassRef>{PASSWORD}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>\
             <saml:AttributeStatement><saml:Attribute Name=\"email\"><saml:AttributeValue>{}</saml:AttributeValue>\
             </saml:Attribute></saml:AttributeStatement></saml:Assertion>",
            self.subject,
            self.answers(),
            self.ends_at,
            self.acs,
            self.made_at,
            self.ends_at,
            self.acs,
            self.made_at,
            self.id,
            self.email
        );
        (before, after)
    }

    fn answers(&self) -> String {
        let request = self.in_response_to.as_ref();
        request.map_or_else(String::new, |id| format!(" InResponseTo=\"{id}\""))
    }
}
