//! `/api/v1/settings/webhooks/{id}/replay`: replays the messages that an endpoint missed, for example while it was
//! switched off.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::MessageId;
use crate::base::instant::Instant;
use crate::base::time::Time;
use crate::plan::WebhooksGuard;
use crate::plan::WebhooksWrite;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::webhooks::WebhookState;
use crate::plan::{Guard, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::{Optional, form};
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use crate::webhooks::attempt::MISSED_MS;
use crate::webhooks::endpoints::WebhookView;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Builder;

/// The most messages that one call replays.
pub const MISSED_MAX: usize = 100;

body! {
    #[derive(Default)]
    closed Replay { since: Optional<Moment> }
}

form! {
    Moment: Instant = "a time (RFC 3339, such as 2026-03-04T12:00:00Z)", |text| Time::parse(text).map(|time| time.0),
    { "type": "string", "format": "date-time" }
}

impl Replay {
    /// From when on messages are replayed: by default 7 days ago.
    #[must_use]
    pub fn since(&self, now: Instant) -> Instant {
        self.since.unwrap_or(now.plus(-MISSED_MS))
    }
}

/// The lowest message id of an instant. Ids are ordered by time.
#[must_use]
pub fn first_at(since: Instant) -> MessageId {
    let ms = u64::try_from(since.0).unwrap_or(0);
    MessageId(Builder::from_unix_timestamp_millis(ms, &[0; 10]).into_uuid())
}

/// An endpoint and the messages that it missed, oldest first: at most one more than [`MISSED_MAX`].
#[derive(Clone, Debug, Deserialize)]
pub struct Missed {
    webhook: WebhookView,
    missed: Vec<MessageId>,
}

/// The answer to a replay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Replayed {
    /// How many messages were replayed.
    replayed: usize,
    /// True if there are more. The same call replays those.
    more: bool,
}

/// Schedules the messages that an endpoint missed, from the first attempt on.
///
/// # Errors
///
/// [`RequestError::NotFound`] for an endpoint that the practice does not have, [`RequestError::Conflict`] if it is disabled.
pub fn replay_missed(
    stored: Option<Missed>,
    since: Instant,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let Missed { webhook, mut missed } = stored.ok_or(RequestError::NotFound("no such webhook"))?;
    if webhook.state == WebhookState::Disabled {
        return Err(RequestError::Conflict(Reason::WebhookDisabled, "the webhook is disabled"));
    }
    let more = missed.len() > MISSED_MAX;
    missed.truncate(MISSED_MAX);
    let answer = Replayed { replayed: missed.len(), more };
    if missed.is_empty() {
        return Ok(Change::nothing(Answer::new(202, &answer)));
    }
    let event = Event::DeliveriesReplayed;
    let audit = Entry::new(ctx, 0, Some(practice_id), event, webhook.id)
        .detail(json!({ "since": Time(since), "messages": missed.len() }));
    Ok(Change::new(audit, Answer::new(202, &answer))
        .guard(Guard::Webhooks(WebhooksGuard::Active { practice: practice_id, webhook: webhook.id }))
        .write(Write::Webhooks(WebhooksWrite::MissedReplayed {
            practice: practice_id,
            webhook: webhook.id,
            messages: missed,
        })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::rights::Action;
    use crate::auth::role::Role;
    use crate::base::id::{PracticeId, WebhookId};
    use crate::request::declare::Body;
    use crate::testing::{parse, person, terms, test};
    use alloc::string::ToString;
    use uuid::Uuid;

    const NOW: Instant = Instant(1_772_625_600_000);

    fn ctx() -> Ctx {
        Ctx::new(NOW, [1; 32])
    }

    fn missed(count: u128, state: WebhookState) -> Missed {
        let webhook = WebhookView {
            id: WebhookId(Uuid::from_u128(7)),
            version: 1,
            url: "https://hooks.example.com/".into(),
            events: Vec::new(),
            state,
            created_at: Time(NOW),
            failing_since: None,
            disabled_at: None,
            old_secret_until: None,
        };
        let missed = (0..count).map(|n| MessageId(Uuid::from_u128(n)));
        Missed { webhook, missed: missed.collect() }
    }

    #[test]
    fn a_replay_begins_seven_days_ago_unless_it_says_since_when() {
        for none in ["", " ", "{}", r#"{"since": null}"#, r#"{"since": ""}"#, r#"{"since": " "}"#] {
            let since = Replay::parse_if_any(none.as_bytes(), terms(&ctx())).map(|replay| replay.since(NOW));
            assert_eq!(since, Ok(NOW.plus(-7 * 86_400_000)), "{none}");
        }
        let since = parse(br#"{"since": "2026-03-04T11:59:59.500Z"}"#).map(|replay: Replay| replay.since(NOW));
        assert_eq!(since, Ok(NOW.plus(-500)));
        let problems = [r#"{"since": "yesterday"}"#, r#"{"since": 5}"#, r#"{"sinse": "2026-03-04T11:00:00Z"}"#];
        for body in problems {
            let refused = parse::<Replay>(body);
            assert!(matches!(refused, Err(RequestError::Invalid(_))), "{body}");
        }
    }

    #[test]
    fn ids_of_messages_run_in_the_order_of_time() {
        let message = MessageId(ctx().id(crate::base::ctx::Purpose::Message, 5));
        assert!(first_at(NOW).0 <= message.0 && message.0 < first_at(NOW.plus(1)).0);
        assert!(first_at(Instant(-5)).to_string() < first_at(NOW).to_string());
    }

    #[test]
    fn a_call_tells_so_many_again_and_says_whether_there_are_more() {
        let person = person(Role::Admin, Action::ReplayDeliveries);
        let replay = |count, state| replay_missed(Some(missed(count, state)), NOW, &person, &ctx());
        for (count, told, more) in [(1, 1, false), (100, 100, false), (101, 100, true)] {
            let change = replay(count, WebhookState::Active).unwrap();
            let body = json!({ "replayed": told, "more": more });
            assert_eq!(change.answer.body, body);
            let written = change.writes.iter().find_map(|write| match write {
                Write::Webhooks(WebhooksWrite::MissedReplayed { practice: PracticeId(_), webhook: _, messages }) => {
                    Some(messages.len())
                }
                _ => None,
            });
            assert_eq!(written, Some(told));
        }
        let none = replay(0, WebhookState::Active).unwrap();
        assert!(none.writes.is_empty());
        let disabled = replay(1, WebhookState::Disabled);
        assert!(matches!(disabled, Err(RequestError::Conflict(..))));
        let unknown = replay_missed(None, NOW, &person, &ctx());
        assert!(matches!(unknown, Err(RequestError::NotFound(_))));
    }
}
