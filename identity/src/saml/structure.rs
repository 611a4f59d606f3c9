//! The one structure of a response that is accepted.
//!
//! Signature wrapping moves a signed element to a place that nobody reads, and puts a forged one where the signed one was.
//! So a response has one assertion, signatures stand only in the response and in the assertion, each signature covers
//! the element that it stands in, and ids are unique.

use super::names::{ASSERTION, DIGESTS, DSIG, ENVELOPED, EXCLUSIVE, PROTOCOL, SIGNATURES};
use super::reasons::{
    CANONICALIZATION, DIGEST_ALGORITHM, DUPLICATE_ID, NO_ASSERTION, NOT_SIGNED, Refused, SEVERAL_ASSERTIONS,
    SIGNATURE_ALGORITHM, SIGNATURE_FORM, STRUCTURE, Step, TRANSFORM, WRAPPING, refused, require,
};
use super::syntax::is_blank;
use super::tree::{Content, Element, unexpected};
use std::collections::BTreeSet;

/// The elements of a response, in order.
const RESPONSE: &[&[(&str, &str)]] = &[
    &[(ASSERTION, "Issuer")],
    &[(DSIG, "Signature")],
    &[(PROTOCOL, "Status")],
    &[(ASSERTION, "Assertion"), (ASSERTION, "EncryptedAssertion")],
];

/// The elements of an assertion, in order. `Advice` is not among them: it may hold other assertions. The statements come
/// in any order: Microsoft's attributes come before the statement of the sign-in.
const ASSERTION_PARTS: &[&[(&str, &str)]] = &[
    &[(ASSERTION, "Issuer")],
    &[(DSIG, "Signature")],
    &[(ASSERTION, "Subject")],
    &[(ASSERTION, "Conditions")],
    &[(ASSERTION, "AuthnStatement"), (ASSERTION, "AttributeStatement")],
];

/// Names that occur only where this module expects them, in any namespace.
const PLACED: &[&str] = &["Response", "Assertion", "EncryptedAssertion", "Signature", "SignedInfo"];

/// Whether the document is a SAML 2.0 response with an id.
pub(super) fn check_root(root: &Element) -> Step<()> {
    let response = root.is(PROTOCOL, "Response") && root.attribute("Version") == Some("2.0");
    require(response, STRUCTURE, "the document is not a SAML 2.0 response")?;
    require_id(root)
}

/// Checks a response, and returns its assertion or encrypted assertion.
pub(super) fn check_response(root: &Element) -> Step<&Element> {
    check_ids(root)?;
    let mut assertions = 0_usize;
    root.walk(&mut |element| {
        let assertion = matches!(element.local.as_str(), "Assertion" | "EncryptedAssertion");
        assertions = assertions.saturating_add(usize::from(assertion));
        Ok(())
    })?;
    require(assertions > 0, NO_ASSERTION, "there is no assertion")?;
    require(assertions < 2, SEVERAL_ASSERTIONS, "there is more than one assertion")?;
    check_places(root)?;
    check_order(root, RESPONSE)?;
    if let Some(signature) = signature(root)? {
        check_signature(root, signature)?;
    }
    root.children()
        .find(|child| child.is(ASSERTION, "Assertion") || child.is(ASSERTION, "EncryptedAssertion"))
        .ok_or(refused(WRAPPING, "the assertion is not in the response"))
}

/// Checks an assertion that is a document of its own.
pub(super) fn check_assertion(assertion: &Element) -> Step<()> {
    let saml2 = assertion.is(ASSERTION, "Assertion") && assertion.attribute("Version") == Some("2.0");
    require(saml2, STRUCTURE, "the assertion is not a SAML 2.0 assertion")?;
    require_id(assertion)?;
    check_ids(assertion)?;
    check_places(assertion)?;
    let signature = signature(assertion)?.ok_or(refused(NOT_SIGNED, "the assertion has no signature"))?;
    check_signature(assertion, signature)?;
    check_order(assertion, ASSERTION_PARTS)
}

/// The signature of a response or an assertion.
pub(super) fn signature(of: &Element) -> Step<Option<&Element>> {
    let mut found = of.named(DSIG, "Signature");
    match (found.next(), found.next()) {
        (signature, None) => Ok(signature),
        _ => Err(refused(WRAPPING, "an element has two signatures")),
    }
}

/// No id occurs twice, in whatever way an attribute spells that it is one.
fn check_ids(root: &Element) -> Step<()> {
    let mut ids = BTreeSet::new();
    root.walk(&mut |element| {
        for attribute in &element.attributes {
            let id = ["id", "assertionid", "responseid"].iter().any(|name| attribute.local.eq_ignore_ascii_case(name));
            let new = !id || ids.insert(attribute.value.clone());
            require(new, DUPLICATE_ID, "an id occurs twice")?;
        }
        Ok(())
    })
}

fn require_id(element: &Element) -> Step<()> {
    let id = element.attribute("ID").unwrap_or_default();
    let valid = (1..=256).contains(&id.len())
        && id.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    require(valid, DUPLICATE_ID, "an id is missing or is not a name")
}

