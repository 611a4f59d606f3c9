//! What the service answers beside what a handler gives: refusals, redirects, and what has not changed.

use overturn_service::request::reason::{ErrorCode, Reason};
use serde_json::map::Map;
use serde_json::{Value, json};

use crate::derive::reference;

/// Whether an answer has the headers of a limit.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Counted {
    Always,
    /// If the request was counted before it was refused.
    Maybe,
    Never,
}

/// A refusal to a program: its name, what it means, the schema of its body, its code, and an example of its message.
pub(crate) type Refusal = (&'static str, &'static str, Counted, &'static str, ErrorCode, &'static str);

pub(crate) const REFUSALS: [Refusal; 16] = {
    use Counted::{Always, Maybe, Never};
    use ErrorCode as Code;
    [
        (
            "BadRequest",
            "The body is not a JSON object.",
            Maybe,
            "BadRequestError",
            Code::BadRequest,
            "body must be valid JSON",
        ),
        (
            "NotAuthenticated",
            "The request has no session and no API token, or it has ended. The answer does not say which.",
            Never,
            "NotAuthenticatedError",
            Code::NotAuthenticated,
            "sign in first",
        ),
        (
            "SignInFailed",
            "The credential is wrong, was used, or has expired. The answer does not say which.",
            Maybe,
            "NotAuthenticatedError",
            Code::NotAuthenticated,
            "the sign-in failed",
        ),
        (
            "SecondFactorNeeded",
            "The credential is right. Now show the second factor with this token.",
            Always,
            "SecondFactorError",
            Code::TwoFactorRequired,
            "show a second factor to continue",
        ),
        (
            "SecondFactorAgain",
            "Show the second factor again with this token. If there is no token, enroll a second factor first.",
            Always,
            "TwoFactorError",
            Code::TwoFactorRequired,
            "show a second factor to continue",
        ),
        (
            "EnrolmentNeeded",
            "The account has no second factor. Enroll one first.",
            Always,
            "EnrolmentError",
            Code::TwoFactorRequired,
            "enroll a second factor first",
        ),
        (
            "Forbidden",
            "The caller may not do this. `reason` says why, for example: the CSRF token is missing or does not belong to \
             the session; the person's role or the token's scopes do not allow the call; the practice is not active; the \
             practice has not signed the agreement (for claims and documents); or the request comes from another site.",
            Maybe,
            "NotAuthorizedError",
            Code::NotAuthorized,
            "X-CSRF-Token is missing or wrong",
        ),
        (
            "NotFound",
            "The record does not exist, or the caller may not see it.",
            Always,
            "NotFoundError",
            Code::NotFound,
            "no such API key",
        ),
        (
            "MethodNotAllowed",
            "The path does not support this method.",
            Never,
            "MethodError",
            Code::MethodNotAllowed,
            "method not allowed",
        ),
        (
            "Conflict",
            "The record has changed since you read it, its state does not allow the request, or a request with the same \
             `Idempotency-Key` is still running. `reason` says which.",
            Always,
            "ConflictError",
            Code::Conflict,
            "the practice must keep an owner",
        ),
        (
            "BodyTooSlow",
            "The body did not arrive within 30 seconds. Nothing was done. Send the request again.",
            Maybe,
            "BodyTooSlowError",
            Code::BodyTooSlow,
            "the body did not arrive in time",
        ),
        (
            "BodyTooLarge",
            "The body is over 2 MiB.",
            Maybe,
            "BodyTooLargeError",
            Code::BodyTooLarge,
            "body is over 2 MiB",
        ),
        (
            "Invalid",
            "Fields are wrong. `details` lists every problem, not only the first.",
            Maybe,
            "InvalidError",
            Code::ValidationFailed,
            "Invalid request",
        ),
        (
            "TooManyRequests",
            "Too many requests. Nothing was done. Wait, then send the same request.",
            Always,
            "RateLimitedError",
            Code::RateLimited,
            "too many requests",
        ),
        ("InternalError", "The service failed.", Maybe, "InternalErrorBody", Code::InternalError, "internal error"),
        (
            "Unavailable",
            "The database or another service that we depend on did not answer.",
            Maybe,
            "UnavailableError",
            Code::Unavailable,
            "temporarily unavailable, try again",
        ),
    ]
};

/// A refusal to a person, at a step of a sign-in by a provider: its name, what it means, and whether it says how long to
/// wait.
const PAGES: [(&str, &str, bool); 5] = [
    ("ProviderMalformedPage", "The form cannot be read: it is too large, or it did not arrive in time.", false),
    ("ProviderUnknownPage", "There is no such provider. The page does not say why.", false),
    ("ProviderLimitedPage", "Too many requests. Wait, then begin again.", true),
    ("ProviderFailedPage", "The service failed.", false),
    ("ProviderAwayPage", "The provider, or a service that we depend on, did not answer.", true),
];

