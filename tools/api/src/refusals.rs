//! The refusals that operations share: a response for each, with the schema of its body.

use overturn_core::request::reason::{ErrorCode, Reason};
use serde_json::{Map, Value, json};

use crate::derive::reference;

/// The headers of a limit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    /// Requests are not counted before it.
    None,
    /// The request was counted.
    Counted,
    /// The request was counted, if it came so far.
    Perhaps,
}

/// A response without details: its name, its code, a reason for example, a message, and what it means.
type Refusal = (&'static str, ErrorCode, Option<Reason>, &'static str, Limit, &'static str);

const ALL: [Refusal; 14] = [
    (
        "BadRequest",
        ErrorCode::BadRequest,
        None,
        "body must be valid JSON",
        Limit::Perhaps,
        "The body is not a JSON object.",
    ),
    (
        "NotAuthenticated",
        ErrorCode::NotAuthenticated,
        None,
        "sign in first",
        Limit::None,
        "The request has no session and no API token, or it has ended. The answer does not say which.",
    ),
    (
        "SecondFactorAgain",
        ErrorCode::TwoFactorRequired,
        Some(Reason::SecondFactorNeeded),
        "show a second factor to continue",
        Limit::Counted,
        "Show the second factor again with this token. If there is no token, enroll a second factor first.",
    ),
    (
        "EnrolmentNeeded",
        ErrorCode::TwoFactorRequired,
        Some(Reason::EnrolmentNeeded),
        "enroll a second factor first",
        Limit::Counted,
        "The account has no second factor. Enroll one first.",
    ),
    (
        "Forbidden",
        ErrorCode::NotAuthorized,
        Some(Reason::CsrfMismatch),
        "X-CSRF-Token is missing or wrong",
        Limit::Perhaps,
        "The caller may not do this. `reason` says why, for example: the CSRF token is missing or does not belong to the \
         session; the person's role or the token's scopes do not allow the call; the practice is not active; the practice \
         has not signed the agreement (for claims and documents); or the request comes from another site.",
    ),
    (
        "NotFound",
        ErrorCode::NotFound,
        None,
        "no such API key",
        Limit::Counted,
        "The record does not exist, or the caller may not see it.",
    ),
    (
        "MethodNotAllowed",
        ErrorCode::MethodNotAllowed,
        None,
        "method not allowed",
        Limit::None,
        "The path does not support this method.",
    ),
    (
        "Conflict",
        ErrorCode::Conflict,
        Some(Reason::LastOwner),
        "the practice must keep an owner",
        Limit::Counted,
        "The record has changed since you read it, its state does not allow the request, or a request with the same \
         `Idempotency-Key` is still running. `reason` says which.",
    ),
    (
        "BodyTooSlow",
        ErrorCode::BodyTooSlow,
        None,
        "the body did not arrive in time",
        Limit::Perhaps,
        "The body did not arrive within 30 seconds. Nothing was done. Send the request again.",
    ),
    ("BodyTooLarge", ErrorCode::BodyTooLarge, None, "body is over 2 MiB", Limit::Perhaps, "The body is over 2 MiB."),
    (
        "Invalid",
        ErrorCode::ValidationFailed,
        None,
        "Invalid request",
        Limit::Perhaps,
        "Fields are wrong. `details` lists every problem, not only the first.",
    ),
    (
        "TooManyRequests",
        ErrorCode::RateLimited,
        None,
        "too many requests",
        Limit::Counted,
        "Too many requests. Nothing was done. Wait, then send the same request.",
    ),
    ("InternalError", ErrorCode::InternalError, None, "internal error", Limit::Perhaps, "The service failed."),
    (
        "Unavailable",
        ErrorCode::Unavailable,
        None,
        "temporarily unavailable, try again",
        Limit::Perhaps,
        "The database or another service that we depend on did not answer.",
    ),
];

/// The responses, and the schemas of their bodies.
pub(crate) fn all() -> [(&'static str, Map<String, Value>); 2] {
    let (mut responses, mut schemas) = (Map::new(), Map::new());
    for refusal @ (name, ..) in ALL {
        let (response, schema) = described(refusal);
        responses.insert(name.to_owned(), response);
        schemas.insert(schema_name(name), schema);
    }
    [("responses", responses), ("schemas", schemas)]
}

fn schema_name(of: &str) -> String {
    format!("{}Error", of.trim_end_matches("Error"))
}

fn described((name, code, reason, message, limit, about): Refusal) -> (Value, Value) {
    let mut error = Map::from_iter([
        ("code".to_owned(), code.name().into()),
        ("message".to_owned(), message.into()),
        ("request_id".to_owned(), "019aa2f8-01d2-7c55-a0e7-91b84c6f2d03".into()),
    ]);
    let mut required = Vec::new();
    if let Some(reason) = reason {
        error.insert("reason".to_owned(), reason.name().into());
        required.push("reason");
    }
    if code == ErrorCode::ValidationFailed {
        let details = json!([
            { "field": "name", "message": "is required" },
            { "field": "scopes", "message": "must be out of claims:write claims:read" },
        ]);
        error.insert("details".to_owned(), details);
        required.push("details");
    }
    let mut part =
        Map::from_iter([("properties".to_owned(), json!({ "code": { "type": "string", "enum": [code.name()] } }))]);
    if !required.is_empty() {
        part.insert("required".to_owned(), required.into());
    }
    let body = json!({ "allOf": [reference("schemas", "ErrorFields"), part] });
    let mut properties = Map::from_iter([("error".to_owned(), body)]);
    let mut example = Map::from_iter([("error".to_owned(), error.into())]);
    if reason == Some(Reason::SecondFactorNeeded) {
        let token = "continuation_token".to_owned();
        properties.insert(token.clone(), reference("schemas", "ContinuationToken"));
        example.insert(token, "ovc_q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k".into());
    }
    let schema = json!({
        "type": "object", "required": ["error"], "additionalProperties": false, "properties": properties,
    });
    let content = json!({ "schema": reference("schemas", &schema_name(name)), "example": example });
    let response = json!({
        "description": about, "headers": headers(code, limit), "content": { "application/json": content },
    });
    (response, schema)
}

fn headers(code: ErrorCode, limit: Limit) -> Value {
    let mut all = vec![("X-Request-Id", "RequestId")];
    match limit {
        Limit::None => {}
        Limit::Counted => all.extend([
            ("X-RateLimit-Limit", "RateLimitLimit"),
            ("X-RateLimit-Remaining", "RateLimitRemaining"),
            ("X-RateLimit-Reset", "RateLimitReset"),
        ]),
        Limit::Perhaps => all.extend([
            ("X-RateLimit-Limit", "CountedRateLimitLimit"),
            ("X-RateLimit-Remaining", "CountedRateLimitRemaining"),
            ("X-RateLimit-Reset", "CountedRateLimitReset"),
        ]),
    }
    match code {
        ErrorCode::NotAuthenticated => all.push(("WWW-Authenticate", "WwwAuthenticate")),
        ErrorCode::MethodNotAllowed => all.push(("Allow", "Allow")),
        ErrorCode::RateLimited | ErrorCode::Unavailable => all.push(("Retry-After", "RetryAfter")),
        _ => {}
    }
    all.into_iter().map(|(name, component)| (name.to_owned(), reference("headers", component))).collect()
}
