//! What a response must say: for whom it is, from whom, when, and in answer to what.

use super::names::{ASSERTION, BEARER, FORMAT_ENTITY, PROTOCOL, SUCCESS};
use super::reasons::{
    AUDIENCE, CONDITION, DESTINATION, EXPIRED, IN_RESPONSE_TO, ISSUER, NOT_YET, RECIPIENT, STATUS, STRUCTURE,
    SUBJECT_CONFIRMATION, Step, TIME_FORM, refused, require,
};
use super::tree::Element;
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;

/// How far the clocks of the service and of a provider may differ, in milliseconds.
pub(super) const SKEW_MS: i64 = 60_000;

/// What the service expects of a response.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) audience: &'a str,
    pub(super) recipient: &'a str,
    /// The request that it answers. Without one, the provider began the sign-in.
    pub(super) request_id: Option<&'a str>,
    pub(super) now: Instant,
}

/// Second-level status codes that help an administrator.
const STATUS_CODES: &[(&str, &str)] = &[
    ("urn:oasis:names:tc:SAML:2.0:status:AuthnFailed", "the person could not sign in there"),
    ("urn:oasis:names:tc:SAML:2.0:status:RequestDenied", "the provider denies the request"),
    ("urn:oasis:names:tc:SAML:2.0:status:NoPassive", "the person would have to sign in there"),
    ("urn:oasis:names:tc:SAML:2.0:status:InvalidNameIDPolicy", "the provider has no such NameID"),
];

/// Whether the provider says that the sign-in succeeded.
pub(super) fn check_status(response: &Element) -> Step<()> {
    let missing = refused(STATUS, "the response has no status");
    let status = response.only(PROTOCOL, "Status", missing)?;
    let code = status.only(PROTOCOL, "StatusCode", missing)?;
    if code.attribute("Value") == Some(SUCCESS) {
        return Ok(());
    }
    let second = code.named(PROTOCOL, "StatusCode").find_map(|second| second.attribute("Value"));
    let detail = STATUS_CODES
        .iter()
        .find(|(known, _)| second == Some(*known))
        .map_or("the provider says that the sign-in failed", |(_, text)| text);
    Err(refused(STATUS, detail))
}

/// Checks the response and its verified assertion.
pub(super) fn check_facts(response: &Element, assertion: &Element, expected: &Expected<'_>) -> Step<()> {
    let here = response.attribute("Destination") == Some(expected.recipient);
    require(here, DESTINATION, "the response is for another address")?;
    let answers = response.attribute("InResponseTo") == expected.request_id;
    require(answers, IN_RESPONSE_TO, "the response answers another request")?;
    if response.named(ASSERTION, "Issuer").next().is_some() {
        check_issuer(response, expected)?;
    }
    check_issuer(assertion, expected)?;
    let issued = instant(assertion.attribute("IssueInstant"))?;
    not_before(issued, expected.now)?;
    check_confirmation(assertion, expected)?;
    check_conditions(assertion, expected)?;
    check_statements(assertion, expected)
}

/// When the assertion is no longer accepted: the first of its ends, and the difference of clocks.
pub(super) fn expires_at(assertion: &Element) -> Step<Instant> {
    let data = confirmation_data(assertion)?;
    let confirmed = instant(data.attribute("NotOnOrAfter"))?;
    let valid = instant(conditions(assertion)?.attribute("NotOnOrAfter"))?;
    Ok(confirmed.min(valid).plus(SKEW_MS))
}

fn check_issuer(of: &Element, expected: &Expected<'_>) -> Step<()> {
    let other = refused(ISSUER, "another provider issued it");
    let issuer = of.only(ASSERTION, "Issuer", other)?;
    let entity = issuer.attribute("Format").is_none_or(|format| format == FORMAT_ENTITY);
    require(entity && issuer.text(other)? == expected.issuer, other.reason, other.detail)
}

/// The one confirmation of the subject. Further confirmations would mean that another party may act for the person.
fn confirmation_data(assertion: &Element) -> Step<&Element> {
    let other = refused(SUBJECT_CONFIRMATION, "the subject is not confirmed as bearer");
    let subject = assertion.only(ASSERTION, "Subject", other)?;
    let confirmation = subject.only(ASSERTION, "SubjectConfirmation", other)?;
    let bearer = confirmation.attribute("Method") == Some(BEARER);
    require(bearer, other.reason, other.detail)?;
    confirmation.only(ASSERTION, "SubjectConfirmationData", other)
}

fn check_confirmation(assertion: &Element, expected: &Expected<'_>) -> Step<()> {
    let data = confirmation_data(assertion)?;
    let here = data.attribute("Recipient") == Some(expected.recipient);
    require(here, RECIPIENT, "the assertion is for another recipient")?;
    let answers = data.attribute("InResponseTo") == expected.request_id;
    require(answers, IN_RESPONSE_TO, "the assertion answers another request")?;
    check_window(data, expected.now)
}

fn conditions(assertion: &Element) -> Step<&Element> {
    let missing = refused(STRUCTURE, "the assertion has no conditions");
    assertion.only(ASSERTION, "Conditions", missing)
}

fn check_conditions(assertion: &Element, expected: &Expected<'_>) -> Step<()> {
    let conditions = conditions(assertion)?;
    check_window(conditions, expected.now)?;
    let other = refused(AUDIENCE, "the assertion is for another audience");
    let mut restrictions = 0_usize;
    for condition in conditions.children() {
        if condition.is(ASSERTION, "AudienceRestriction") {
            restrictions = restrictions.saturating_add(1);
            let mut named = false;
            for audience in condition.named(ASSERTION, "Audience") {
                named |= audience.text(other)? == expected.audience;
            }
            require(named, other.reason, other.detail)?;
        } else {
            // The service uses each assertion once and issues none, so it keeps these two without looking at them.
            let kept = condition.is(ASSERTION, "OneTimeUse") || condition.is(ASSERTION, "ProxyRestriction");
            require(kept, CONDITION, "the assertion has an unknown condition")?;
        }
    }
    require(restrictions > 0, AUDIENCE, "the assertion does not say for whom it is")
}

/// At least one statement says that the person signed in, and no statement has ended.
fn check_statements(assertion: &Element, expected: &Expected<'_>) -> Step<()> {
    let mut statements = 0_usize;
    for statement in assertion.named(ASSERTION, "AuthnStatement") {
        statements = statements.saturating_add(1);
        if let Some(end) = statement.attribute("SessionNotOnOrAfter") {
            before_end(instant(Some(end))?, expected.now)?;
        }
    }
    let missing = "the assertion does not say that the person signed in";
    require(statements > 0, STRUCTURE, missing)
}

/// The element has an end that has not come, and its beginning has come if it has one.
fn check_window(element: &Element, now: Instant) -> Step<()> {
    if let Some(begins) = element.attribute("NotBefore") {
        not_before(instant(Some(begins))?, now)?;
    }
    before_end(instant(element.attribute("NotOnOrAfter"))?, now)
}

fn not_before(begins: Instant, now: Instant) -> Step<()> {
    let begun = begins <= now.plus(SKEW_MS);
    require(begun, NOT_YET, "the assertion is not valid yet")
}

fn before_end(end: Instant, now: Instant) -> Step<()> {
    require(now < end.plus(SKEW_MS), EXPIRED, "the assertion has ended")
}

/// A time of SAML: UTC, with `Z`.
pub(super) fn instant(text: Option<&str>) -> Step<Instant> {
    text.filter(|text| text.ends_with('Z'))
        .and_then(Time::parse)
        .map(|time| time.0)
        .ok_or(refused(TIME_FORM, "a time is missing or is not UTC"))
}
