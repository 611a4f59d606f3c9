//! The body of a request, and what it is parsed into.

use crate::call::{Call, of_request};
use crate::error::Refusal;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_LENGTH;
use overturn_core::request::denied::Denied;
use worker::send::SendFuture;

/// A body, or that it is too large or too slow. Only a caller that may send learns which.
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

/// What the body of a write is parsed into.
pub(crate) trait ParseBody: Sized {
    /// Whether the body is read at all. A write that takes none ignores it.
    const IS_READ: bool = true;

    /// Parses a body.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
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

/// A body that only counts for the idempotency key.
pub(crate) struct AnyBody;

impl ParseBody for AnyBody {
    fn parse(_: &[u8], _: &Call) -> Result<Self, Denied> {
        Ok(Self)
    }
}

/// Says how bodies are parsed: the type, and a function of the bytes and the call.
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
