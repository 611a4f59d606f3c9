//! `/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}`: a delivery with the requests that were made and what came of
//! each.

use crate::extract::DeliveryPath;
use crate::pipeline::practice_keys;
use crate::prelude::*;
use crate::webhooks::attempt::{AttemptResult, Failure};
use crate::webhooks::deliveries::{DELIVERY, DeliveryView};
use crate::webhooks::lease::Delivery;
use crate::webhooks::post::Posted;
use overturn_core::base::id::AttemptId;
use overturn_core::base::open::Open;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::webhooks::signature;
use std::collections::BTreeMap;

/// The most attempts that are shown, the latest ones. Replays make more than the schedule has.
const SHOWN_MAX: usize = 50;

/// A delivery with its log.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct LoggedDelivery {
    #[serde(flatten)]
    delivery: DeliveryView,
    /// The body of each request.
    body: String,
    /// The latest 50 requests, oldest first.
    #[cfg_attr(feature = "schema", schemars(length(max = SHOWN_MAX)))]
    log: Vec<AttemptView>,
}

/// A request to the endpoint, and what came of it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AttemptView {
    at: Time,
    url: String,
    /// The headers of the request that we set. None has the secret.
    headers: BTreeMap<&'static str, String>,
    /// The status of the answer. `null` if there was none.
    status: Option<u16>,
    /// Why it failed, as listed under *Webhooks*. `null` if it did not.
    error: Option<Failure>,
    /// The time until the answer, in milliseconds.
    took_ms: i64,
    /// The first 1,000 characters of the answer. `null` if it had none.
    #[cfg_attr(feature = "schema", schemars(length(max = crate::webhooks::post::TEXT_MAX)))]
    answer: Option<String>,
}

/// A delivery and its attempts, as stored.
#[derive(Deserialize)]
pub(super) struct StoredLog {
    delivery: DeliveryView,
    body: String,
    log: Vec<StoredAttempt>,
    data_key: Option<StoredDataKey>,
}

#[derive(Deserialize)]
struct StoredAttempt {
    id: AttemptId,
    url: String,
    at: Time,
    signatures: String,
    took_ms: i64,
    status: Option<u16>,
    error: Option<Failure>,
    key_version: KeyVersion,
    /// The sealed text, which is empty if the answer had none.
    sealed: String,
}

pub(super) fn log(caller: &str, webhook: WebhookId, id: MessageId) -> Query<Option<StoredLog>> {
    const DATA_KEY: &str = data_key!("d.practice_id");
    select!(
        "webhooks.log",
        "SELECT json_object('delivery', {DELIVERY}, 'body', d.body, 'data_key', {DATA_KEY},
           'log', json((SELECT json_group_array(json_object('id', a.id, 'url', a.url, 'at', a.at,
             'signatures', a.signatures, 'took_ms', a.took_ms, 'status', a.status, 'error', a.error,
             'key_version', a.key_version, 'sealed', a.sealed))
             FROM (SELECT * FROM (SELECT * FROM attempts WHERE practice_id = d.practice_id AND delivery_id = d.id
                 AND webhook_id = d.webhook_id ORDER BY id DESC LIMIT CAST({most} AS INTEGER)) ORDER BY id) a))) AS json
         FROM deliveries d JOIN webhooks w ON w.practice_id = d.practice_id AND w.id = d.webhook_id
         WHERE d.practice_id = {OF_CALLER} AND d.webhook_id = {webhook} AND d.id = {id} AND w.state <> 'removed'"
        [DELIVERY, DATA_KEY]; caller, webhook, id, most = SHOWN_MAX
    )
    .optional()
}

/// `showDelivery`: Read one delivery with its log.
///
/// Owners and admins only. The log has each request that we made, with the answer of the endpoint. It goes with the
/// delivery.
pub(crate) async fn show(
    DeliveryPath { webhook, message }: DeliveryPath,
    request: ReadRequest,
) -> Result<Gives<LoggedDelivery>, AppError> {
    let load = log(request.credential(), webhook, message);
    let view = request.show(load, |person, stored| {
        let stored = stored.ok_or(RequestError::NotFound("no such delivery"))?;
        let practice = person.practice()?;
        let keys = practice_keys::to_open(&request.call, practice, stored.data_key.as_ref());
        opened(practice, stored, &keys)
    });
    view.await
}

pub(super) fn opened(
    practice: PracticeId,
    stored: StoredLog,
    keys: &impl Open,
) -> Result<LoggedDelivery, RequestError> {
    let message = stored.delivery.id;
    let log = stored.log.into_iter().map(|attempt| {
        let StoredAttempt { id, url, at, signatures, took_ms, status, error, key_version, sealed } = attempt;
        let place = SealedPlace::EndpointAnswer { practice, id };
        let answer = Some(keys.open_text(place, key_version, &sealed)?).filter(|text: &String| !text.is_empty());
        let headers = signature::headers(message, at.0, signatures).into();
        Ok(AttemptView { at, url, headers, status, error, took_ms, answer })
    });
    let log = log.collect::<Result<_, RequestError>>()?;
    Ok(LoggedDelivery { delivery: stored.delivery, body: stored.body, log })
}

/// Adds a request to the log of its delivery, if that is still there.
pub(super) fn logged(of: Delivery, url: &str, posted: &Posted, verdict: AttemptResult, ctx: &Ctx) -> Write {
    let Delivery { practice_id: practice, webhook_id: webhook, id: delivery, .. } = of;
    let id = AttemptId(ctx.id(Purpose::Record, 0));
    let place = SealedPlace::EndpointAnswer { practice, id };
    sql!(
        "INSERT INTO attempts
           (practice_id, delivery_id, id, webhook_id, url, at, signatures, took_ms, status, error, key_version, sealed)
         SELECT {practice}, {delivery}, {id}, {webhook}, {url}, {at}, {signatures}, {took_ms}, {status}, {error}, {key}, {sealed}
         WHERE EXISTS (SELECT 1 FROM deliveries
           WHERE practice_id = {practice} AND webhook_id = {webhook} AND id = {delivery})
         ON CONFLICT (practice_id, delivery_id, id) DO NOTHING";
        practice, delivery, id, webhook, url, at = posted.at, signatures = &posted.signatures, took_ms = posted.took_ms,
        status = verdict.status, error = verdict.failure, key = KeyOf(place),
        sealed = Seal::new(place, posted.text.as_bytes())
    )
}
