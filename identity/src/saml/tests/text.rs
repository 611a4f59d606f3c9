//! XML that a provider never writes.

use super::kit::{NAME_ID, accepted, changed, question, reason, response, signed, signed_with, why};
use crate::saml::check;
use data_encoding::BASE64;

/// Puts a text before the document.
fn before(text: &str) -> String {
    format!("{text}{}", response(&signed()))
}

/// The NameID with another content, after it was signed.
fn name_id(content: &str) -> String {
    changed(&response(&signed()), &format!(">{NAME_ID}<"), &format!(">{content}<"))
}

#[test]
fn a_comment_inside_the_name_id_is_refused() {
    // Canonical XML leaves comments out, so the signature still matches. A reader may cut the text at the comment.
    for content in ["u-4711<!---->", "<!---->u-4711", "u-47<!-- -->11"] {
        assert_eq!(reason(&name_id(content)), "comment");
    }
    let longer = response(&signed_with(&format!(">{NAME_ID}<"), ">u-4711<!---->.attacker<"));
    assert_eq!(reason(&longer), "comment");
}

#[test]
fn a_comment_anywhere_is_refused() {
    assert_eq!(reason(&before("<!-- -->")), "comment");
    assert_eq!(reason(&(response(&signed()) + "<!-- -->")), "comment");
    let document = changed(&response(&signed()), "ana@clinic.example", "ana@clinic<!-- -->.example");
    assert_eq!(reason(&document), "comment");
}

#[test]
fn a_processing_instruction_is_refused() {
    assert_eq!(reason(&before("<?xml-stylesheet href='a.xsl'?>")), "processing_instruction");
    assert_eq!(reason(&name_id("u-47<?a?>11")), "processing_instruction");
}

#[test]
fn a_cdata_section_is_refused() {
    assert_eq!(reason(&name_id("<![CDATA[u-4711]]>")), "cdata");
    assert_eq!(reason(&name_id("u-4711]]>")), "xml");
}

#[test]
fn an_element_inside_the_name_id_is_refused() {
    let document = response(&signed_with(&format!(">{NAME_ID}<"), "><saml:b>u-1</saml:b>u-4711<"));
    assert_eq!(reason(&document), "name_id");
}

#[test]
fn a_doctype_is_refused() {
    assert_eq!(reason(&before("<!DOCTYPE Response>")), "doctype");
    assert_eq!(reason(&before("<!DOCTYPE a SYSTEM 'https://evil.example/a.dtd'>")), "doctype");
}

