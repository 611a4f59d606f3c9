//! The schemas of what the service answers, in the form that the description has them.

use overturn_core::base::names::about;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::map::Map;
use serde_json::{Value, json};

use crate::Result;

pub(crate) const PLACE: &str = "#/components/schemas/";

/// The schema of the version of a record.
const VERSION: &str = "Version";

/// Makes schemas of what is written, not of what is read.
pub(crate) fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.with(|settings| settings.definitions_path = "/components/schemas".into()).into_generator()
}

/// Adds the schemas that the generator has named.
pub(crate) fn add(to: &mut Map<String, Value>, mut generator: SchemaGenerator) -> Result<()> {
    to.insert(VERSION.to_owned(), version());
    for (name, mut schema) in generator.take_definitions(true) {
        clean(&mut schema);
        let name = shown(&name);
        if to.insert(name.clone(), schema).is_some() {
            return Err(format!("docs/api: the schema {name} follows from its type").into());
        }
    }
    Ok(())
}

/// The number of a record's edits.
fn version() -> Value {
    let about = "The number of its edits, from 1. Send it as `If-Match` to change the record.";
    json!({ "description": about, "type": "integer", "minimum": 1 })
}

/// The name of a type for callers: what is shown of a record is its `View` in the service.
pub(crate) fn shown(name: &str) -> String {
    name.replace("View", "")
}

/// Rewrites what the generator says in its own way.
pub(crate) fn clean(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(words) => {
            words.values_mut().for_each(clean);
            if let Some(Value::String(target)) = words.get_mut("$ref") {
                *target = shown(target);
            }
            name_list(words);
            // An answer has no defaults.
            words.remove("default");
            if is_of(words, "integer") {
                bare_number(words);
            }
            if let Some(Value::Object(all)) = words.get_mut("properties") {
                by_name(all);
            }
            if words.contains_key("properties") && words.get("type") == Some(&json!("object")) {
                words.entry("additionalProperties").or_insert(false.into());
            }
        }
        _ => {}
    }
}

/// What a key means wherever it is: the number of a record's edits, and what the caller may do, each once.
fn by_name(properties: &mut Map<String, Value>) {
    // What has happened to a record names the version that it made.
    let is_record = !properties.contains_key("at");
    let version = properties.get_mut("version").filter(|one| is_record && one.get("type") == Some(&json!("integer")));
    if let Some(version) = version {
        *version = json!({ "$ref": format!("{PLACE}{VERSION}") });
    }
    if let Some(Value::Object(may)) = properties.get_mut("may")
        && is_of(may, "array")
    {
        may.insert("uniqueItems".to_owned(), true.into());
    }
}

fn is_of(words: &Map<String, Value>, kind: &str) -> bool {
    match words.get("type") {
        Some(Value::String(one)) => one == kind,
        Some(Value::Array(some)) => some.iter().any(|one| one == kind),
        _ => false,
    }
}

/// A whole number without the size that it has in the service.
fn bare_number(words: &mut Map<String, Value>) {
    words.remove("format");
    if [json!(u8::MAX), json!(u16::MAX)].iter().any(|most| words.get("maximum") == Some(most)) {
        words.remove("maximum");
    }
}

/// A closed list whose names have comments. The description lists them.
fn name_list(words: &mut Map<String, Value>) {
    let names: Option<Vec<Value>> = words.get("oneOf").and_then(Value::as_array).and_then(|all| {
        let names = all.iter().map(|one| match (one.get("const"), one.get("enum")) {
            (Some(name), _) => Some(vec![name.clone()]),
            (None, Some(Value::Array(names))) => Some(names.clone()),
            _ => None,
        });
        names.collect::<Option<Vec<_>>>().map(|names| names.concat())
    });
    if let Some(names) = names.filter(|names| names.iter().all(Value::is_string)) {
        let about = about(words);
        words.remove("oneOf");
        words.extend([("type".to_owned(), json!("string")), ("enum".to_owned(), names.into())]);
        if !about.is_empty() {
            words.insert("description".to_owned(), about.into());
        }
    }
}
