//! The bodies that make or change an endpoint.

use crate::config::Reach;
use crate::extract::parse_body;
use crate::webhooks::address::{self, ADDRESS_MAX, AddressError};
use overturn_core::plan::message::MessageKind;
use overturn_core::request::body::{Text, Texts};
use overturn_core::request::error::RequestError;
use overturn_core::request::field::{self, Problems};
use overturn_core::request::problem::Rule;
use overturn_core::{names, object};

parse_body! {
    NewEndpoint = |body, call| parse(body, call.app.settings.webhooks.reach);
    EndpointEdit = |body, call| parse_edit(body, call.app.settings.webhooks.reach);
}

names! {
    /// The state of an endpoint.
    WebhookState {
        /// It gets messages.
        Active = "active",
        /// It gets no messages until it is set to active again.
        Disabled = "disabled",
    }
}

object! {
    /// The body that makes or changes an endpoint, unchecked.
    RawEdit { url: Text<'a>, events: Texts<'a>, state: Text<'a>, }
}

/// The URL and the events of a new endpoint.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct NewEndpoint(pub(crate) String, pub(crate) Vec<MessageKind>);

/// The requested changes. A field that is `None` stays.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct EndpointEdit {
    pub(super) url: Option<String>,
    pub(super) events: Option<Vec<MessageKind>>,
    pub(super) state: Option<WebhookState>,
}

/// Reads `{url, events}`.
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem.
pub(super) fn parse(body: &[u8], reach: Reach) -> Result<NewEndpoint, RequestError> {
    let raw: RawEdit<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let url = url(&mut p, raw.url, reach);
    let events = events(&mut p, raw.events);
    p.settle(url.zip(events).map(|(url, events)| NewEndpoint(url, events)))
}

/// Reads `{url, events, state}`. At least one must be present. An unknown key is refused, because a caller who mistyped
/// one would believe that the endpoint changed.
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem.
pub(super) fn parse_edit(body: &[u8], reach: Reach) -> Result<EndpointEdit, RequestError> {
    let raw: RawEdit<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    if raw.unknown {
        p.add("body", Rule::OnlyKeys("url, events and state"));
    }
    let edit = EndpointEdit {
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
            given => field::one_of(&mut p, "state", given, "active or disabled", WebhookState::parse),
        },
    };
    if p.count() == 0 && edit == EndpointEdit::default() {
        p.add("body", Rule::SomeKeys("url, events or state"));
    }
    p.settle(Some(edit))
}

fn url(p: &mut Problems, value: Text<'_>, reach: Reach) -> Option<String> {
    let text = field::required(p, "url", value, ADDRESS_MAX)?;
    match address::parse(&text, reach) {
        Ok(url) => Some(url),
        Err(AddressError(rule)) => {
            p.add("url", Rule::Form(rule));
            None
        }
    }
}

fn events(p: &mut Problems, value: Texts<'_>) -> Option<Vec<MessageKind>> {
    let known = MessageKind::OF_EVENTS.map(MessageKind::name).join(" ");
    let parse = |name: &str| {
        let mut each = MessageKind::OF_EVENTS.into_iter();
        each.find(|kind| kind.name() == name)
    };
    let given = field::names(p, "events", value, (known, parse))?;
    let each = MessageKind::OF_EVENTS.into_iter();
    Some(each.filter(|kind| given.contains(kind)).collect())
}
