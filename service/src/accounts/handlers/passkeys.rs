//! `/api/v1/auth/passkeys`, `/api/v1/auth/session/passkey`, and the origins that share passkeys.

use crate::accounts::context::setting;
use crate::accounts::passkeys as ceremonies;
use crate::error::AppError;
use crate::extract::{DeviceCookie, PasskeyCookie, PathId, PublicRequest, ReadRequest, SignInRequest, WriteRequest};
use crate::response;
use crate::response::Response;
use crate::sign_in_limits;
use http::StatusCode;
use overturn_core::accounts::ceremony::CeremonyPurpose;
use overturn_core::accounts::passkeys;
use overturn_core::accounts::passkeys::assertion::{self, Assertion};
use overturn_core::accounts::passkeys::enrolment::{self, Registration, RequestedPasskey};
use overturn_core::accounts::passkeys::own::{self, NewName};
use overturn_core::base::id::PasskeyId;
use overturn_core::request::error::RequestError;
use overturn_store::accounts::queries;
use serde_json::json;

/// `GET`: every passkey of the person.
pub(crate) async fn list(request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::passkeys(request.credential());
    let view = request.show(load, |_, stored| Ok::<_, RequestError>(passkeys::list(&stored)));
    view.await
}

/// `POST …/options`: begins the enrollment of a passkey. Nothing is written.
pub(crate) async fn begin(request: WriteRequest) -> Result<Response, AppError> {
    let load = (queries::account_of_caller(request.credential()), queries::passkeys(request.credential()));
    let (person, (account, stored)) = request.load(load).await?;
    let account = account.ok_or(RequestError::NotSignedIn)?;
    let rp = ceremonies::relying_party(&request.call);
    let question = enrolment::begin(&account, &stored, rp)?;
    let user_id = person.user_id;
    let content = |state| Registration { user_id, state };
    let purpose = CeremonyPurpose::Registration;
    ceremonies::begin(&request.call, &question, purpose, content).await
}

/// `POST`: enrolls a passkey. If it is the first second factor, only this answer shows the recovery codes.
pub(crate) async fn enrol(
    PasskeyCookie(cookie): PasskeyCookie,
    DeviceCookie(device): DeviceCookie,
    request: WriteRequest<RequestedPasskey>,
) -> Result<Response, AppError> {
    ceremonies::enrol(request, cookie.as_deref(), device.as_deref()).await
}

/// `PATCH …/{id}`: renames a passkey.
pub(crate) async fn rename(
    PathId(id): PathId<PasskeyId>,
    request: WriteRequest<NewName>,
) -> Result<Response, AppError> {
    let load = queries::own_passkey(request.credential(), id);
    let decide = request.change(load, |person, stored, name| own::rename(name, stored, person, request.ctx()));
    decide.await
}

/// `DELETE …/{id}`: removes a passkey.
pub(crate) async fn remove(PathId(id): PathId<PasskeyId>, request: WriteRequest) -> Result<Response, AppError> {
    let load = (
        queries::own_passkey(request.credential(), id),
        queries::account_of_caller(request.credential()),
        queries::session_facts(request.credential()),
    );
    let setting = setting(&request.call)?;
    let decide = |person: &_, (stored, account, session): (_, Option<_>, Option<_>), _| {
        let of = account.as_ref().zip(session.as_ref());
        let of = of.ok_or(RequestError::NotSignedIn)?;
        own::remove(stored, of, person, setting)
    };
    request.change(load, decide).await
}

/// `POST /api/v1/auth/session/passkey/options`: begins a sign-in without a password. Nothing is written.
pub(crate) async fn begin_sign_in(PublicRequest { call }: PublicRequest) -> Result<Response, AppError> {
    sign_in_limits::passkey(&call).await?;
    let question = assertion::begin_sign_in(ceremonies::relying_party(&call));
    let content = |state| Assertion { state, continuation: None };
    ceremonies::begin(&call, &question, CeremonyPurpose::Assertion, content).await
}

/// `POST /api/v1/auth/session/passkey`: signs in without a password.
pub(crate) async fn sign_in(
    PasskeyCookie(cookie): PasskeyCookie,
    request: SignInRequest,
) -> Result<Response, AppError> {
    ceremonies::sign_in(request, cookie.as_deref()).await
}

/// `POST /api/v1/auth/session/2fa/passkey/options`: begins an assertion in place of a code. Nothing is written.
pub(crate) async fn begin_second_factor(request: SignInRequest) -> Result<Response, AppError> {
    ceremonies::begin_second_factor(request).await
}

/// `GET /.well-known/webauthn`: the origins that share the passkeys, if there are several sites.
pub(crate) async fn related_origins(PublicRequest { call }: PublicRequest) -> Result<Response, AppError> {
    let origins = call.app.settings.identity.passkeys.related_origins();
    let origins = origins.ok_or(AppError::NoRoute)?;
    Ok(response::json(StatusCode::OK, &json!({ "origins": origins })))
}
