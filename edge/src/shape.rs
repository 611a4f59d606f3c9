//! The shapes of refusals.

use crate::error::{AppError, Said, say};
use crate::html::{self, Failed, path};
use crate::response;
use axum::http::HeaderValue;
use axum::response::Response;
use overturn_core::base::id::RequestId;
use overturn_core::request::error::RequestError;
use overturn_core::request::problem::Problem;
use serde_json::{Value, json};

/// The error shape of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// `{"error": "…"}`.
    Flat,
    /// `{"error": {"code", "message", "request_id"}}`.
    Nested,
    /// HTML, for the pages of links.
    Page,
}

impl Shape {
    /// The shape of a path, matched or not.
    pub(crate) fn of(asked: &str) -> Self {
        let is_below = |parent| {
            let rest = asked.strip_prefix(parent);
            rest.is_some_and(|rest: &str| rest.is_empty() || rest.starts_with('/'))
        };
        if is_below("/api/v1/claims") {
            Self::Flat
        } else if is_below("/auth") || is_below(path::SIGN) {
            Self::Page
        } else {
            Self::Nested
        }
    }
}

impl AppError {
    /// The page for it.
    const fn failed(&self) -> Failed {
        match self {
            Self::Request(
                RequestError::SignInFailed | RequestError::NotSignedIn | RequestError::Invalid(_),
            ) => Failed::Link,
            Self::Request(RequestError::NotFound(_)) => Failed::SigningLink,
            Self::Request(
                RequestError::RateLimited(verdict) | RequestError::SignInLimited(verdict),
            ) => Failed::TooMany(verdict.retry_after),
            Self::Request(RequestError::Conflict(_)) => Failed::Taken,
            Self::Request(RequestError::KeyUnavailable) => Failed::Service,
            Self::Request(_)
            | Self::NotOperator
            | Self::NoRoute
            | Self::NoMethod
            | Self::Malformed => Failed::Request,
            _ => Failed::Service,
        }
    }

    /// The response in this shape.
    pub(crate) fn render(self, shape: Shape, request_id: RequestId) -> Response {
        let failed = self.failed();
        let mut said = say(self);
        let header = said.header.take();
        let status = said.status;
        let mut response = match shape {
            Shape::Flat => response::json(status, &said.flat()),
            Shape::Nested => response::json(status, &said.nested(request_id)),
            Shape::Page => html::respond(status, html::failed(failed)),
        };
        if let Some((name, value)) = header
            && let Ok(value) = HeaderValue::try_from(value)
        {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

impl Said {
    /// `{"error": "…"}` with its further fields.
    fn flat(self) -> Value {
        let mut body = json!({ "error": self.message });
        if let (Some(fields), Some((name, value))) = (body.as_object_mut(), self.flat) {
            fields.insert(name.into(), value);
        }
        body
    }

    /// `{…}`, the error itself.
    fn error(&self) -> Value {
        let details: Vec<Value> = self.details.iter().map(detail).collect();
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(fields) = error.as_object_mut().filter(|_| !details.is_empty()) {
            fields.insert("details".into(), details.into());
        }
        error
    }

    /// `{"error": {…}}` with its further fields.
    fn nested(self, request_id: RequestId) -> Value {
        let mut error = self.error();
        if let Some(fields) = error.as_object_mut() {
            fields.insert("request_id".into(), request_id.to_string().into());
        }
        let mut body = json!({ "error": error });
        if let (Some(fields), Some((name, value))) = (body.as_object_mut(), self.beside) {
            fields.insert(name.into(), value);
        }
        body
    }
}

/// A refusal of one part of a request, as it is shown in the answer for the whole.
pub(crate) fn shown(refusal: RequestError) -> Value {
    say(refusal.into()).error()
}

fn detail(problem: &Problem) -> Value {
    json!({ "field": problem.field, "message": problem.rule })
}
