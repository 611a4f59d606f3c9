//! What a handler may ask of a request. A handler that does not ask for a [`PresentedKey`] has nothing to load a caller
//! with, so one without authentication does not compile.

use crate::app::Call;
use crate::error::Refusal;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::Extensions;
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH};
use axum::http::request::Parts;
use overturn_core::denied::Denied;
use overturn_core::token::ApiKey;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use worker::send::SendFuture;

/// A key that may exist: well-formed, of this environment, and known only by its hash from here on.
pub(crate) struct PresentedKey {
    hash: String,
}

impl PresentedKey {
    /// What the store and the limiter know the key by.
    pub(crate) fn hash(&self) -> &str {
        &self.hash
    }
}

impl<S: Sync> FromRequestParts<S> for PresentedKey {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let call = call(&parts.extensions)?;
        let key: Option<ApiKey> = bearer(parts).and_then(|token| token.parse().ok());
        let key = key.filter(|key| key.realm() == call.app.settings.realm);
        key.map(|key| Self { hash: key.hash() })
            .ok_or(Refusal::Denied(Denied::NotAuthenticated))
    }
}

/// The request that is being answered.
fn call(extensions: &Extensions) -> Result<&Arc<Call>, Refusal> {
    extensions.get().ok_or(Refusal::Internal("call"))
}

/// The token of an `Authorization: Bearer` header.
fn bearer(parts: &Parts) -> Option<&str> {
    let (scheme, token) = parts
        .headers
        .get(AUTHORIZATION)?
        .to_str()
        .ok()?
        .split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The operator, by the token in the secret `OPERATOR_TOKEN`.
pub(crate) struct Operator;

impl<S: Sync> FromRequestParts<S> for Operator {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let expected = call(&parts.extensions)?
            .app
            .settings
            .operator_token
            .as_deref()
            .ok_or(Refusal::NoRoute)?;
        // Digests are compared, so that the time it takes says nothing of how much of a token was right.
        let same = |token: &str| Sha256::digest(token) == Sha256::digest(expected);
        bearer(parts)
            .filter(|token| same(token))
            .map(|_| Self)
            .ok_or(Refusal::NotOperator)
    }
}

/// A body, or that it is too large. Which it is, only a caller that may send is told.
pub(crate) struct Body(pub(crate) Result<Vec<u8>, Denied>);

impl<S: Sync> FromRequest<S> for Body {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let incoming = call(request.extensions())?.incoming.clone();
        let length = request.headers().get(CONTENT_LENGTH);
        let length = length.and_then(|value| value.to_str().ok()?.parse().ok());
        SendFuture::new(async move { incoming.read(length).await })
            .await
            .map(Self)
    }
}
