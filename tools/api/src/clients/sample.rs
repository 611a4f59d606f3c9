//! Sample values of schemas: their examples, or made of their parts.

use serde_json::map::Map;
use serde_json::{Value, json};

use super::model::{Model, name_of};

/// How deep a sample goes. No schema of an answer contains itself.
const DEPTH: usize = 12;

/// A value of a schema.
pub(crate) fn of(model: &Model, schema: &Value) -> Value {
    sample(model, schema, DEPTH)
}

fn sample(model: &Model, schema: &Value, depth: usize) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return Value::Null };
    if let Some(example) = schema.get("examples").and_then(|all| all.get(0)).or_else(|| schema.get("example")) {
        return example.clone();
    }
    if let Some(found) = name_of(schema).and_then(|name| model.types.get(name)) {
        return sample(model, found, depth);
    }
    if let Some(value) = schema.get("const").or_else(|| schema.get("enum").and_then(|all| all.get(0))) {
        return value.clone();
    }
    if let Some(all) = schema.get("allOf").and_then(Value::as_array) {
        return all.iter().map(|one| sample(model, one, depth)).next().unwrap_or_default();
    }
    for word in ["oneOf", "anyOf"] {
        let ways = schema.get(word).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        if ways.contains(&json!({ "type": "null" })) {
            return Value::Null;
        }
        if let Some(first) = ways.first() {
            return sample(model, first, depth);
        }
    }
    let is_of = |kind: &str| match schema.get("type") {
        Some(Value::Array(some)) => some.iter().any(|one| one == kind),
        one => one.is_some_and(|one| one == kind),
    };
    if is_of("null") {
        return Value::Null;
    }
    if is_of("object") {
        let properties = schema.get("properties").and_then(Value::as_object);
        let fields = properties.into_iter().flatten();
        return fields.map(|(name, one)| (name.clone(), sample(model, one, depth))).collect::<Map<_, _>>().into();
    }
    if is_of("array") {
        return json!([sample(model, schema.get("items").unwrap_or(&Value::Null), depth)]);
    }
    if is_of("integer") || is_of("number") {
        return schema.get("minimum").cloned().unwrap_or(json!(1));
    }
    if is_of("boolean") {
        return json!(false);
    }
    match schema.get("format").and_then(Value::as_str) {
        Some("uuid") => json!("019aa307-3b5e-7c80-8e0e-0f5a3f0f1d10"),
        Some("date") => json!("2026-11-21"),
        Some("date-time") => json!("2026-11-21T10:01:00.000Z"),
        _ => json!("…"),
    }
}
