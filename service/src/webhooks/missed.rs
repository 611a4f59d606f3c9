//! `/api/v1/settings/webhooks/{id}/replay`: replays the messages that an endpoint missed, for example while it was
//! switched off.

use crate::extract::MaybeBody;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Optional;
use crate::request::declare::query::kinds::Moment;
use crate::webhooks::attempt::MISSED_MS;
use crate::webhooks::endpoints::{ENDPOINT, FROM_OWN, WebhookView, active, is_active, known};
use uuid::Builder;

/// The most messages that one call replays.
pub(super) const MISSED_MAX: usize = 100;

body! {
    #[derive(Default)]
    closed Replay {
        /// Only messages written at this instant or later. The default is 7 days ago.
        since: Optional<Moment>,
    }
}

impl Replay {
    /// From when on messages are replayed: by default 7 days ago.
    pub(crate) fn since(&self, now: Instant) -> Instant {
        self.since.unwrap_or(now.plus(-MISSED_MS))
    }
}

/// The lowest message id of an instant. Ids are ordered by time.
pub(super) fn first_at(since: Instant) -> MessageId {
    let ms = u64::try_from(since.0).unwrap_or(0);
    MessageId(Builder::from_unix_timestamp_millis(ms, &[0; 10]).into_uuid())
}

/// An endpoint and the messages that it missed, oldest first: at most one more than [`MISSED_MAX`].
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Missed {
    webhook: WebhookView,
    missed: Vec<MessageId>,
}

pub(super) fn missed(caller: &str, id: WebhookId, since: Instant) -> Query<Option<Missed>> {
    select!(
        "webhooks.missed",
        "SELECT json_object('webhook', {ENDPOINT}, 'missed', json((
           SELECT json_group_array(id) FROM (SELECT d.id FROM deliveries d
           WHERE d.practice_id = w.practice_id AND d.webhook_id = w.id AND d.state = 'failed' AND d.id >= {first}
           ORDER BY d.id LIMIT CAST({most} AS INTEGER))))) AS json {FROM_OWN}" [ENDPOINT, FROM_OWN];
        caller, id, first = first_at(since), most = MISSED_MAX.saturating_add(1)
    )
    .optional()
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Replayed {
    /// How many messages are sent again.
    #[cfg_attr(feature = "schema", schemars(range(max = MISSED_MAX)))]
    replayed: usize,
    /// Whether more messages remain. Call again while it is `true`.
    more: bool,
}

/// `replayMissed`: Replay what a webhook missed.
///
/// Owners and admins only. Sends the messages that the endpoint did not accept, the oldest first. These are the
/// messages that the webhook missed while it was disabled, which we keep for 7 days, and the messages that failed
/// after all attempts. Each message keeps its `webhook-id`. One call replays up to 100 messages. If `more` is
/// `true`, call again. If the webhook is disabled, the answer is `409`.
pub(crate) async fn replay(
    PathId(id): PathId<WebhookId>,
    request: WriteRequest<MaybeBody<Replay>>,
) -> Result<Gives<Replayed, 202>, AppError> {
    let now = request.ctx().now;
    let asked = request.body().ok();
    let load = asked.map(|MaybeBody(replay)| missed(request.credential(), id, replay.since(now)));
    let decide = request.change(load, |person, stored, MaybeBody(replay)| {
        replayed(stored.flatten(), replay.since(now), person, request.ctx())
    });
    decide.await
}

pub(super) fn replayed(
    stored: Option<Missed>,
    since: Instant,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let Missed { webhook, mut missed } = known(stored)?;
    active(&webhook)?;
    let more = missed.len() > MISSED_MAX;
    missed.truncate(MISSED_MAX);
    let answer = Answer::new(202, &Replayed { replayed: missed.len(), more });
    if missed.is_empty() {
        return Ok(Change::nothing(answer));
    }
    let audit = Entry::new(ctx, 0, Some(practice), Event::DeliveriesReplayed, webhook.id)
        .detail(json!({ "since": Time(since), "messages": missed.len() }));
    Ok(Change::new(audit, answer)
        .guard(is_active(practice, webhook.id))
        .write(again(practice, webhook.id, &missed, ctx.now))
        .after(After::Deliver(practice, missed)))
}

pub(super) fn again(practice: PracticeId, webhook: WebhookId, missed: &[MessageId], now: Instant) -> Write {
    sql!(
        "UPDATE deliveries SET state = 'pending', attempts = 0, next_at = {now}, lease_ends = NULL
         WHERE practice_id = {practice} AND webhook_id = {webhook} AND state = 'failed'
           AND id IN (SELECT value FROM json_each({missed}))";
        practice, webhook, missed = Json(missed), now
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::rights::Action;
    use crate::auth::role::Role;
    use crate::request::declare::Body;
    use crate::testing::decisions::{parse, person, terms};
    use crate::webhooks::endpoints::WebhookState;
    use overturn_core::base::ctx::Purpose;
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
        let message = MessageId(ctx().id(Purpose::Message, 5));
        assert!(first_at(NOW).0 <= message.0 && message.0 < first_at(NOW.plus(1)).0);
        assert!(first_at(Instant(-5)).to_string() < first_at(NOW).to_string());
    }

    #[test]
    fn a_call_tells_so_many_again_and_says_whether_there_are_more() {
        let person = person(Role::Admin, Action::ReplayDeliveries);
        let replay = |count, state| replayed(Some(missed(count, state)), NOW, &person, &ctx());
        for (count, told, more) in [(1, 1, false), (100, 100, false), (101, 100, true)] {
            let change = replay(count, WebhookState::Active).unwrap();
            let body = json!({ "replayed": told, "more": more });
            assert_eq!(change.answer.body, body);
            let [After::Deliver(_, messages)] = &change.after[..] else { panic!("they are sent at once") };
            assert_eq!((change.writes.len(), messages.len()), (2, told));
        }
        let none = replay(0, WebhookState::Active).unwrap();
        assert!(none.writes.is_empty());
        let disabled = replay(1, WebhookState::Disabled);
        assert!(matches!(disabled, Err(RequestError::Conflict(..))));
        let unknown = replayed(None, NOW, &person, &ctx());
        assert!(matches!(unknown, Err(RequestError::NotFound(_))));
    }
}
