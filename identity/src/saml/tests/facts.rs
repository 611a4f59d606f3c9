//! Responses for others, of others, or of another time.

use super::kit::{ACS, ASSERTION, How, IDP, NAME_ID, SP, accepted, changed, reason, response, signed, signed_with};

/// Why a response is refused whose assertion was signed after this change.
fn with(from: &str, to: &str) -> String {
    reason(&response(&signed_with(from, to)))
}

/// Why a response is refused after this change outside the assertion.
fn around(from: &str, to: &str) -> String {
    reason(&changed(&response(&signed()), from, to))
}

#[test]
fn a_response_for_another_service_is_refused() {
    assert_eq!(with(SP, "https://other.example/metadata"), "audience");
    assert_eq!(with(SP, &format!("{SP}/")), "audience");
    assert_eq!(with(ACS, "https://other.example/acs"), "recipient");
    assert_eq!(around(ACS, "https://other.example/acs"), "destination");
}

#[test]
fn the_destination_and_the_recipient_are_needed() {
    assert_eq!(around(&format!(r#" Destination="{ACS}""#), ""), "destination");
    assert_eq!(with(&format!(r#" Recipient="{ACS}""#), ""), "recipient");
}

#[test]
fn each_audience_restriction_counts() {
    let one = format!("<saml:AudienceRestriction><saml:Audience>{SP}</saml:Audience></saml:AudienceRestriction>");
    assert_eq!(with(&one, ""), "audience");
    assert_eq!(with(&one, "<saml:AudienceRestriction/>"), "audience");
    let other = one.replace(SP, "https://other.example/");
    assert_eq!(with(&one, &format!("{one}{other}")), "audience");
    let several =
        one.replace("<saml:Audience>", "<saml:Audience>https://other.example/</saml:Audience><saml:Audience>");
    let document = response(&signed_with(&one, &several));
    assert_eq!(accepted(&document).subject, NAME_ID);
}

#[test]
fn an_unknown_condition_is_refused() {
    let end = "</saml:AudienceRestriction>";
    assert_eq!(with(end, &format!("{end}<saml:Condition/>")), "condition");
    assert_eq!(with(end, &format!(r#"{end}<e:OneTimeUse xmlns:e="urn:e"/>"#)), "condition");
    let known = format!("{end}<saml:OneTimeUse/><saml:ProxyRestriction/>");
    assert_eq!(accepted(&response(&signed_with(end, &known))).subject, NAME_ID);
}

#[test]
fn another_issuer_is_refused() {
    let issuer = format!("<saml:Issuer>{IDP}</saml:Issuer>");
    let other = issuer.replace(IDP, "https://evil.example/metadata");
    assert_eq!(with(&issuer, &other), "issuer");
    assert_eq!(around(&issuer, &other), "issuer");
    let formatted = issuer.replace("<saml:Issuer>", r#"<saml:Issuer Format="urn:other">"#);
    assert_eq!(with(&issuer, &formatted), "issuer");
    assert_eq!(with(&issuer, &issuer.replace(IDP, &format!(" {IDP}"))), "issuer");
    // The response does not need an issuer, because it may be unsigned.
    let document = changed(&response(&signed()), &issuer, "");
    assert_eq!(accepted(&document).subject, NAME_ID);
}

#[test]
fn an_answer_to_another_request_is_refused() {
    let own = r#" InResponseTo="_request1""#;
    for other in [r#" InResponseTo="_request2""#, r#" InResponseTo="""#, ""] {
        assert_eq!(with(own, other), "in_response_to");
        assert_eq!(around(own, other), "in_response_to");
    }
}

#[test]
fn a_failed_sign_in_is_refused() {
    let success = "urn:oasis:names:tc:SAML:2.0:status:Success";
    assert_eq!(around(success, "urn:oasis:names:tc:SAML:2.0:status:Responder"), "status");
    assert_eq!(around(success, ""), "status");
    let status = format!(r#"<samlp:Status><samlp:StatusCode Value="{success}"/></samlp:Status>"#);
    assert_eq!(around(&status, ""), "status");
    // A refusal has no assertion, and the reason is still the status.
    let failed = changed(&response(""), success, "urn:oasis:names:tc:SAML:2.0:status:Requester");
    assert_eq!(reason(&failed), "status");
}

#[test]
fn the_subject_is_confirmed_as_bearer() {
    assert_eq!(with("cm:bearer", "cm:holder-of-key"), "subject_confirmation");
    assert_eq!(with("cm:bearer", "cm:sender-vouches"), "subject_confirmation");
    let (_, rest) = ASSERTION.split_once("<saml:SubjectConfirmation ").unwrap();
    let (inside, _) = rest.split_once("</saml:SubjectConfirmation>").unwrap();
    let confirmation = format!("<saml:SubjectConfirmation {inside}</saml:SubjectConfirmation>");
    assert_eq!(with(&confirmation, ""), "subject_confirmation");
    assert_eq!(with(&confirmation, &format!("{confirmation}{confirmation}")), "subject_confirmation");
    let empty = r#"<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"/>"#;
    assert_eq!(with(&confirmation, empty), "subject_confirmation");
}

#[test]
fn both_ends_count() {
    let confirmation = r#"NotOnOrAfter="2026-12-01T12:05:00Z""#;
    let conditions = r#"NotOnOrAfter="2026-12-01T12:10:00Z""#;
    for own in [confirmation, conditions] {
        assert_eq!(with(own, r#"NotOnOrAfter="2026-12-01T11:59:00Z""#), "expired");
        assert_eq!(with(own, r#"NotOnOrAfter="2026-12-01T11:00:00Z""#), "expired");
        assert_eq!(with(own, ""), "time_form");
        let skewed = signed_with(own, r#"NotOnOrAfter="2026-12-01T11:59:00.001Z""#);
        assert_eq!(accepted(&response(&skewed)).subject, NAME_ID);
    }
}

#[test]
fn all_beginnings_count() {
    let conditions = r#"NotBefore="2026-12-01T11:59:00Z""#;
    assert_eq!(with(conditions, r#"NotBefore="2026-12-01T12:01:01Z""#), "not_yet");
    let data = "<saml:SubjectConfirmationData ";
    let begins = format!(r#"{data}NotBefore="2026-12-01T12:01:01Z" "#);
    assert_eq!(with(data, &begins), "not_yet");
    let issued = r#"IssueInstant="2026-12-01T12:00:00Z""#;
    assert_eq!(with(issued, r#"IssueInstant="2026-12-01T12:01:01Z""#), "not_yet");
    assert_eq!(accepted(&response(&signed_with(conditions, ""))).subject, NAME_ID);
}

#[test]
fn an_ended_session_is_refused() {
    let statement = "<saml:AuthnStatement ";
    for (end, expected) in [("11:59:00", Some("expired")), ("11:59:01", None)] {
        let to = format!(r#"{statement}SessionNotOnOrAfter="2026-12-01T{end}Z" "#);
        match expected {
            Some(expected) => assert_eq!(with(statement, &to), expected),
            None => assert_eq!(accepted(&response(&signed_with(statement, &to))).subject, NAME_ID),
        }
    }
}

#[test]
fn strange_times_are_refused_without_a_panic() {
    let own = r#"NotOnOrAfter="2026-12-01T12:10:00Z""#;
    for time in [
        "",
        "now",
        "2026-12-01",
        "2026-12-01T12:10:00",
        "2026-12-01T12:10:00+01:00",
        "99999-12-01T12:10:00Z",
        "2026-13-01T12:10:00Z",
        "9999-12-31T23:59:59Z",
        "-0001-01-01T00:00:00Z",
    ] {
        assert_eq!(with(own, &format!(r#"NotOnOrAfter="{time}""#)), "time_form", "{time}");
    }
    let far = signed_with(own, r#"NotOnOrAfter="9999-12-30T00:00:00Z""#);
    assert_eq!(accepted(&response(&far)).subject, NAME_ID);
}

#[test]
fn the_parts_of_an_assertion_are_needed_once() {
    for name in ["saml:Conditions", "saml:AuthnStatement", "saml:Subject"] {
        let (before, rest) = ASSERTION.split_once(&format!("<{name}")).unwrap();
        let (inside, after) = rest.split_once(&format!("</{name}>")).unwrap();
        let part = format!("<{name}{inside}</{name}>");
        let sign = |text: &str| reason(&response(&How::usual("_a1").sign(text)));
        assert!(["structure", "subject_confirmation"].contains(&sign(&format!("{before}{after}")).as_str()), "{name}");
        if name != "saml:AuthnStatement" {
            assert_eq!(sign(&format!("{before}{part}{part}{after}")), "structure", "{name}");
        }
        assert_eq!(sign(&format!("{before}text{part}{after}")), "structure", "{name}");
    }
    assert_eq!(with(r#"Version="2.0""#, r#"Version="1.1""#), "structure");
}
