//! Finds mistakes in the settings of the identity Worker.

use serde_json::Value;

use super::items;

/// Settings by which a Worker reaches something, or something reaches it.
const REACHES: [&str; 14] = [
    "route",
    "routes",
    "vars",
    "secrets.required",
    "d1_databases",
    "kv_namespaces",
    "r2_buckets",
    "durable_objects.bindings",
    "services",
    "send_email",
    "queues.producers",
    "queues.consumers",
    "triggers.crons",
    "assets",
];

/// Every problem of the identity Worker of `env`, by its own settings and those of the service. It reads what anybody sends,
/// so nothing else may reach it, and it may reach nothing.
pub(in crate::deploy) fn identity(env: &str, settings: &Value, identity: &Value) -> Vec<String> {
    let (of, its) = (&settings[env], &identity[env]);
    let mut found = Vec::new();
    let bound = items(of, "services").find(|item| item["binding"] == "IDENTITY");
    if bound.is_some_and(|item| item["service"] != its["name"]) {
        found.push("services[IDENTITY].service is not the name of the identity Worker".into());
    }
    if its["compatibility_date"] != of["compatibility_date"] {
        found.push("identity: compatibility_date is not that of the service".into());
    }
    for name in ["workers_dev", "preview_urls"] {
        if its[name] != false {
            found.push(format!("identity: {name} must be false: only the service reaches it"));
        }
    }
    for name in REACHES {
        let at = name.split('.').fold(its, |at, name| &at[name]);
        let is_empty = match at {
            Value::Array(list) => list.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            other => other.is_null(),
        };
        if !is_empty {
            found.push(format!("identity: {name} must be left out"));
        }
    }
    if its.pointer("/observability/logs/invocation_logs") != Some(&Value::Bool(false)) {
        found.push("identity: observability.logs.invocation_logs must be false".into());
    }
    found
}
