//! Responses.

use crate::host::PlatformError;
use crate::request::csv;
use futures_util::stream::LocalBoxStream;
use http::header::CONTENT_TYPE;
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use std::marker::PhantomData;

pub type Response = http::Response<Body>;

/// A response, with what it holds and its status for the descriptions. `OR` is another status that it may have.
pub(crate) struct Gives<T, const STATUS: u16 = 200, const OR: u16 = 0>(pub(crate) Response, PhantomData<fn() -> T>);

impl<T, const STATUS: u16, const OR: u16> From<Response> for Gives<T, STATUS, OR> {
    fn from(response: Response) -> Self {
        Self(response, PhantomData)
    }
}

/// What a read may return: a response that shows a `T`.
pub(crate) trait Shows<T>: From<Response> {}

impl<T> Shows<T> for Gives<T> {}
impl<T> Shows<T> for Response {}

/// A response with a file, or with a range of it.
pub(crate) struct GivesFile(pub(crate) Response);

/// A response with a page of a list, as JSON or as CSV.
pub(crate) struct GivesTable<T>(pub(crate) Response, PhantomData<fn() -> T>);

impl<T> From<Response> for GivesTable<T> {
    fn from(response: Response) -> Self {
        Self(response, PhantomData)
    }
}

/// A response of lines of JSON.
pub(crate) struct GivesLines(pub(crate) Response);

/// The body of a response.
pub enum Body {
    /// In one piece.
    Bytes(Vec<u8>),
    /// Piece by piece, of a known length. If a piece fails, the response breaks off.
    Stream {
        /// The bytes of all pieces.
        length: u64,
        /// The pieces, none empty.
        chunks: LocalBoxStream<'static, Result<Vec<u8>, PlatformError>>,
    },
}

impl Body {
    /// How many bytes it has.
    #[must_use]
    pub fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Stream { length, .. } => *length,
        }
    }
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Self::Bytes(text.into())
    }
}

impl From<&'static str> for Body {
    fn from(text: &'static str) -> Self {
        Self::Bytes(text.into())
    }
}

/// A response without a body.
pub(crate) fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Body::Bytes(Vec::new()));
    *response.status_mut() = status;
    response
}

/// A response with headers.
pub(crate) fn with<V: Into<String>>(
    status: StatusCode,
    headers: impl IntoIterator<Item = (HeaderName, V)>,
    body: impl Into<Body>,
) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    for (name, value) in headers {
        set(&mut response, name, value);
    }
    response
}

/// Sets a header. A value that is no header is left out; the service makes none.
pub(crate) fn set(response: &mut Response, name: HeaderName, value: impl Into<String>) {
    if let Ok(value) = HeaderValue::try_from(value.into()) {
        response.headers_mut().insert(name, value);
    }
}

fn typed(status: StatusCode, media_type: &'static str, body: String) -> Response {
    with(status, [(CONTENT_TYPE, media_type)], body)
}

pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    // Answers have text for every key, so this cannot fail.
    text(status, serde_json::to_string(body).unwrap_or_default())
}

pub(crate) fn text(status: StatusCode, json: String) -> Response {
    typed(status, "application/json", json)
}

/// A response of lines of JSON.
pub(crate) fn lines(status: StatusCode, lines: String) -> Response {
    typed(status, "application/x-ndjson", lines)
}

pub(crate) fn csv(status: StatusCode, table: String) -> Response {
    typed(status, csv::MEDIA_TYPE, table)
}
