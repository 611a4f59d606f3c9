//! The operations that the code describes: their prose is the doc comment of the handler, and what they take and give
//! are its types.

use std::path::Path;

use overturn_service::described::{BodyTaken, Exception, Holds, Operation, operations};
use overturn_service::request::query::Described;
use schemars::{Schema, SchemaGenerator};
use serde_json::map::Map;
use serde_json::{Value, json};

use crate::bundle::OUTSIDE;
use crate::derive::reference;
use crate::prose::Prose;
use crate::schemas::PLACE;
use crate::{Result, examples, prose, schemas, tags};

const JSON: &str = "application/json";

/// Adds the operations of handlers whose comments name one, the schemas of what they take and give, and the parameters of
/// all queries.
pub(crate) fn add(whole: &mut Value, docs: &Path) -> Result<()> {
    let root = docs.parent().ok_or("docs is a folder of the repository")?;
    let mut examples = examples(docs)?;
    let mut generator = schemas::generator();
    let (mut found, mut shared) = (Map::new(), Map::new());
    for operation in operations() {
        let name = format!("{} {}", operation.method, operation.path);
        let prose = prose::of(root, operation.handler)?;
        let is_told = whole.pointer(&format!("/paths/{}/{}", operation.path.replace('/', "~1"), operation.method));
        if prose.is_none() && is_told.is_none() {
            continue;
        }
        let there = operation_in(whole, &operation).ok_or("docs/api has no paths")?;
        if let Some(prose) = &prose {
            let described = described(&operation, prose, &mut generator).ok_or(format!("{name} says not all"))?;
            for (key, value) in described {
                if there.insert(key, value).is_some() {
                    return Err(format!("docs/api says of {name} what its handler says").into());
                }
            }
        }
        let id =
            there.get("operationId").and_then(Value::as_str).ok_or(format!("{name} has no operationId"))?.to_owned();
        if let Some(parameters) = operation.takes.query.as_ref().filter(|all| !all.is_empty()) {
            let example = examples.remove(&id);
            let all = parameters.iter().map(|one| parameter(one, example.as_ref(), &mut shared));
            if there.insert("parameters".to_owned(), all.collect()).is_some() {
                return Err(format!("docs/api says of {name} what its query says").into());
            }
        }
        // A description may say more exactly which keys go together.
        if prose.is_some()
            && !there.contains_key("requestBody")
            && let Some((media, schema, required)) = body(&operation, &mut found)
        {
            let mut content = Map::from_iter([("schema".to_owned(), schema)]);
            content.extend(examples.remove(&id).map(|example| ("example".to_owned(), example)));
            let body = json!({ "required": required, "content": { media: content } });
            there.insert("requestBody".to_owned(), body);
        }
    }
    schemas::add(&mut found, generator)?;
    for (name, schema) in &mut found {
        if let (Some(example), Some(schema)) = (examples.remove(name), schema.as_object_mut()) {
            schema.insert("examples".to_owned(), json!([example]));
        }
    }
    for (name, parameter) in &mut shared {
        *parameter = shown_by(parameter.take(), examples.remove(name));
    }
    if let Some(name) = examples.keys().next() {
        return Err(format!("nothing is called {name}, which has an example").into());
    }
    for (kind, found) in [("schemas", found), ("parameters", shared)] {
        let all = whole.get_mut("components").and_then(|all| all.get_mut(kind)).and_then(Value::as_object_mut);
        let all = all.ok_or("docs/api lacks components")?;
        for (name, one) in found {
            if all.insert(name.clone(), one).is_some() {
                return Err(format!("docs/api: {name} follows from its type").into());
            }
        }
    }
    Ok(())
}

/// The body that an operation takes: its media type, its schema, and whether it is required.
fn body(operation: &Operation, named: &mut Map<String, Value>) -> Option<(&'static str, Value, bool)> {
    let of_claims = operation.exceptions.iter().find_map(|one| match one {
        Exception::Takes(name) => Some(json!({ "$ref": format!("{OUTSIDE}{name}") })),
        _ => None,
    });
    if let Some(schema) = of_claims {
        return Some((JSON, schema, true));
    }
    match &operation.takes.body {
        BodyTaken::Declared { name, schema, required } => {
            named.insert((*name).to_owned(), schema.clone());
            Some((JSON, json!({ "$ref": format!("{PLACE}{name}") }), *required))
        }
        BodyTaken::Form(schema) => Some(("application/x-www-form-urlencoded", schema.clone(), true)),
        BodyTaken::None | BodyTaken::Read | BodyTaken::Files => None,
    }
}

/// What the parts say of an operation, which may be nothing.
fn operation_in<'w>(whole: &'w mut Value, operation: &Operation) -> Option<&'w mut Map<String, Value>> {
    let paths = whole.as_object_mut()?.entry("paths").or_insert_with(|| json!({})).as_object_mut()?;
    let methods = paths.entry(operation.path).or_insert_with(|| json!({})).as_object_mut()?;
    methods.entry(&operation.method).or_insert_with(|| json!({})).as_object_mut()
}

