//! Receives the body of a call with an API key.

use crate::call::Call;
use crate::error::AppError;
use crate::extract::body::announced;
#[cfg(any(test, feature = "schema"))]
use crate::extract::takes::{Caller, Takes};
use crate::extract::{Body, FromCall, KeyRequest, SendRequest};
use crate::pipeline::key;
use std::rc::Rc;

/// The longest announced body of a key that this isolate does not know. Anyone can make up well-formed keys, and many long
/// bodies at once would fill the isolate. A first send of this size takes no trip more.
const UNKNOWN_MAX: usize = 64 * 1024;

impl FromCall for SendRequest {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.caller = Some(Caller::Key);
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let KeyRequest { call, key } = KeyRequest::from_call(call).await?;
        if announced(&call).is_none_or(|length| length > UNKNOWN_MAX) {
            key::meet(&call, &key).await?;
        }
        let Body(body) = Body::from_call(&call).await?;
        Ok(Self { call, key, body })
    }
}
