//! The body of a request, and its parsing.

use super::from_call::FromCall;
#[cfg(any(test, feature = "schema"))]
use super::takes::BodyTaken;
use crate::call::Call;
use crate::error::AppError;
use crate::request::declare;
use crate::request::error::RequestError;
use http::header::CONTENT_LENGTH;
use std::rc::Rc;

/// A body, or the problem that it is too large or too slow. Only a caller that may send learns which.
pub(crate) struct Body(pub(crate) Result<Vec<u8>, RequestError>);

impl FromCall for Body {
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        call.body.read(&call.app, announced(call)).await.map(Self)
    }
}

/// The announced length of the body.
pub(crate) fn announced(call: &Call) -> Option<usize> {
    call.headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// The parsed body of a write.
pub(crate) trait ParseBody: Sized {
    /// False if the write takes no body and ignores any.
    const IS_READ: bool = true;

    /// The body, for the descriptions.
    #[cfg(any(test, feature = "schema"))]
    fn taken() -> BodyTaken {
        BodyTaken::None
    }

    /// Parses a body.
    ///
    /// # Errors
    ///
    /// The problems of the body.
    fn parse(body: &[u8], call: &Call) -> Result<Self, RequestError>;
}

/// A write that takes no body.
pub(crate) struct NoBody;

impl ParseBody for NoBody {
    const IS_READ: bool = false;

    fn parse(_: &[u8], _: &Call) -> Result<Self, RequestError> {
        Ok(Self)
    }
}

/// A body that counts only for the idempotency key.
pub(crate) struct AnyBody;

impl ParseBody for AnyBody {
    #[cfg(any(test, feature = "schema"))]
    fn taken() -> BodyTaken {
        BodyTaken::Read
    }

    fn parse(_: &[u8], _: &Call) -> Result<Self, RequestError> {
        Ok(Self)
    }
}

impl<B: declare::Body> ParseBody for B {
    #[cfg(any(test, feature = "schema"))]
    fn taken() -> BodyTaken {
        BodyTaken::Declared { name: B::NAME, schema: B::schema(), required: true }
    }

    fn parse(body: &[u8], call: &Call) -> Result<Self, RequestError> {
        call.parse(body)
    }
}

/// A body that may be missing.
pub(crate) struct MaybeBody<B>(pub(crate) B);

impl<B: declare::Body> ParseBody for MaybeBody<B> {
    #[cfg(any(test, feature = "schema"))]
    fn taken() -> BodyTaken {
        BodyTaken::Declared { name: B::NAME, schema: B::schema(), required: false }
    }

    fn parse(body: &[u8], call: &Call) -> Result<Self, RequestError> {
        B::parse_if_any(body, call.terms()).map(Self)
    }
}
