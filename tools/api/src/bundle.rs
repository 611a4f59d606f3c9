//! Schemas of the claims interface that the wider service uses as well.
//!
//! A part in `docs/api` refers to one as `../openapi.yaml#/components/schemas/NAME`. The joined description then has it, and
//! everything it refers to, under the name `ClaimsNAME`, in the words of OpenAPI 3.1.

use crate::Result;
use serde_json::map::Map;
use serde_json::{Value, json};

pub(crate) const OUTSIDE: &str = "../openapi.yaml#/components/schemas/";
const INSIDE: &str = "#/components/schemas/";
const PREFIX: &str = "Claims";

/// Adds what `whole` refers to outside, out of the description of the claims interface.
pub(crate) fn bundle(whole: &mut Value, claims: &Value) -> Result<()> {
    let mut waiting = Vec::new();
    rename(whole, OUTSIDE, &mut waiting);
    while let Some(name) = waiting.pop() {
        let path = format!("/components/schemas/{name}");
        let schema = claims.pointer(&path);
        let mut schema = schema.cloned().ok_or(format!("docs/openapi.yaml has no schema {name}"))?;
        modernize(&mut schema);
        let schemas = whole.pointer_mut("/components/schemas");
        let schemas = schemas.and_then(Value::as_object_mut).ok_or("docs/api has no schemas")?;
        let key = format!("{PREFIX}{name}");
        if !schemas.contains_key(&key) {
            rename(&mut schema, INSIDE, &mut waiting);
            schemas.insert(key, schema);
        }
    }
    Ok(())
}

/// Lets the references that begin with `from` point to the bundled schemas, and collects their names.
fn rename(value: &mut Value, from: &str, names: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(target)) = fields.get_mut("$ref")
                && let Some(name) = target.strip_prefix(from).map(str::to_owned)
            {
                *target = format!("{INSIDE}{PREFIX}{name}");
                names.push(name);
            }
            fields.values_mut().for_each(|value| rename(value, from, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| rename(value, from, names)),
        _ => {}
    }
}

/// Rewrites what OpenAPI 3.0 says in its own way: `nullable`, and `example`.
fn modernize(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(modernize);
            rewrite(fields);
        }
        Value::Array(items) => items.iter_mut().for_each(modernize),
        _ => {}
    }
}

fn rewrite(schema: &mut Map<String, Value>) {
    if schema.get("nullable") == Some(&Value::Bool(true)) {
        schema.remove("nullable");
        if let Some(kind) = schema.get_mut("type") {
            *kind = json!([kind.take(), "null"]);
        }
    }
    // A field of that name is a schema, and no example is an object.
    if let Some(example) = schema.get("example").filter(|example| !example.is_object()) {
        let examples = json!([example]);
        schema.remove("example");
        schema.insert("examples".into(), examples);
    }
}
