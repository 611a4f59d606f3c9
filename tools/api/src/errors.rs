//! The bodies of refusals.

use overturn_service::request::reason::{ErrorCode, Reason};
use schemars::JsonSchema;
use serde_json::map::Map;
use serde_json::{Value, json};

use crate::derive::reference;
use crate::refusals::REFUSALS;

/// The bodies of refusals, for the components of the description.
pub(crate) fn schemas() -> Value {
    let mut all: Map<String, Value> =
        REFUSALS.iter().map(|(_, _, _, schema, code, _)| ((*schema).to_owned(), body(schema, *code))).collect();
    all.extend([
        ("ErrorFields".to_owned(), error_fields()),
        ("Reason".to_owned(), reason()),
        ("Csv".to_owned(), csv()),
        (
            "ContinuationToken".to_owned(),
            json!({
                "description": "The token with which to show the second factor, valid for five minutes.",
                "type": "string",
                "pattern": "^ovc_[0-9A-Za-z_-]{43}$",
            }),
        ),
    ]);
    all.into()
}

/// A page of a list in another form.
fn csv() -> Value {
    let about = "The same page as CSV, for `Accept: text/csv`. The first line has the names of the fields, with a dot for a \
                 field of a field. Lines end with CRLF, and cells are quoted as RFC 4180 says. Lists are separated by spaces. \
                 A cell that a spreadsheet could read as a formula has an apostrophe before it: one that begins with `=`, \
                 `+`, `-`, `@`, a tab or a carriage return. The header `Link` names the next page.";
    json!({ "description": about, "type": "string" })
}

fn body(schema: &str, code: ErrorCode) -> Value {
    let mut narrow = json!({ "properties": { "code": { "type": "string", "enum": [code] } } });
    let needs = match code {
        ErrorCode::TwoFactorRequired | ErrorCode::NotAuthorized | ErrorCode::Conflict => Some("reason"),
        ErrorCode::ValidationFailed => Some("details"),
        _ => None,
    };
    if let (Some(key), Some(narrow)) = (needs, narrow.as_object_mut()) {
        narrow.insert("required".to_owned(), json!([key]));
    }
    let mut properties = json!({ "error": { "allOf": [reference("schemas", "ErrorFields"), narrow] } });
    let mut required = vec!["error"];
    let token = "continuation_token";
    if schema == "SecondFactorError" {
        required.push(token);
    }
    if let Some(properties) = properties.as_object_mut()
        && ["SecondFactorError", "TwoFactorError"].contains(&schema)
    {
        properties.insert(token.to_owned(), reference("schemas", "ContinuationToken"));
    }
    json!({ "type": "object", "required": required, "additionalProperties": false, "properties": properties })
}

fn error_fields() -> Value {
    let text = json!({ "type": "string", "minLength": 1 });
    json!({
        "type": "object",
        "required": ["code", "message", "request_id"],
        "additionalProperties": false,
        "properties": {
            "code": { "description": "The kind of error, for programs.", "type": "string" },
            "message": {
                "description": "The error in words, for people. The wording may change.", "type": "string", "minLength": 1,
            },
            "reason": {
                "description": "The cause. Present with `402`, `403` and `409`.", "$ref": "#/components/schemas/Reason",
            },
            "details": {
                "description": "Each field that is wrong. Read the field's name and its message as one sentence.",
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["field", "message"],
                    "additionalProperties": false,
                    "properties": { "field": text, "message": text },
                },
            },
            "request_id": { "description": "The same as in `X-Request-Id`.", "type": "string", "format": "uuid" },
        },
    })
}

/// The reasons of errors. One is only in the results of a request for several records.
fn reason() -> Value {
    let mut schema = Value::from(Reason::json_schema(&mut crate::schemas::generator()));
    crate::schemas::clean(&mut schema);
    let other = Reason::NotFound.name();
    if let Some(Value::Array(names)) = schema.get_mut("enum") {
        names.retain(|name| name != other);
    }
    if let Some(Value::String(about)) = schema.get_mut("description") {
        let lines: Vec<&str> = about.lines().filter(|line| !line.starts_with(&format!("- `{other}`"))).collect();
        *about = lines.join("\n");
    }
    schema
}
