//! The headers of calls about documents.

use super::range::{self, Wanted};
use crate::call::Call;
use crate::error::AppError;
use crate::extract::FromCall;
#[cfg(any(test, feature = "schema"))]
use crate::extract::takes::{BodyTaken, Takes};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, IF_RANGE, RANGE};
use http::{HeaderName, Method};
use std::rc::Rc;

fn text(call: &Call, name: &HeaderName) -> Option<String> {
    let value = call.headers.get(name)?.to_str().ok()?;
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

impl FromCall for Ranged {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.range = true;
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        Ok(Self { range: text(call, &RANGE), if_range: text(call, &IF_RANGE), is_head: call.method == Method::HEAD })
    }
}

/// The kind and the length of a form.
pub(crate) struct FormHeaders {
    pub(crate) content_type: Option<String>,
    pub(crate) length: Option<u64>,
}

impl FromCall for FormHeaders {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.body = BodyTaken::Files;
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let length = text(call, &CONTENT_LENGTH);
        Ok(Self { content_type: text(call, &CONTENT_TYPE), length: length.and_then(|length| length.parse().ok()) })
    }
}
