//! Responses of providers that keep to the standard.

use super::kit::{
    ACS, ASSERTION, CURVE, How, IDP, NAME_ID, NEXT, PROVIDER, REQUEST, accepted, changed, claims, later, metadata, now,
    question, reason, response, signed, signed_with, why,
};
use crate::saml::check;
use overturn_core::base::time::Time;
use overturn_core::identity::saml::{CheckSamlResponse, SamlClaims};
use overturn_core::identity::{Question, Verdict};

#[test]
fn a_signed_assertion_is_accepted() {
    let ends = Time::parse("2026-12-01T12:06:00Z").unwrap().0;
    let expected = SamlClaims {
        assertion_id: "_a1".into(),
        expires_at: ends,
        subject: NAME_ID.into(),
        email: Some("ana@clinic.example".into()),
        name: Some("Ana Ruiz & Co".into()),
        contexts: vec!["urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport".into()],
        authenticated_at: Some(Time::parse("2026-12-01T11:58:00Z").unwrap().0),
    };
    assert_eq!(accepted(&response(&signed())), expected);
}

#[test]
fn questions_and_answers_travel_as_json() {
    let asked = question(&response(&signed()));
    let body = serde_json::to_vec(&asked).unwrap();
    let reply = crate::answer(CheckSamlResponse::PATH, &body).unwrap();
    let verdict: Verdict<SamlClaims> = serde_json::from_slice(&reply).unwrap();
    assert_eq!(verdict, Verdict::Accepted(claims(&asked)));
    assert!(crate::answer(CheckSamlResponse::PATH, b"{}").is_err());
}

#[test]
fn a_signed_assertion_in_a_signed_response_is_accepted() {
    let both = How::usual("_r1").sign(&response(&signed()));
    assert_eq!(accepted(&both).subject, NAME_ID);
}

#[test]
fn white_space_between_elements_is_accepted() {
    let spaced = ASSERTION.replace("><saml:", ">\r\n  <saml:");
    let document = response(&How::usual("_a1").sign(&spaced)).replace("><samlp:", ">\n<samlp:");
    assert_eq!(accepted(&document).subject, NAME_ID);
}

#[test]
fn a_declaration_and_a_byte_order_mark_are_accepted() {
    let declared = format!("\u{feff}<?xml version='1.0' encoding='utf-8'?>\n{}", response(&signed()));
    assert_eq!(accepted(&declared).subject, NAME_ID);
}

#[test]
fn base64_may_have_line_ends() {
    let mut asked = question(&response(&signed()));
    asked.response = asked
        .response
        .as_bytes()
        .chunks(60)
        .map(|line| format!("{}\r\n", std::str::from_utf8(line).unwrap()))
        .collect();
    assert_eq!(claims(&asked).subject, NAME_ID);
}

#[test]
fn namespaces_of_the_response_reach_the_assertion() {
    let inner = changed(
        ASSERTION,
        "<saml:AttributeValue>",
        r#"<saml:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">"#,
    );
    let how = How {
        transforms: format!(
            concat!(
                r#"<ds:Transform Algorithm="{}"/><ds:Transform Algorithm="{e}">"#,
                r#"<ec:InclusiveNamespaces xmlns:ec="{e}" PrefixList="xs"/></ds:Transform>"#
            ),
            super::kit::ENVELOPED,
            e = super::kit::EXCLUSIVE
        ),
        ..How::usual("_a1")
    };
    // The provider signs the assertion inside the response, so the response's prefix is part of what it signs.
    let document = changed(
        &response(&inner.replacen("</saml:Issuer>", &format!("</saml:Issuer>{}", how.template()), 1)),
        "<samlp:Response ",
        r#"<samlp:Response xmlns:xs="http://www.w3.org/2001/XMLSchema" "#,
    );
    assert_eq!(accepted(&how.finish(&document)).subject, NAME_ID);
}

#[test]
fn all_listed_algorithms_are_accepted() {
    for size in ["256", "384", "512"] {
        let how = How {
            algorithm: format!("http://www.w3.org/2001/04/xmldsig-more#rsa-sha{size}"),
            digest: match size {
                "384" => "http://www.w3.org/2001/04/xmldsig-more#sha384".into(),
                size => format!("http://www.w3.org/2001/04/xmlenc#sha{size}"),
            },
            ..How::usual("_a1")
        };
        assert_eq!(accepted(&response(&how.sign(ASSERTION))).subject, NAME_ID);
    }
    let how = How {
        pair: CURVE,
        algorithm: "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256".into(),
        ..How::usual("_a1")
    };
    let mut asked = question(&response(&how.sign(ASSERTION)));
    asked.metadata = metadata(&[CURVE.1]);
    assert_eq!(claims(&asked).subject, NAME_ID);
}

#[test]
fn both_certificates_of_a_roll_over_verify() {
    for pair in [PROVIDER, NEXT] {
        let how = How { pair, ..How::usual("_a1") };
        let mut asked = question(&response(&how.sign(ASSERTION)));
        asked.metadata = metadata(&[PROVIDER.1, NEXT.1]);
        assert_eq!(claims(&asked).subject, NAME_ID);
    }
}

#[test]
fn a_provider_may_begin_only_without_a_request() {
    let inner = signed_with(&format!(r#" InResponseTo="{REQUEST}""#), "");
    let document = changed(&response(&inner), &format!(r#" InResponseTo="{REQUEST}""#), "");
    let mut asked = question(&document);
    asked.request_id = None;
    assert_eq!(claims(&asked).subject, NAME_ID);
    // The same response does not answer a request.
    assert_eq!(reason(&document), "in_response_to");
    // A response to a request is not one that the provider began.
    let mut asked = question(&response(&signed()));
    asked.request_id = None;
    assert_eq!(why(&check(&asked)), "in_response_to");
}

#[test]
fn clocks_may_differ_by_a_minute() {
    let mut asked = question(&response(&signed()));
    for (ms, expected) in [(-120_000, None), (-120_001, Some("not_yet")), (359_999, None), (360_000, Some("expired"))] {
        asked.now = later(ms);
        // The time of issue is not in the future in this test.
        asked.response = question(&response(&signed_with(
            r#"IssueInstant="2026-12-01T12:00:00Z""#,
            r#"IssueInstant="2026-12-01T11:00:00Z""#,
        )))
        .response;
        match expected {
            None => assert_eq!(claims(&asked).subject, NAME_ID, "{ms}"),
            Some(reason) => assert_eq!(why(&check(&asked)), reason, "{ms}"),
        }
    }
    assert!(claims(&question(&response(&signed()))).expires_at > now());
    assert!(ASSERTION.contains(ACS) && ASSERTION.contains(IDP));
}
