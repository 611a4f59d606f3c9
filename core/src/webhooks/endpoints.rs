//! `/api/v1/settings/webhooks`: the endpoints that a practice registers for events.

mod body;

pub use body::{EndpointEdit, NewEndpoint};

use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{PracticeId, WebhookId};
use crate::base::time::Time;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::version::{EditedRecord, RecordVersion};
use crate::plan::webhooks::secret::WebhookSecret;
use crate::plan::webhooks::{NewWebhook, WebhookEdit, WebhookState};
use crate::plan::{Guard, WebhooksGuard, WebhooksWrite, Write};
use crate::request::error::RequestError;
use crate::request::if_match::Seen;
use crate::request::page::{Listed, Page};
use crate::request::reason::Reason;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Most endpoints of a practice.
pub const WEBHOOKS_MAX: usize = 5;

/// An endpoint, as shown: everything except its secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WebhookView {
    pub id: WebhookId,
    /// The number of its edits.
    pub version: i64,
    pub url: String,
    /// The names of its events.
    pub events: Vec<String>,
    pub state: WebhookState,
    pub created_at: Time,
    /// Since when every attempt has failed; `None` if the last one succeeded.
    pub failing_since: Option<Time>,
    /// When it was disabled.
    pub disabled_at: Option<Time>,
    /// When the old secret of the last rotation stops signing.
    pub old_secret_until: Option<Time>,
}

/// A page of endpoints, newest first.
#[must_use]
pub fn list(page: Page, webhooks: Vec<WebhookView>) -> Listed<WebhookView> {
    page.list("webhooks", webhooks, |webhook| webhook.id.0)
}

/// The endpoint.
///
/// # Errors
///
/// [`RequestError::NotFound`] if the practice has no endpoint with this id.
pub fn show(stored: Option<WebhookView>) -> Result<WebhookView, RequestError> {
    stored.ok_or(RequestError::NotFound("no such webhook"))
}

/// Makes an endpoint. Only this answer shows its secret.
///
/// # Errors
///
/// [`RequestError::Conflict`] if the practice has the maximum, [`RequestError::NotAuthorized`] for a person without a practice.
pub fn create(
    asked: NewEndpoint,
    count: usize,
    person: &Person,
    random: [u8; 32],
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    if count >= WEBHOOKS_MAX {
        return Err(RequestError::Conflict(Reason::LimitReached, "a practice has at most 5 webhooks"));
    }
    let new = NewWebhook {
        practice_id,
        id: WebhookId(ctx.id(Purpose::Record, 0)),
        url: asked.url,
        events: asked.events,
        secret: WebhookSecret::new(random),
        created_at: ctx.now,
        created_by: person.user_id,
    };
    let view = WebhookView {
        id: new.id,
        version: 1,
        url: new.url.clone(),
        events: new.events.iter().map(|kind| kind.name().into()).collect(),
        state: WebhookState::Active,
        created_at: Time(ctx.now),
        failing_since: None,
        disabled_at: None,
        old_secret_until: None,
    };
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::WebhookCreated, new.id);
    let answer = Answer::new(201, &view).once("secret", new.secret.expose());
    Ok(Change::new(audit, answer)
        .guard(Guard::Webhooks(WebhooksGuard::FewerThan { practice: practice_id, most: WEBHOOKS_MAX }))
        .write(Write::Webhooks(WebhooksWrite::NewEndpoint(new))))
}

/// Changes an endpoint. If its state becomes active again, the messages that it missed can be replayed.
///
/// # Errors
///
/// [`RequestError::NotFound`] for an endpoint that the practice does not have, and those of [`Seen::is`].
pub fn edit(
    edit: EndpointEdit,
    (stored, seen): (Option<WebhookView>, Seen),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let stored = show(stored)?;
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
    let read = read(practice_id, &stored);
    view.version = read.next().version;
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::WebhookChanged, view.id)
        .detail(json!({ "fields": changed(&stored, &view) }));
    let write = Write::Webhooks(WebhooksWrite::EndpointEdit(WebhookEdit {
        practice_id,
        id: view.id,
        url: view.url.clone(),
        events: view.events.join(" "),
        state: view.state,
        failing_since: view.failing_since.map(|at| at.0),
        disabled_at: view.disabled_at.map(|at| at.0),
    }));
    Ok(Change::new(audit, Answer::new(200, &view)).write(write).edits(read))
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

/// Removes an endpoint. It gets no more messages, not even waiting ones.
///
/// # Errors
///
/// [`RequestError::NotFound`] for an endpoint that the practice does not have.
pub fn remove(stored: Option<WebhookView>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let stored = show(stored)?;
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::WebhookRemoved, stored.id);
    let change = Change::new(audit, Answer::empty());
    Ok(change
        .guard(Guard::Version(read(practice_id, &stored)))
        .write(Write::Webhooks(WebhooksWrite::EndpointRemoved { practice: practice_id, webhook: stored.id })))
}

pub(super) const fn read(practice: PracticeId, stored: &WebhookView) -> RecordVersion {
    RecordVersion { record: EditedRecord::Webhook(practice, stored.id), version: stored.version }
}

/// Disables an endpoint that failed for days, or that answered that it is gone.
#[must_use]
pub fn disable(practice_id: PracticeId, id: WebhookId, why: &'static str, ctx: &Ctx) -> (Guard, [Write<'static>; 2]) {
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::WebhookDisabled, id);
    let audit = audit.detail(json!({ "reason": why }));
    (
        Guard::Webhooks(WebhooksGuard::Active { practice: practice_id, webhook: id }),
        [Write::Audit(audit), Write::Webhooks(WebhooksWrite::EndpointDisabled { practice: practice_id, webhook: id })],
    )
}

#[cfg(test)]
mod tests;
