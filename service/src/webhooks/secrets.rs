//! The secret that signs an endpoint's messages, and its rotation: `/api/v1/settings/webhooks/{id}/rotate_secret`.

use crate::pipeline::practice_keys;
use crate::prelude::*;
use crate::webhooks::endpoints::{ENDPOINT, FROM_OWN, WebhookView, known, read};
use overturn_core::base::instant::DAY_MS;
use overturn_core::base::open::{Open, Unopened};
use overturn_core::webhooks::signature::WebhookSecret;
use std::fmt;

/// How long the old secret still signs after a rotation, in milliseconds: a day.
const OLD_SECRET_MS: i64 = DAY_MS;

impl ShownOnce for WebhookSecret {
    const KEY: &'static str = "secret";
}

/// The stored secret of an endpoint. `Debug` does not print it.
#[derive(Clone, Deserialize)]
pub(super) struct StoredSecret {
    /// The key that seals it.
    pub(super) key_version: KeyVersion,
    /// The sealed secret.
    pub(super) sealed: String,
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
    /// Those of [`Open::open`]. A value that is not 32 bytes is [`Unopened::Tampered`].
    pub(super) fn secret(&self, place: SealedPlace, keys: &impl Open) -> Result<WebhookSecret, Unopened> {
        let bytes = keys.open(place, self.key_version, &self.sealed)?;
        WebhookSecret::from_bytes(&bytes).ok_or_else(|| keys.tampered(place))
    }
}

fn endpoint_and_secret(caller: &str, id: WebhookId) -> Query<Option<(WebhookView, StoredSecret)>> {
    select!(
        "webhooks.endpoint_and_secret",
        "SELECT json_array({ENDPOINT}, json_object('key_version', w.key_version, 'sealed', w.sealed)) AS json
         {FROM_OWN}"
        [ENDPOINT, FROM_OWN]; caller, id
    )
    .optional()
}

/// `rotateWebhookSecret`: Give a webhook a new secret.
///
/// Owners and admins only. Sensitive. For one day, we sign with both the old and the new secret. If you rotate
/// twice, the first secret stops working at once. So `If-Match` is required: two people who rotate at the same time
/// would end the secret that the receivers still have.
pub(crate) async fn rotate(
    PathId(id): PathId<WebhookId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest,
) -> Result<Gives<WithOnce<WebhookView, WebhookSecret>>, AppError> {
    let secret = WebhookSecret::new(request.call.app.host.bytes()?);
    let load = (endpoint_and_secret(request.credential(), id), Sealing::OfCaller);
    let decide = request.change_sealed(load, |person, (stored, data_key), _| {
        let keys = practice_keys::to_open(&request.call, person.practice()?, data_key.as_ref());
        rotated((stored, seen), &keys, person, &secret, request.ctx())
    });
    decide.await
}

/// The old secret also signs for a day, so that the receiver can change over. The one before that ends.
fn rotated(
    (stored, seen): (Option<(WebhookView, StoredSecret)>, Seen),
    keys: &impl Open,
    person: &Person,
    secret: &WebhookSecret,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let (stored, old) = known(stored)?;
    // The secret that a colleague has just made would otherwise become the old one.
    seen.is(stored.version)?;
    let read = read(practice, &stored);
    let id = stored.id;
    let place = SealedPlace::WebhookSecret { practice, id };
    let old_place = SealedPlace::OldWebhookSecret { practice, id };
    let old = old.secret(place, keys)?;
    let until = Time(ctx.now.plus(OLD_SECRET_MS));
    let view = WebhookView { version: read.next().version, old_secret_until: Some(until), ..stored };
    let audit = Entry::new(ctx, 0, Some(practice), Event::WebhookRotated, id);
    Ok(Change::new(audit, Answer::new(200, &view).once(WebhookSecret::KEY, secret.expose()))
        .write(sql!(
            "UPDATE webhooks SET old_key_version = {old_key}, old_sealed = {old_sealed}, old_until = {until},
               key_version = {key}, sealed = {sealed}
             WHERE practice_id = {practice} AND id = {id} AND state <> 'removed'";
            practice, id, key = KeyOf(place), sealed = Seal::new(place, secret.as_bytes()), until,
            old_key = KeyOf(old_place), old_sealed = Seal::new(old_place, old.as_bytes())
        ))
        .edits(read))
}

#[cfg(test)]
mod tests;
