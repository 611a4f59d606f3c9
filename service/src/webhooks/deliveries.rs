//! `/api/v1/settings/webhooks/{id}/deliveries`: the deliveries of an endpoint and their replay. A test of an endpoint.

use crate::extract::{DeliveryPath, MaybeBody};
use crate::plan::message::{Data, Message, MessageKind};
use crate::prelude::*;
use crate::request::declare::kinds::Optional;
use crate::webhooks::attempt::Failure;
use crate::webhooks::endpoints::{ENDPOINT, FROM_OWN, WebhookView, active, is_active, known};

/// The most tests of an endpoint in [`TESTS_MS`].
const TESTS_MAX: usize = 20;
/// How long a test counts: one minute.
const TESTS_MS: i64 = 60_000;

body! {
    #[derive(Default)]
    closed WebhookTest {
        /// The type of the message. The default is `webhook.test`.
        event: Optional<MessageKind>,
    }
}

names! {
    DeliveryState {
        /// Another attempt follows.
        Pending = "pending",
        /// The endpoint took the message.
        Delivered = "delivered",
        /// No other attempt follows.
        Failed = "failed",
    }
}

/// A message, and the attempts to send it to one webhook.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct DeliveryView {
    /// The message's id. Every attempt carries it as `webhook-id`.
    pub(super) id: MessageId,
    #[serde(rename = "type")]
    kind: MessageKind,
    state: DeliveryState,
    /// The number of attempts since the last replay.
    attempts: usize,
    created_at: Time,
    /// When the next attempt is due. `null` if there is none.
    next_at: Option<Time>,
    last_at: Option<Time>,
    /// The status of the last answer.
    last_status: Option<u16>,
    /// Why the last attempt failed, as listed under *Webhooks*. `null` if it did not fail.
    last_error: Option<Failure>,
    /// Whether a person asked for it by *testWebhook*.
    test: bool,
}

impl Item for DeliveryView {
    const LIST: &'static str = "deliveries";
}

/// A delivery `d` as [`DeliveryView`] reads it.
pub(super) const DELIVERY: &str =
    "json_object('id', d.id, 'type', d.kind, 'state', d.state, 'attempts', d.attempts, 'created_at', d.created_at,
       'next_at', iif(d.state = 'pending', d.next_at, NULL), 'last_at', d.last_at, 'last_status', d.last_status,
       'last_error', d.last_error, 'test', json(iif(d.tested_at IS NULL, 'false', 'true')))";

/// A page of the deliveries of an endpoint.
pub(super) fn page(caller: &str, webhook: WebhookId, of: Page) -> Query<Option<Vec<DeliveryView>>> {
    select!(
        "webhooks.deliveries",
        "SELECT json_group_array({DELIVERY}) AS json FROM (SELECT * FROM deliveries WHERE practice_id = {OF_CALLER}
           AND webhook_id = {webhook} AND id < {after} ORDER BY id DESC LIMIT CAST({most} AS INTEGER)) d
         HAVING EXISTS (
           SELECT 1 FROM webhooks WHERE practice_id = {OF_CALLER} AND id = {webhook} AND state <> 'removed')"
        [DELIVERY]; caller, after = after(of), most = of.reads(), webhook
    )
    .optional()
}

/// A delivery with its endpoint.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct StoredDelivery {
    webhook: WebhookView,
    delivery: DeliveryView,
}

pub(super) fn delivery(caller: &str, webhook: WebhookId, id: MessageId) -> Query<Option<StoredDelivery>> {
    select!(
        "webhooks.delivery",
        "SELECT json_object('webhook', {ENDPOINT}, 'delivery', {DELIVERY}) AS json
         FROM webhooks w JOIN deliveries d ON d.practice_id = w.practice_id AND d.webhook_id = w.id
         WHERE w.practice_id = {OF_CALLER} AND w.id = {webhook} AND w.state <> 'removed' AND d.id = {id}"
        [ENDPOINT, DELIVERY]; caller, webhook, id
    )
    .optional()
}

