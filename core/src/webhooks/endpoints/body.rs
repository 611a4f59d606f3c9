//! The bodies that make or change an endpoint.

use crate::plan::webhooks::WebhookState;
use crate::plan::webhooks::message::MessageKind;
use crate::request::declare::kinds::{Changed, Names, some_of};
use crate::request::declare::{Field, Raw, Terms, body};
use crate::request::field::{self, Problems};
use crate::request::problem::Rule;
use crate::webhooks::address::{self, ADDRESS_MAX, AddressError};
use alloc::string::String;
#[cfg(feature = "schema")]
use serde_json::{Value, json};

body! {
    NewEndpoint { url: Url, events: Names<Subscribed> }
}

body! {
    #[derive(Clone, Default)]
    edit EndpointEdit { url: Changed<Url>, events: Changed<Names<Subscribed>>, state: Changed<State> }
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
    fn schema() -> Value {
        json!({ "type": "string", "format": "webhook-url", "maxLength": ADDRESS_MAX })
    }
}
