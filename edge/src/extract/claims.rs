//! What a handler of the claims interface asks of a request.

use super::body::Body;
use super::credential::PresentedKey;
use crate::call::{Call, of_request};
use crate::error::Refusal;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use overturn_core::request::denied::Denied;
use std::sync::Arc;

/// A call with an API key.
pub(crate) struct KeyRequest {
    pub(crate) call: Arc<Call>,
    pub(crate) key: PresentedKey,
}

impl<S: Sync> FromRequestParts<S> for KeyRequest {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let call = Arc::clone(of_request(&parts.extensions)?);
        let key = PresentedKey::from_request_parts(parts, state).await?;
        Ok(Self { call, key })
    }
}

/// A call with an API key and a body.
pub(crate) struct SendRequest {
    pub(crate) call: Arc<Call>,
    pub(crate) key: PresentedKey,
    /// The body, or that it is too large or too slow. Only a caller that may send learns which.
    pub(crate) body: Result<Vec<u8>, Denied>,
}

impl<S: Sync> FromRequest<S> for SendRequest {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let (mut parts, body) = request.into_parts();
        let KeyRequest { call, key } = KeyRequest::from_request_parts(&mut parts, state).await?;
        let Body(body) = Body::from_request(Request::from_parts(parts, body), state).await?;
        Ok(Self { call, key, body })
    }
}
