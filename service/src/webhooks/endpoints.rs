//! `/api/v1/settings/webhooks`: the endpoints that a practice registers for events.

use crate::plan::message::MessageKind;
use crate::prelude::*;
#[cfg(feature = "schema")]
use crate::request::declare::as_taken::AsTaken;
use crate::request::declare::body;
use crate::request::declare::kinds::some_of;
use crate::request::declare::kinds::{Changed, Names};
use crate::request::declare::{Field, Raw, Terms};
use crate::webhooks::address::{self, ADDRESS_MAX, AddressError};
use overturn_core::request::field::{self, Problems};
use overturn_core::request::problem::Rule;
use overturn_core::webhooks::signature::WebhookSecret;

/// Most endpoints of a practice.
const WEBHOOKS_MAX: usize = 5;

names! {
    /// The state of an endpoint.
    WebhookState {
        /// It gets messages.
        Active = "active",
        /// It gets no messages until it is set to active again.
        Disabled = "disabled",
    }
}

body! {
    NewWebhook {
        /// An `https` address on the internet, as described under *Register a webhook*.
        url: Url,
        events: Names<Subscribed>,
    }
}

body! {
    /// At least one field. Unknown keys are refused.
    #[derive(Clone, Default)]
    edit WebhookEdit { url: Changed<Url>, events: Changed<Names<Subscribed>>, state: Changed<State> }
}

some_of! { Subscribed: MessageKind = MessageKind::OF_EVENTS }
some_of! { State: WebhookState = WebhookState::ALL }

/// A URL that may get messages.
pub struct Url;

impl Field for Url {
    type Value = String;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, terms: Terms<'_>) -> Option<String> {
        let text = field::required(p, name, raw.text(), ADDRESS_MAX)?;
        address::parse(&text, terms.reach).map_err(|AddressError(rule)| p.add(name, Rule::Form(rule))).ok()
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        json!({ "type": "string", "format": "webhook-url", "maxLength": ADDRESS_MAX })
    }
}

/// A webhook, without its secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct WebhookView {
    pub(crate) id: WebhookId,
    pub(crate) version: i64,
    pub(crate) url: String,
    #[cfg_attr(feature = "schema", schemars(with = "AsTaken<Names<Subscribed>>"))]
    pub(crate) events: Vec<String>,
    pub(crate) state: WebhookState,
    pub(crate) created_at: Time,
    /// Since when the endpoint has accepted no message. `null` if it accepted the last message.
    pub(crate) failing_since: Option<Time>,
    pub(crate) disabled_at: Option<Time>,
    /// Until when we also sign with the secret from before the last rotation.
    pub(crate) old_secret_until: Option<Time>,
}

impl Item for WebhookView {
    const LIST: &'static str = "webhooks";
}

/// An endpoint `w` as [`WebhookView`] reads it.
pub(super) const ENDPOINT: &str = "json_object('id', w.id, 'version', w.version, 'url', w.url,
       'events', json('[\"' || replace(w.events, ' ', '\",\"') || '\"]'), 'state', w.state, 'created_at', w.created_at,
       'failing_since', w.failing_since, 'disabled_at', w.disabled_at, 'old_secret_until', w.old_until)";

/// The endpoint `w` that the caller's practice has, if it was not removed.
pub(super) const FROM_OWN: &str =
    "FROM webhooks w WHERE w.practice_id = {OF_CALLER} AND w.id = {id} AND w.state <> 'removed'";

pub(super) fn page(caller: &str, of: Page) -> Query<Option<Vec<WebhookView>>> {
    select!(
        "webhooks.endpoints",
        "SELECT json_group_array({ENDPOINT}) AS json FROM (SELECT * FROM webhooks WHERE practice_id = {OF_CALLER}
           AND state <> 'removed' AND id < {after} ORDER BY id DESC LIMIT CAST({most} AS INTEGER)) w" [ENDPOINT];
        caller, after = after(of), most = of.reads()
    )
    .optional()
}

pub(super) fn endpoint(caller: &str, id: WebhookId) -> Query<Option<WebhookView>> {
    select!("webhooks.endpoint", "SELECT {ENDPOINT} AS json {FROM_OWN}" [ENDPOINT, FROM_OWN]; caller, id).optional()
}

