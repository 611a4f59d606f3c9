//! `/api/v1/settings/webhooks`.

use crate::ambient;
use crate::app::Call;
use crate::door::{self, Sealing};
use crate::error::Refusal;
use crate::extract::{Body, IfNoneMatch, Once, PageOf, PathId, PathPair, Presented};
use crate::tampered;
use axum::Extension;
use axum::response::Response;
use overturn_core::denied::Denied;
use overturn_core::id::{MessageId, WebhookId};
use overturn_core::rights::Action;
use overturn_core::sealed::StoredDataKey;
use overturn_core::settings::webhooks;
use overturn_store::{load, rows};
use std::sync::Arc;

/// `GET`: a page of the practice's endpoints.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf,
) -> Result<Response, Refusal> {
    let load = |page| load::webhooks(&presented.hash, page);
    let asked = (&presented, &known);
    let list = (load, webhooks::list);
    door::list(&call, asked, Action::ListWebhooks, page, list).await
}

/// `POST`: a new endpoint, whose secret is shown in this answer only.
#[worker::send]
pub(crate) async fn create(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let random = ambient::bytes()?;
    let load = vec![load::webhook_count(&presented.hash)];
    let load = (load, Sealing::OfCaller);
    let asked = (&presented, &once, &body);
    let action = Action::ManageWebhooks;
    door::change_sealed(&call, asked, action, load, |person, read, body| {
        let new = webhooks::parse(body, call.app.settings.webhooks.reach)?;
        let count = rows::one(read.json(0))?.unwrap_or_default();
        Ok(webhooks::create(new, count, person, random, &call.ctx)?)
    })
    .await
}

/// `GET …/{id}`: one endpoint.
#[worker::send]
pub(crate) async fn show(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    PathId(id): PathId,
) -> Result<Response, Refusal> {
    let load = vec![load::webhook(&presented.hash, WebhookId(id))];
    let asked = (&presented, &known);
    door::read(&call, asked, Action::ListWebhooks, load, |_, read| {
        Ok(webhooks::show(rows::one(read.json(0))?)?)
    })
    .await
}

/// `PATCH …/{id}`: changes an endpoint, or enables it again.
#[worker::send]
pub(crate) async fn edit(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let load = vec![load::webhook(&presented.hash, WebhookId(id))];
    let asked = (&presented, &once, &body);
    let action = Action::ManageWebhooks;
    door::change(&call, asked, action, load, |person, read, body| {
        let edit = webhooks::parse_edit(body, call.app.settings.webhooks.reach)?;
        let stored = rows::one(read.json(0))?;
        Ok(webhooks::edit(edit, stored, person, &call.ctx)?)
    })
    .await
}

/// `DELETE …/{id}`: removes an endpoint, at once.
#[worker::send]
pub(crate) async fn remove(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
) -> Result<Response, Refusal> {
    let load = vec![load::webhook(&presented.hash, WebhookId(id))];
    let asked = (&presented, &once, &Ok(Vec::new()));
    let action = Action::ManageWebhooks;
    door::change(&call, asked, action, load, |person, read, _| {
        let stored = rows::one(read.json(0))?;
        Ok(webhooks::remove(stored, person, &call.ctx)?)
    })
    .await
}

/// `POST …/{id}/rotate_secret`: a new secret, shown in this answer only.
#[worker::send]
pub(crate) async fn rotate_secret(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
) -> Result<Response, Refusal> {
    let random = ambient::bytes()?;
    let load = vec![load::webhook_to_rotate(&presented.hash, WebhookId(id))];
    let load = (load, Sealing::OfCaller);
    let asked = (&presented, &once, &Ok(Vec::new()));
    let action = Action::ManageWebhooks;
    door::change_sealed(&call, asked, action, load, |person, read, _| {
        let stored = rows::one(read.json(0))?;
        let data_key: Option<StoredDataKey> = rows::one(read.json(1))?;
        let keys = tampered::keys(&call, person.practice()?, data_key.as_ref());
        Ok(webhooks::rotate_secret(
            stored, &keys, person, random, &call.ctx,
        )?)
    })
    .await
}

/// `GET …/{id}/deliveries`: a page of what the endpoint was told.
#[worker::send]
pub(crate) async fn deliveries(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    PathId(id): PathId,
    page: PageOf,
) -> Result<Response, Refusal> {
    let load = |page| load::deliveries(&presented.hash, WebhookId(id), page);
    let asked = (&presented, &known);
    let list = (load, webhooks::list_deliveries);
    door::list(&call, asked, Action::ListWebhooks, page, list).await
}

/// `POST …/{id}/deliveries/{delivery_id}/replay`: tells the endpoint again.
#[worker::send]
pub(crate) async fn replay(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathPair(webhook, id): PathPair,
) -> Result<Response, Refusal> {
    let load = load::delivery(&presented.hash, WebhookId(webhook), MessageId(id));
    let asked = (&presented, &once, &Ok(Vec::new()));
    let action = Action::ReplayDeliveries;
    door::change(&call, asked, action, vec![load], |person, read, _| {
        let stored = rows::one(read.json(0))?;
        Ok(webhooks::replay(stored, person, &call.ctx)?)
    })
    .await
}

/// `POST …/{id}/replay`: tells the endpoint what it did not take, as while it was switched off.
#[worker::send]
pub(crate) async fn replay_missed(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let since = body.as_ref().map_err(Denied::clone);
    let since = since.and_then(|body| webhooks::parse_replay(body, &call.ctx));
    let load = since
        .as_ref()
        .map(|since| load::missed(&presented.hash, WebhookId(id), *since));
    let load = load.into_iter().collect();
    let asked = (&presented, &once, &body);
    let action = Action::ReplayDeliveries;
    door::change(&call, asked, action, load, |person, read, _| {
        let since = since.clone()?;
        let stored = rows::one(read.json(0))?;
        Ok(webhooks::replay_missed(stored, since, person, &call.ctx)?)
    })
    .await
}