/// One endpoint, and how many tests it was sent after an instant of the real clock.
fn endpoint_and_tests(caller: &str, id: WebhookId, since: Instant) -> Query<Option<(WebhookView, usize)>> {
    select!(
        "webhooks.endpoint_and_tests",
        "SELECT json_array({ENDPOINT}, (SELECT count(*) FROM deliveries d WHERE d.practice_id = w.practice_id
           AND d.webhook_id = w.id AND d.tested_at > CAST({since} AS INTEGER))) AS json {FROM_OWN}" [ENDPOINT, FROM_OWN];
        caller, id, since
    )
    .optional()
}

/// `listDeliveries`: List a webhook's deliveries.
///
/// Owners and admins only. The newest comes first. Finished deliveries are kept for 30 days.
pub(crate) async fn list(
    PathId(id): PathId<WebhookId>,
    request: ReadRequest<Page>,
) -> Result<Gives<Listed<DeliveryView>>, AppError> {
    let load = |of| page(request.credential(), id, of);
    let view = |of: Page, all| -> Listed<DeliveryView> { of.list(all, |delivery| delivery.id.0) };
    request.list(load, view).await
}

/// `replayDelivery`: Replay one delivery.
///
/// Owners and admins only. Sends the same message again under the same `webhook-id`, starting with the first
/// attempt. The result of the earlier attempts does not matter. If the webhook is disabled, the answer is `409`.
pub(crate) async fn replay(
    DeliveryPath { webhook, message }: DeliveryPath,
    request: WriteRequest,
) -> Result<Gives<DeliveryView, 202>, AppError> {
    let load = delivery(request.credential(), webhook, message);
    let decide = request.change(load, |person, stored, _| replayed(stored, person, request.ctx()));
    decide.await
}

/// `testWebhook`: Send a test message.
///
/// Owners and admins only. Sensitive. Sends a made-up message of any type to this webhook, whatever its `events` are. Its
/// body is like that of a real message, with `"test": true`, and its ids name no record. The message is signed, retried
/// and listed like every other, and *showDelivery* shows what the endpoint answered. If the webhook is disabled, or had
/// 20 tests in the last minute, the answer is `409`.
pub(crate) async fn test(
    PathId(id): PathId<WebhookId>,
    request: WriteRequest<MaybeBody<WebhookTest>>,
) -> Result<Gives<DeliveryView, 202>, AppError> {
    // The clock of a sandbox must not end the minute.
    let asked_at = request.call.ctx.real;
    let load = endpoint_and_tests(request.credential(), id, asked_at.plus(-TESTS_MS));
    let decide = request
        .change(load, |person, stored, MaybeBody(test)| tested((&test, asked_at), stored, person, request.ctx()));
    decide.await
}

/// A message is sent again from the first attempt, whatever its state.
fn replayed(stored: Option<StoredDelivery>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let StoredDelivery { webhook, delivery } = stored.ok_or(RequestError::NotFound("no such delivery"))?;
    active(&webhook)?;
    let webhook = webhook.id;
    let now = Time(ctx.now);
    let view = DeliveryView { state: DeliveryState::Pending, attempts: 0, next_at: Some(now), ..delivery };
    let audit =
        Entry::new(ctx, 0, Some(practice), Event::DeliveryReplayed, view.id).detail(json!({ "webhook": webhook }));
    Ok(Change::new(audit, Answer::new(202, &view))
        .guard(is_active(practice, webhook))
        .write(sql!(
            "UPDATE deliveries SET state = 'pending', attempts = 0, next_at = {now}, lease_ends = NULL
             WHERE practice_id = {practice} AND webhook_id = {webhook} AND id = {id}";
            practice, webhook, id = view.id, now
        ))
        .after(After::Deliver(practice, vec![view.id])))
}

