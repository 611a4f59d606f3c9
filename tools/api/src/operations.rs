//! The operations that the code describes: their prose is the doc comment of the handler, and what they take and give
//! are its types.

use std::path::Path;

use overturn_core::request::query::Parameters;
use overturn_service::described::{BodyTaken, Operation, operations};
use serde_json::map::Map;
use serde_json::{Value, json};

use crate::derive::reference;
use crate::prose::Prose;
use crate::schemas::PLACE;
use crate::{Result, examples, prose, schemas, tags};

/// Adds the operations of handlers whose comments name one, and the schemas of what they take and give.
pub(crate) fn add(whole: &mut Value, docs: &Path) -> Result<()> {
    let root = docs.parent().ok_or("docs is a folder of the repository")?;
    let mut examples = examples(docs)?;
    let mut generator = schemas::generator();
    let mut found = Map::new();
    for operation in operations() {
        let Some(prose) = prose::of(root, operation.handler)? else {
            continue;
        };
        let name = format!("{} {}", operation.method, operation.path);
        let there = operation_in(whole, &operation).ok_or("docs/api has no paths")?;
        let described = described(&operation, &prose, &mut generator).ok_or(format!("{name} says not all"))?;
        for (key, value) in described {
            if there.insert(key, value).is_some() {
                return Err(format!("docs/api says of {name} what its handler says").into());
            }
        }
        if let Parameters::Own(parameters) = &operation.takes.query
            && !there.contains_key("parameters")
        {
            let example = examples.remove(&prose.id);
            let parameters = parameters.iter().map(|one| shown_by(one.clone(), example.as_ref()));
            there.insert("parameters".to_owned(), parameters.collect());
        }
        // A description may say more exactly which keys go together.
        if let BodyTaken::Declared { name, schema, required } = &operation.takes.body
            && !there.contains_key("requestBody")
        {
            let mut content = Map::from_iter([("schema".to_owned(), json!({ "$ref": format!("{PLACE}{name}") }))]);
            content.extend(examples.remove(&prose.id).map(|example| ("example".to_owned(), example)));
            let body = json!({ "required": required, "content": { "application/json": content } });
            there.insert("requestBody".to_owned(), body);
            found.insert((*name).to_owned(), schema.clone());
        }
    }
    schemas::add(&mut found, generator)?;
    for (name, schema) in &mut found {
        if let (Some(example), Some(schema)) = (examples.remove(name), schema.as_object_mut()) {
            schema.insert("examples".to_owned(), json!([example]));
        }
    }
    if let Some(name) = examples.keys().next() {
        return Err(format!("nothing is called {name}, which has an example").into());
    }
    let frame = whole.as_object_mut().ok_or("docs/api is not a mapping")?;
    frame.insert("tags".to_owned(), tags::all());
    let all =
        whole.pointer_mut("/components/schemas").and_then(Value::as_object_mut).ok_or("docs/api has no schemas")?;
    for (name, schema) in found {
        if all.insert(name.clone(), schema).is_some() {
            return Err(format!("docs/api: the schema {name} follows from its type").into());
        }
    }
    Ok(())
}

/// What the parts say of an operation, which may be nothing.
fn operation_in<'w>(whole: &'w mut Value, operation: &Operation) -> Option<&'w mut Map<String, Value>> {
    let paths = whole.get_mut("paths")?.as_object_mut()?;
    let methods = paths.entry(operation.path).or_insert_with(|| json!({})).as_object_mut()?;
    methods.entry(&operation.method).or_insert_with(|| json!({})).as_object_mut()
}

/// What the handler says of an operation, but for its body. `None` if nothing says its tag or what it gives.
fn described(
    operation: &Operation,
    prose: &Prose,
    generator: &mut schemars::SchemaGenerator,
) -> Option<Map<String, Value>> {
    let tag = tags::of(operation.handler)?;
    let given = operation.gives?;
    let mut responses = Map::new();
    for status in given.statuses.into_iter().filter(|status| *status > 0) {
        let mut answer = Map::from_iter([("description".to_owned(), words(status, &operation.method).into())]);
        let Some(of) = given.schema else {
            responses.insert(status.to_string(), file(status));
            continue;
        };
        if status != 204 {
            let mut schema = of(generator).into();
            schemas::clean(&mut schema);
            answer.insert("content".to_owned(), json!({ "application/json": { "schema": schema } }));
        }
        responses.insert(status.to_string(), answer.into());
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

/// A parameter with its value in the example of the query, if it has one there.
fn shown_by(mut parameter: Value, example: Option<&Value>) -> Value {
    let value = parameter.get("name").and_then(Value::as_str).and_then(|name| example?.get(name)).cloned();
    if let (Some(value), Some(words)) = (value, parameter.as_object_mut()) {
        words.insert("example".to_owned(), value);
    }
    parameter
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
