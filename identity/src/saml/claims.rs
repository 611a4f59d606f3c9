//! What a verified assertion says of the person.

use super::facts::instant;
use super::names::{ASSERTION, FORMAT_EMAIL, FORMAT_TRANSIENT, FORMAT_UNSPECIFIED};
use super::reasons::{NAME_ID, STRUCTURE, Step, TRANSIENT_NAME_ID, refused, require};
use super::tree::Element;
use overturn_core::base::instant::Instant;
use overturn_core::identity::saml::SamlClaims;

/// The longest NameID: SAML's own limit for persistent ids.
const MAX_NAME_ID: usize = 256;
/// The longest address, by RFC 5321.
const MAX_EMAIL: usize = 254;
/// The longest name of a person, in characters.
const MAX_NAME: usize = 200;

/// Attributes with the person's address. In Microsoft's `claims/name` is the sign-in name, so it is in no list.
const EMAIL: &[&str] = &[
    "email",
    "mail",
    "emailaddress",
    "urn:oid:0.9.2342.19200300.100.1.3",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
];
const DISPLAY_NAME: &[&str] = &[
    "displayname",
    "name",
    "urn:oid:2.16.840.1.113730.3.1.241",
    "http://schemas.microsoft.com/identity/claims/displayname",
];
const GIVEN_NAME: &[&str] =
    &["givenname", "firstname", "urn:oid:2.5.4.42", "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname"];
const SURNAME: &[&str] =
    &["surname", "sn", "lastname", "urn:oid:2.5.4.4", "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname"];

/// The claims of an assertion that was verified and checked.
pub(super) fn claims(assertion: &Element, expires_at: Instant) -> Step<SamlClaims> {
    let (subject, format) = name_id(assertion)?;
    let email = email(assertion, &subject, &format)?;
    Ok(SamlClaims {
        assertion_id: assertion.attribute("ID").unwrap_or_default().to_owned(),
        expires_at,
        email,
        subject,
        name: name(assertion)?,
        contexts: contexts(assertion)?,
        authenticated_at: authenticated_at(assertion),
    })
}

/// The NameID and its format.
///
/// A transient NameID is refused: it differs at each sign-in, so an account that is joined to it is never found again.
fn name_id(assertion: &Element) -> Step<(String, String)> {
    let other = refused(NAME_ID, "the NameID is missing or cannot be used");
    let subject = assertion.only(ASSERTION, "Subject", other)?;
    let name_id = subject.only(ASSERTION, "NameID", other)?;
    let format = name_id.attribute("Format").unwrap_or(FORMAT_UNSPECIFIED);
    let transient = "the NameID differs at each sign-in";
    require(format != FORMAT_TRANSIENT, TRANSIENT_NAME_ID, transient)?;
    let value = name_id.text(other)?;
    let usable = (1..=MAX_NAME_ID).contains(&value.len()) && value.trim() == value && !value.contains(char::is_control);
    require(usable, other.reason, other.detail)?;
    Ok((value, format.to_owned()))
}

/// The person's address, if the assertion has exactly one: the same value twice is one value.
fn email(assertion: &Element, subject: &str, format: &str) -> Step<Option<String>> {
    let mut all = values(assertion, EMAIL)?;
    if format == FORMAT_EMAIL {
        all.insert(0, subject.to_owned());
    }
    let mut all = all.into_iter();
    let first = all.next();
    let one = first.filter(|first| {
        let plain = first.len() <= MAX_EMAIL
            && !first.contains(|c: char| c.is_whitespace() || c.is_control())
            && first
                .split_once('@')
                .is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && !host.contains('@'));
        plain && all.all(|other| other.eq_ignore_ascii_case(first))
    });
    Ok(one)
}

fn name(assertion: &Element) -> Step<Option<String>> {
    let whole = values(assertion, DISPLAY_NAME)?.into_iter().next();
    let name = match whole {
        Some(name) => name,
        None => {
            let mut parts = values(assertion, GIVEN_NAME)?;
            parts.truncate(1);
            parts.extend(values(assertion, SURNAME)?.into_iter().next());
            parts.join(" ")
        }
    };
    let usable = !name.is_empty() && name.chars().count() <= MAX_NAME && !name.contains(char::is_control);
    Ok(usable.then_some(name))
}

fn contexts(assertion: &Element) -> Step<Vec<String>> {
    let other = refused(STRUCTURE, "the context of the sign-in is not text");
    let mut contexts = Vec::new();
    for statement in assertion.named(ASSERTION, "AuthnStatement") {
        for context in statement.named(ASSERTION, "AuthnContext") {
            for class in context.named(ASSERTION, "AuthnContextClassRef") {
                let class = class.text(other)?.trim().to_owned();
                if !class.is_empty() && !contexts.contains(&class) {
                    contexts.push(class);
                }
            }
        }
    }
    Ok(contexts)
}

/// When the person signed in there: the earliest time of all statements, because any of them may be the old one.
fn authenticated_at(assertion: &Element) -> Option<Instant> {
    let statements = assertion.named(ASSERTION, "AuthnStatement");
    let times: Option<Vec<_>> = statements.map(|statement| instant(statement.attribute("AuthnInstant")).ok()).collect();
    times?.into_iter().min()
}

/// The values of the attributes with one of these names, without those that are not plain text. Letter case of the
/// names does not count.
fn values(assertion: &Element, names: &[&str]) -> Step<Vec<String>> {
    let other = refused(STRUCTURE, "an attribute is not text");
    let mut found = Vec::new();
    for statement in assertion.named(ASSERTION, "AttributeStatement") {
        for attribute in statement.named(ASSERTION, "Attribute") {
            let name = attribute.attribute("Name").unwrap_or_default();
            if !names.iter().any(|known| name.eq_ignore_ascii_case(known)) {
                continue;
            }
            for value in attribute.named(ASSERTION, "AttributeValue") {
                let text = value.text(other)?.trim().to_owned();
                if !text.is_empty() {
                    found.push(text);
                }
            }
        }
    }
    Ok(found)
}
