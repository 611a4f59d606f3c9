//! `/api/v1/settings/webhooks`: the endpoints that a practice registers for events.

use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{PracticeId, WebhookId};
use crate::base::sealed::{KeyVersion, Place};
use crate::base::time::Time;
use crate::plan::WebhooksGuard;
use crate::plan::WebhooksWrite;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::webhooks::message::MessageKind;
use crate::plan::webhooks::secret::{OLD_SECRET_MS, WebhookSecret};
use crate::plan::webhooks::{NewWebhook, WebhookEdit, WebhookState};
use crate::plan::{Guard, Write};
use crate::request::body::{Text, Texts, object};
use crate::request::denied::Denied;
use crate::request::field::{self, Problems};
use crate::request::open::Open;
use crate::request::page::{Listed, Page};
use crate::request::problem::Rule;
use crate::webhooks::address::{self, ADDRESS_MAX, Reach};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Most endpoints of a practice.
pub const WEBHOOKS_MAX: usize = 5;

object! {
    /// The body that makes or changes an endpoint, unchecked.
    RawEdit { url: Text<'a>, events: Texts<'a>, state: Text<'a>, }
}

/// An endpoint, as shown: everything except its secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WebhookView {
    /// Its id.
    pub id: WebhookId,
    /// Its URL.
    pub url: String,
    /// The names of its events.
    pub events: Vec<String>,
    /// Its state.
    pub state: WebhookState,
    /// When it was made.
    pub created_at: Time,
    /// Since when every attempt has failed; `None` if the last one succeeded.
    pub failing_since: Option<Time>,
    /// When it was disabled.
    pub disabled_at: Option<Time>,
    /// When the old secret of the last rotation stops signing.
    pub old_secret_until: Option<Time>,
}

/// The stored secret of an endpoint. `Debug` does not print it.
#[derive(Clone, Deserialize)]
pub struct StoredSecret {
    /// The key that seals it.
    pub key_version: KeyVersion,
    /// The sealed secret.
    pub sealed: String,
}

impl fmt::Debug for StoredSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StoredSecret")
    }
}

impl StoredSecret {
    /// The secret.
    ///
    /// # Errors
    ///
    /// Those of [`Open::open`]. A value that is not 32 bytes is [`Denied::Tampered`].
    pub fn secret(&self, place: Place, keys: &impl Open) -> Result<WebhookSecret, Denied> {
        let bytes = keys.open(place, self.key_version, &self.sealed)?;
        WebhookSecret::from_bytes(&bytes).ok_or_else(|| keys.tampered(place))
    }
}

/// The requested changes. A field that is `None` stays.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edit {
    url: Option<String>,
    events: Option<Vec<MessageKind>>,
    state: Option<WebhookState>,
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
/// [`Denied::NotFound`] if the practice has no endpoint with this id.
pub fn show(stored: Option<WebhookView>) -> Result<WebhookView, Denied> {
    stored.ok_or(Denied::NotFound("no such webhook"))
}

/// Reads `{url, events}`.
///
/// # Errors
///
/// [`Denied::Malformed`] or [`Denied::Invalid`] with every problem.
pub fn parse(body: &[u8], reach: Reach) -> Result<(String, Vec<MessageKind>), Denied> {
    let raw: RawEdit<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let url = url(&mut p, raw.url, reach);
    let events = events(&mut p, raw.events);
    p.settle(url.zip(events))
}

/// Reads `{url, events, state}`. At least one must be present. An unknown key is refused, because a caller who mistyped
/// one would believe that the endpoint changed.
///
/// # Errors
///
/// [`Denied::Malformed`] or [`Denied::Invalid`] with every problem.
pub fn parse_edit(body: &[u8], reach: Reach) -> Result<Edit, Denied> {
    let raw: RawEdit<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    if raw.unknown {
        p.add("body", Rule::OnlyKeys("url, events and state"));
    }
    let edit = Edit {
        url: match raw.url {
            Text::Absent => None,
            given => url(&mut p, given, reach),
        },
        events: match raw.events {
            Texts::Absent => None,
            given => events(&mut p, given),
        },
        state: match raw.state {
            Text::Absent => None,
            given => field::one_of(
                &mut p,
                "state",
                given,
                "active or disabled",
                WebhookState::parse,
            ),
        },
    };
    if p.count() == 0 && edit == Edit::default() {
        p.add("body", Rule::SomeKeys("url, events or state"));
    }
    p.settle(Some(edit))
}

fn url(p: &mut Problems, value: Text<'_>, reach: Reach) -> Option<String> {
    let text = field::required(p, "url", value, ADDRESS_MAX)?;
    match address::parse(&text, reach) {
        Ok(url) => Some(url),
        Err(wrong) => {
            p.add("url", Rule::Form(wrong));
            None
        }
    }
}

fn events(p: &mut Problems, value: Texts<'_>) -> Option<Vec<MessageKind>> {
    let known = MessageKind::ALL.map(MessageKind::name).join(" ");
    let given = field::names(p, "events", value, (known, MessageKind::parse))?;
    let each = MessageKind::ALL.into_iter();
    Some(each.filter(|kind| given.contains(kind)).collect())
}

