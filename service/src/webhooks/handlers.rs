//! `/api/v1/settings/webhooks`.

use crate::error::AppError;
use crate::extract::{DeliveryPath, IfMatch, MaybeBody, PathId, ReadRequest, WriteRequest};
use crate::pipeline::{Sealing, Versioned, tampered};
use crate::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::WebhookId;
use overturn_core::webhooks::missed::Replay;
use overturn_core::webhooks::{deliveries, endpoints, missed, secrets};
use overturn_store::webhooks::queries;

/// `GET`: a page of the practice's endpoints.
pub(crate) async fn list(request: ReadRequest) -> Result<Response, AppError> {
    let load = |page| queries::endpoints(request.credential(), page);
    request.list(Action::ListWebhooks, load, endpoints::list).await
}

/// `POST`: makes an endpoint. Only this answer shows its secret.
pub(crate) async fn create(request: WriteRequest<endpoints::NewEndpoint>) -> Result<Response, AppError> {
    let random = request.call.app.host.bytes()?;
    let load = queries::endpoint_count(request.credential());
    let load = (load, Sealing::OfCaller);
    let decide = request.change_sealed(Action::ManageWebhooks, load, |person, (count, _), new| {
        endpoints::create(new, count, person, random, request.ctx())
    });
    decide.await
}

/// `GET …/{id}`: one endpoint.
pub(crate) async fn show(PathId(id): PathId<WebhookId>, request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::endpoint(request.credential(), id);
    let view = request.show_versioned(Action::ListWebhooks, load, |_, stored| {
        let body = endpoints::show(stored)?;
        Ok(Versioned { version: body.version, body })
    });
    view.await
}

/// `PATCH …/{id}`: changes an endpoint, or enables it again.
pub(crate) async fn edit(
    PathId(id): PathId<WebhookId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<endpoints::EndpointEdit>,
) -> Result<Response, AppError> {
    let load = queries::endpoint(request.credential(), id);
    let decide = request.change(Action::ManageWebhooks, load, |person, stored, edit| {
        endpoints::edit(edit, (stored, seen), person, request.ctx())
    });
    decide.await
}

/// `DELETE …/{id}`: removes an endpoint at once.
pub(crate) async fn remove(PathId(id): PathId<WebhookId>, request: WriteRequest) -> Result<Response, AppError> {
    let load = queries::endpoint(request.credential(), id);
    let decide = request
        .change(Action::ManageWebhooks, load, |person, stored, _| endpoints::remove(stored, person, request.ctx()));
    decide.await
}

/// `POST …/{id}/rotate_secret`: renews the secret. Only this answer shows it.
pub(crate) async fn rotate_secret(
    PathId(id): PathId<WebhookId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest,
) -> Result<Response, AppError> {
    let random = request.call.app.host.bytes()?;
    let load = queries::endpoint_and_secret(request.credential(), id);
    let load = (load, Sealing::OfCaller);
    let decide = request.change_sealed(Action::ManageWebhooks, load, |person, (stored, data_key), _| {
        let keys = tampered::keys(&request.call, person.practice()?, data_key.as_ref());
        secrets::rotate((stored, seen), &keys, person, random, request.ctx())
    });
    decide.await
}

/// `POST …/{id}/test`: sends a test message.
pub(crate) async fn test(PathId(id): PathId<WebhookId>, request: WriteRequest) -> Result<Response, AppError> {
    let since = request.ctx().now.plus(-deliveries::TESTS_MS);
    let load = queries::endpoint_and_tests(request.credential(), id, since);
    let decide = request
        .change(Action::ManageWebhooks, load, |person, stored, _| deliveries::test(stored, person, request.ctx()));
    decide.await
}

/// `GET …/{id}/deliveries`: a page of the messages to the endpoint.
pub(crate) async fn deliveries(PathId(id): PathId<WebhookId>, request: ReadRequest) -> Result<Response, AppError> {
    let load = |page| queries::deliveries(request.credential(), id, page);
    request.list(Action::ListWebhooks, load, deliveries::list).await
}

/// `POST …/{id}/deliveries/{delivery_id}/replay`: sends a message again.
pub(crate) async fn replay(
    DeliveryPath { webhook, message }: DeliveryPath,
    request: WriteRequest,
) -> Result<Response, AppError> {
    let load = queries::delivery(request.credential(), webhook, message);
    let decide = request
        .change(Action::ReplayDeliveries, load, |person, stored, _| deliveries::replay(stored, person, request.ctx()));
    decide.await
}

/// `POST …/{id}/replay`: sends the messages that the endpoint missed, for example while it was disabled.
pub(crate) async fn replay_missed(
    PathId(id): PathId<WebhookId>,
    request: WriteRequest<MaybeBody<Replay>>,
) -> Result<Response, AppError> {
    let since = request.body().ok();
    let load =
        since.map(|MaybeBody(replay)| queries::missed(request.credential(), id, replay.since(request.ctx().now)));
    let decide = request.change(Action::ReplayDeliveries, load, |person, stored, MaybeBody(replay)| {
        missed::replay_missed(stored.flatten(), replay.since(request.ctx().now), person, request.ctx())
    });
    decide.await
}
