//! What a handler of the claims interface asks of a request.

use super::credential::PresentedKey;
use super::from_call::FromCall;
#[cfg(any(test, feature = "schema"))]
use super::takes::{Caller, Takes};
use crate::call::Call;
use crate::error::AppError;
use crate::request::error::RequestError;
use std::rc::Rc;

/// A call with an API key.
pub(crate) struct KeyRequest {
    pub(crate) call: Rc<Call>,
    pub(crate) key: PresentedKey,
}

impl FromCall for KeyRequest {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.caller = Some(Caller::Key);
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let call = Rc::clone(call);
        let key = PresentedKey::from_call(&call).await?;
        Ok(Self { call, key })
    }
}

/// A call with an API key and a body, which the pipeline receives.
pub(crate) struct SendRequest {
    pub(crate) call: Rc<Call>,
    pub(crate) key: PresentedKey,
    /// The body, or that it is too large or too slow. Only a caller that may send learns which.
    pub(crate) body: Result<Vec<u8>, RequestError>,
}
