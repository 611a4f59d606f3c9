//! What an assertion says of the person.

use super::kit::{NAME_ID, accepted, reason, response, signed_with};
use overturn_core::base::time::Time;
use overturn_core::identity::saml::SamlClaims;

const EMAIL: &str =
    r#"<saml:Attribute Name="email"><saml:AttributeValue>ana@clinic.example</saml:AttributeValue></saml:Attribute>"#;
const NAME: &str = r#"<saml:Attribute Name="displayName"><saml:AttributeValue>Ana Ruiz &amp; Co</saml:AttributeValue></saml:Attribute>"#;
const PERSISTENT: &str = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";
const MAIL_FORMAT: &str = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

fn with(from: &str, to: &str) -> SamlClaims {
    accepted(&response(&signed_with(from, to)))
}

fn attribute(name: &str, values: &[&str]) -> String {
    let values: String =
        values.iter().map(|value| format!("<saml:AttributeValue>{value}</saml:AttributeValue>")).collect();
    format!(r#"<saml:Attribute Name="{name}">{values}</saml:Attribute>"#)
}

fn email(attributes: &str) -> Option<String> {
    with(EMAIL, attributes).email
}

fn name(attributes: &str) -> Option<String> {
    with(NAME, attributes).name
}

#[test]
fn the_usual_attributes_have_the_address() {
    for usual in [
        "email",
        "mail",
        "EmailAddress",
        "urn:oid:0.9.2342.19200300.100.1.3",
        "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
    ] {
        let found = email(&attribute(usual, &["ana@clinic.example"]));
        assert_eq!(found.as_deref(), Some("ana@clinic.example"), "{usual}");
    }
    assert_eq!(email(&attribute("upn", &["ana@clinic.example"])), None);
    assert_eq!(email(""), None);
}

#[test]
fn two_addresses_are_none() {
    let one = attribute("mail", &["ana@clinic.example"]);
    let other = attribute("email", &["eve@clinic.example"]);
    assert_eq!(email(&attribute("mail", &["ana@clinic.example", "eve@clinic.example"])), None);
    assert_eq!(email(&format!("{one}{other}")), None);
    let same = format!("{one}{}", attribute("email", &["Ana@clinic.example"]));
    assert_eq!(email(&same).as_deref(), Some("ana@clinic.example"));
}

#[test]
fn a_name_id_may_be_the_address() {
    let from = format!(r#"{PERSISTENT}">{NAME_ID}<"#);
    let to = |address: &str| format!(r#"{MAIL_FORMAT}">{address}<"#);
    let claims = with(&from, &to("ana@clinic.example"));
    assert_eq!(claims.email.as_deref(), Some("ana@clinic.example"));
    assert_eq!(claims.subject, "ana@clinic.example");
    // The NameID and the attribute differ.
    assert_eq!(with(&from, &to("eve@clinic.example")).email, None);
}

#[test]
fn texts_that_are_no_address_are_none() {
    for text in ["ana", "@clinic.example", "ana@", "a@b@c", "ana ruiz@clinic.example", "a&#10;b@clinic.example"] {
        assert_eq!(email(&attribute("mail", &[text])), None, "{text}");
    }
}

#[test]
fn names_come_from_the_usual_attributes() {
    assert_eq!(name(&attribute("name", &["Ana"])).as_deref(), Some("Ana"));
    let parts = attribute("givenName", &["Ana"]) + &attribute("sn", &["Ruiz"]);
    assert_eq!(name(&parts).as_deref(), Some("Ana Ruiz"));
    let parts = attribute("http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname", &["Ana"])
        + &attribute("http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname", &["Ruiz"]);
    assert_eq!(name(&parts).as_deref(), Some("Ana Ruiz"));
    assert_eq!(name(&attribute("surname", &["Ruiz"])).as_deref(), Some("Ruiz"));
    // Microsoft's attribute with this name is the sign-in name.
    assert_eq!(name(&attribute("http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name", &["ana@c"])), None);
    assert_eq!(name(""), None);
    assert_eq!(name(&attribute("name", &["a&#10;b"])), None);
    assert_eq!(name(&attribute("name", &["é".repeat(201).as_str()])), None);
}

#[test]
fn a_transient_name_id_is_refused() {
    let document = response(&signed_with(PERSISTENT, "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"));
    assert_eq!(reason(&document), "transient_name_id");
}

#[test]
fn a_name_id_without_a_format_is_accepted() {
    assert_eq!(with(&format!(r#" Format="{PERSISTENT}""#), "").subject, NAME_ID);
}

#[test]
fn name_ids_that_cannot_be_used_are_refused() {
    let own = format!(">{NAME_ID}<");
    let long = "x".repeat(257);
    for text in ["", " ", " u-4711", "u-4711&#10;", "u&#9;4711", long.as_str()] {
        let document = response(&signed_with(&own, &format!(">{text}<")));
        assert_eq!(reason(&document), "name_id", "{text}");
    }
    let element = format!(r#"<saml:NameID Format="{PERSISTENT}">{NAME_ID}</saml:NameID>"#);
    for other in ["", "<saml:EncryptedID/>", "<saml:BaseID/>", &format!("{element}{element}")] {
        let document = response(&signed_with(&element, other));
        assert_eq!(reason(&document), "name_id", "{other}");
    }
}

#[test]
fn all_contexts_are_reported_once() {
    let class = "<saml:AuthnContextClassRef>urn:a</saml:AuthnContextClassRef>";
    let statement = format!(
        r#"<saml:AuthnStatement AuthnInstant="2026-12-01T11:58:00Z"><saml:AuthnContext>{class}</saml:AuthnContext></saml:AuthnStatement>"#
    );
    let claims = with("<saml:AttributeStatement>", &format!("{statement}{statement}<saml:AttributeStatement>"));
    let [first, second] = &claims.contexts[..] else {
        panic!("{claims:?}");
    };
    assert!(first.ends_with("PasswordProtectedTransport"));
    assert_eq!(second, "urn:a");
}

#[test]
fn the_earliest_sign_in_at_the_provider_counts() {
    let time = r#"AuthnInstant="2026-12-01T11:58:00Z""#;
    let at = |to: &str| with(time, to).authenticated_at;
    let earlier = Time::parse("2026-12-01T03:00:00Z").unwrap().0;
    assert_eq!(at(r#"AuthnInstant="2026-12-01T03:00:00.000Z""#), Some(earlier));
    for unread in ["", r#"AuthnInstant="today""#, r#"AuthnInstant="2026-12-01T11:58:00+01:00""#] {
        assert_eq!(at(unread), None, "{unread}");
    }
    let statement = "<saml:AuthnStatement ";
    let old = r#"<saml:AuthnStatement AuthnInstant="2026-12-01T03:00:00Z"><saml:AuthnContext/></saml:AuthnStatement>"#;
    let both = with(statement, &format!("{old}{statement}"));
    assert_eq!(both.authenticated_at, Some(earlier));
    let unclear = old.replace("2026-12-01T03:00:00Z", "long ago");
    let both = with(statement, &format!("{unclear}{statement}"));
    assert_eq!(both.authenticated_at, None);
}