/// Makes an endpoint. Only this answer shows its secret.
///
/// # Errors
///
/// [`Denied::Conflict`] if the practice has the maximum, [`Denied::NotAuthorized`] for a person without a practice.
pub fn create(
    (url, events): (String, Vec<MessageKind>),
    count: usize,
    person: &Person,
    random: [u8; 32],
    ctx: &Ctx,
) -> Result<Change, Denied> {
    let practice_id = person.practice()?;
    if count >= WEBHOOKS_MAX {
        return Err(Denied::Conflict("a practice has at most 5 webhooks"));
    }
    let new = NewWebhook {
        practice_id,
        id: WebhookId(ctx.id(Purpose::Record, 0)),
        url,
        events,
        secret: WebhookSecret::new(random),
        created_at: ctx.now,
        created_by: person.user_id,
    };
    let view = WebhookView {
        id: new.id,
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
        .guard(Guard::Webhooks(WebhooksGuard::FewerThan {
            practice: practice_id,
            most: WEBHOOKS_MAX,
        }))
        .write(Write::Webhooks(WebhooksWrite::NewEndpoint(new))))
}

/// Changes an endpoint. If its state becomes active again, the messages that it missed can be replayed.
///
/// # Errors
///
/// [`Denied::NotFound`] for an endpoint that the practice does not have.
pub fn edit(
    edit: Edit,
    stored: Option<WebhookView>,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, Denied> {
    let practice_id = person.practice()?;
    let stored = show(stored)?;
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
    Ok(Change::new(audit, Answer::new(200, &view))
        .guard(as_read(person, &stored)?)
        .write(write))
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

/// Gives an endpoint a new secret. Only this answer shows it. The old secret also signs for a day, so that the receiver
/// can change over. The one before that ends.
///
/// # Errors
///
/// [`Denied::NotFound`] for an endpoint that the practice does not have, and those of [`Open::open`].
pub fn rotate_secret(
    stored: Option<(WebhookView, StoredSecret)>,
    keys: &impl Open,
    person: &Person,
    random: [u8; 32],
    ctx: &Ctx,
) -> Result<Change, Denied> {
    let practice_id = person.practice()?;
    let (stored, before) = stored.unzip();
    let stored = show(stored)?;
    let before = before.ok_or(Denied::NotFound("no such webhook"))?;
    let place = Place::WebhookSecret {
        practice: practice_id,
        id: stored.id,
    };
    let before = before.secret(place, keys)?;
    let until = ctx.now.plus(OLD_SECRET_MS);
    let secret = WebhookSecret::new(random);
    let view = WebhookView {
        old_secret_until: Some(Time(until)),
        ..stored.clone()
    };
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::WebhookRotated, view.id);
    let answer = Answer::new(200, &view).once("secret", secret.expose());
    Ok(Change::new(audit, answer)
        .guard(as_read(person, &stored)?)
        .write(Write::Webhooks(WebhooksWrite::SecretRotated {
            practice_id,
            id: view.id,
            secret,
            old: before,
            old_until: until,
        })))
}

/// Removes an endpoint. It gets no more messages, not even waiting ones.
///
/// # Errors
///
/// [`Denied::NotFound`] for an endpoint that the practice does not have.
pub fn remove(stored: Option<WebhookView>, person: &Person, ctx: &Ctx) -> Result<Change, Denied> {
    let practice_id = person.practice()?;
    let stored = show(stored)?;
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::WebhookRemoved, stored.id);
    let change = Change::new(audit, Answer::empty());
    Ok(change
        .guard(as_read(person, &stored)?)
        .write(Write::Webhooks(WebhooksWrite::EndpointRemoved {
            practice: practice_id,
            webhook: stored.id,
        })))
}

/// If two changes are based on the same read, the second is refused: it would undo the first unseen.
fn as_read(person: &Person, stored: &WebhookView) -> Result<Guard, Denied> {
    Ok(Guard::Webhooks(WebhooksGuard::AsRead {
        practice_id: person.practice()?,
        id: stored.id,
        url: stored.url.clone(),
        events: stored.events.join(" "),
        state: stored.state,
        old_until: stored.old_secret_until.map(|at| at.0),
    }))
}

/// Disables an endpoint that failed for days, or that answered that it is gone.
#[must_use]
pub fn disable(
    practice_id: PracticeId,
    id: WebhookId,
    why: &'static str,
    ctx: &Ctx,
) -> (Guard, [Write<'static>; 2]) {
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::WebhookDisabled, id);
    let audit = audit.detail(json!({ "reason": why }));
    (
        Guard::Webhooks(WebhooksGuard::Active {
            practice: practice_id,
            webhook: id,
        }),
        [
            Write::Audit(audit),
            Write::Webhooks(WebhooksWrite::EndpointDisabled {
                practice: practice_id,
                webhook: id,
            }),
        ],
    )
}

#[cfg(test)]
mod tests;
