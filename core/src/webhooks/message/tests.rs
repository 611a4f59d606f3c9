//! The bodies as callers get them.

use super::*;
use alloc::borrow::ToOwned;
use alloc::format;
use uuid::Uuid;

const AT: Instant = Instant(1_772_625_600_120);

fn body(data: Data) -> String {
    data.body(AT, false)
}

fn number() -> ClaimNumber {
    ClaimNumber("A \"1\"".into())
}

#[test]
fn claim_numbers_in_messages_are_not_printed() {
    assert_eq!(format!("{:?}", number()), "ClaimNumber(…)");
}

#[test]
fn the_bodies_are_pinned() {
    let id = Uuid::from_u128(7);
    assert_eq!(
        body(Data::Status { id: ClaimId(id), claim_number: number(), status: ClaimStatus::InAppeal }),
        r#"{"type":"claim.status_changed","timestamp":"2026-03-04T12:00:00.120Z","data":{"claim":{"id":"00000000-0000-0000-0000-000000000007","claim_number":"A \"1\"","status":"in_appeal"}}}"#
    );
    assert_eq!(
        body(Data::Signing { id: ClaimId(id), claim_number: number(), signing_status: SigningStatus::Signed }),
        r#"{"type":"claim.signing_changed","timestamp":"2026-03-04T12:00:00.120Z","data":{"claim":{"id":"00000000-0000-0000-0000-000000000007","claim_number":"A \"1\"","signing_status":"signed"}}}"#
    );
    for (deadline, said) in [(Date::parse("2026-07-04"), "\"2026-07-04\""), (None, "null")] {
        let expected = format!(
            r#"{{"type":"claim.deadline_changed","timestamp":"2026-03-04T12:00:00.120Z","data":{{"claim":{{"id":"00000000-0000-0000-0000-000000000007","claim_number":"A \"1\"","deadline":{said}}}}}}}"#
        );
        let told = Data::Deadline { id: ClaimId(id), claim_number: number(), deadline };
        assert_eq!(body(told), expected);
    }
    assert_eq!(
        body(Data::Report { id: ReportId(id), claims: 3 }),
        r#"{"type":"report.delivered","timestamp":"2026-03-04T12:00:00.120Z","data":{"report":{"id":"00000000-0000-0000-0000-000000000007","claims":3}}}"#
    );
    let url = Some("https://example.com/x".to_owned());
    assert_eq!(
        body(Data::KeyLeaked { id: ApiKeyId(id), url }),
        r#"{"type":"api_key.leaked","timestamp":"2026-03-04T12:00:00.120Z","data":{"api_key":{"id":"00000000-0000-0000-0000-000000000007","url":"https://example.com/x"}}}"#
    );
    assert_eq!(
        body(Data::TokenLeaked { id: ApiTokenId(id), url: None }),
        r#"{"type":"api_token.leaked","timestamp":"2026-03-04T12:00:00.120Z","data":{"api_token":{"id":"00000000-0000-0000-0000-000000000007","url":null}}}"#
    );
    let expires_at = Time(Instant(1_772_712_000_000));
    assert_eq!(
        body(Data::KeyExpiring { id: ApiKeyId(id), expires_at }),
        r#"{"type":"api_key.expiring","timestamp":"2026-03-04T12:00:00.120Z","data":{"api_key":{"id":"00000000-0000-0000-0000-000000000007","expires_at":"2026-03-05T12:00:00.000Z"}}}"#
    );
    assert_eq!(
        body(Data::TokenExpiring { id: ApiTokenId(id), expires_at }),
        r#"{"type":"api_token.expiring","timestamp":"2026-03-04T12:00:00.120Z","data":{"api_token":{"id":"00000000-0000-0000-0000-000000000007","expires_at":"2026-03-05T12:00:00.000Z"}}}"#
    );
    assert_eq!(
        body(Data::Test { id: WebhookId(id), test: true }),
        r#"{"type":"webhook.test","timestamp":"2026-03-04T12:00:00.120Z","data":{"webhook":{"id":"00000000-0000-0000-0000-000000000007","test":true}}}"#
    );
}

#[test]
fn an_endpoint_can_subscribe_to_every_kind_but_a_test() {
    let all = MessageKind::ALL.into_iter();
    let events = all.filter(|kind| *kind != MessageKind::WebhookTest);
    assert!(events.eq(MessageKind::OF_EVENTS));
}

#[test]
fn a_kind_is_known_by_its_name_and_by_no_other() {
    for kind in MessageKind::ALL {
        assert_eq!(MessageKind::parse(kind.name()), Some(kind));
    }
    assert_eq!(MessageKind::parse("claim.created"), None);
}

#[test]
fn a_sample_of_each_kind_has_the_body_of_a_real_message_and_says_that_it_is_a_test() {
    let ctx = Ctx::new(AT, [1; 32]);
    let webhook = WebhookId(Uuid::from_u128(9));
    for kind in MessageKind::ALL {
        let data = Data::sample(kind, webhook, &ctx);
        assert_eq!(data.kind(), kind);
        let real = data.body(AT, false);
        let test = real.replacen(r#","data":"#, r#","test":true,"data":"#, 1);
        assert_eq!(data.body(AT, true), test);
        assert!(!real.contains(r#","test":true,"data":"#), "{real}");
    }
}
