//! The calls of a group, and errors.

use overturn_service::request::reason::Reason;
use schemars::JsonSchema;
use serde_json::Value;

use super::{Model, snippets};
use crate::Result;
use crate::clients::{Answer, Call, Caller, sample};
use crate::schemas;

/// What a program or a person does about an error, by its code.
const ADVICE: [(&str, &str); 15] = [
    ("bad_request", "Send a JSON object. The same request fails again."),
    (
        "not_authenticated",
        "Check the key or token: it is missing, mistyped, revoked or expired. A person signs in again.",
    ),
    (
        "two_factor_required",
        "Show the second factor with the `continuation_token`; without one, enroll a factor first.",
    ),
    ("not_authorized", "A person has to act: `reason` says what is missing."),
    ("not_found", "Check the id or number. A record that the caller may not see looks the same."),
    ("method_not_allowed", "Fix the method; `Allow` names those of the path."),
    ("body_too_slow", "Nothing was done. Send the same request again."),
    ("conflict", "Read the record again and decide again. With `request_running`, wait and repeat the request."),
    ("body_too_large", "Send less at once: at most 2 MiB."),
    ("file_too_large", "Send a smaller file: at most 50 MiB."),
    ("validation_failed", "Fix each field that `details` or `errors` names. Nothing was saved."),
    ("virus_detected", "Do not send the file again."),
    ("rate_limited", "Wait as many seconds as `Retry-After` says, then send the same request."),
    (
        "internal_error",
        "Send the same request again, with the same `Idempotency-Key`, after 0.5 s, doubled up to 30 s.",
    ),
    ("unavailable", "The same, but at least as late as `Retry-After` says."),
];

/// Adds the calls of a group.
pub(super) fn add(out: &mut String, model: &Model, group: &str) -> Result<()> {
    for call in model.calls.iter().filter(|call| call.group == group) {
        one(out, model, call)?;
    }
    Ok(())
}

fn one(out: &mut String, model: &Model, call: &Call) -> Result<()> {
    out.push_str(&format!(
        "\n## {}\n\n`{} {}` is `{}`. {}\n\n{}\n\n",
        call.summary,
        call.method,
        call.path,
        call.id,
        by(call),
        call.about
    ));
    let mut rows: Vec<[String; 3]> = Vec::new();
    for one in call.parts.iter().chain(&call.query) {
        rows.push([one.name.clone(), snippets::kind(&one.schema), required(one.required, &one.about)]);
    }
    let body = call.body.as_ref().map(|body| &body.schema);
    let named = body.and_then(|schema| schema.get("$ref")?.as_str()?.rsplit('/').next());
    let schema = named.and_then(|name| model.types.get(name)).or(body);
    let needs = schema.and_then(|schema| schema.get("required")?.as_array());
    for (name, field) in schema.and_then(|schema| schema.get("properties")?.as_object()).into_iter().flatten() {
        let is_required = needs.is_some_and(|needs| needs.iter().any(|one| one == name));
        let about = field.get("description").and_then(Value::as_str).unwrap_or_default();
        rows.push([name.clone(), snippets::kind(field), required(is_required, about)]);
    }
    if !rows.is_empty() {
        out.push_str("| field | type | meaning |\n| --- | --- | --- |\n");
        for [name, kind, about] in rows {
            out.push_str(&format!("| `{name}` | {kind} | {} |\n", about.replace('\n', " ").replace('|', "\\|")));
        }
        out.push('\n');
    }
    let made = snippets::of(model, call)?;
    for (fence, code) in [("sh", made.curl), ("ts", made.typescript), ("python", made.python)] {
        out.push_str(&format!("```{fence}\n{code}\n```\n\n"));
    }
    let given = call.given.iter().map(|status| format!("`{status}`")).collect::<Vec<_>>().join(" or ");
    match &call.answer {
        Answer::Json(schema) => {
            let answer = serde_json::to_string_pretty(&sample::of(model, schema))?;
            out.push_str(&format!("The answer is {given}:\n\n```json\n{answer}\n```\n\n"));
        }
        Answer::Lines => {
            out.push_str(&format!("The answer is {given} with lines of JSON. `Link` names the next page.\n\n"))
        }
        Answer::Bytes => out.push_str(&format!("The answer is {given} with the content.\n\n")),
        Answer::Nothing => out.push_str(&format!("The answer is {given} without a body.\n\n")),
    }
    let refusals: Vec<String> = call.refusals.iter().map(|(status, _)| format!("`{status}`")).collect();
    out.push_str(&format!("[Errors](/docs/errors.md): {}.\n", refusals.join(", ")));
    Ok(())
}

fn by(call: &Call) -> &'static str {
    match call.caller {
        Caller::Key => "It takes an API key.",
        Caller::Person { by_token: true } => "It takes an API token, or a person's session.",
        Caller::Person { by_token: false } => "It takes a person's session, see [signing in](/docs/signing-in.md).",
        Caller::Anyone => "It takes no credential.",
    }
}

fn required(is_required: bool, about: &str) -> String {
    if is_required { format!("Required. {about}") } else { about.to_owned() }
}

/// Errors by code and by reason, with what to do.
pub(super) fn errors(model: &Model) -> String {
    let mut out = "\n## Errors by code\n\nThe clients have a class for each code, such as `NotFoundError`. Refusals of the claims interface name no code; the status tells it.\n\n| code | status | what to do |\n| --- | --- | --- |\n".to_owned();
    for (code, status) in &model.codes {
        let advice = ADVICE.iter().find(|(of, _)| of == code).map_or("", |(_, advice)| advice);
        out.push_str(&format!("| `{code}` | `{status}` | {advice} |\n"));
    }
    out.push_str("\n## Reasons\n\n");
    let schema = Value::from(Reason::json_schema(&mut schemas::generator()));
    for one in schema.get("oneOf").and_then(Value::as_array).into_iter().flatten() {
        let text = |key: &str| one.get(key).and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
        out.push_str(&format!("- `{}`, {}\n", text("const"), text("description")));
    }
    out
}

#[cfg(test)]
mod tests {
    use overturn_service::request::reason::ErrorCode;

    use super::*;

    #[test]
    fn every_code_has_advice() {
        let codes: Vec<&str> = ErrorCode::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(codes, ADVICE.map(|(code, _)| code));
    }
}
