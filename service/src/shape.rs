//! The shapes of refusals.

use crate::console;
use crate::error::{AppError, Said, SsoAdvice, say};
use crate::html::{self, Failed, path};
use crate::request::error::RequestError;
use crate::response;
use crate::response::Response;
use http::HeaderValue;
use http::header::REFERRER_POLICY;
use overturn_core::base::id::RequestId;
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
    /// For the steps of a sign-in by a provider: HTML, or a redirect to the console.
    ProviderPage,
}

impl Shape {
    /// The shape of a path, matched or not.
    pub(crate) fn of(asked: &str) -> Self {
        let is_below = |parent| {
            let rest = asked.strip_prefix(parent);
            rest.is_some_and(|rest: &str| rest.is_empty() || rest.starts_with('/'))
        };
        if is_below("/api/v1/claims") || is_below("/api/v1/sandbox") {
            Self::Flat
        } else if is_below(path::SAML) && asked.ends_with("/metadata") {
            Self::Nested
        } else if is_below(path::OAUTH) || is_below(path::SAML) {
            Self::ProviderPage
        } else if is_below(path::SIGN) {
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
            Self::Request(RequestError::NotFound(_)) => Failed::SigningLink,
            Self::Request(RequestError::RateLimited(verdict) | RequestError::SignInLimited(verdict)) => {
                Failed::TooMany(verdict.retry_after)
            }
            Self::Request(RequestError::KeyUnavailable) => Failed::Service,
            Self::Request(_)
            | Self::SsoRefused(_)
            | Self::NotOperator
            | Self::NoRoute
            | Self::NoMethod
            | Self::Malformed => Failed::Request,
            _ => Failed::Service,
        }
    }

    /// The page for it, at a step of a sign-in by a provider.
    const fn failed_by_provider(&self) -> Failed {
        match self {
            Self::Request(RequestError::NotFound(_)) => Failed::Request,
            _ => self.failed(),
        }
    }

    /// The response in this shape.
    pub(crate) fn render(self, shape: Shape, request_id: RequestId) -> Response {
        let (shape, failed) = match (shape, &self) {
            // Not a step of a sign-in: a program asked.
            (Shape::ProviderPage, Self::NoRoute | Self::NoMethod) => (Shape::Nested, Failed::Request),
            (Shape::ProviderPage, Self::SsoRefused(advice)) => return refused(*advice, request_id),
            (Shape::ProviderPage, _) => (shape, self.failed_by_provider()),
            _ => (shape, self.failed()),
        };
        let mut said = say(self);
        let header = said.header.take();
        let status = said.status;
        let mut response = match shape {
            Shape::Flat => response::json(status, &said.flat()),
            Shape::Nested => response::json(status, &said.nested(request_id)),
            Shape::Page => html::respond(status, html::failed(failed)),
            Shape::ProviderPage => {
                let mut page = html::respond(status, html::failed(failed));
                // The address may have a provider's answer, and the page has no form that needs it.
                let policy = HeaderValue::from_static("no-referrer");
                page.headers_mut().insert(REFERRER_POLICY, policy);
                page
            }
        };
        if let Some((name, value)) = header
            && let Ok(value) = HeaderValue::try_from(value)
        {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// Leads a person whose sign-in by a provider is refused to the sign-in page, which says what to do. Faults and limits
/// keep their status and get a page, so that whoever watches the statuses sees an outage.
fn refused(advice: SsoAdvice, request_id: RequestId) -> Response {
    let fragment = format!("refused={}&request={request_id}", advice.name());
    console::lead(&console::with_fragment(console::SIGN_IN, &fragment))
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
        if let Some(fields) = error.as_object_mut() {
            if let Some(reason) = self.reason {
                fields.insert("reason".into(), reason.name().into());
            }
            if !details.is_empty() {
                fields.insert("details".into(), details.into());
            }
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
    let field = match problem.item {
        Some(item) => format!("claims[{item}].{}", problem.field),
        None => problem.field.clone().into_owned(),
    };
    json!({ "field": field, "message": problem.rule })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::reason::Reason;
    use http::StatusCode;
    use http::header::LOCATION;
    use overturn_core::request::problem::Rule;
    use uuid::Uuid;

    #[test]
    fn a_refused_sign_in_leads_to_the_console_and_a_fault_keeps_its_status() {
        let refused = AppError::SsoRefused(SsoAdvice::BeginAgain);
        let led = refused.render(Shape::ProviderPage, RequestId(Uuid::nil()));
        assert_eq!(led.status(), StatusCode::FOUND);
        assert_eq!(
            led.headers()[LOCATION],
            "/sign-in#refused=begin_again&request=00000000-0000-0000-0000-000000000000"
        );
        assert_eq!(led.headers()[REFERRER_POLICY], "no-referrer");
        let fault = AppError::Unavailable("a provider is away");
        let page = fault.render(Shape::ProviderPage, RequestId(Uuid::nil()));
        assert_eq!(page.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(page.headers()[REFERRER_POLICY], "no-referrer");
    }

    #[test]
    fn a_program_that_reads_the_metadata_gets_json() {
        assert_eq!(Shape::of("/api/v1/auth/saml/x"), Shape::ProviderPage);
        assert_eq!(Shape::of("/api/v1/auth/saml/x/metadata"), Shape::Nested);
    }

    #[test]
    fn a_402_a_403_and_a_409_have_a_reason_and_nothing_else_does() {
        let problem = || vec![Problem::new("status", Rule::Is("received"))];
        let refusals = [
            RequestError::NotAuthenticated,
            RequestError::MissingScope("claims:read"),
            RequestError::PracticeInactive,
            RequestError::BaaRequired,
            RequestError::NotAuthorized(Reason::NotYours, "no"),
            RequestError::Conflict(Reason::LastOwner, "no"),
            RequestError::Stuck(Reason::MoveNotPossible, problem()),
            RequestError::TwoFactorRequired(None),
            RequestError::EnrolmentRequired,
            RequestError::BodyTooLarge,
            RequestError::VirusDetected,
            RequestError::BodyTooSlow,
            RequestError::Invalid(problem()),
            RequestError::ClaimNotFound,
            RequestError::NotSignedIn,
            RequestError::SignInFailed,
            RequestError::NotFound("no such record"),
            RequestError::KeyReused,
            RequestError::KeyUnavailable,
        ];
        for refusal in refusals {
            let said = say(refusal.into());
            let has_one = matches!(said.status.as_u16(), 402 | 403 | 409);
            assert_eq!(said.reason.is_some(), has_one, "{}", said.message);
            assert!(said.flat().get("reason").is_none());
        }
    }

    #[test]
    fn the_nested_shape_has_the_reason_beside_the_code() {
        let refusal = RequestError::Conflict(Reason::LastOwner, "the practice must keep an owner");
        let body = say(refusal.into()).nested(RequestId(Uuid::nil()));
        let error = json!({ "code": "conflict", "reason": "last_owner", "message": "the practice must keep an owner",
            "request_id": Uuid::nil() });
        assert_eq!(body, json!({ "error": error }));
    }
}
