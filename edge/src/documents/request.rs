//! The headers of calls about documents.

use super::range::{self, Wanted};
use crate::error::AppError;
use axum::extract::FromRequestParts;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, IF_RANGE, RANGE};
use axum::http::request::Parts;
use axum::http::{HeaderName, Method};

fn text(parts: &Parts, name: &HeaderName) -> Option<String> {
    let value = parts.headers.get(name)?.to_str().ok()?;
    Some(value.to_owned())
}

/// The range that a download asks for.
pub(crate) struct Ranged {
    range: Option<String>,
    if_range: Option<String>,
    /// True for a `HEAD`, which gets no body.
    pub(crate) is_head: bool,
}

impl Ranged {
    /// What to send of a document of `size` bytes with this `ETag`.
    pub(crate) fn wanted(&self, etag: &str, size: u64) -> Wanted {
        range::wanted(self.range.as_deref(), self.if_range.as_deref(), etag, size)
    }
}

impl<S: Sync> FromRequestParts<S> for Ranged {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        Ok(Self {
            range: text(parts, &RANGE),
            if_range: text(parts, &IF_RANGE),
            is_head: parts.method == Method::HEAD,
        })
    }
}

/// The kind and the length of a form.
pub(crate) struct FormHeaders {
    pub(crate) content_type: Option<String>,
    pub(crate) length: Option<u64>,
}

impl<S: Sync> FromRequestParts<S> for FormHeaders {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        let length = text(parts, &CONTENT_LENGTH);
        Ok(Self {
            content_type: text(parts, &CONTENT_TYPE),
            length: length.and_then(|length| length.parse().ok()),
        })
    }
}
