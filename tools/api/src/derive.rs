//! What follows from the route table: the parameters, the security, the headers and the refusals of each operation.

use std::collections::BTreeMap;

use overturn_service::auth::rights::{Action, Right};
use overturn_service::described::{Access, BodyTaken, Exception, Operation, operations};
use serde_json::map::Map;
use serde_json::{Value, json};

use crate::Result;

/// Adds to each described operation what follows from its route, and the schemas of the bodies that it names.
pub(crate) fn add(whole: &mut Value) -> Result<()> {
    let operations = operations();
    for operation in &operations {
        add_body(whole, operation)?;
    }
    let paths = whole.get_mut("paths").and_then(Value::as_object_mut).ok_or("docs/api has no paths")?;
    for operation in &operations {
        let Some(methods) = paths.get_mut(operation.path).and_then(Value::as_object_mut) else {
            continue;
        };
        let parts = parts(operation);
        if !parts.is_empty() {
            methods.insert("parameters".into(), parts.into());
        }
        if let Some(described) = methods.get_mut(&operation.method).and_then(Value::as_object_mut) {
            let name = format!("{} {}", operation.method, operation.path);
            complete(described, (operation, tag(operation, &operations)))
                .map_err(|what| format!("docs/api: {name}: {what}"))?;
        }
    }
    Ok(())
}

/// Adds the schema of the declared body, under the name by which the operation refers to it, unless `docs/api` has one.
fn add_body(whole: &mut Value, operation: &Operation) -> Result<()> {
    let BodyTaken::Declared { schema, .. } = &operation.takes.body else {
        return Ok(());
    };
    let path = operation.path.replace('/', "~1");
    let of = format!("/paths/{path}/{}/requestBody/content/application~1json/schema/$ref", operation.method);
    let target = whole.pointer(&of).and_then(Value::as_str);
    let Some(name) = target.and_then(|target| target.strip_prefix("#/components/schemas/")).map(str::to_owned) else {
        return Ok(());
    };
    let schemas = whole.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    let schemas = schemas.ok_or("docs/api has no schemas")?;
    if !schemas.contains_key(&name) {
        schemas.insert(name, schema.clone());
    }
    Ok(())
}

/// The parameters of the path, in its order.
fn parts(operation: &Operation) -> Vec<Value> {
    let segments = operation.path.split('/');
    let names = segments.filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    let component = |name| match name {
        "practice" => "PracticeInPath",
        "document" => "DocumentInPath",
        "level" => "LevelInPath",
        "delivery_id" => "DeliveryId",
        "provider" => "Provider",
        _ => "Id",
    };
    names.map(|name| reference("parameters", component(name))).collect()
}

pub(crate) fn reference(kind: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}

/// The header of the `ETag`: of a document, of a record that is changed with `If-Match`, or of any answer.
fn tag(operation: &Operation, all: &[Operation]) -> &'static str {
    let is_below = |other: &Operation| {
        let rest = other.path.strip_prefix(operation.path);
        rest.is_some_and(|rest| rest.is_empty() || (rest.starts_with('/') && !rest.starts_with("/{")))
    };
    match all.iter().any(|other| other.takes.version && is_below(other)) {
        _ if operation.takes.range => "DocumentTag",
        true => "VersionTag",
        false => "ETag",
    }
}

