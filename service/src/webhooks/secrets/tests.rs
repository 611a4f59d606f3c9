use super::*;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::Write;
use crate::plan::statement::WriteParam;
use crate::testing::decisions::{person, takes_version};
use crate::webhooks::endpoints::WebhookState;
use overturn_core::base::instant::Instant;
use overturn_core::testing::ctx;

const SEEN: Seen = Seen::Version(4);

fn stored() -> WebhookView {
    WebhookView {
        id: WebhookId(uuid::Uuid::from_u128(7)),
        version: 4,
        url: "https://hooks.example.com/".into(),
        events: ["report.delivered".into()].into(),
        state: WebhookState::Disabled,
        created_at: Time(Instant(1)),
        failing_since: Some(Time(Instant(2))),
        disabled_at: Some(Time(Instant(3))),
        old_secret_until: None,
    }
}

#[test]
fn a_secret_is_shown_once_and_its_predecessor_lasts_a_day() {
    let person = person(Role::Owner, Action::ManageWebhooks);
    let sealed = StoredSecret { key_version: KeyVersion(1), sealed: "blob".into() };
    let before = |_: SealedPlace, _: KeyVersion, _: &str| Ok([6; 32].to_vec());
    let stored = || Some((stored(), sealed.clone()));
    let secret = WebhookSecret::new([7; 32]);
    let rotate = |stored, seen, keys: &dyn Fn(SealedPlace, KeyVersion, &str) -> _| {
        rotated((stored, seen), &keys, &person, &secret, &ctx())
    };
    let change = rotate(stored(), SEEN, &before).unwrap();
    let (practice, id) = (person.practice_id.unwrap(), self::stored().id);
    let kept = Seal::new(SealedPlace::OldWebhookSecret { practice, id }, &[6; 32]);
    assert!(change.writes.iter().any(|write| matches!(
        write,
        Write::Sql(statement) if statement.params.contains(&WriteParam::Sealed(kept.clone()))
    )));
    let first = change.answer.first();
    assert_eq!(first["secret"], WebhookSecret::new([7; 32]).expose());
    assert_eq!(first["old_secret_until"], "2026-03-05T12:00:00.000Z");
    assert_eq!(change.answer.kept()["secret"], serde_json::Value::Null);
    let unknown = rotate(None, SEEN, &before);
    assert_eq!(unknown.err(), Some(RequestError::NotFound("no such webhook")));
    takes_version(read(practice, &self::stored()), |seen| rotate(stored(), seen, &before));
    // A value that opens but is not a secret does not sign for another day.
    let claim = |_: SealedPlace, _: KeyVersion, _: &str| Ok(b"{}".to_vec());
    let refused = rotate(stored(), SEEN, &claim);
    assert!(matches!(refused.err(), Some(RequestError::Tampered(_))));
}
