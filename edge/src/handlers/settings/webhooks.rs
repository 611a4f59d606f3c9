//! `/api/v1/settings/webhooks`.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, IfNoneMatch, Once, PageOf, PathId, PathPair, Presented};
use crate::pipeline::{self, Sealing};
use crate::platform;
use crate::tampered;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::{MessageId, WebhookId};
use overturn_core::request::denied::Denied;
use overturn_core::webhooks::{deliveries, endpoints, missed};
use overturn_store::webhooks::queries;
use std::sync::Arc;

/// `GET`: a page of the practice's endpoints.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf,
) -> Result<Response, Refusal> {
    let load = |page| queries::endpoints(&presented.hash, page);
    let asked = (&presented, &known);
    let list = (load, endpoints::list);
    pipeline::list(&call, asked, Action::ListWebhooks, page, list).await
}

/// `POST`: a new endpoint, whose secret is shown in this answer only.
#[worker::send]
pub(crate) async fn create(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let random = platform::bytes()?;
    let load = queries::endpoint_count(&presented.hash);
    let load = (load, Sealing::OfCaller);
    let asked = (&presented, &once, &body);
    let action = Action::ManageWebhooks;
    pipeline::change_sealed(&call, asked, action, load, |person, (count, _), body| {
        let new = endpoints::parse(body, call.app.settings.webhooks.reach)?;
        Ok(endpoints::create(new, count, person, random, &call.ctx)?)
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
    let load = queries::endpoint(&presented.hash, WebhookId(id));
    let asked = (&presented, &known);
    pipeline::read(&call, asked, Action::ListWebhooks, load, |_, stored| {
        Ok(endpoints::show(stored)?)
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
    let load = queries::endpoint(&presented.hash, WebhookId(id));
    let asked = (&presented, &once, &body);
    let action = Action::ManageWebhooks;
    pipeline::change(&call, asked, action, load, |person, stored, body| {
        let edit = endpoints::parse_edit(body, call.app.settings.webhooks.reach)?;
        Ok(endpoints::edit(edit, stored, person, &call.ctx)?)
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
    let load = queries::endpoint(&presented.hash, WebhookId(id));
    let asked = (&presented, &once, &Ok(Vec::new()));
    let action = Action::ManageWebhooks;
    pipeline::change(&call, asked, action, load, |person, stored, _| {
        Ok(endpoints::remove(stored, person, &call.ctx)?)
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
    let random = platform::bytes()?;
    let load = queries::endpoint_and_secret(&presented.hash, WebhookId(id));
    let load = (load, Sealing::OfCaller);
    let asked = (&presented, &once, &Ok(Vec::new()));
    let action = Action::ManageWebhooks;
    pipeline::change_sealed(
        &call,
        asked,
        action,
        load,
        |person, (stored, data_key), _| {
            let keys = tampered::keys(&call, person.practice()?, data_key.as_ref());
            Ok(endpoints::rotate_secret(
                stored, &keys, person, random, &call.ctx,
            )?)
        },
    )
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
    let load = |page| queries::deliveries(&presented.hash, WebhookId(id), page);
    let asked = (&presented, &known);
    let list = (load, deliveries::list);
    pipeline::list(&call, asked, Action::ListWebhooks, page, list).await
}

/// `POST …/{id}/deliveries/{delivery_id}/replay`: tells the endpoint again.
#[worker::send]
pub(crate) async fn replay(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathPair(webhook, id): PathPair,
) -> Result<Response, Refusal> {
    let load = queries::delivery(&presented.hash, WebhookId(webhook), MessageId(id));
    let asked = (&presented, &once, &Ok(Vec::new()));
    let action = Action::ReplayDeliveries;
    pipeline::change(&call, asked, action, load, |person, stored, _| {
        Ok(deliveries::replay(stored, person, &call.ctx)?)
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
    let since = since.and_then(|body| missed::parse(body, &call.ctx));
    let load = since
        .as_ref()
        .map(|since| queries::missed(&presented.hash, WebhookId(id), *since));
    let load = load.ok();
    let asked = (&presented, &once, &body);
    let action = Action::ReplayDeliveries;
    pipeline::change(&call, asked, action, load, |person, stored, _| {
        let since = since.clone()?;
        Ok(missed::replay_missed(
            stored.flatten(),
            since,
            person,
            &call.ctx,
        )?)
    })
    .await
}
