//! The headers and the parameters that several operations have.

use serde_json::{Value, json};

fn header(required: bool, about: &str, schema: Value, example: impl Into<Value>) -> Value {
    json!({ "description": about, "required": required, "schema": schema, "example": example.into() })
}

/// Text of a form.
fn text(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": pattern })
}

fn whole(least: u32) -> Value {
    json!({ "type": "integer", "minimum": least })
}

const TAG: &str = r#""3f2a8c1d9e0b47566a1f0c9d8e7b6a50""#;
const VERSION_TAG: &str = r#""2-3f2a8c1d9e0b47566a1f0c9d8e7b6a50""#;
const NEXT: &str = r#"</api/v1/settings/audit?limit=25&cursor=019aa3073b5e7c808e0e0f5a3f0f1d10>; rel="next""#;
const CSRF: &str = "m3Yb0Jv5xQ8r2LwTq7ZkD1nHcF6sPaUe9VgXiKoRtEw";

/// The headers, for the components of the description.
pub(crate) fn headers() -> Value {
    let any = || json!({ "type": "string" });
    let counted = "As on a success. Present if the request was counted before it was refused.";
    json!({
        "RequestId": header(
            true, "The id of this request. Quote it when you ask us about the request.",
            json!({ "type": "string", "format": "uuid" }), "019aa2f8-01d2-7c55-a0e7-91b84c6f2d03",
        ),
        "RateLimitLimit": header(true, "How many such calls the window allows.", whole(1), 60),
        "RateLimitRemaining": header(true, "How many calls are left after this one, as far as the instance that answers knows.", whole(0), 59),
        "RateLimitReset": header(
            true, "When the oldest counted call leaves the window, in Unix seconds.", whole(0), 1_764_000_060,
        ),
        "CountedRateLimitLimit": header(false, counted, whole(1), 300),
        "CountedRateLimitRemaining": header(false, counted, whole(0), 299),
        "CountedRateLimitReset": header(false, counted, whole(0), 1_764_000_060),
        "RetryAfter": header(true, "How many seconds to wait before the next attempt.", whole(1), 12),
        "Allow": header(
            true, "The methods that the path supports.", json!({ "type": "string", "minLength": 1 }), "GET, HEAD, POST",
        ),
        "WwwAuthenticate": header(
            true, "How to authenticate without a browser.", json!({ "type": "string", "const": "Bearer" }), "Bearer",
        ),
        "ETag": header(
            true, "Identifies the body. Send it back as `If-None-Match`.", text(r#"^"([0-9]+-)?[0-9a-f]{32}"$"#), TAG,
        ),
        "VersionTag": header(
            true, "Identifies the answer (for `If-None-Match`) and the version of the record (for `If-Match`).",
            text(r#"^"[0-9]+-[0-9a-f]{32}"$"#), VERSION_TAG,
        ),
        "VaryAccept": header(
            true, "The answer depends on `Accept`.", json!({ "type": "string", "const": "Accept" }), "Accept",
        ),
        "CsvDisposition": header(
            false, "The name of the file. Present if the answer is CSV.",
            text(r#"^attachment; filename="[a-z_]+\.csv"$"#), r#"attachment; filename="denials.csv""#,
        ),
        "MissingCells": header(
            false,
            "The databases that did not answer in time, by number. What they have is not in the table. Present if the \
             answer is CSV and there are any.",
            text("^[0-9]+(, [0-9]+)*$"), "1, 3",
        ),
        "Link": header(
            false, "The address of the next page, if there is one.",
            text(r#"^</api/v1/[^>]+[?&]cursor=[0-9a-z_-]+>; rel="next"$"#), NEXT,
        ),
        "IdempotencyReplayed": header(
            false, "Present if this answer repeats the answer to an earlier request.",
            json!({ "type": "string", "const": "true" }), "true",
        ),
        "SetCookie": header(
            true, "One header for each cookie. `__Host-session` and `csrf_token` are among them.",
            text("^(__Host-session|csrf_token|__Host-device|__Host-passkey)="),
            format!("csrf_token={CSRF}; Path=/; Max-Age=86400; Secure; SameSite=Strict"),
        ),
        "CeremonyCookie": header(
            true, "The cookie `__Host-passkey`, which the next call needs.", text("^__Host-passkey="),
            "__Host-passkey=eyJub25jZSI6Ij.q83vASNFZ4k; HttpOnly; SameSite=Strict; Secure; Path=/; Max-Age=300",
        ),
        "ProviderCookie": header(
            false,
            "One header for each cookie: of the session, of a sign-in at a provider, and of an identity that waits to be \
             connected.",
            text("^(__Host-[a-z]+|csrf_token)="), "__Host-oauth=; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=0",
        ),
        "ConsoleLocation": header(
            true, "The page of the console, with its fragment.",
            text("^/(sign-in(/connect)?(#(continue|refused)=.+)?)?$"), "/sign-in/connect",
        ),
        "Location": header(
            true, "The address of the provider's page. For a sign-in that is refused, the console's page of a refusal.",
            json!({ "type": "string", "format": "uri-reference" }), "https://accounts.google.com/o/oauth2/v2/auth",
        ),
        "ContentSecurityPolicy": header(
            true, "What the page may load, and where its forms lead.", any(), "default-src 'none'",
        ),
        "ReferrerPolicy": header(
            true, "Whether the browser names this address to others.",
            json!({ "type": "string", "enum": ["no-referrer", "same-origin"] }), "no-referrer",
        ),
        "PermissionsPolicy": header(true, "What the page may not use.", any(), "camera=()"),
    })
}

fn parameter((name, place): (&str, &str), required: bool, about: &str, schema: Value, example: &str) -> Value {
    json!({
        "name": name, "in": place, "required": required, "description": about, "schema": schema, "example": example,
    })
}

/// The parameters, for the components of the description.
pub(crate) fn parameters() -> Value {
    let id = || json!({ "type": "string", "format": "uuid" });
    let csrf = |required, more: &str| {
        let about = format!("The value of the cookie `csrf_token`.{more}");
        parameter(("X-CSRF-Token", "header"), required, &about, text("^[0-9A-Za-z_-]{43}$"), CSRF)
    };
    json!({
        "Id": parameter(
            ("id", "path"), true,
            "The id of the record. A record that the caller may not see gets `404`, as if it did not exist.", id(),
            "019aa307-3b5e-7c80-8e0e-0f5a3f0f1d10",
        ),
        "PracticeInPath": parameter(
            ("practice", "path"), true,
            "The practice that the record belongs to. Under another practice the answer is `404`.", id(),
            "019aa2f0-3c1d-7b20-8e11-5b6c7d8e9f00",
        ),
        "DeliveryId": parameter(
            ("delivery_id", "path"), true, "The id of the delivery.", id(), "019aa30b-11aa-7c80-8e0e-0f5a3f0f1d78",
        ),
        "Provider": parameter(
            ("provider", "path"), true, "The `id` of a provider in `GET /api/v1/auth/providers`.",
            text("^[a-z0-9-]{1,36}$"), "google",
        ),
        "CsrfToken": csrf(true, ""),
        "CsrfTokenAgain": csrf(false, " Required when a session shows its second factor again."),
        "IdempotencyKey": parameter(
            ("Idempotency-Key", "header"), false,
            "A UUID that you make. If you repeat the request with the same UUID, you get the first answer again.", id(),
            "5a1c0f52-6c58-4f67-8d0c-6e7b6b7c1a01",
        ),
        "IfMatch": parameter(
            ("If-Match", "header"), true,
            "The `ETag` of the record as you read it. `\"<version>\"` alone also works. If the record has changed since \
             then, the answer is `409`.",
            text(r#"^(W/)?"[0-9]{1,15}(-[0-9a-f]{32})?"$"#), VERSION_TAG,
        ),
        "IfNoneMatch": parameter(
            ("If-None-Match", "header"), false, "The `ETag` of what you have, or several separated by commas.",
            json!({ "type": "string" }), TAG,
        ),
        "PassiveRead": parameter(
            ("X-Passive-Read", "header"), false,
            "`true` if the person did not ask for this read, for example if a page refreshes itself. Such a read does \
             not count as a use of the session: it does not put off the end of an idle session. Only `GET` looks at it, \
             and only with a session. Any other value is ignored.",
            json!({ "type": "string" }), "true",
        ),
    })
}