/// What the handler says of an operation, but for its body. `None` if nothing says its tag or what it gives.
fn described(operation: &Operation, prose: &Prose, generator: &mut SchemaGenerator) -> Option<Map<String, Value>> {
    let tag = tags::of(operation.handler)?;
    let given = operation.gives?;
    let mut responses = Map::new();
    for status in given.statuses.into_iter().filter(|status| *status > 0) {
        let answer = match given.holds {
            Holds::File => file(status),
            _ if status == 204 => json!({ "description": words(status, &operation.method) }),
            Holds::Json(of) => answer(words(status, &operation.method), schema_of(of, generator)),
            Holds::Table(of) => {
                let schema = schema_of(of, generator);
                let lacks_cells = lacks_cells(&schema, generator);
                table(schema, lacks_cells)
            }
            Holds::Lines => {
                let content = json!({ "application/x-ndjson": { "schema": { "type": "string" } } });
                json!({ "description": "Lines of JSON.", "content": content })
            }
        };
        responses.insert(status.to_string(), answer);
    }
    let described = json!({
        "operationId": prose.id, "tags": [tag], "summary": prose.summary, "responses": responses,
    });
    let mut described = described.as_object().cloned()?;
    if !prose.description.is_empty() {
        described.insert("description".to_owned(), prose.description.as_str().into());
    }
    Some(described)
}

/// A parameter, with its value in the example of the query. What several queries share is added to `shared`.
fn parameter(one: &Described, example: Option<&Value>, shared: &mut Map<String, Value>) -> Value {
    let Described { shared: name, parameter } = one;
    if let Some(name) = name {
        shared.insert((*name).to_owned(), parameter.clone());
        return reference("parameters", name);
    }
    let key = parameter.get("name").and_then(Value::as_str);
    shown_by(parameter.clone(), key.and_then(|key| example?.get(key)).cloned())
}

fn shown_by(mut parameter: Value, example: Option<Value>) -> Value {
    if let (Some(example), Some(words)) = (example, parameter.as_object_mut()) {
        words.insert("example".to_owned(), example);
    }
    parameter
}

fn schema_of(of: fn(&mut SchemaGenerator) -> Schema, generator: &mut SchemaGenerator) -> Value {
    let mut schema = of(generator).into();
    schemas::clean(&mut schema);
    schema
}

/// Whether some databases can be missing in an answer.
fn lacks_cells(schema: &Value, generator: &SchemaGenerator) -> bool {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|place| place.strip_prefix(PLACE));
    let named = name.and_then(|name| generator.definitions().iter().find(|(of, _)| schemas::shown(of) == name));
    named.is_some_and(|(_, schema)| schema.pointer("/properties/missing_cells").is_some())
}

/// The answer with a page of a list, as JSON or as CSV.
fn table(schema: Value, lacks_cells: bool) -> Value {
    let mut headers = json!({
        "Vary": reference("headers", "VaryAccept"),
        "Content-Disposition": reference("headers", "CsvDisposition"),
    });
    if let (true, Some(headers)) = (lacks_cells, headers.as_object_mut()) {
        headers.insert("X-Missing-Cells".to_owned(), reference("headers", "MissingCells"));
    }
    let content = json!({
        "application/json": { "schema": schema },
        "text/csv": { "schema": reference("schemas", "Csv") },
    });
    json!({ "description": words(200, "get"), "headers": headers, "content": content })
}

/// The answer with a file, or with a range of it.
fn file(status: u16) -> Value {
    let type_is = "`Content-Type` names the media type of the document, such as `application/pdf`.";
    let (what, range) = match status {
        206 => ("The requested range of the document.", Some("ContentRange")),
        _ => ("The document.", None),
    };
    let mut headers = json!({
        "Accept-Ranges": reference("headers", "AcceptRanges"),
        "Content-Disposition": reference("headers", "ContentDisposition"),
    });
    if let (Some(range), Some(headers)) = (range, headers.as_object_mut()) {
        headers.insert("Content-Range".to_owned(), reference("headers", range));
    }
    let bytes = json!({ "schema": { "type": "string", "format": "binary" } });
    let content = json!({ "application/octet-stream": bytes, "*/*": bytes });
    json!({ "description": format!("{what} {type_is}"), "headers": headers, "content": content })
}

/// An answer. Its schema may be a reference to a response, and may name its media type.
fn answer(words: &str, mut schema: Value) -> Value {
    if schema.get("$ref").and_then(Value::as_str).is_some_and(|of| of.starts_with("#/components/responses/")) {
        return schema;
    }
    let media = schema.as_object_mut().and_then(|words| words.remove("contentMediaType"));
    let media = media.as_ref().and_then(Value::as_str).unwrap_or(JSON);
    json!({ "description": words, "content": { media: { "schema": schema } } })
}

/// What a status says beyond its summary.
fn words(status: u16, method: &str) -> &'static str {
    match (status, method) {
        (200, "get") => "The requested data.",
        (200, "patch") => "Changed.",
        (201, _) => "Made.",
        (202, _) => "Accepted.",
        _ => "Done.",
    }
}
