//! Checks a response that the browser posted.

use super::claims::claims;
use super::encrypted::decrypt;
use super::facts::{Expected, check_facts, check_status, expires_at};
use super::guard::{MAX_BYTES, Remarks, read};
use super::names::{ASSERTION, DSIG};
use super::provider::Provider;
use super::reasons::{BASE64, ENCODING, SIGNATURE, Step, TOO_LARGE, UNKNOWN_CERTIFICATE, refused, require};
use super::structure::{check_assertion, check_response, check_root, signature};
use super::tree::{Content, Element};
use overturn_core::identity::saml::{CheckSamlResponse, SamlClaims};
use saml_rs::crypto::verify_signature;
use saml_rs::error::SamlError;

const UNKNOWN: &str = "the response is signed with a certificate that is not in the metadata";

/// Checks a response: first its form, then its signatures, then what it says.
///
/// The claims come from the same tree as the document whose signature the library verified, and that document has
/// nothing but the assertion.
pub(super) fn check(asked: &CheckSamlResponse) -> Step<SamlClaims> {
    let provider = Provider::read(&asked.metadata, asked.now)?;
    let response = read(&decode(&asked.response)?, Remarks::Refuse)?;
    check_root(&response)?;
    check_status(&response)?;
    let assertion = check_response(&response)?;
    let signed = signature(&response)?.is_some();
    if signed {
        verify(&response, &provider)?;
    }
    let assertion = if assertion.is(ASSERTION, "Assertion") {
        assertion.alone(&response.declarations)
    } else {
        decrypt(assertion, &asked.sp.keys, signed)?
    };
    check_assertion(&assertion)?;
    verify(&assertion, &provider)?;
    let expected = Expected {
        issuer: &provider.entity_id,
        audience: &asked.sp.entity_id,
        recipient: &asked.sp.acs,
        request_id: asked.request_id.as_deref(),
        now: asked.now,
    };
    check_facts(&response, &assertion, &expected)?;
    claims(&assertion, expires_at(&assertion)?)
}

/// The form field as text. White space between the characters does not count.
fn decode(field: &str) -> Step<String> {
    // Base64 has four characters for three bytes, and there may be a line end after each 60 characters.
    let most = MAX_BYTES.saturating_mul(3) / 2;
    require(field.len() <= most, TOO_LARGE, "the form field is too large")?;
    let compact: String = field.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let bytes = data_encoding::BASE64
        .decode(compact.as_bytes())
        .map_err(|_| refused(BASE64, "the form field is not base64"))?;
    String::from_utf8(bytes).map_err(|_| refused(ENCODING, "the document is not UTF-8"))
}

/// Verifies the signature of an element that is a document of its own, with the certificates of the metadata.
///
/// The library gets the document without the signature's `KeyInfo`: no key comes from the document.
fn verify(element: &Element, provider: &Provider) -> Step<()> {
    check_key_info(element, provider)?;
    let mut document = element.clone();
    for part in &mut document.content {
        if let Content::Element(child) = part
            && child.is(DSIG, "Signature")
        {
            *child = child.clone().without(|inner| inner.is(DSIG, "KeyInfo"));
        }
    }
    match verify_signature(&document.write(), &provider.trusted()) {
        Ok((true, Some(_))) => Ok(()),
        Ok(_) => Err(refused(SIGNATURE, "a signature does not match")),
        // The assertion inside a signed response names another certificate.
        Err(SamlError::CertificateMismatch) => Err(refused(UNKNOWN_CERTIFICATE, UNKNOWN)),
        Err(_) => Err(refused(SIGNATURE, "a signature cannot be verified")),
    }
}

/// If the signature names certificates, then one of them is in the metadata. This tells an administrator that the
/// provider has a new key.
fn check_key_info(element: &Element, provider: &Provider) -> Step<()> {
    let mut named = Vec::new();
    if let Some(signature) = signature(element)? {
        signature.walk(&mut |inner| {
            if inner.is(DSIG, "X509Certificate") {
                let text = inner.text(refused(SIGNATURE, "a certificate is not text"))?;
                named.push(text.chars().filter(|c| !c.is_ascii_whitespace()).collect());
            }
            Ok(())
        })?;
    }
    let trusted = provider.trusted();
    let known = named.is_empty() || named.iter().any(|one: &String| trusted.contains(one));
    require(known, UNKNOWN_CERTIFICATE, UNKNOWN)
}
