//! The operations that the code describes: their prose is the doc comment of the handler, and what they take and give
//! are its types.

use std::path::Path;

use overturn_service::described::{BodyTaken, Operation, operations};
use serde_json::map::Map;
use serde_json::{Value, json};

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
        let mut described = described(&operation, &prose, &mut generator).ok_or(format!("{name} says not all"))?;
        if let BodyTaken::Declared { name, schema, required } = &operation.takes.body {
            let mut content = json!({ "schema": { "$ref": format!("{PLACE}{name}") } });
            if let (Some(example), Some(content)) = (examples.remove(&prose.id), content.as_object_mut()) {
                content.insert("example".to_owned(), example);
            }
            let body = json!({ "required": required, "content": { "application/json": content } });
            described.insert("requestBody".to_owned(), body);
            found.insert((*name).to_owned(), schema.clone());
        }
        put(whole, &operation, described).ok_or(format!("docs/api has {name} as well"))?;
    }
    whole["tags"] = tags::all();
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

/// Without its body. `None` if nothing says its tag or what it gives.
fn described(
    operation: &Operation,
    prose: &Prose,
    generator: &mut schemars::SchemaGenerator,
) -> Option<Map<String, Value>> {
    let tag = tags::of(operation.handler)?;
    let given = operation.gives?;
    let mut answer = json!({ "description": words(given.status, &operation.method) });
    if given.status != 204 {
        let mut schema = (given.schema)(generator).into();
        schemas::clean(&mut schema);
        answer["content"] = json!({ "application/json": { "schema": schema } });
    }
    let mut described = json!({
        "operationId": prose.id,
        "tags": [tag],
        "summary": prose.summary,
        "responses": { (given.status.to_string()): answer },
    });
    if !prose.description.is_empty() {
        described["description"] = prose.description.as_str().into();
    }
    described.as_object().cloned()
}

/// What a status says beyond its summary.
fn words(status: u16, method: &str) -> &'static str {
    match (status, method) {
        (200, "get") => "The requested data.",
        (200, "patch") => "The record as it is now.",
        (201, _) => "Made.",
        (202, _) => "Accepted.",
        _ => "Done.",
    }
}

/// `None` if the operation is there already.
fn put(whole: &mut Value, operation: &Operation, described: Map<String, Value>) -> Option<()> {
    let paths = whole.get_mut("paths")?.as_object_mut()?;
    let methods = paths.entry(operation.path).or_insert_with(|| json!({})).as_object_mut()?;
    methods.insert(operation.method.clone(), described.into()).is_none().then_some(())
}