fn complete(
    described: &mut Map<String, Value>,
    (operation, tag): (&Operation, &'static str),
) -> std::result::Result<(), String> {
    if let Some(security) = security(operation) {
        insert(described, "security", security)?;
    }
    let own = described.remove("parameters");
    let own = own.as_ref().and_then(Value::as_array).into_iter().flatten();
    let (before, after) = parameters(operation);
    let named = |names: Vec<&str>| names.into_iter().map(|name| reference("parameters", name)).collect::<Vec<_>>();
    let all: Vec<Value> = named(before).into_iter().chain(own.cloned()).chain(named(after)).collect();
    if !all.is_empty() {
        described.insert("parameters".into(), all.into());
    }
    let responses = described.get_mut("responses").and_then(Value::as_object_mut).ok_or("no responses")?;
    for response in responses.values_mut().filter_map(Value::as_object_mut) {
        if response.contains_key("$ref") {
            continue;
        }
        let is_lines = response.get("content").is_some_and(|content| content.get("application/x-ndjson").is_some());
        let own = response.entry("headers").or_insert_with(|| json!({}));
        let own = own.as_object_mut().ok_or("headers are a mapping")?;
        for (header, component) in headers(operation, tag) {
            insert(own, header, reference("headers", component))?;
        }
        if is_lines {
            own.insert("Link".to_owned(), reference("headers", "Link"));
        }
    }
    for (status, component) in refusals(operation) {
        insert(responses, &status.to_string(), reference("responses", component))?;
    }
    Ok(())
}

/// Adds what nothing else may say.
fn insert(into: &mut Map<String, Value>, key: &str, value: Value) -> std::result::Result<(), String> {
    match into.insert(key.to_owned(), value) {
        None => Ok(()),
        Some(_) => Err(format!("{key} follows from the route table")),
    }
}

/// What a person needs for it.
fn right(operation: &Operation) -> Option<(Action, Right)> {
    match operation.access {
        Access::Person(action) => Some((action, action.right())),
        Access::Key | Access::Operator | Access::Anyone => None,
    }
}

fn is_except(operation: &Operation, exception: Exception) -> bool {
    operation.exceptions.contains(&exception)
}

fn is_read(operation: &Operation) -> bool {
    operation.method == "get"
}

/// `None` if only a session may call it, which the frame says once.
fn security(operation: &Operation) -> Option<Value> {
    match right(operation) {
        Some((_, right)) => right.scope.map(|scope| json!([{ "session": [] }, { "apiToken": [scope.name()] }])),
        None if is_except(operation, Exception::OfSession) => Some(json!([{}, { "session": [] }])),
        None => Some(json!([])),
    }
}

/// The parameters before those of the operation itself, and after them.
fn parameters(operation: &Operation) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let takes = &operation.takes;
    let right = right(operation);
    if takes.version {
        before.push("IfMatch");
    }
    match &right {
        Some((_, right)) if !is_read(operation) => {
            before.push(if right.scope.is_some() { "UploadCsrfToken" } else { "CsrfToken" });
        }
        None if is_except(operation, Exception::OfSession) => before.push("CsrfTokenAgain"),
        _ => {}
    }
    if is_repeatable(operation) {
        before.push("IdempotencyKey");
    }
    if takes.range {
        after.extend(["Range", "IfRange"]);
    }
    if operation.takes.known {
        after.push("IfNoneMatch");
    }
    if right.is_some() && is_read(operation) {
        after.push("PassiveRead");
    }
    (before, after)
}

fn is_repeatable(operation: &Operation) -> bool {
    operation.takes.once && !is_except(operation, Exception::NotOnce)
}

/// True if its answer is one page of several.
fn is_paged(operation: &Operation) -> bool {
    let mut names = operation.takes.query.iter().flatten().filter_map(|one| one.parameter.get("name"));
    names.any(|name| name == "limit")
}

/// The headers of a success.
fn headers(operation: &Operation, tag: &'static str) -> Vec<(&'static str, &'static str)> {
    let mut headers = vec![("X-Request-Id", "RequestId")];
    if !is_except(operation, Exception::Unlimited) {
        headers.extend([
            ("X-RateLimit-Limit", "RateLimitLimit"),
            ("X-RateLimit-Remaining", "RateLimitRemaining"),
            ("X-RateLimit-Reset", "RateLimitReset"),
        ]);
    }
    if operation.takes.known {
        headers.push(("ETag", tag));
    }
    if is_paged(operation) {
        headers.push(("Link", "Link"));
    }
    if is_repeatable(operation) {
        headers.push(("Idempotency-Replayed", "IdempotencyReplayed"));
    }
    headers.extend(operation.exceptions.iter().filter_map(|one| match one {
        Exception::Sets(cookie) => Some(("Set-Cookie", *cookie)),
        _ => None,
    }));
    headers
}

