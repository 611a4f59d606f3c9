//! The inputs of sign-ins by providers, and of the identity that waits in a browser.

use super::body::Body;
use super::credential::{DeviceCookie, MaybePresented, PresentedKind, cookie};
use super::pages::Form;
use super::path::PathProvider;
use crate::call::{Call, of_request};
use crate::cookies;
use crate::error::AppError;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use overturn_core::sso::begun::BeginningBrowser;
use std::sync::Arc;

/// A step of a sign-in by a provider.
pub(crate) struct ProviderRequest {
    pub(crate) call: Arc<Call>,
    /// The provider that the path names.
    pub(crate) provider: String,
    /// What the browser sends only to requests that begin at the service itself.
    pub(crate) browser: BeginningBrowser,
    /// The cookies of the ceremonies.
    pub(crate) oidc: Option<String>,
    pub(crate) saml: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for ProviderRequest {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        let PathProvider(provider) = PathProvider::from_request_parts(parts, state).await?;
        let call = Arc::clone(of_request(&parts.extensions)?);
        let MaybePresented(presented) = MaybePresented::from_request_parts(parts, state).await?;
        let session = presented.filter(|presented| presented.kind == PresentedKind::Session);
        let DeviceCookie(device) = DeviceCookie::from_request_parts(parts, state).await?;
        let ceremony = |of: cookies::Ceremony| cookie(parts, of.0).map(str::to_owned);
        Ok(Self {
            call,
            provider,
            browser: BeginningBrowser {
                session: session.map(|session| session.hash),
                device,
            },
            oidc: ceremony(cookies::OIDC),
            saml: ceremony(cookies::SAML),
        })
    }
}

/// The form that a provider's page posts.
pub(crate) struct ProviderForm {
    pub(crate) request: ProviderRequest,
    pub(crate) form: Form,
}

impl<S: Sync> FromRequest<S> for ProviderForm {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self, AppError> {
        let (mut parts, body) = request.into_parts();
        let provider = ProviderRequest::from_request_parts(&mut parts, state).await?;
        let Body(body) = Body::from_request(Request::from_parts(parts, body), state).await?;
        let form = Form::parse(&body?);
        Ok(Self {
            request: provider,
            form,
        })
    }
}

/// The cookie of an identity that waits to be joined.
pub(crate) struct IdentityCookie(pub(crate) Option<String>);

impl<S: Sync> FromRequestParts<S> for IdentityCookie {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        Ok(Self(cookie(parts, cookies::IDENTITY.0).map(str::to_owned)))
    }
}
