//! The body of a request, and its parsing.

use crate::call::{Call, of_request};
use crate::error::Refusal;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_LENGTH;
use overturn_core::request::denied::Denied;
use worker::send::SendFuture;

/// A body, or the problem that it is too large or too slow. Only a caller that may send learns which.
pub(crate) struct Body(pub(crate) Result<Vec<u8>, Denied>);

impl<S: Sync> FromRequest<S> for Body {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let call = of_request(request.extensions())?;
        let patience_ms = call.app.settings.body_patience_ms;
        let body = call.body.clone();
        let length = request.headers().get(CONTENT_LENGTH);
        let length = length.and_then(|value| value.to_str().ok()?.parse().ok());
        SendFuture::new(async move { body.read(length, patience_ms).await })
            .await
            .map(Self)
    }
}

/// The parsed body of a write.
pub(crate) trait ParseBody: Sized {
    /// False if the write takes no body and ignores any.
    const IS_READ: bool = true;

    /// Parses a body.
    ///
    /// # Errors
    ///
    /// The problems of the body.
    fn parse(body: &[u8], call: &Call) -> Result<Self, Denied>;
}

/// A write that takes no body.
pub(crate) struct NoBody;

impl ParseBody for NoBody {
    const IS_READ: bool = false;

    fn parse(_: &[u8], _: &Call) -> Result<Self, Denied> {
        Ok(Self)
    }
}

/// A body that counts only for the idempotency key.
pub(crate) struct AnyBody;

impl ParseBody for AnyBody {
    fn parse(_: &[u8], _: &Call) -> Result<Self, Denied> {
        Ok(Self)
    }
}

/// Implements the parsing of bodies: the type, and a function of the bytes and the call.
macro_rules! parse_body {
    ($($body:ty = |$bytes:pat_param, $call:pat_param| $parse:expr;)+) => {$(
        impl $crate::extract::body::ParseBody for $body {
            fn parse(
                $bytes: &[u8],
                $call: &$crate::call::Call,
            ) -> Result<Self, overturn_core::request::denied::Denied> {
                $parse
            }
        }
    )+};
}
pub(crate) use parse_body;
