//! The secret that signs an endpoint's messages, and its rotation.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::sealed::{KeyVersion, SealedPlace};
use crate::base::time::Time;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::webhooks::secret::{OLD_SECRET_MS, WebhookSecret};
use crate::plan::{WebhooksWrite, Write};
use crate::request::error::RequestError;
use crate::request::if_match::Seen;
use crate::request::open::Open;
use crate::webhooks::endpoints::{WebhookView, read, show};
use alloc::string::String;
use core::fmt;
use serde::Deserialize;

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
    /// Those of [`Open::open`]. A value that is not 32 bytes is [`RequestError::Tampered`].
    pub fn secret(&self, place: SealedPlace, keys: &impl Open) -> Result<WebhookSecret, RequestError> {
        let bytes = keys.open(place, self.key_version, &self.sealed)?;
        WebhookSecret::from_bytes(&bytes).ok_or_else(|| keys.tampered(place))
    }
}

/// Gives an endpoint a new secret. Only this answer shows it. The old secret also signs for a day, so that the receiver
/// can change over. The one before that ends.
///
/// # Errors
///
/// [`RequestError::NotFound`] for an endpoint that the practice does not have, those of [`Seen::is`] and of [`Open::open`].
pub fn rotate(
    (stored, seen): (Option<(WebhookView, StoredSecret)>, Seen),
    keys: &impl Open,
    person: &Person,
    random: [u8; 32],
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let (stored, before) = stored.unzip();
    let stored = show(stored)?;
    // The secret that a colleague has just made would otherwise become the old one.
    seen.is(stored.version)?;
    let read = read(practice_id, &stored);
    let before = before.ok_or(RequestError::NotFound("no such webhook"))?;
    let place = SealedPlace::WebhookSecret { practice: practice_id, id: stored.id };
    let before = before.secret(place, keys)?;
    let until = ctx.now.plus(OLD_SECRET_MS);
    let secret = WebhookSecret::new(random);
    let view = WebhookView { version: read.next().version, old_secret_until: Some(Time(until)), ..stored };
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::WebhookRotated, view.id);
    let answer = Answer::new(200, &view).once("secret", secret.expose());
    Ok(Change::new(audit, answer)
        .write(Write::Webhooks(WebhooksWrite::SecretRotated {
            practice_id,
            id: view.id,
            secret,
            old: before,
            old_until: until,
        }))
        .edits(read))
}

#[cfg(test)]
mod tests;
