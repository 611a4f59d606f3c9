use super::*;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::testing::decisions::{parse, person, said, takes_version};
use overturn_core::base::instant::Instant;
use overturn_core::testing::ctx;

const URL: &str = "https://hooks.example.com/";

fn stored() -> WebhookView {
    WebhookView {
        id: WebhookId(uuid::Uuid::from_u128(7)),
        version: 4,
        url: URL.into(),
        events: ["report.delivered".into()].into(),
        state: WebhookState::Disabled,
        created_at: Time(Instant(1)),
        failing_since: Some(Time(Instant(2))),
        disabled_at: Some(Time(Instant(3))),
        old_secret_until: None,
    }
}

fn problems<T>(parsed: Result<T, RequestError>) -> Vec<String> {
    parsed.map_or_else(said, |_| panic!("nothing is wrong"))
}

#[test]
fn an_endpoint_wants_an_address_and_known_events() {
    let body = br#"{"url": "https://hooks.example.com", "events": ["report.delivered", "claim.status_changed", "report.delivered"]}"#;
    let kinds = [MessageKind::ClaimStatusChanged, MessageKind::ReportDelivered];
    let new: NewWebhook = parse(body).unwrap();
    assert_eq!((new.url.as_str(), new.events), (URL, kinds.into()));
    assert_eq!(problems(parse::<NewWebhook>(b"{}")), ["url is required", "events is required"]);
    let wrong = br#"{"url": "https://127.1/", "events": ["claim.created"]}"#;
    assert_eq!(
        problems(parse::<NewWebhook>(wrong)),
        [
            "url must name a host, not an address of numbers",
            "events must be out of claim.status_changed claim.signing_changed claim.deadline_changed claim.amount_corrected report.delivered api_key.leaked api_token.leaked api_key.expiring api_token.expiring"
        ]
    );
}

#[test]
fn an_endpoint_is_edited_in_the_version_that_the_person_has_seen() {
    let person = person(Role::Owner, Action::ManageWebhooks);
    let read = read(person.practice_id.unwrap(), &stored());
    takes_version(read, |seen| {
        let edited = WebhookEdit { url: Some("https://other.example.com/".into()), ..WebhookEdit::default() };
        super::edited(edited, (Some(stored()), seen), &person, &ctx())
    });
    // A removal needs no version of the caller, but its batch has what was read.
    let removed = removed(Some(stored()), &person, &ctx()).unwrap();
    assert_eq!(removed.guards, [Guard::Version(read)]);
}
