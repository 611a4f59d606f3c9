//! Responses with a body.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use overturn_core::base::csv;
use serde::Serialize;
use std::sync::Arc;
use worker::send::SendWrapper;
use worker::web_sys::ReadableStream;

/// A JSON response.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    // Answers of core have text for every key, so this cannot fail.
    text(status, serde_json::to_string(body).unwrap_or_default())
}

/// A JSON response from text.
pub(crate) fn text(status: StatusCode, json: String) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], json).into_response()
}

/// A response of lines of JSON.
pub(crate) fn lines(status: StatusCode, lines: String) -> Response {
    (status, [(CONTENT_TYPE, "application/x-ndjson")], lines).into_response()
}

/// A response of a table as CSV.
pub(crate) fn csv(status: StatusCode, table: String) -> Response {
    (status, [(CONTENT_TYPE, csv::MEDIA_TYPE)], table).into_response()
}

/// A body that the platform streams, in the extensions of a response. The stream itself knows its length.
#[derive(Clone)]
pub(crate) struct Streamed(pub(crate) Arc<SendWrapper<ReadableStream>>);

impl Streamed {
    pub(crate) fn new(stream: ReadableStream) -> Self {
        Self(Arc::new(SendWrapper::new(stream)))
    }
}
