//! The frame of the description of the wider service.

use serde_json::map::Map;
use serde_json::{Value, json};

use crate::{errors, parts, refusals, tags};

/// What no context says.
pub(crate) fn frame() -> Map<String, Value> {
    Map::from_iter([
        ("openapi".to_owned(), json!("3.1.0")),
        ("info".to_owned(), info()),
        ("servers".to_owned(), json!([{ "url": "/", "description": "The host that serves this description." }])),
        ("security".to_owned(), json!([{ "session": [] }])),
        ("tags".to_owned(), tags::all()),
        (
            "components".to_owned(),
            json!({
                "securitySchemes": security(),
                "headers": parts::headers(),
                "parameters": parts::parameters(),
                "responses": refusals::responses(),
                "schemas": errors::schemas(),
            }),
        ),
    ])
}

fn info() -> Value {
    let apache = "https://www.apache.org/licenses/LICENSE-2.0";
    json!({
        "title": "Overturn accounts and settings",
        "version": "1.0",
        "contact": { "name": "The support of the service that serves this description" },
        "license": { "name": "Apache-2.0", "url": apache },
        "summary": "Sign in, follow a practice's claims, and manage the practice: API keys, agreements, members, tokens \
                    and audit trail.",
    })
}

fn security() -> Value {
    json!({
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": "__Host-session",
            "description": "The session cookie that signing in sets. The browser keeps it and sends it. Scripts cannot read \
                            it. Every write also needs the header `X-CSRF-Token`.",
        },
        "apiToken": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "ovu_live_ or ovu_test_, then 39 letters and digits",
            "description": "A person's API token, as in `Authorization: Bearer ovu_live_…`. A token matches \
                            `^ovu_(live|test)_[0-9A-Za-z]{39}$`, and its last six characters are a checksum of the rest. Its \
                            scopes are `settings:read`, `audit:read`, `denials:read` and `documents:write`. An operation \
                            names the scope that it needs. The uploads of documents are the only writes that a token can \
                            make.",
        },
    })
}
