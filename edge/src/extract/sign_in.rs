//! The input of a handler for a person who is not signed in yet.

use super::body::Body;
use super::credential::{DeviceCookie, MaybePresented, Presented};
use crate::call::{Call, of_request};
use crate::error::Refusal;
use axum::extract::{FromRequest, FromRequestParts, Request};
use overturn_core::request::denied::Denied;
use std::sync::Arc;

/// The call, the browser's session and device, and the body.
pub(crate) struct SignInRequest {
    pub(crate) call: Arc<Call>,
    pub(crate) presented: Option<Presented>,
    /// The cookie of a device that has completed a sign-in.
    pub(crate) device: Option<String>,
    pub(crate) body: Result<Vec<u8>, Denied>,
}

impl<S: Sync> FromRequest<S> for SignInRequest {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let (mut parts, body) = request.into_parts();
        let call = Arc::clone(of_request(&parts.extensions)?);
        let MaybePresented(presented) =
            MaybePresented::from_request_parts(&mut parts, state).await?;
        let DeviceCookie(device) = DeviceCookie::from_request_parts(&mut parts, state).await?;
        let Body(body) = Body::from_request(Request::from_parts(parts, body), state).await?;
        Ok(Self {
            call,
            presented,
            device,
            body,
        })
    }
}