/// The answers, for the components of the description.
pub(crate) fn responses() -> Value {
    let mut all: Map<String, Value> = REFUSALS.iter().map(|one| (one.0.to_owned(), refusal(one))).collect();
    all.extend(PAGES.iter().map(|(name, about, waits)| {
        let names = ["Content-Security-Policy", "Referrer-Policy", "Permissions-Policy"];
        let mut more: Vec<_> = names.map(|name| (name, component_of(name))).into();
        more.extend(waits.then(|| ("Retry-After", "RetryAfter".to_owned())));
        let page = json!({ "text/html": { "schema": { "type": "string" } } });
        let answer = json!({ "description": about, "headers": headers(Counted::Maybe, more), "content": page });
        ((*name).to_owned(), answer)
    }));
    let led = |about: &str, to: &str| {
        let more = [("Location", to), ("Referrer-Policy", "ReferrerPolicy"), ("Set-Cookie", "ProviderCookie")];
        json!({ "description": about, "headers": headers(Counted::Always, more) })
    };
    let to_provider = "The address of the provider's page, and a cookie that binds the sign-in to the browser.";
    let to_console = "A page of the console, for the outcome of the sign-in, and the cookies of that outcome.";
    let tagged = |about: &str, counted, more: &[(&'static str, &str)]| json!({ "description": about, "headers": headers(counted, more.iter().copied()) });
    let same = "You already have the current description. Reads of a description do not count against a limit.";
    let both = [("ETag", "ETag"), ("Link", "Link")];
    all.extend([
        ("LedToProvider".to_owned(), led(to_provider, "Location")),
        ("LedToConsole".to_owned(), led(to_console, "ConsoleLocation")),
        ("DescriptionNotModified".to_owned(), tagged(same, Counted::Never, &[("ETag", "ETag")])),
        ("NotModified".to_owned(), tagged("You already have the current data.", Counted::Always, &both)),
    ]);
    all.into()
}

/// The component of a header that has its name.
fn component_of(header: &str) -> String {
    header.replace('-', "")
}

fn headers(counted: Counted, more: impl IntoIterator<Item = (&'static str, impl AsRef<str>)>) -> Value {
    let mut all = Map::from_iter([("X-Request-Id".to_owned(), reference("headers", "RequestId"))]);
    let before = if counted == Counted::Maybe { "Counted" } else { "" };
    if counted != Counted::Never {
        all.extend(
            ["Limit", "Remaining", "Reset"]
                .map(|what| (format!("X-RateLimit-{what}"), reference("headers", &format!("{before}RateLimit{what}")))),
        );
    }
    all.extend(more.into_iter().map(|(name, component)| (name.to_owned(), reference("headers", component.as_ref()))));
    all.into()
}

fn refusal((name, about, counted, schema, code, message): &Refusal) -> Value {
    let more = match code {
        ErrorCode::NotAuthenticated => Some(("WWW-Authenticate", "WwwAuthenticate")),
        ErrorCode::MethodNotAllowed => Some(("Allow", "Allow")),
        ErrorCode::RateLimited | ErrorCode::Unavailable => Some(("Retry-After", "RetryAfter")),
        _ => None,
    };
    let mut error = json!({ "code": code, "message": message, "request_id": "019aa2f8-01d2-7c55-a0e7-91b84c6f2d03" });
    let reason = match code {
        ErrorCode::TwoFactorRequired if *name == "EnrolmentNeeded" => Some(Reason::EnrolmentNeeded),
        ErrorCode::TwoFactorRequired => Some(Reason::SecondFactorNeeded),
        ErrorCode::NotAuthorized => Some(Reason::CsrfMismatch),
        ErrorCode::Conflict => Some(Reason::LastOwner),
        _ => None,
    };
    let details = (*code == ErrorCode::ValidationFailed).then(|| {
        json!([
            { "field": "name", "message": "is required" },
            { "field": "scopes", "message": "must be out of claims:write claims:read" },
        ])
    });
    if let Some(error) = error.as_object_mut() {
        error.extend(reason.map(|reason| ("reason".to_owned(), json!(reason))));
        error.extend(details.map(|details| ("details".to_owned(), details)));
    }
    let mut example = json!({ "error": error });
    if let Some(example) = example.as_object_mut()
        && reason == Some(Reason::SecondFactorNeeded)
    {
        example.insert("continuation_token".to_owned(), "ovc_q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k".into());
    }
    json!({
        "description": about,
        "headers": headers(*counted, more),
        "content": { "application/json": { "schema": reference("schemas", schema), "example": example } },
    })
}
