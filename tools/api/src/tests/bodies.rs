//! Every JSON body has the schema of its declaration.

use std::collections::BTreeMap;
use std::path::Path;

use overturn_service::described::{BodyTaken, operations};
use serde_json::{Map, Value, json};

/// The claims interface reads its body in its own way, which copies no text.
const CLAIMS: &str = "post /denials";

/// The declared bodies, by method and path. A path is without `/api/v1`.
fn declared() -> BTreeMap<String, Value> {
    let operations = operations().into_iter();
    let taken = operations.filter_map(|operation| match operation.takes.body {
        BodyTaken::Declared { schema, .. } => Some((call_of(&operation.method, operation.path), schema)),
        BodyTaken::None | BodyTaken::Read | BodyTaken::Form(_) | BodyTaken::Files => None,
    });
    taken.collect()
}

fn call_of(method: &str, path: &str) -> String {
    format!("{method} {}", path.trim_start_matches("/api/v1"))
}

/// The JSON bodies of the description, by method and path.
fn described(whole: &Value) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for (path, calls) in whole["paths"].as_object().unwrap() {
        for (method, call) in calls.as_object().unwrap() {
            let call_of = call_of(method, path);
            if let Some(schema) = call.pointer("/requestBody/content/application~1json/schema")
                && call_of != CLAIMS
            {
                found.insert(call_of, plain(schema, whole));
            }
        }
    }
    found
}

/// A schema without what only people read, and with one form for what has several: references are followed, alternatives
/// are joined, and a value that may be `null` or blank has `null`.
fn plain(schema: &Value, whole: &Value) -> Value {
    let Value::Object(fields) = schema else {
        return schema.clone();
    };
    if let Some(Value::String(target)) = fields.get("$ref") {
        return plain(whole.pointer(target.trim_start_matches('#')).unwrap(), whole);
    }
    let each = |of: &Vec<Value>| of.iter().map(|one| plain(one, whole)).collect::<Vec<_>>();
    let mut joined = Map::new();
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("description" | "title" | "example" | "examples", _) => {}
            ("properties", Value::Object(of)) => {
                let of = of.iter().map(|(name, of)| (name.clone(), plain(of, whole))).collect();
                joined.insert(key.clone(), of);
            }
            // An edit whose description names each key for itself must have one of them.
            ("anyOf", Value::Array(any)) if fields.contains_key("properties") => {
                assert!(any.iter().all(|one| one.get("required").is_some()));
                joined.insert("minProperties".into(), 1.into());
            }
            ("anyOf" | "oneOf", Value::Array(any)) => {
                let any = each(any).into_iter().reduce(join).unwrap();
                joined.extend(any.as_object().unwrap().clone());
            }
            ("type", Value::Array(types)) => {
                let (null, types): (Vec<_>, Vec<_>) = types.iter().cloned().partition(|one| one == "null");
                let [one] = &types[..] else { panic!("{types:?}") };
                joined.extend([("type".into(), one.clone()), ("null".into(), (!null.is_empty()).into())]);
            }
            ("const", one) => {
                joined.insert("enum".into(), json!([one]));
            }
            ("enum", Value::Array(names)) if names.contains(&Value::Null) => {
                let names = names.iter().filter(|name| !name.is_null()).cloned().collect();
                joined.extend([("enum".into(), names), ("null".into(), true.into())]);
            }
            _ => {
                joined.insert(key.clone(), plain(value, whole));
            }
        }
    }
    for key in ["required", "enum"] {
        if let Some(Value::Array(names)) = joined.get_mut(key) {
            names.sort_by_key(Value::to_string);
        }
    }
    if joined.get("required") == Some(&json!([])) {
        joined.remove("required");
    }
    if joined.get("type") == Some(&json!("null")) || is_blank(&joined) {
        joined = Map::from_iter([("null".into(), true.into())]);
    }
    joined.into()
}

/// True for text without any character that counts.
fn is_blank(schema: &Map<String, Value>) -> bool {
    schema.get("maxLength") == Some(&json!(0)) || schema.get("pattern") == Some(&json!(r"^[\s\u0085]*$"))
}

/// One schema for two: every property, the names of both, and what both require.
fn join(one: Value, other: Value) -> Value {
    let (Value::Object(mut one), Value::Object(other)) = (one, other) else { panic!("no objects") };
    for (key, other) in other {
        let joined = match (key.as_str(), one.remove(&key), other) {
            (_, None, other) => other,
            ("properties", Some(Value::Object(mut of)), Value::Object(others)) => {
                for (name, other) in others {
                    let joined = match of.remove(&name) {
                        Some(one) => join(one, other),
                        None => other,
                    };
                    of.insert(name, joined);
                }
                of.into()
            }
            ("enum", Some(Value::Array(names)), Value::Array(others)) => {
                let mut names = [names, others].concat();
                names.sort_by_key(Value::to_string);
                names.into()
            }
            ("required", Some(Value::Array(names)), Value::Array(others)) => {
                names.into_iter().filter(|name| others.contains(name)).collect()
            }
            (_, Some(one), other) => {
                assert_eq!(one, other, "{key}");
                one
            }
        };
        one.insert(key, joined);
    }
    one.into()
}

/// What differs, as `path: described | declared`.
fn differences(path: &str, described: &Value, declared: &Value, found: &mut Vec<String>) {
    match (described, declared) {
        (Value::Object(one), Value::Object(other)) => {
            let mut keys: Vec<&String> = one.keys().chain(other.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let of = |fields: &Map<String, Value>| fields.get(key).cloned().unwrap_or_default();
                differences(&format!("{path}/{key}"), &of(one), &of(other), found);
            }
        }
        (one, other) if one == other => {}
        // What may be absent may be `null`, which a description need not say.
        (Value::Null, Value::Bool(true)) if path.ends_with("/null") => {}
        (one, other) => found.push(format!("{path}: {one} | {other}")),
    }
}

#[test]
fn every_body_is_described_as_it_is_declared() {
    let whole = super::accounts(Path::new(super::DOCS)).unwrap();
    let (described, declared) = (described(&whole), declared());
    let mut found = Vec::new();
    for (call, schema) in &described {
        let declared = declared.get(call.as_str()).map(|declared| plain(declared, &whole));
        differences(call, schema, &declared.unwrap_or_default(), &mut found);
    }
    found.extend(
        declared.keys().filter(|call| !described.contains_key(*call)).map(|call| format!("{call} is not described")),
    );
    assert!(found.is_empty(), "described | declared:\n{}", found.join("\n"));
}
