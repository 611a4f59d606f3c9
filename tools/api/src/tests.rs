use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::bundle::{OUTSIDE, bundle};
use super::{accounts, claims, merge, parts};

const DOCS: &str = "../../docs";

/// Components that each part defines, and those that it uses, as `kind/name`.
struct Part {
    name: &'static str,
    defined: BTreeSet<String>,
    used: BTreeSet<String>,
}

fn read() -> Vec<Part> {
    let docs = Path::new(DOCS);
    let part = |(name, part): (_, Map<String, Value>)| {
        let mut used = BTreeSet::new();
        references(&part.clone().into(), &mut used);
        Part { name, defined: defined(&part), used }
    };
    parts(docs).unwrap().into_iter().map(part).collect()
}

fn defined(part: &Map<String, Value>) -> BTreeSet<String> {
    let kinds = part.get("components").and_then(Value::as_object);
    kinds
        .into_iter()
        .flatten()
        .filter(|(kind, _)| *kind != "securitySchemes")
        .flat_map(|(kind, components)| {
            let names = components.as_object().unwrap().keys();
            names.map(move |name| format!("{kind}/{name}"))
        })
        .collect()
}

fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value.as_str()) {
                    ("$ref", Some(target)) => {
                        found.insert(target.trim_start_matches("#/components/").to_owned());
                    }
                    _ => references(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[test]
fn a_context_uses_only_its_own_components_and_shared_ones() {
    let parts = read();
    for part in &parts {
        let others = parts.iter().filter(|other| ![part.name, "shared"].contains(&other.name));
        let others: Vec<_> = others.collect();
        for component in &part.used {
            // What no part defines is a declared body.
            let of_another = others.iter().find(|other| other.defined.contains(component));
            assert!(of_another.is_none(), "{} uses {component}, which is neither its own nor shared", part.name);
        }
    }
}

#[test]
fn the_joined_description_has_every_component_that_it_uses() {
    let docs = Path::new(DOCS);
    let whole = accounts(docs).unwrap();
    let mut used = BTreeSet::new();
    references(&whole, &mut used);
    for component in &used {
        let there = whole.pointer(&format!("/components/{component}"));
        assert!(there.is_some(), "{component}");
    }
    assert!(used.contains("schemas/ClaimsSendRequest"));
    assert!(claims(docs).unwrap().pointer("/components/schemas/SendRequest").is_some());
}

#[test]
fn schemas_of_the_claims_interface_come_along_with_what_they_use() {
    let claims = json!({"components": {"schemas": {
        "Sent": {"properties": {"of": {"$ref": "#/components/schemas/Part"}, "example": {"type": "string"}}},
        "Part": {"type": "string", "nullable": true, "example": "a"},
        "Other": {},
    }}});
    let reference = json!({"$ref": format!("{OUTSIDE}Sent")});
    let mut whole = json!({"paths": [reference], "components": {"schemas": {"Part": 1}}});
    bundle(&mut whole, &claims).unwrap();
    let expected = json!({
        "paths": [{"$ref": "#/components/schemas/ClaimsSent"}],
        "components": {"schemas": {
            "Part": 1,
            "ClaimsSent": {"properties": {"of": {"$ref": "#/components/schemas/ClaimsPart"}, "example": {"type": "string"}}},
            "ClaimsPart": {"type": ["string", "null"], "examples": ["a"]},
        }},
    });
    assert_eq!(whole, expected);
    let mut unknown = json!({"paths": {"$ref": format!("{OUTSIDE}Missing")}, "components": {"schemas": {}}});
    assert!(bundle(&mut unknown, &claims).is_err());
}

/// A doc comment that callers read has no words of Rust.
#[test]
fn the_prose_is_for_callers() {
    fn read(value: &Value, path: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    let at = format!("{path}/{key}");
                    match (key.as_str(), value.as_str()) {
                        ("description" | "summary", Some(text))
                            if ["[`", "`None`", "`Some`", "::"].iter().any(|word| text.contains(word)) =>
                        {
                            found.push(at);
                        }
                        _ => read(value, &at, found),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| read(item, path, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    read(&accounts(Path::new(DOCS)).unwrap(), "", &mut found);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn every_read_of_json_takes_the_tag_of_what_the_caller_has() {
    let whole = accounts(Path::new(DOCS)).unwrap();
    let paths = whole["paths"].as_object().unwrap().iter();
    let answers = paths.map(|(path, operations)| (path, &operations["get"]["responses"]));
    let reads = answers.filter(|(_, answers)| answers["200"]["content"]["application/json"].is_object());
    let (tagged, others): (Vec<_>, Vec<_>) = reads.partition(|(_, answers)| answers["304"].is_object());
    assert!(tagged.len() > 50 && others.is_empty(), "{others:?}");
}

#[test]
fn a_table_over_all_practices_says_in_a_header_which_databases_are_missing() {
    let whole = accounts(Path::new(DOCS)).unwrap();
    let header = |path: &str| whole["paths"][path]["get"]["responses"]["200"]["headers"]["X-Missing-Cells"].is_object();
    assert!(header("/api/v1/staff/claims") && header("/api/v1/staff/audit"));
    assert!(!header("/api/v1/denials"));
}

#[test]
fn every_component_is_used() {
    let mut used = BTreeSet::new();
    let whole = accounts(Path::new(DOCS)).unwrap();
    references(&whole, &mut used);
    for component in defined(whole.as_object().unwrap()) {
        assert!(used.contains(&component), "nothing uses {component}");
    }
}

#[test]
fn parts_are_joined_in_their_order_and_a_name_in_two_of_them_is_refused() {
    let mut whole = Map::new();
    merge(&mut whole, "info", json!({"description": "One.\n", "title": "T"})).unwrap();
    merge(&mut whole, "info", json!({"description": "Two.\n"})).unwrap();
    merge(&mut whole, "paths", json!({"/one": {"get": 1}})).unwrap();
    merge(&mut whole, "paths", json!({"/two": {"get": 2}})).unwrap();
    let joined = json!({
        "info": {"description": "One.\n\nTwo.\n", "title": "T"},
        "paths": {"/one": {"get": 1}, "/two": {"get": 2}},
    });
    assert_eq!(Value::from(whole.clone()), joined);

    for (key, again) in
        [("paths", json!({"/one": {"post": 3}})), ("info", json!({"title": "U"})), ("openapi", json!("3.1.0"))]
    {
        let mut whole = whole.clone();
        whole.insert("openapi".to_owned(), json!("3.1.0"));
        assert!(merge(&mut whole, key, again).is_err(), "{key}");
    }
}

mod bodies;
mod lists;

/// The types of webhook messages are written by hand.
#[test]
fn the_client_in_typescript_knows_every_kind_of_message() {
    let types = std::fs::read_to_string("../../clients/typescript/src/webhooks.ts").unwrap();
    for kind in overturn_core::webhooks::message::MessageKind::ALL {
        assert!(types.contains(&format!("Event<\"{}\"", kind.name())), "{}", kind.name());
    }
}