#[test]
fn entity_expansion_is_refused() {
    let bomb = concat!(
        "<!DOCTYPE a [<!ENTITY b 'bbbbbbbbbb'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>",
        "<!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;'>]>",
    );
    assert_eq!(reason(&before(bomb)), "doctype");
    assert_eq!(reason(&name_id("&d;")), "entity");
    let document = changed(&response(&signed()), r#"Name="email""#, r#"Name="&d;""#);
    assert_eq!(reason(&document), "entity");
}

#[test]
fn external_entities_are_refused() {
    let external = "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>";
    assert_eq!(reason(&before(external)), "doctype");
    let parameter = "<!DOCTYPE a [<!ENTITY % e SYSTEM 'https://evil.example/'> %e;]>";
    assert_eq!(reason(&before(parameter)), "doctype");
    assert_eq!(reason(&name_id("&e;")), "entity");
}

#[test]
fn character_references_are_the_characters() {
    // The signature still matches, because canonical XML has the characters.
    assert_eq!(accepted(&name_id("u&#45;4711")).subject, NAME_ID);
    assert_eq!(accepted(&name_id("u&#x2D;4711")).subject, NAME_ID);
    assert_eq!(reason(&name_id("u-4711&#0;")), "entity");
    assert_eq!(reason(&name_id("u-4711&#x1;")), "xml");
    assert_eq!(reason(&name_id("u-4711&#xFFFE;")), "xml");
}

#[test]
fn other_encodings_are_refused() {
    assert_eq!(reason(&before("<?xml version='1.0' encoding='utf-16'?>")), "encoding");
    assert_eq!(reason(&before("<?xml version='1.0' encoding='iso-8859-1'?>")), "encoding");
    assert_eq!(reason(&before("<?xml version='1.1'?>")), "xml");
    assert_eq!(reason(&before("\n<?xml version='1.0'?>")), "xml");
    let mut asked = question("");
    asked.response = BASE64.encode(b"<a>\xff</a>");
    assert_eq!(why(&check(&asked)), "encoding");
    let wide: Vec<u8> = response(&signed()).encode_utf16().flat_map(u16::to_le_bytes).collect();
    asked.response = BASE64.encode(&wide);
    assert!(["xml", "encoding"].contains(&why(&check(&asked)).as_str()));
}

#[test]
fn base64_junk_is_refused() {
    let mut asked = question(&response(&signed()));
    for junk in ["", "====", "a", "%3C", "<a/>", "YQ", "YR==", "\u{e9}"] {
        asked.response = junk.into();
        assert!(["base64", "xml"].contains(&why(&check(&asked)).as_str()), "{junk}");
    }
}

#[test]
fn large_documents_are_refused() {
    let spaces = " ".repeat(256 * 1024);
    assert_eq!(reason(&before(&spaces)), "too_large");
    let mut asked = question("");
    asked.response = "A".repeat(1024 * 1024);
    assert_eq!(why(&check(&asked)), "too_large");
    let elements = "<a/>".repeat(10_000);
    assert_eq!(reason(&response(&elements)), "too_large");
    let attributes: String = (0..100).map(|n| format!(" a{n}=''")).collect();
    assert_eq!(reason(&response(&format!("<a{attributes}/>"))), "too_large");
}

#[test]
fn deep_documents_are_refused() {
    let deep = "<a>".repeat(20_000) + &"</a>".repeat(20_000);
    assert_eq!(reason(&response(&deep)), "too_deep");
    assert_eq!(reason(&"<a>".repeat(30_000)), "too_deep");
}

#[test]
fn documents_that_are_not_well_formed_are_refused() {
    let document = response(&signed());
    for broken in [
        document.replace("</samlp:Response>", ""),
        document.replace("</samlp:Response>", "</samlp:Other>"),
        format!("{document}<a/>"),
        format!("{document}text"),
        format!("{document}&amp;"),
        changed(&document, r#"ID="_r1""#, r#"ID="_r1" ID="_r2""#),
        changed(&document, r#"ID="_r1""#, "ID=_r1"),
        changed(&document, r#"ID="_r1""#, r#"ID="<""#),
        changed(&document, "<samlp:Status>", "<samlp:Status a:b:c='1'>"),
        changed(&document, "<samlp:Status>", "<samlp:Status \u{e9}='1'>"),
        changed(&document, "u-4711", "u-4711\u{1}"),
        "\0".into(),
        String::new(),
    ] {
        assert_eq!(reason(&broken), "xml", "{broken}");
    }
}

#[test]
fn strange_namespaces_are_refused() {
    let document = response(&signed());
    for declaration in [
        r#"xmlns:a="relative""#,
        r#"xmlns:a="""#,
        r#"xmlns:xml="urn:a""#,
        r#"xmlns:xmlns="urn:a""#,
        r#"xmlns:a="http://www.w3.org/XML/1998/namespace""#,
        r#"xmlns:a="http://www.w3.org/2000/xmlns/""#,
        r#"a:b="1""#,
    ] {
        let broken = changed(&document, "<samlp:Status>", &format!("<samlp:Status {declaration}>"));
        assert_eq!(reason(&broken), "namespace", "{declaration}");
    }
    let twice = r#"<samlp:Status xmlns:a="urn:a" xmlns:b="urn:a" a:c="1" b:c="2">"#;
    assert_eq!(reason(&changed(&document, "<samlp:Status>", twice)), "xml");
}
