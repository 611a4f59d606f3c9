//! The API descriptions, as the service serves them.
//!
//! The claims interface is one file, `docs/openapi.yaml`. The description of the wider service comes from the code, and
//! `docs/api` has texts and examples for each context; [`accounts`] joins them. The Worker's build and the checks call this
//! crate's program.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::map::{Entry, Map};
use serde_json::{Value, json};

mod bundle;
pub mod clients;
mod derive;
mod errors;
mod frame;
mod operations;
pub mod pages;
mod parts;
mod prose;
mod refusals;
mod schemas;
mod tags;
#[cfg(test)]
mod tests;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The parts in `docs/api`. `shared` has what several contexts use. The texts of `info.description` keep this order. A part
/// has an introduction (`.md`), examples (`.json`), and what does not follow from the code (`.yaml`).
const PARTS: [&str; 13] = [
    "service",
    "accounts",
    "sso",
    "settings",
    "leaks",
    "sandbox",
    "signing",
    "webhooks",
    "work",
    "claims",
    "summaries",
    "documents",
    "shared",
];

/// The description of the claims interface: OpenAPI 3.0 as JSON. `docs` is the folder of that name.
pub fn claims(docs: &Path) -> Result<Value> {
    parse(&docs.join("openapi.yaml"))
}

/// The description of the wider service: OpenAPI 3.1 as JSON. `docs` is the folder of that name.
///
/// # Errors
/// Also when two parts define the same path, component or field.
pub fn accounts(docs: &Path) -> Result<Value> {
    let mut whole = frame::frame();
    for (name, part) in parts(docs)? {
        for (key, value) in part {
            merge(&mut whole, &key, value).map_err(|what| format!("docs/api/{name}.yaml: {what}"))?;
        }
    }
    let mut whole = Value::Object(whole);
    operations::add(&mut whole, docs)?;
    bundle::bundle(&mut whole, &claims(docs)?)?;
    derive::add(&mut whole)?;
    Ok(whole)
}

fn parts(docs: &Path) -> Result<Vec<(&'static str, Map<String, Value>)>> {
    PARTS.into_iter().map(|name| Ok((name, part(&docs.join("api").join(name))?))).collect()
}

fn part(path: &Path) -> Result<Map<String, Value>> {
    let (introduction, rest) = (path.with_extension("md"), path.with_extension("yaml"));
    let mut part = Map::new();
    if rest.exists() {
        match parse(&rest)? {
            Value::Object(found) => part = found,
            _ => return Err(format!("{} is not a mapping", rest.display()).into()),
        }
    }
    if introduction.exists() {
        part.insert("info".to_owned(), json!({ "description": fs::read_to_string(introduction)? }));
    }
    Ok(part)
}

/// The examples of all parts, by the name of the schema or of the operation that takes it.
fn examples(docs: &Path) -> Result<Map<String, Value>> {
    let mut all = Map::new();
    for name in PARTS {
        let path = docs.join("api").join(name).with_extension("json");
        if path.exists() {
            let found: Map<String, Value> = serde_json::from_str(&fs::read_to_string(path)?)?;
            all.extend(found);
        }
    }
    Ok(all)
}

fn parse(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(serde_saphyr::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?)
}

/// Adds one key of a part. The text of `info.description` is appended. The mappings `paths`, `components` and
/// `info` are merged; a name that two parts define is an error.
fn merge(whole: &mut Map<String, Value>, key: &str, value: Value) -> std::result::Result<(), String> {
    let there = match whole.entry(key) {
        Entry::Vacant(place) => {
            place.insert(value);
            return Ok(());
        }
        Entry::Occupied(place) => place.into_mut(),
    };
    match (key, there, value) {
        ("description", Value::String(there), Value::String(more)) => {
            there.push('\n');
            there.push_str(&more);
        }
        (
            "info" | "paths" | "components" | "schemas" | "responses" | "parameters" | "headers",
            Value::Object(there),
            Value::Object(more),
        ) => {
            for (key, value) in more {
                merge(there, &key, value)?;
            }
        }
        _ => return Err(format!("{key} is in an earlier part as well")),
    }
    Ok(())
}
