//! Every route in the descriptions.

use overturn_tests::prelude::*;
use overturn_tests::project;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const DESCRIPTIONS: [&str; 2] = ["/api/v1/openapi.json", "/api/v1/openapi/accounts.json"];
/// Routes that no description lists.
const UNDESCRIBED: [(&str, &str); 5] = [
    ("/health", "GET"),
    ("/operations/cells", "GET"),
    ("/operations/reseal", "POST"),
    ("/operations/moves", "GET"),
    ("/operations/moves", "POST"),
];

/// Paths, with any id in place of `{id}`, and the methods of each.
#[must_use]
pub(super) fn routes() -> BTreeMap<String, BTreeSet<String>> {
    let id = "01a1fc69-15d5-7679-abf8-d8d7bb0bb088";
    let described = described().into_iter();
    let mut routes: BTreeMap<_, _> = described.map(|(path, methods)| (path.replace("{id}", id), methods)).collect();
    for (path, method) in UNDESCRIBED {
        routes.entry(path.into()).or_default().insert(method.into());
    }
    for methods in routes.values_mut() {
        if methods.contains("GET") {
            methods.insert("HEAD".into());
        }
    }
    routes
}

/// Paths and methods in the two descriptions.
fn described() -> BTreeMap<String, BTreeSet<String>> {
    let mut described = BTreeMap::new();
    for description in DESCRIPTIONS {
        let served = Server::shared().client().get(description);
        for (path, operations) in served.json["paths"].as_object().unwrap() {
            let methods = operations.as_object().unwrap().keys();
            let methods = methods.filter(|key| *key != "parameters");
            let methods = methods.map(|method| method.to_uppercase()).collect();
            let twice = described.insert(path.clone(), methods);
            assert_eq!(twice, None, "{path} is described twice");
        }
    }
    described
}

/// The paths below `/api` in the router's table. It is parsed as text, because native code cannot call it.
fn served() -> BTreeSet<String> {
    let table = fs::read_to_string(project::root().join("service/src/router.rs")).unwrap();
    let calls = table.split("route(").skip(1).map(str::trim_start);
    let literals = calls.filter_map(|call| call.strip_prefix('"')?.split_once('"'));
    let paths = literals.map(|(path, _)| path.to_owned());
    paths.filter(|path| path.starts_with("/api")).collect()
}

#[test]
fn the_descriptions_and_the_router_know_the_same_paths() {
    let described: BTreeSet<String> = described().into_keys().collect();
    assert_eq!(described, served());
}

#[test]
fn a_method_that_is_described_is_taken_and_one_that_is_not_is_refused() {
    let client = Server::shared().client();
    for (path, methods) in routes() {
        for method in
            ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "PURGE", "LOCK"]
        {
            let answer = client.request(method, &path, None);
            let taken = answer.status != 405;
            assert_eq!(taken, methods.contains(method), "{method} {path}");
            if !taken {
                let allow = answer.header("allow").unwrap().split(", ");
                let allow: BTreeSet<String> = allow.map(str::to_owned).collect();
                assert_eq!(allow, methods, "{method} {path}");
            }
        }
    }
}
