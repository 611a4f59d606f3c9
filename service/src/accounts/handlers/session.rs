//! `/api/v1/auth/session`: signing in, reading the session, signing out.

use crate::accounts::sign_in as signing_in;
use crate::error::AppError;
use crate::extract::{AnyBody, PasskeyCookie, ReadRequest, SignInRequest, WriteRequest};
use crate::response::Response;
use overturn_core::accounts::{account, sessions};
use overturn_core::request::error::RequestError;
use overturn_store::accounts::queries;

/// `POST`: the first factor.
pub(crate) async fn sign_in(request: SignInRequest) -> Result<Response, AppError> {
    signing_in::by_password(request).await
}

/// `POST …/2fa`: the second factor.
pub(crate) async fn second_factor(
    PasskeyCookie(cookie): PasskeyCookie,
    request: SignInRequest,
) -> Result<Response, AppError> {
    signing_in::by_second_factor(request, cookie.as_deref()).await
}

/// `GET`: the signed-in person and the session.
pub(crate) async fn show(request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::account_of_caller(request.credential());
    let view = request.show_caller(load, |standing, account| {
        let account = account.ok_or(RequestError::NotSignedIn)?;
        Ok(account::view(&account, standing, request.ctx().now))
    });
    view.await
}

/// `POST …/logout`: ends the session and removes its cookie.
pub(crate) async fn sign_out(request: WriteRequest<AnyBody>) -> Result<Response, AppError> {
    let decide = request.change((), |person, (), _| sessions::sign_out(person, request.credential(), request.ctx()));
    decide.await
}