/// How many endpoints the practice has.
pub(super) fn count(caller: &str) -> Query<usize> {
    select!(
        "webhooks.endpoint_count",
        "SELECT json(count(*)) AS json FROM webhooks WHERE practice_id = {OF_CALLER} AND state <> 'removed'";
        caller
    )
    .one()
}

/// `listWebhooks`: List the practice's webhooks.
///
/// Owners and admins only. A secret is shown once, when it is made.
pub(crate) async fn list(request: ReadRequest<Page>) -> Result<Gives<Listed<WebhookView>>, AppError> {
    let load = |of| page(request.credential(), of);
    let view = |of: Page, webhooks| -> Listed<WebhookView> { of.list(webhooks, |webhook| webhook.id.0) };
    request.list(load, view).await
}

/// `createWebhook`: Register a webhook.
///
/// Owners and admins only. Sensitive. A practice can have at most five webhooks (`409`). The address must be
/// `https`, name a host on the internet (not an IP address), contain no user name, and use port 443 or a port
/// from 1024 up. The secret is only in this answer. *Webhooks* above says how to use it.
pub(crate) async fn create(
    request: WriteRequest<NewWebhook>,
) -> Result<Gives<WithOnce<WebhookView, WebhookSecret>, 201>, AppError> {
    let secret = WebhookSecret::new(request.call.app.host.bytes()?);
    let load = (count(request.credential()), Sealing::OfCaller);
    let decide =
        request.change_sealed(load, |person, (count, _), new| created(new, count, person, &secret, request.ctx()));
    decide.await
}

/// `showWebhook`: Read one webhook.
///
/// Owners and admins only.
pub(crate) async fn show(PathId(id): PathId<WebhookId>, request: ReadRequest) -> Result<Gives<WebhookView>, AppError> {
    let load = endpoint(request.credential(), id);
    let view = request.show_versioned(load, |_, stored| {
        let body = known(stored)?;
        Ok(Versioned { version: body.version, body })
    });
    view.await
}

/// `changeWebhook`: Change a webhook.
///
/// Owners and admins only. Sensitive. A field that you leave out stays as it is. Unknown keys are refused.
/// `state` switches the webhook off, or on again after the service disabled it. You can replay the messages that
/// it missed.
pub(crate) async fn edit(
    PathId(id): PathId<WebhookId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<WebhookEdit>,
) -> Result<Gives<WebhookView>, AppError> {
    let load = endpoint(request.credential(), id);
    let decide = request.change(load, |person, stored, edit| edited(edit, (stored, seen), person, request.ctx()));
    decide.await
}

/// `removeWebhook`: Remove a webhook.
///
/// Owners and admins only. Sensitive. The webhook stops at once. We do not send the messages that still wait.
pub(crate) async fn remove(PathId(id): PathId<WebhookId>, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    let load = endpoint(request.credential(), id);
    let decide = request.change(load, |person, stored, _| removed(stored, person, request.ctx()));
    decide.await
}

/// The endpoint, if the practice has it.
pub(super) fn known<T>(stored: Option<T>) -> Result<T, RequestError> {
    stored.ok_or(RequestError::NotFound("no such webhook"))
}