/// Assertions and signatures are only where they belong.
fn check_places(root: &Element) -> Step<()> {
    root.walk(&mut |parent| {
        for child in parent.children() {
            let placed = PLACED.contains(&child.local.as_str());
            let belongs = match (parent.local.as_str(), child.local.as_str()) {
                ("Response", "Assertion" | "EncryptedAssertion") => {
                    parent.namespace == PROTOCOL && child.namespace == ASSERTION
                }
                ("Response" | "Assertion", "Signature") => child.namespace == DSIG,
                ("Signature", "SignedInfo") => child.namespace == DSIG,
                _ => false,
            };
            require(!placed || belongs, WRAPPING, "an assertion or a signature is out of place")?;
        }
        Ok(())
    })
}

/// The children are known, in order, and there is no text between them. Only statements occur more than once.
fn check_order(parent: &Element, known: &[&[(&str, &str)]]) -> Step<()> {
    no_text(parent, STRUCTURE)?;
    let mut last = None;
    for child in parent.children() {
        let place = known
            .iter()
            .position(|place| place.iter().any(|(namespace, local)| child.is(namespace, local)))
            .ok_or(unexpected(STRUCTURE))?;
        let in_order = match last {
            None => true,
            Some(last) if last == place => child.local.ends_with("Statement"),
            Some(last) => last < place,
        };
        require(in_order, STRUCTURE, "an element is repeated or out of order")?;
        last = Some(place);
    }
    Ok(())
}

/// Only white space is between the children.
pub(super) fn no_text(parent: &Element, reason: &'static str) -> Step<()> {
    let blank = parent.content.iter().all(|part| match part {
        Content::Text(text) => is_blank(text),
        Content::Element(_) => true,
    });
    require(blank, reason, "there is text between elements")
}

/// Checks the form and the algorithms of a signature over the element that it stands in.
fn check_signature(of: &Element, signature: &Element) -> Step<()> {
    let form = refused(SIGNATURE_FORM, "the signature does not have the accepted form");
    let [info, value, rest @ ..] = &exactly(signature, form)?[..] else {
        return Err(form);
    };
    let shape = info.is(DSIG, "SignedInfo") && value.is(DSIG, "SignatureValue");
    let key_info = rest.len() < 2 && rest.iter().all(|last| last.is(DSIG, "KeyInfo"));
    require(shape && key_info, SIGNATURE_FORM, form.detail)?;
    let [canonicalization, method, reference] = &exactly(info, form)?[..] else {
        return Err(form);
    };
    let shape = canonicalization.is(DSIG, "CanonicalizationMethod")
        && method.is(DSIG, "SignatureMethod")
        && reference.is(DSIG, "Reference");
    require(shape, SIGNATURE_FORM, "a signature has exactly one reference")?;
    check_exclusive(canonicalization, refused(CANONICALIZATION, "the canonicalization is not exclusive"))?;
    let accepted = SIGNATURES.contains(&algorithm(method)) && method.children().next().is_none();
    require(accepted, SIGNATURE_ALGORITHM, "the signature algorithm is not accepted")?;
    check_reference(of, reference, form)
}

fn check_reference(of: &Element, reference: &Element, form: Refused) -> Step<()> {
    let id = of.attribute("ID").unwrap_or_default();
    let own = reference.attribute("URI").and_then(|uri| uri.strip_prefix('#')) == Some(id);
    let detail = "a signature covers another element than the one that it stands in";
    require(own, WRAPPING, detail)?;
    let [transforms, digest, value] = &exactly(reference, form)?[..] else {
        return Err(form);
    };
    let shape = transforms.is(DSIG, "Transforms") && digest.is(DSIG, "DigestMethod") && value.is(DSIG, "DigestValue");
    require(shape, SIGNATURE_FORM, form.detail)?;
    let other = refused(TRANSFORM, "a transform is not accepted");
    let [enveloped, exclusive] = &exactly(transforms, other)?[..] else {
        return Err(other);
    };
    let names = enveloped.is(DSIG, "Transform") && exclusive.is(DSIG, "Transform");
    let first = algorithm(enveloped) == ENVELOPED && enveloped.children().next().is_none();
    require(names && first, TRANSFORM, other.detail)?;
    check_exclusive(exclusive, other)?;
    let accepted = DIGESTS.contains(&algorithm(digest)) && digest.children().next().is_none();
    require(accepted, DIGEST_ALGORITHM, "the digest algorithm is not accepted")
}

/// Exclusive canonicalization without comments. It may name prefixes that are kept.
fn check_exclusive(element: &Element, or: Refused) -> Step<()> {
    let mut children = element.children();
    let prefixes = children.next().is_none_or(|child| child.is(EXCLUSIVE, "InclusiveNamespaces"));
    let alone = children.next().is_none();
    require(algorithm(element) == EXCLUSIVE && prefixes && alone, or.reason, or.detail)
}

fn algorithm(element: &Element) -> &str {
    element.attribute("Algorithm").unwrap_or_default()
}

/// The children of an element without text.
fn exactly(parent: &Element, or: Refused) -> Step<Vec<&Element>> {
    no_text(parent, or.reason)?;
    Ok(parent.children().collect())
}
