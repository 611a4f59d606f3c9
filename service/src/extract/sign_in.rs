//! The input of a handler for a person who is not signed in yet.

use super::body::Body;
use super::credential::{DeviceCookie, MaybePresented, Presented};
use super::from_call::FromCall;
#[cfg(any(test, feature = "schema"))]
use super::takes::{BodyTaken, Takes};
use crate::call::Call;
use crate::error::AppError;
use overturn_core::request::error::RequestError;
use std::rc::Rc;

/// The call, the browser's session and device, and the body.
pub(crate) struct SignInRequest {
    pub(crate) call: Rc<Call>,
    pub(crate) presented: Option<Presented>,
    /// The cookie of a device that has completed a sign-in.
    pub(crate) device: Option<String>,
    pub(crate) body: Result<Vec<u8>, RequestError>,
}

impl FromCall for SignInRequest {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.signs_in = true;
        takes.body = BodyTaken::Read;
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let call = Rc::clone(call);
        let MaybePresented(presented) = MaybePresented::from_call(&call).await?;
        let DeviceCookie(device) = DeviceCookie::from_call(&call).await?;
        let Body(body) = Body::from_call(&call).await?;
        Ok(Self { call, presented, device, body })
    }
}
