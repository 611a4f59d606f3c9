use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::{merge, parts};

/// Components that each part defines, and those that it uses, as `kind/name`.
struct Part {
    name: &'static str,
    defined: BTreeSet<String>,
    used: BTreeSet<String>,
}

fn read() -> Vec<Part> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let part = |(name, part): (_, Map<String, Value>)| {
        let mut used = BTreeSet::new();
        references(&part.clone().into(), &mut used);
        Part {
            name,
            defined: defined(&part),
            used,
        }
    };
    parts(&docs).unwrap().into_iter().map(part).collect()
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
    let shared = &parts
        .iter()
        .find(|part| part.name == "shared")
        .unwrap()
        .defined;
    for part in &parts {
        for component in &part.used {
            assert!(
                part.defined.contains(component) || shared.contains(component),
                "{} uses {component}, which is neither its own nor shared",
                part.name
            );
        }
    }
}

#[test]
fn every_component_is_used() {
    let parts = read();
    let mut users = BTreeMap::<&str, usize>::new();
    for component in parts.iter().flat_map(|part| &part.used) {
        *users.entry(component).or_default() += 1;
    }
    for component in parts.iter().flat_map(|part| &part.defined) {
        assert!(
            users.contains_key(component.as_str()),
            "nothing uses {component}"
        );
    }
}

#[test]
fn parts_are_joined_in_their_order_and_a_name_in_two_of_them_is_refused() {
    let mut whole = Map::new();
    merge(&mut whole, "tags", json!(["a"])).unwrap();
    merge(
        &mut whole,
        "info",
        json!({"description": "One.\n", "title": "T"}),
    )
    .unwrap();
    merge(&mut whole, "tags", json!(["b"])).unwrap();
    merge(&mut whole, "info", json!({"description": "Two.\n"})).unwrap();
    merge(&mut whole, "paths", json!({"/one": {"get": 1}})).unwrap();
    merge(&mut whole, "paths", json!({"/two": {"get": 2}})).unwrap();
    let joined = json!({
        "tags": ["a", "b"],
        "info": {"description": "One.\n\nTwo.\n", "title": "T"},
        "paths": {"/one": {"get": 1}, "/two": {"get": 2}},
    });
    assert_eq!(Value::from(whole.clone()), joined);

    for (key, again) in [
        ("paths", json!({"/one": {"post": 3}})),
        ("info", json!({"title": "U"})),
        ("openapi", json!("3.1.0")),
    ] {
        let mut whole = whole.clone();
        whole.insert("openapi".to_owned(), json!("3.1.0"));
        assert!(merge(&mut whole, key, again).is_err(), "{key}");
    }
}
