//! Posts webhook messages to an address of the developer's, signed as the service signs them.

use crate::call::in_thread;
use crate::error::CommandError;
use crate::interrupt::Interrupt;
use crate::screen::Screen;
use crate::system;
use crate::text::shown;
use overturn_core::base::id::MessageId;
use overturn_core::webhooks::message::MessageKind;
use overturn_core::webhooks::schedule::EndpointAnswer;
use overturn_core::webhooks::signature::{self, WebhookSecret};
use serde_json::json;
use std::time::Duration;
use ureq::Agent;
use ureq::http::Uri;

/// How long the address has to answer, as for a webhook.
const TIME_OUT: Duration = Duration::from_secs(10);

/// A message, and how often it was posted.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    pub(crate) id: MessageId,
    pub(crate) kind: MessageKind,
    /// What the line about it names.
    pub(crate) about: String,
    pub(crate) body: String,
    pub(crate) attempts: usize,
}

/// The address with its secret.
#[derive(Debug)]
pub(crate) struct Endpoint {
    agent: Agent,
    url: String,
    secret: WebhookSecret,
    interrupt: Interrupt,
}

impl Endpoint {
    /// Prints the secret if it is a new one.
    ///
    /// # Errors
    ///
    /// [`CommandError::Usage`] for an address or a secret that cannot be used.
    pub(crate) fn new(
        url: &str,
        secret: Option<&str>,
        interrupt: &Interrupt,
        screen: &mut Screen,
    ) -> Result<Self, CommandError> {
        let uri: Option<Uri> = url.parse().ok();
        let usable = uri.filter(|uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some());
        if usable.is_none() {
            return Err(usage("--forward must be an address such as http://localhost:3000/hook"));
        }
        let secret = match secret {
            Some(text) => {
                WebhookSecret::parse(text).ok_or_else(|| usage("--secret must be whsec_ and the base64 of 32 bytes"))?
            }
            None => {
                let made = WebhookSecret::new(system::random()?);
                let text = format!("this new secret signs messages, and the receiver must have it: {}", made.expose());
                screen.event("secret", json!({ "secret": made.expose() }), Some(text));
                made
            }
        };
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(TIME_OUT))
            .user_agent("")
            .accept("")
            .accept_encoding("")
            .proxy(None);
        Ok(Self { agent: config.build().new_agent(), url: url.into(), secret, interrupt: interrupt.clone() })
    }

    /// Posts a message once, and prints what came of it. `None` if there was no answer.
    ///
    /// # Errors
    ///
    /// [`CommandError::Interrupted`].
    pub(crate) fn post(
        &self,
        message: &mut Outgoing,
        screen: &mut Screen,
    ) -> Result<Option<EndpointAnswer>, CommandError> {
        message.attempts = message.attempts.saturating_add(1);
        let now = system::ctx().now;
        let signed = signature::signatures(std::slice::from_ref(&self.secret), message.id, now, &message.body);
        let mut request = self.agent.post(&self.url);
        for (name, value) in signature::headers(message.id, now, signed) {
            request = request.header(name, value);
        }
        let (body, began) = (message.body.clone(), system::instant());
        let answered = in_thread(&self.interrupt, move || {
            let answer = request.send(body.as_bytes())?;
            let retry_after =
                answer.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok());
            Ok(EndpointAnswer { status: answer.status().as_u16(), retry_after })
        });
        let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let answered: Result<EndpointAnswer, ureq::Error> = answered.ok_or(CommandError::Interrupted)?;
        let answer = answered.as_ref().ok().copied();
        let result = answered.map_or_else(
            |error| format!("no answer ({})", shown(&error.to_string())),
            |answer| answer.status.to_string(),
        );
        let (kind, about) = (message.kind.name(), shown(&message.about));
        let text = format!("{kind} {about} → {result} in {took_ms} ms");
        let fields = json!({
            "id": message.id, "type": kind, "attempt": message.attempts, "status": answer.map(|answer| answer.status),
            "took_ms": took_ms,
        });
        let name = if answer.is_some_and(EndpointAnswer::is_success) { "delivered" } else { "failed" };
        screen.event(name, fields, Some(text));
        Ok(answer)
    }
}

fn usage(message: &str) -> CommandError {
    CommandError::Usage(message.into())
}
