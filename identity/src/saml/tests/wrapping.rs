//! Signature wrapping: the eight classic forms, and relatives.
//!
//! Each document has a signature that matches, over an element that a careless reader does not read.

use super::kit::{ASSERTION, ATTACKER, How, changed, reason, response, signed, signed_with};

/// The assertion that the attacker wants to be read.
fn evil() -> String {
    let evil = changed(ASSERTION, "u-4711", "u-1");
    changed(&evil, r#"ID="_a1""#, r#"ID="_evil""#)
}

/// A response whose signature matches.
fn signed_response() -> String {
    How::usual("_r1").sign(&response(ASSERTION))
}

/// The signature of a document, and the document without it.
fn cut(document: &str) -> (String, String) {
    let (before, rest) = document.split_once("<ds:Signature").unwrap();
    let (signature, after) = rest.split_once("</ds:Signature>").unwrap();
    (format!("<ds:Signature{signature}</ds:Signature>"), format!("{before}{after}"))
}

/// Puts `what` before the end of the element `name`.
fn inside(document: &str, name: &str, what: &str) -> String {
    let end = format!("</{name}>");
    let (before, after) = document.rsplit_once(&end).unwrap();
    format!("{before}{what}{end}{after}")
}

/// An object inside a signature.
fn object(what: &str) -> String {
    format!("<ds:Object>{what}</ds:Object>")
}

/// A forged response with another id around the forged assertion.
fn evil_response() -> String {
    changed(&response(&evil()), r#"ID="_r1""#, r#"ID="_evilr""#)
}

#[test]
fn xsw1_the_signed_response_inside_the_signature_of_a_forged_one() {
    let (signature, original) = cut(&signed_response());
    let signature = inside(&signature, "ds:Signature", &object(&original));
    let forged = evil_response().replacen("</saml:Issuer>", &format!("</saml:Issuer>{signature}"), 1);
    assert_eq!(reason(&forged), "several_assertions");
}

#[test]
fn xsw2_the_signed_response_beside_its_signature_in_a_forged_one() {
    let (signature, original) = cut(&signed_response());
    let both = format!("</saml:Issuer>{original}{signature}");
    let forged = evil_response().replacen("</saml:Issuer>", &both, 1);
    assert_eq!(reason(&forged), "several_assertions");
}

#[test]
fn xsw3_a_forged_assertion_before_the_signed_one() {
    let forged = response(&format!("{}{}", evil(), signed()));
    assert_eq!(reason(&forged), "several_assertions");
}

#[test]
fn xsw4_the_signed_assertion_inside_a_forged_one() {
    let forged = response(&inside(&evil(), "saml:Assertion", &signed()));
    assert_eq!(reason(&forged), "several_assertions");
}

#[test]
fn xsw5_the_signature_moved_into_a_forged_assertion_before_the_original() {
    let (signature, original) = cut(&signed());
    let forged = evil().replacen("</saml:Issuer>", &format!("</saml:Issuer>{signature}"), 1);
    assert_eq!(reason(&response(&format!("{forged}{original}"))), "several_assertions");
}

#[test]
fn xsw6_the_original_inside_the_signature_of_a_forged_assertion() {
    let (signature, original) = cut(&signed());
    let signature = inside(&signature, "ds:Signature", &original);
    let forged = evil().replacen("</saml:Issuer>", &format!("</saml:Issuer>{signature}"), 1);
    assert_eq!(reason(&response(&forged)), "several_assertions");
}

#[test]
fn xsw7_a_forged_assertion_in_an_extension_before_the_signed_one() {
    let extension = format!("<samlp:Extensions>{}</samlp:Extensions>", evil());
    let forged = response(&format!("{extension}{}", signed()));
    assert_eq!(reason(&forged), "several_assertions");
}

#[test]
fn xsw8_the_original_in_an_object_of_the_forged_assertions_signature() {
    let (signature, original) = cut(&signed());
    let signature = inside(&signature, "ds:Signature", &object(&original));
    let forged = evil().replacen("</saml:Issuer>", &format!("</saml:Issuer>{signature}"), 1);
    assert_eq!(reason(&response(&forged)), "several_assertions");
}

/// The same forms, with the original hidden under another name, so that only one assertion is left.
#[test]
fn an_original_under_another_name_is_no_way_around() {
    let (signature, original) = cut(&signed());
    let renamed = original.replace("<saml:Assertion ", "<saml:Advice ").replace("</saml:Assertion>", "</saml:Advice>");
    let reference = inside(&signature, "ds:Signature", &object(&renamed));
    let forged = evil().replacen("</saml:Issuer>", &format!("</saml:Issuer>{reference}"), 1);
    assert_eq!(reason(&response(&forged)), "signature_form");
    let forged = evil().replacen("</saml:Issuer>", &format!("</saml:Issuer>{signature}"), 1);
    let forged = response(&format!("{renamed}{forged}"));
    assert_eq!(reason(&forged), "structure");
}

#[test]
fn the_signature_of_one_assertion_does_not_sign_another() {
    let (signature, _) = cut(&signed());
    let forged = evil().replacen("</saml:Issuer>", &format!("</saml:Issuer>{signature}"), 1);
    assert_eq!(reason(&response(&forged)), "wrapping");
    let same_id = changed(&forged, r#"ID="_evil""#, r#"ID="_a1""#);
    assert_eq!(reason(&response(&same_id)), "signature");
}

#[test]
fn the_signature_of_the_response_in_the_assertion_is_refused() {
    let how = How::usual("_r1");
    let inner = ASSERTION.replacen("</saml:Issuer>", &format!("</saml:Issuer>{}", how.template()), 1);
    let forged = how.finish(&response(&inner));
    assert_eq!(reason(&forged), "wrapping");
}

#[test]
fn a_signature_elsewhere_is_refused() {
    let (signature, original) = cut(&signed());
    for name in ["saml:Subject", "saml:SubjectConfirmation", "saml:Conditions", "saml:AttributeValue"] {
        let forged = response(&inside(&original, name, &signature));
        assert_eq!(reason(&forged), "wrapping", "{name}");
    }
    assert_eq!(reason(&response(&inside(&original, "saml:Assertion", &signature))), "structure");
}

#[test]
fn an_assertion_in_another_namespace_is_refused() {
    let forged = response(&format!(r#"<e:Assertion xmlns:e="urn:evil">{}</e:Assertion>"#, signed()));
    assert_eq!(reason(&forged), "several_assertions");
    let forged = signed().replace("SAML:2.0:assertion", "SAML:2.0:other");
    assert_eq!(reason(&response(&forged)), "wrapping");
}

#[test]
fn advice_with_an_assertion_is_refused() {
    let advice = format!("</saml:Conditions><saml:Advice>{}</saml:Advice>", evil());
    assert_eq!(reason(&response(&signed_with("</saml:Conditions>", &advice))), "several_assertions");
    let advice = "</saml:Conditions><saml:Advice/>";
    assert_eq!(reason(&response(&signed_with("</saml:Conditions>", advice))), "structure");
}

#[test]
fn ids_that_occur_twice_are_refused() {
    for attribute in ["ID", "Id", "id", "xml:id", "AssertionID"] {
        let again = format!(r#"<saml:Attribute {attribute}="_a1" Name="email">"#);
        let document = response(&signed()).replace(r#"<saml:Attribute Name="email">"#, &again);
        assert_eq!(reason(&document), "duplicate_id", "{attribute}");
    }
    let document = response(&signed()).replace(r#"ID="_r1""#, r#"ID="_a1""#);
    assert_eq!(reason(&document), "duplicate_id");
}

#[test]
fn ids_are_needed() {
    assert_eq!(reason(&changed(&response(&signed()), r#" ID="_r1""#, "")), "duplicate_id");
    assert_eq!(reason(&changed(&response(&signed()), r#"ID="_r1""#, r#"ID="""#)), "duplicate_id");
    assert_eq!(reason(&changed(&response(&signed()), r#" ID="_a1""#, "")), "duplicate_id");
}

#[test]
fn two_signatures_are_refused() {
    let (signature, original) = cut(&signed());
    let forged = original.replacen("</saml:Issuer>", &format!("</saml:Issuer>{signature}{signature}"), 1);
    assert_eq!(reason(&response(&forged)), "wrapping");
    let other = How { pair: ATTACKER, ..How::usual("_a1") }.sign(ASSERTION);
    let (other, _) = cut(&other);
    for both in [format!("{signature}{other}"), format!("{other}{signature}")] {
        let forged = original.replacen("</saml:Issuer>", &format!("</saml:Issuer>{both}"), 1);
        assert_eq!(reason(&response(&forged)), "wrapping");
    }
}

#[test]
fn no_assertion_and_two_assertions_are_refused() {
    assert_eq!(reason(&response("")), "no_assertion");
    let second = How::usual("_a2").sign(&changed(ASSERTION, r#"ID="_a1""#, r#"ID="_a2""#));
    assert_eq!(reason(&response(&format!("{}{second}", signed()))), "several_assertions");
}

#[test]
fn other_documents_are_refused() {
    assert_eq!(reason(&signed()), "structure");
    let document = response(&signed()).replace("samlp:Response", "samlp:LogoutResponse");
    assert_eq!(reason(&document), "structure");
    let document = changed(&response(&signed()), r#"Version="2.0""#, r#"Version="1.1""#);
    assert_eq!(reason(&document), "structure");
    let document = response(&signed()).replace("SAML:2.0:protocol", "SAML:2.0:other");
    assert_eq!(reason(&document), "structure");
}