/// The answers other than a success, by their status.
fn refusals(operation: &Operation) -> BTreeMap<u16, &'static str> {
    let takes = &operation.takes;
    let is_page = takes.page && !is_except(operation, Exception::NoPage);
    let mut found = if is_page { of_page(operation) } else { of_program(operation) };
    found.insert(405, "MethodNotAllowed");
    if operation.takes.known {
        found.insert(304, if takes.range { "DocumentNotModified" } else { "NotModified" });
    }
    for exception in operation.exceptions {
        match exception {
            Exception::Refuses(status, component) => drop(found.insert(*status, component)),
            Exception::Never(status) => drop(found.remove(status)),
            Exception::Unlimited => drop(found.remove(&429)),
            Exception::Takes(_)
            | Exception::Sets(_)
            | Exception::NotOnce
            | Exception::NoPage
            | Exception::OfSession => {}
        }
    }
    found
}

/// A step of a sign-in by a provider. A person sees its refusals.
fn of_page(operation: &Operation) -> BTreeMap<u16, &'static str> {
    let mut found = BTreeMap::from([
        (404, "ProviderUnknownPage"),
        (429, "ProviderLimitedPage"),
        (500, "ProviderFailedPage"),
        (503, "ProviderAwayPage"),
    ]);
    if operation.takes.body != BodyTaken::None {
        found.extend([400, 408, 413].map(|status| (status, "ProviderMalformedPage")));
    }
    found
}

fn of_program(operation: &Operation) -> BTreeMap<u16, &'static str> {
    let takes = &operation.takes;
    let mut found = BTreeMap::from([(429, "TooManyRequests"), (500, "InternalError"), (503, "Unavailable")]);
    if let Some((action, right)) = right(operation) {
        found.extend([(401, "NotAuthenticated"), (403, "Forbidden")]);
        found.extend(second_factor(action, &right).map(|component| (402, component)));
        if !is_read(operation) {
            found.insert(409, "Conflict");
        }
    }
    // A browser may come from another site.
    if !is_read(operation) {
        found.insert(403, "Forbidden");
    }
    if takes.signs_in {
        found.insert(401, "SignInFailed");
    }
    // A practice without records looks like one that does not exist.
    if takes.parts.iter().any(|part| *part != "practice") {
        found.insert(404, "NotFound");
    }
    match takes.body {
        BodyTaken::None => {}
        BodyTaken::Read | BodyTaken::Form(_) => found.extend([(408, "BodyTooSlow"), (413, "BodyTooLarge")]),
        BodyTaken::Declared { .. } => {
            found.extend([(400, "BadRequest"), (408, "BodyTooSlow"), (413, "BodyTooLarge"), (422, "Invalid")]);
        }
        BodyTaken::Files => {
            found.extend([(400, "BadRequest"), (408, "BodyTooSlow"), (413, "FileTooLarge"), (422, "Invalid")]);
        }
    }
    if takes.signs_in {
        found.extend([(400, "BadRequest"), (422, "Invalid")]);
    }
    if takes.query.is_some() || is_repeatable(operation) {
        found.insert(422, "Invalid");
    }
    if takes.range {
        found.insert(416, "RangeNotSatisfiable");
    }
    found
}

/// The refusal that asks for a second factor.
fn second_factor(action: Action, right: &Right) -> Option<&'static str> {
    // A person who has a factor shows it before another one is added, and staff who opened many patients show it again.
    let again = matches!(action, Action::EnrolFactor | Action::EnrolPasskey | Action::ReadClaim);
    match (right.sensitive || again, right.own) {
        (true, _) => Some("SecondFactorAgain"),
        (false, false) => Some("EnrolmentNeeded"),
        (false, true) => None,
    }
}
