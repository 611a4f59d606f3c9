//! Turns refusals into responses, only here: flat for the claims interface, nested for the rest of the service
//! (interface: Errors), and a page for browsers.

use crate::host::EntropyError;
use crate::password::HashError;
use crate::plan::sandbox::Clock;
use crate::request::error::RequestError;
use crate::request::reason::{ErrorCode, Reason};
use crate::store::RowError;
use crate::store::error::{DatabaseError, FENCED};
use crate::store::rows::ShapeError;
use crate::store::sealer::SealError;
use http::StatusCode;
use http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use overturn_core::base::open::Unopened;
use overturn_core::claims::intake::{self, ClaimsMissingError};
use overturn_core::names;
use overturn_core::request::problem::{Problem, Rule};
use serde_json::{Value, json};
use std::borrow::Cow;

names! {
    /// What a person is told about a refused sign-in by a provider. It says only what the browser and the person know
    /// anyway.
    SsoAdvice {
        /// The sign-in did not begin in this browser, took too long, or was used before. Begin again on the sign-in page.
        BeginAgain = "begin_again",
        /// The person or the provider ended the sign-in.
        Ended = "ended",
        /// Anything else. An admin can look up the reason by the id of the request.
        NotAccepted = "not_accepted",
    }
}

/// Why a request is refused. For an internal failure, the text goes to the log line. Its causes hold no value of the
/// caller or of the database.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum AppError {
    /// A rule refused it.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A sign-in by a provider is refused. The log has the reason.
    #[error("the sign-in failed")]
    SsoRefused(SsoAdvice),
    /// The operator's token is missing or wrong.
    #[error("the operator's token is required")]
    NotOperator,
    /// Nothing is served at this path.
    #[error("not found")]
    NoRoute,
    /// The path exists, but not with this method. The router adds `Allow`.
    #[error("method not allowed")]
    NoMethod,
    /// The request line or headers cannot be read.
    #[error("request cannot be read")]
    Malformed,
    /// The caller's sandbox has this clock, and the call went by another one. It wrote nothing and is made again.
    #[error("unavailable: the clock of the sandbox has moved")]
    OtherClock(Option<Clock>),
    /// The caller's sandbox is being emptied, for about so many seconds.
    #[error("the sandbox is being emptied, try again")]
    SandboxEmptying(i64),
    /// The practice lives in another cell, which is noted, or is about to open here. The call wrote nothing and is made again.
    #[error("unavailable: the practice has moved")]
    Moved,
    /// A dependency did not answer. A retry may succeed.
    #[error("unavailable: {0}")]
    Unavailable(&'static str),
    /// There was no memory to hash a password.
    #[error("unavailable: memory for a password hash")]
    Hash(#[from] HashError),
    /// A binding, variable or secret is missing. The service cannot work until an operator sets it.
    #[error("misconfigured: {0}")]
    Misconfigured(&'static str),
    /// An internal failure, by its kind.
    #[error("internal: {0}")]
    Internal(&'static str),
    /// The store did not get claims that it was sent.
    #[error("internal: {0}")]
    ClaimsMissing(#[from] ClaimsMissingError),
    /// The platform gave no entropy.
    #[error("internal: {0}")]
    Entropy(#[from] EntropyError),
    /// The database failed, or what it read does not fit.
    #[error("{kind}: {0}", kind = kind(*.0))]
    Database(#[from] DatabaseError),
}

const fn kind(error: DatabaseError) -> &'static str {
    match error {
        DatabaseError::OtherCell => "misconfigured",
        error if error.is_transient() => "unavailable",
        _ => "internal",
    }
}

impl AppError {
    /// The practice was about to move for longer than calls wait.
    pub(crate) const STILL_MOVING: Self = Self::Unavailable("moving");

    /// Whether who moves the practice may have broken off.
    pub(crate) fn is_still_moving(&self) -> bool {
        matches!(self, Self::Unavailable("moving") | Self::Database(DatabaseError::Transient(FENCED)))
    }
}

macro_rules! of_the_database {
    ($($error:ty),+) => {
        $(impl From<$error> for AppError {
            fn from(error: $error) -> Self {
                DatabaseError::from(error).into()
            }
        })+
    };
}

of_the_database!(RowError, ShapeError, SealError);

/// The content of a refusal, before it gets the shape of a response.
pub(crate) struct Said {
    pub(crate) status: StatusCode,
    /// The stable code of the nested shape.
    pub(crate) code: ErrorCode,
    /// The cause of a `402`, `403` or `409`, in the nested shape.
    pub(crate) reason: Option<Reason>,
    pub(crate) message: Cow<'static, str>,
    /// More fields of the flat shape.
    pub(crate) flat: Option<(&'static str, Value)>,
    pub(crate) details: Vec<Problem>,
    /// One more field of the nested shape.
    pub(crate) beside: Option<(&'static str, Value)>,
    pub(crate) header: Option<(http::HeaderName, String)>,
}

impl Said {
    fn new(status: StatusCode, code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            code,
            reason: None,
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

/// The content of a refusal. The message of a rule is the text of its error.
pub(crate) fn say(refusal: AppError) -> Said {
    if refusal.is_passing() {
        return unavailable(TRY_AGAIN_SECONDS);
    }
    let message = refusal.to_string();
    let said = |status, code| Said::new(status, code, message.clone());
    let denied = match refusal {
        AppError::Request(denied) => denied,
        AppError::NotOperator | AppError::SsoRefused(_) => return unauthorized(message),
        AppError::NoRoute => return said(StatusCode::NOT_FOUND, ErrorCode::NotFound),
        AppError::NoMethod => {
            return said(StatusCode::METHOD_NOT_ALLOWED, ErrorCode::MethodNotAllowed);
        }
        AppError::Malformed => return said(StatusCode::BAD_REQUEST, ErrorCode::BadRequest),
        AppError::SandboxEmptying(seconds) => return Said { message: message.into(), ..unavailable(seconds) },
        _ => return internal(),
    };
    let reason = denied.reason();
    let said = match denied {
        RequestError::NotAuthenticated
        | RequestError::NotSignedIn
        | RequestError::KeyForToken
        | RequestError::TokenForKey
        | RequestError::SignInFailed => unauthorized(message),
        RequestError::RateLimited(verdict) | RequestError::SignInLimited(verdict) => {
            limited(verdict.retry_after, message)
        }
        RequestError::ResendsStopped { items, retry_after } => limited(retry_after, intake::stopped_message(&items)),
        RequestError::MissingScope(_)
        | RequestError::MissingTokenScope(_)
        | RequestError::PracticeInactive
        | RequestError::NotAuthorized(..) => forbidden(message),
        RequestError::BaaRequired => Said { flat: Some(("code", json!("baa_required"))), ..forbidden(message) },
        RequestError::BodyTooLarge => said(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::BodyTooLarge),
        RequestError::FileTooLarge(_) => said(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::FileTooLarge),
        RequestError::VirusDetected => said(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::VirusDetected),
        RequestError::BodyTooSlow => said(StatusCode::REQUEST_TIMEOUT, ErrorCode::BodyTooSlow),
        RequestError::Invalid(errors) => Said {
            flat: Some(("errors", json!(errors))),
            details: errors,
            ..said(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::ValidationFailed)
        },
        RequestError::KeyReused => Said {
            details: vec![Problem::new("Idempotency-Key", Rule::OtherBody)],
            ..said(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::ValidationFailed)
        },
        RequestError::TwoFactorRequired(token) => Said {
            beside: token.map(|token| ("continuation_token", json!(token.expose()))),
            ..said(StatusCode::PAYMENT_REQUIRED, ErrorCode::TwoFactorRequired)
        },
        RequestError::EnrolmentRequired => said(StatusCode::PAYMENT_REQUIRED, ErrorCode::TwoFactorRequired),
        RequestError::ClaimNotFound | RequestError::NotFound(_) => said(StatusCode::NOT_FOUND, ErrorCode::NotFound),
        RequestError::Conflict(..) => said(StatusCode::CONFLICT, ErrorCode::Conflict),
        RequestError::Stuck(_, why) => Said { details: why, ..said(StatusCode::CONFLICT, ErrorCode::Conflict) },
        RequestError::Malformed(_) => said(StatusCode::BAD_REQUEST, ErrorCode::BadRequest),
        RequestError::KeyUnavailable => unavailable(TRY_AGAIN_SECONDS),
        RequestError::Tampered(_) => internal(),
    };
    Said { reason, ..said }
}

fn limited(retry_after: i64, message: String) -> Said {
    Said {
        flat: Some(("retry_after", json!(retry_after))),
        header: Some((RETRY_AFTER, retry_after.to_string())),
        ..Said::new(StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited, message)
    }
}

fn forbidden(message: String) -> Said {
    Said::new(StatusCode::FORBIDDEN, ErrorCode::NotAuthorized, message)
}

fn unauthorized(message: String) -> Said {
    Said {
        header: Some((WWW_AUTHENTICATE, "Bearer".into())),
        ..Said::new(StatusCode::UNAUTHORIZED, ErrorCode::NotAuthenticated, message)
    }
}

fn internal() -> Said {
    Said::new(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::InternalError, "internal error")
}

fn unavailable(retry_after: i64) -> Said {
    Said {
        header: Some((RETRY_AFTER, retry_after.to_string())),
        ..Said::new(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Unavailable, "temporarily unavailable, try again")
    }
}

impl From<Unopened> for AppError {
    fn from(why: Unopened) -> Self {
        Self::Request(why.into())
    }
}

impl AppError {
    /// Whether the same request may succeed in a moment.
    const fn is_passing(&self) -> bool {
        match self {
            Self::Unavailable(_) | Self::OtherClock(_) | Self::Moved | Self::Hash(_) => true,
            // An operator corrects the configuration, and nothing is lost until then.
            Self::Database(DatabaseError::OtherCell) => true,
            Self::Database(fault) => fault.is_transient(),
            _ => false,
        }
    }

    /// The internal failure for the log line, `None` for a refusal that the caller caused.
    pub(crate) fn failure(&self) -> Option<String> {
        match self {
            Self::Request(RequestError::KeyUnavailable | RequestError::Tampered(_)) => Some(self.to_string()),
            Self::Request(_)
            | Self::SsoRefused(_)
            | Self::NotOperator
            | Self::NoRoute
            | Self::NoMethod
            | Self::Malformed
            | Self::SandboxEmptying(_) => None,
            _ => Some(self.to_string()),
        }
    }
}