/// A test goes to one endpoint, whatever it subscribes to.
fn tested(
    (test, asked_at): (&WebhookTest, Instant),
    stored: Option<(WebhookView, usize)>,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let (webhook, tests) = known(stored)?;
    active(&webhook)?;
    if tests >= TESTS_MAX {
        return Err(RequestError::Conflict(Reason::LimitReached, "a webhook has at most 20 tests in a minute"));
    }
    let webhook = webhook.id;
    let data = Data::sample(test.event.unwrap_or(MessageKind::WebhookTest), webhook, ctx);
    let message = Message::new(ctx, 0, practice, data);
    let now = Time(ctx.now);
    let view = DeliveryView {
        id: message.id,
        kind: message.kind(),
        state: DeliveryState::Pending,
        attempts: 0,
        created_at: now,
        next_at: Some(now),
        last_at: None,
        last_status: None,
        last_error: None,
        test: true,
    };
    let audit =
        Entry::new(ctx, 0, Some(practice), Event::WebhookTested, webhook).detail(json!({ "delivery": view.id }));
    Ok(Change::new(audit, Answer::new(202, &view))
        .guard(is_active(practice, webhook))
        // Parallel calls count as well.
        .guard(abort_if!(
            Record,
            "(SELECT count(*) FROM deliveries WHERE practice_id = {practice} AND webhook_id = {webhook}
               AND tested_at > CAST({since} AS INTEGER)) >= CAST({most} AS INTEGER)";
            practice, webhook, since = asked_at.plus(-TESTS_MS), most = TESTS_MAX
        ))
        .write(sql!(
            "INSERT INTO deliveries
               (practice_id, webhook_id, id, kind, body, created_at, next_at, state, tested_at, sandbox)
             SELECT id, {webhook}, {id}, {kind}, {body}, {now}, {now}, 'pending', {asked_at}, sandbox_of IS NOT NULL
             FROM practices WHERE id = {practice} ON CONFLICT (practice_id, webhook_id, id) DO NOTHING";
            practice, webhook, id = view.id, kind = view.kind, body = message.data.body(ctx.now, true), now, asked_at
        ))
        .after(After::Deliver(practice, vec![view.id])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::rights::Action;
    use crate::auth::role::Role;
    use crate::plan::Write;
    use crate::plan::statement::Bind;
    use crate::testing::decisions::person;
    use crate::webhooks::endpoints::WebhookState;
    use uuid::Uuid;

    fn asked(state: WebhookState, tests: usize) -> Result<Change, RequestError> {
        let webhook = WebhookView {
            id: WebhookId(Uuid::from_u128(7)),
            version: 1,
            url: "https://hooks.example/".into(),
            events: [MessageKind::ReportDelivered.name().into()].into(),
            state,
            created_at: Time(Instant(0)),
            failing_since: None,
            disabled_at: None,
            old_secret_until: None,
        };
        let person = person(Role::Owner, Action::ManageWebhooks);
        let ctx = Ctx::new(Instant(1_800_000_000_000), [1; 32]);
        let test = WebhookTest { event: Some(MessageKind::ApiKeyLeaked) };
        tested((&test, ctx.now), Some((webhook, tests)), &person, &ctx)
    }

    #[test]
    fn a_test_is_one_message_to_one_endpoint() {
        let change = asked(WebhookState::Active, TESTS_MAX - 1).unwrap();
        let sent = change.writes.iter().find_map(|write| match write {
            Write::Sql(statement) => Some(&statement.params),
            _ => None,
        });
        let [_, webhook, message, kind, ..] = &sent.unwrap()[..] else { panic!("a delivery") };
        assert_eq!(webhook, &WebhookId(Uuid::from_u128(7)).bind());
        assert_eq!(kind, &MessageKind::ApiKeyLeaked.bind());
        assert_eq!(change.guards.len(), 2);
        let [After::Deliver(_, told)] = &change.after[..] else { panic!("it is sent at once") };
        assert_eq!(message, &told[0].bind());
    }

    #[test]
    fn a_disabled_endpoint_and_one_that_was_tested_too_often_get_none() {
        for (state, tests, reason) in [
            (WebhookState::Disabled, 0, Reason::WebhookDisabled),
            (WebhookState::Active, TESTS_MAX, Reason::LimitReached),
        ] {
            let refused = asked(state, tests).unwrap_err();
            assert!(matches!(refused, RequestError::Conflict(why, _) if why == reason));
        }
        let person = person(Role::Owner, Action::ManageWebhooks);
        let ctx = Ctx::new(Instant(0), [1; 32]);
        let unknown = tested((&WebhookTest::default(), ctx.now), None, &person, &ctx).unwrap_err();
        assert!(matches!(unknown, RequestError::NotFound(_)));
    }
}
