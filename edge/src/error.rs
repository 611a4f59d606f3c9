//! Turns refusals into responses, only here: flat for the claims interface, nested for the rest of the service
//! (interface: Errors), and a page for browsers.

use crate::platform::EntropyError;
use axum::Extension;
use axum::http::StatusCode;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use overturn_core::claims::intake::{self, BODY_TOO_LARGE};
use overturn_core::request::denied::Denied;
use overturn_core::request::limit::Verdict;
use overturn_core::request::problem::{Problem, Rule, texts};
use overturn_store::RowError;
use overturn_store::fault::Fault;
use overturn_store::rows::ShapeError;
use overturn_store::sealer::SealError;
use serde_json::{Value, json};
use std::borrow::Cow;

/// Why a request is refused. For an internal failure it has the kind and not the cause, whose text could repeat a
/// header or value of the caller.
#[derive(Clone, Debug)]
pub(crate) enum Refusal {
    Denied(Denied),
    /// The operator's token is missing or wrong.
    NotOperator,
    /// Nothing is served at this path.
    NoRoute,
    /// The path exists, but not with this method. The router adds `Allow`.
    NoMethod,
    /// The request line or headers cannot be read.
    Malformed,
    /// A dependency did not answer. A retry may succeed.
    Unavailable(&'static str),
    /// A binding, variable or secret is missing. The service cannot work until an operator sets it.
    Misconfigured(&'static str),
    /// An internal failure, by its kind.
    Internal(&'static str),
    /// A row does not fit the type of its query.
    Row(RowError),
}

impl From<Denied> for Refusal {
    fn from(denied: Denied) -> Self {
        Self::Denied(denied)
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Transient(what) => Self::Unavailable(what),
            Fault::Broken(what) => Self::Internal(what),
            Fault::Conflict(_) => Self::Internal("a guard where there is none"),
            Fault::Row(error) => Self::Row(error),
        }
    }
}

impl From<ShapeError> for Refusal {
    fn from(_: ShapeError) -> Self {
        Self::Internal("row of an unknown form")
    }
}

impl From<RowError> for Refusal {
    fn from(error: RowError) -> Self {
        Self::Row(error)
    }
}

impl From<SealError> for Refusal {
    fn from(_: SealError) -> Self {
        Self::Internal("plan cannot be lowered")
    }
}

impl From<EntropyError> for Refusal {
    fn from(_: EntropyError) -> Self {
        Self::Internal("no entropy")
    }
}

/// The content of a refusal, before it has a shape.
pub(crate) struct Said {
    pub(crate) status: StatusCode,
    /// The stable code of the nested shape.
    pub(crate) code: &'static str,
    pub(crate) message: Cow<'static, str>,
    /// More fields of the flat shape.
    pub(crate) flat: Option<(&'static str, Value)>,
    pub(crate) details: Vec<Problem>,
    /// One more field of the nested shape.
    pub(crate) beside: Option<(&'static str, Value)>,
    pub(crate) header: Option<(axum::http::HeaderName, String)>,
}

impl Said {
    fn new(status: StatusCode, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            flat: None,
            details: Vec::new(),
            beside: None,
            header: None,
        }
    }
}

/// How many seconds a caller should wait after a temporary failure.
const TRY_AGAIN_SECONDS: i64 = 1;

pub(crate) fn say(refusal: Refusal) -> Said {
    let denied = match refusal {
        Refusal::Denied(denied) => denied,
        Refusal::NotOperator => return unauthorized("the operator's token is required"),
        Refusal::NoRoute => return Said::new(StatusCode::NOT_FOUND, "not_found", "not found"),
        Refusal::NoMethod => {
            return Said::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                "method not allowed",
            );
        }
        Refusal::Malformed => {
            return Said::new(
                StatusCode::BAD_REQUEST,
                "bad_request",
                "request cannot be read",
            );
        }
        Refusal::Unavailable(_) => return unavailable(),
        Refusal::Misconfigured(_) | Refusal::Internal(_) | Refusal::Row(_) => {
            return internal();
        }
    };
    let forbidden = |message| Said::new(StatusCode::FORBIDDEN, "not_authorized", message);
    match denied {
        Denied::NotAuthenticated => unauthorized("a valid API key is required"),
        Denied::RateLimited(verdict) => limited(verdict, "too many requests"),
        Denied::SignInLimited(verdict) => limited(
            verdict,
            "too many sign-in attempts: wait, or ask for a sign-in link, which needs no password",
        ),
        Denied::ResendsStopped { items, retry_after } => Said {
            flat: Some(("retry_after", json!(retry_after))),
            header: Some((RETRY_AFTER, retry_after.to_string())),
            ..Said::new(
                StatusCode::TOO_MANY_REQUESTS,
                "rate_limited",
                intake::stopped_message(&items),
            )
        },
        Denied::MissingScope(scope) => Said::new(
            StatusCode::FORBIDDEN,
            "not_authorized",
            format!("the API key lacks the permission {scope}"),
        ),
        Denied::PracticeInactive => forbidden("the organization is not an active practice"),
        Denied::BaaRequired => Said {
            flat: Some(("code", json!("baa_required"))),
            ..forbidden("a signed business associate agreement is required")
        },
        Denied::BodyTooLarge => Said::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_large",
            BODY_TOO_LARGE.to_string(),
        ),
        Denied::BodyTooSlow => Said::new(
            StatusCode::REQUEST_TIMEOUT,
            "body_too_slow",
            "the body did not arrive in time",
        ),
        Denied::Invalid(errors) => Said {
            flat: Some(("errors", json!(errors))),
            details: errors,
            ..Said::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "validation_failed",
                "Invalid request",
            )
        },
        Denied::ClaimNotFound => Said::new(
            StatusCode::NOT_FOUND,
            "not_found",
            "no claim with that claim_number",
        ),
        Denied::NotSignedIn => unauthorized("sign in first"),
        Denied::KeyForToken => unauthorized(
            "this takes a session or an API token, which starts with ovu_; an API key, which starts with ovt_, is for /api/v1/claims only",
        ),
        Denied::TokenForKey => unauthorized(
            "this takes an API key, which starts with ovt_; an API token, which starts with ovu_, is not for /api/v1/claims",
        ),
        Denied::SignInFailed => unauthorized("the sign-in failed"),
        Denied::TwoFactorRequired(token) => Said {
            beside: token.map(|token| ("continuation_token", json!(token.expose()))),
            ..two_factor("show a second factor to continue")
        },
        Denied::EnrolmentRequired => two_factor("enroll a second factor first"),
        Denied::NotAuthorized(message) => forbidden(message),
        Denied::NotFound(message) => Said::new(StatusCode::NOT_FOUND, "not_found", message),
        Denied::Conflict(message) => Said::new(StatusCode::CONFLICT, "conflict", message),
        Denied::Stuck(why) => Said {
            message: format!("this cannot be done now: {}", texts(&why).join("; ")).into(),
            details: why,
            ..Said::new(StatusCode::CONFLICT, "conflict", "")
        },
        Denied::KeyReused => Said {
            details: vec![Problem::new("Idempotency-Key", Rule::OtherBody)],
            ..Said::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "validation_failed",
                "Invalid request",
            )
        },
        Denied::Malformed(problem) => {
            Said::new(StatusCode::BAD_REQUEST, "bad_request", problem.to_string())
        }
        Denied::KeyUnavailable => unavailable(),
        Denied::Tampered(_) => internal(),
    }
}

