//! `/api/v1/auth/identities`: the identities at providers that a person signs in by.

use super::outcome::with_cookie;
use crate::call::Call;
use crate::cookies;
use crate::error::AppError;
use crate::extract::{IdentityCookie, PathId, ReadRequest, WriteRequest};
use crate::response::Response;
use overturn_core::accounts::ceremony::{CeremonyPurpose, OpenedCeremony};
use overturn_core::base::id::IdentityId;
use overturn_core::request::error::RequestError;
use overturn_core::sso::begun::WaitingIdentity;
use overturn_core::sso::identities::{self, SeenIdentity};
use overturn_store::accounts::queries as accounts;
use overturn_store::sso::queries;

/// `GET`: the person's own identities.
pub(crate) async fn list(request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::identities(request.credential());
    let view = request.show(load, |_, stored| {
        let name = |id: &str| name(&request.call, id);
        Ok::<_, RequestError>(identities::list(stored, name))
    });
    view.await
}

/// `GET …/waiting`: the identity that waits in the browser.
pub(crate) async fn waiting(waiting: IdentityCookie, request: ReadRequest) -> Result<Response, AppError> {
    let waiting = opened(&request.call, &waiting);
    let load = queries::to_join(request.credential(), waiting.as_ref());
    let view = request.show(load, |_, stored| identities::waiting(waiting, stored.as_ref()));
    view.await
}

/// `POST`: joins the identity that waits in the browser.
pub(crate) async fn join(waiting: IdentityCookie, request: WriteRequest<SeenIdentity>) -> Result<Response, AppError> {
    let waiting = opened(&request.call, &waiting);
    let load = queries::to_join(request.credential(), waiting.as_ref());
    let decide = request.change(load, |person, stored, seen| {
        let seen = (&seen, waiting.clone());
        identities::join(seen, stored.as_ref(), person, request.ctx())
    });
    with_cookie(decide.await?, cookies::IDENTITY.end())
}

/// `DELETE …/{id}`: removes one of the person's own identities.
pub(crate) async fn remove(PathId(id): PathId<IdentityId>, request: WriteRequest) -> Result<Response, AppError> {
    let caller = request.credential();
    let load = (queries::identity(caller, id), accounts::account_of_caller(caller));
    let decide = request.change(load, |person, (identity, account), _| {
        let name = |id: &str| name(&request.call, id);
        identities::remove(identity, account.as_ref(), name, person, request.ctx())
    });
    decide.await
}

/// The identity in the browser's cookie.
fn opened(call: &Call, IdentityCookie(cookie): &IdentityCookie) -> Option<OpenedCeremony<WaitingIdentity>> {
    let keys = &call.app.keys;
    keys.open_ceremony(CeremonyPurpose::Identity, cookie.as_deref()?, call.ctx.now)
}

/// The name of a provider of the installation.
fn name(call: &Call, id: &str) -> Option<String> {
    let provider = call.app.settings.identity.oidc_provider(id)?;
    Some(provider.name.clone())
}