pub(super) fn created(
    new: NewWebhook,
    count: usize,
    person: &Person,
    secret: &WebhookSecret,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    if count >= WEBHOOKS_MAX {
        return Err(RequestError::Conflict(Reason::LimitReached, "a practice has at most 5 webhooks"));
    }
    let NewWebhook { url, events } = new;
    let view = WebhookView {
        id: WebhookId(ctx.id(Purpose::Record, 0)),
        version: 1,
        url,
        events: events.iter().map(|kind| kind.name().into()).collect(),
        state: WebhookState::Active,
        created_at: Time(ctx.now),
        failing_since: None,
        disabled_at: None,
        old_secret_until: None,
    };
    let audit = Entry::new(ctx, 0, Some(practice), Event::WebhookCreated, view.id);
    let answer = Answer::new(201, &view).once(WebhookSecret::KEY, secret.expose());
    let place = SealedPlace::WebhookSecret { practice, id: view.id };
    Ok(Change::new(audit, answer)
        .guard(abort_if!(
            Record,
            "(SELECT count(*) FROM webhooks WHERE practice_id = {practice} AND state <> 'removed')
               >= CAST({most} AS INTEGER)";
            practice, most = WEBHOOKS_MAX
        ))
        .write(sql!(
            "INSERT INTO webhooks (practice_id, id, url, events, state, key_version, sealed, created_at, created_by)
             VALUES ({practice}, {id}, {url}, {events}, 'active', {key}, {sealed}, {created_at}, {created_by})
             ON CONFLICT (practice_id, id) DO NOTHING";
            practice, id = view.id, url = view.url, events = view.events.join(" "), key = KeyOf(place),
            sealed = Seal::new(place, secret.as_bytes()), created_at = view.created_at, created_by = person.user_id
        )))
}

/// If the state becomes active again, the messages that the endpoint missed can be replayed.
fn edited(
    edit: WebhookEdit,
    (stored, seen): (Option<WebhookView>, Seen),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let stored = known(stored)?;
    seen.is(stored.version)?;
    let mut view = stored.clone();
    view.url = edit.url.unwrap_or(view.url);
    view.state = edit.state.unwrap_or(view.state);
    if let Some(events) = edit.events {
        view.events = events.iter().map(|kind| kind.name().into()).collect();
    }
    if view == stored {
        return Ok(Change::nothing(Answer::new(200, &view)));
    }
    if view.state != stored.state {
        let disabled = view.state == WebhookState::Disabled;
        view.disabled_at = disabled.then_some(Time(ctx.now));
        view.failing_since = view.failing_since.filter(|_| disabled);
    }
    let read = read(practice, &stored);
    view.version = read.next().version;
    let audit = Entry::new(ctx, 0, Some(practice), Event::WebhookChanged, view.id)
        .detail(json!({ "fields": changed(&stored, &view) }));
    Ok(Change::new(audit, Answer::new(200, &view))
        .write(sql!(
            "UPDATE webhooks SET url = {url}, events = {events}, state = {state}, failing_since = {failing_since},
               disabled_at = {disabled_at}
             WHERE practice_id = {practice} AND id = {id} AND state <> 'removed'";
            practice, id = view.id, url = view.url, events = view.events.join(" "), state = view.state,
            failing_since = view.failing_since, disabled_at = view.disabled_at
        ))
        .edits(read))
}

fn changed(before: &WebhookView, after: &WebhookView) -> Vec<&'static str> {
    let fields = [
        ("url", before.url != after.url),
        ("events", before.events != after.events),
        ("state", before.state != after.state),
    ];
    let changed = fields.into_iter().filter(|(_, changed)| *changed);
    changed.map(|(name, _)| name).collect()
}

/// A removed endpoint gets no more messages, not even waiting ones.
fn removed(stored: Option<WebhookView>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let stored = known(stored)?;
    let audit = Entry::new(ctx, 0, Some(practice), Event::WebhookRemoved, stored.id);
    Ok(Change::new(audit, Answer::empty()).guard(Guard::Version(read(practice, &stored))).write(sql!(
        "UPDATE webhooks SET state = 'removed' WHERE practice_id = {practice} AND id = {id}";
        practice, id = stored.id
    )))
}

pub(super) const fn read(practice: PracticeId, stored: &WebhookView) -> RecordVersion {
    RecordVersion { record: EditedRecord::Webhook(practice, stored.id), version: stored.version }
}

/// The guard of a change that needs an active endpoint.
pub(super) fn is_active(practice: PracticeId, id: WebhookId) -> Guard {
    abort_if!(
        Record,
        "NOT EXISTS (SELECT 1 FROM webhooks WHERE practice_id = {practice} AND id = {id} AND state = 'active')";
        practice, id
    )
}

/// Refuses for an endpoint that is disabled.
pub(super) fn active(webhook: &WebhookView) -> Result<(), RequestError> {
    if webhook.state == WebhookState::Disabled {
        return Err(RequestError::Conflict(Reason::WebhookDisabled, "the webhook is disabled"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