fn limited(verdict: Verdict, message: &'static str) -> Said {
    Said {
        flat: Some(("retry_after", json!(verdict.retry_after))),
        header: Some((RETRY_AFTER, verdict.retry_after.to_string())),
        ..Said::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", message)
    }
}

fn two_factor(message: &'static str) -> Said {
    Said::new(StatusCode::PAYMENT_REQUIRED, "two_factor_required", message)
}

fn unauthorized(message: &'static str) -> Said {
    Said {
        header: Some((WWW_AUTHENTICATE, "Bearer".into())),
        ..Said::new(StatusCode::UNAUTHORIZED, "not_authenticated", message)
    }
}

fn internal() -> Said {
    Said::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "internal_error",
        "internal error",
    )
}

fn unavailable() -> Said {
    Said {
        header: Some((RETRY_AFTER, TRY_AGAIN_SECONDS.to_string())),
        ..Said::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "temporarily unavailable, try again",
        )
    }
}

/// A refusal travels to the end of the request, where the shape and the request id are known.
impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (StatusCode::INTERNAL_SERVER_ERROR, Extension(self)).into_response()
    }
}

impl Refusal {
    /// The internal failure for the log line, `None` for a refusal that the caller caused.
    pub(crate) fn failure(&self) -> Option<String> {
        match self {
            Self::Unavailable(what) => Some(format!("unavailable: {what}")),
            Self::Misconfigured(name) => Some(format!("misconfigured: {name}")),
            Self::Internal(what) => Some(format!("internal: {what}")),
            Self::Row(error) => Some(format!("internal: {error}")),
            Self::Denied(Denied::KeyUnavailable) => {
                Some("a record's key is not in the keyring".into())
            }
            Self::Denied(Denied::Tampered(place)) => Some(format!("tampered: {}", place.column())),
            Self::Denied(_)
            | Self::NotOperator
            | Self::NoRoute
            | Self::NoMethod
            | Self::Malformed => None,
        }
    }
}
