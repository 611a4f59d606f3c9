//! The operations that the code describes: their prose is the doc comment of the handler, and what they take and give
//! are its types.

use std::path::Path;

use overturn_service::described::{BodyTaken, Exception, Operation, operations};
use serde_json::map::Map;
use serde_json::{Value, json};

use crate::bundle::OUTSIDE;
use crate::prose::Prose;
use crate::schemas::PLACE;
use crate::{Result, examples, prose, schemas, tags};

const JSON: &str = "application/json";

/// The word of a schema that says what text is in.
const MEDIA_TYPE: &str = "contentMediaType";

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
        // A description may say more exactly which keys go together.
        if !there.contains_key("requestBody")
            && let Some((media, schema, required)) = body(&operation, &mut found)
        {
            let mut content = Map::from_iter([("schema".to_owned(), schema)]);
            content.extend(examples.remove(&prose.id).map(|example| ("example".to_owned(), example)));
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
    if let Some(name) = examples.keys().next() {
        return Err(format!("nothing is called {name}, which has an example").into());
    }
    let all =
        whole.pointer_mut("/components/schemas").and_then(Value::as_object_mut).ok_or("docs/api has no schemas")?;
    for (name, schema) in found {
        if all.insert(name.clone(), schema).is_some() {
            return Err(format!("docs/api: the schema {name} follows from its type").into());
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
fn described(
    operation: &Operation,
    prose: &Prose,
    generator: &mut schemars::SchemaGenerator,
) -> Option<Map<String, Value>> {
    let tag = tags::of(operation.handler)?;
    let given = operation.gives?;
    let mut responses = Map::new();
    for status in given.statuses.into_iter().filter(|status| *status > 0) {
        let mut schema = (given.schema)(generator).into();
        schemas::clean(&mut schema);
        responses.insert(status.to_string(), answer(words(status, &operation.method), schema, status != 204));
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

/// An answer. A schema may be a reference to a response, and an alternative may name its media type.
fn answer(words: &str, schema: Value, has_body: bool) -> Value {
    if schema.get("$ref").and_then(Value::as_str).is_some_and(|of| of.starts_with("#/components/responses/")) {
        return schema;
    }
    let mut answer = json!({ "description": words });
    if has_body && let Some(answer) = answer.as_object_mut() {
        let is_typed = |one: &Value| one.get(MEDIA_TYPE).is_some();
        let several = schema.get("anyOf").and_then(Value::as_array).filter(|all| all.iter().any(is_typed));
        let content = several.cloned().unwrap_or_else(|| vec![schema]).into_iter().map(|mut schema| {
            let media = schema.as_object_mut().and_then(|words| words.remove(MEDIA_TYPE));
            let media = media.as_ref().and_then(Value::as_str).unwrap_or(JSON);
            (media.to_owned(), json!({ "schema": schema }))
        });
        answer.insert("content".to_owned(), content.collect::<Map<_, _>>().into());
    }
    answer
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
