//! Every closed list of the descriptions has exactly the names of a type.
//!
//! A place is the name of the part, and the path of the list in it, without `/components/schemas/` and `properties`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use overturn_core::claims::identity::Mismatch;
use overturn_core::claims::{ClaimStatus, PlanType};
use overturn_service::plan::sandbox::SandboxAdvice;
use overturn_service::plan::signing::SigningStatus;
use overturn_service::request::reason::ErrorCode;
use serde_json::{Value, json};

type Bound = Vec<(&'static str, Vec<Value>)>;

/// The names of all variants, or of some.
macro_rules! names {
    ($type:ident) => {
        names!($type::ALL)
    };
    ($type:ident: $($variant:ident)+) => {
        names!([$($type::$variant),+])
    };
    ($variants:expr) => {
        Vec::from_iter($variants.into_iter().map(|one| Value::from(one.name())))
    };
}

/// The texts of refused items. A new one does not compile before it is here.
fn refusals() -> Vec<Value> {
    let text = |one: Mismatch| match one {
        Mismatch::DifferentPatient | Mismatch::DifferentClaim => one.message().into(),
    };
    [Mismatch::DifferentPatient, Mismatch::DifferentClaim].map(text).into()
}

/// Names of WebAuthn, of HTTP, and of the interface's flat errors and agreements, which have one value each.
fn of_standards() -> Bound {
    let fixed = |names: &[&str]| names.iter().map(|name| Value::from(*name)).collect();
    vec![
        ("openapi /components/headers/WwwAuthenticate/schema", fixed(&["Bearer"])),
        ("openapi ErrorResponse/code", fixed(&["baa_required"])),
        ("openapi SendResponse/advice/items/code", names!(SandboxAdvice)),
    ]
}

fn of_claims() -> Bound {
    vec![
        ("openapi PlanType", names!(PlanType)),
        ("openapi ResultItem/error", refusals()),
        ("openapi Signing/status", names!(SigningStatus)),
        ("openapi ClaimStatus", names!(ClaimStatus)),
    ]
}

fn of_work() -> Bound {
    vec![("work ClaimMove/oneOf/0/status", names!(ClaimStatus: Received Reviewing))]
}

fn of_errors() -> Bound {
    vec![
        ("documents FileTooLargeError/error/allOf/1/code", names!(ErrorCode: FileTooLarge)),
        ("documents FileRefusedError/error/allOf/1/code", names!(ErrorCode: ValidationFailed VirusDetected)),
    ]
}

/// The closed lists of a value. Examples describe nothing.
fn closed(value: &Value, path: &str, found: &mut BTreeMap<String, Vec<Value>>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::Array(names)) = fields.get("enum") {
                found.insert(path.to_owned(), names.clone());
            }
            for (key, value) in fields {
                if !matches!(key.as_str(), "enum" | "example" | "examples") {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    closed(value, &format!("{path}/{key}"), found);
                }
            }
        }
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                closed(item, &format!("{path}/{n}"), found);
            }
        }
        _ => {}
    }
}

fn described() -> BTreeMap<String, Vec<Value>> {
    let docs = Path::new(super::DOCS);
    let parts = super::parts(docs).unwrap().into_iter();
    let parts = parts.map(|(name, part)| (name, Value::Object(part)));
    let mut described = BTreeMap::new();
    for (name, part) in parts.chain([("openapi", super::claims(docs).unwrap())]) {
        let mut found = BTreeMap::new();
        closed(&part, "", &mut found);
        for (path, names) in found {
            let path = path.replace("/properties/", "/");
            let short = path.strip_prefix("/components/schemas/");
            described.insert(format!("{name} {}", short.unwrap_or(&path)), names);
        }
    }
    described
}

#[test]
fn every_closed_list_has_the_names_of_its_type() {
    let described = described();
    let bound = [of_standards(), of_claims(), of_work(), of_errors()];
    let bound: BTreeMap<_, _> = bound.into_iter().flatten().collect();
    let at = described.keys().map(String::as_str);
    let unbound: Vec<_> = at.filter(|at| !bound.contains_key(at)).collect();
    assert!(unbound.is_empty(), "bind to a type: {unbound:?}");
    let gone: Vec<_> = bound.keys().filter(|at| !described.contains_key(**at)).collect();
    assert!(gone.is_empty(), "no longer described: {gone:?}");
    let set = |names: &[Value]| names.iter().map(Value::to_string).collect::<BTreeSet<_>>();
    for (at, names) in &described {
        assert_eq!(set(names), set(&bound[at.as_str()]), "{at}: described, and of the type");
    }
}

#[test]
fn a_closed_list_is_found_wherever_it_is() {
    let schema = json!({
        "a": {"enum": ["x"], "properties": {"b/c": [{"enum": [1]}]}},
        "example": {"enum": ["no"]},
    });
    let mut found = BTreeMap::new();
    closed(&schema, "", &mut found);
    let expected = [("/a", json!("x")), ("/a/properties/b~1c/0", json!(1))];
    let expected = expected.map(|(path, name)| (path.to_owned(), vec![name]));
    assert_eq!(found, expected.into());
}
