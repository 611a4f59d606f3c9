//! Finds mistakes in the settings of an environment, as wrangler parses them.

mod identity;

use std::collections::BTreeMap;

use serde_json::Value;

use super::{address, text};
pub(super) use identity::identity;

/// Values that each environment must have for itself, by list and field. `.` is the environment itself.
const OWN: [(&str, &str, &str); 9] = [
    ("", ".", "name"),
    ("d1_databases", "binding", "database_id"),
    ("d1_databases", "binding", "database_name"),
    ("kv_namespaces", "binding", "id"),
    ("ratelimits", "name", "namespace_id"),
    ("queues.producers", "binding", "queue"),
    ("vars", ".", "PUBLIC_URL"),
    ("r2_buckets", "binding", "bucket_name"),
    ("services", "binding", "service"),
];

/// The bindings that the Worker needs to start: the path of the list, and the name of the binding.
const BINDINGS: [(&str, &str, &str); 10] = [
    ("d1_databases", "binding", "DB"),
    ("kv_namespaces", "binding", "BANS"),
    ("kv_namespaces", "binding", "SESSIONS"),
    ("durable_objects.bindings", "name", "LIMITER"),
    ("send_email", "name", "MAIL"),
    ("queues.producers", "binding", "WEBHOOKS"),
    ("ratelimits", "name", "IP_LIMITER"),
    ("assets", "binding", "ASSETS"),
    ("r2_buckets", "binding", "DOCUMENTS"),
    ("services", "binding", "IDENTITY"),
];

/// The variables that are secrets, and whether the Worker needs them to start.
const SECRETS: [(&str, bool); 5] = [
    ("SEALING_KEYS", true),
    ("OPERATOR_TOKEN", true),
    ("OIDC_SECRETS", false),
    ("SAML_KEYS", false),
    ("SAML_OLD_KEYS", false),
];

/// The variables that are allowed only in dev.
const DEV_ONLY: [&str; 4] = ["LIMITS", "SCANNER", "WEBHOOKS_LOCAL", "WEBHOOKS_WAITS"];

/// Every problem of `env`. `settings` has all environments by name.
pub(super) fn problems(env: &str, settings: &Value) -> Vec<String> {
    let of = &settings[env];
    let mut found = Vec::new();
    let defined = of["definedEnvironments"].as_array();
    if !defined.is_some_and(|names| names.iter().any(|name| name == env)) {
        return vec![format!("[env.{env}] is missing")];
    }
    placeholders(&mut found, env, of);
    variables(&mut found, env, of);
    scanner(&mut found, &of["vars"]);
    bindings(&mut found, of);
    found.extend(address::problems(of));
    let others = settings.as_object().into_iter().flatten();
    for (other, theirs) in others.filter(|(name, _)| *name != env) {
        shared(&mut found, of, other, theirs);
        different(&mut found, (env, of), other, theirs);
    }
    found.sort();
    found.dedup();
    found
}

fn placeholders(found: &mut Vec<String>, path: &str, value: &Value) {
    match value {
        Value::String(text) if text::is_placeholder(text) => {
            found.push(format!("{path} is a placeholder"));
        }
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                placeholders(found, &format!("{path}[{n}]"), item);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                placeholders(found, &format!("{path}.{name}"), value);
            }
        }
        _ => {}
    }
}

fn variables(found: &mut Vec<String>, env: &str, of: &Value) {
    let vars = &of["vars"];
    if vars["ENVIRONMENT"] != env {
        found.push(format!("vars.ENVIRONMENT must be {env}"));
    }
    for name in DEV_ONLY {
        if !vars[name].is_null() {
            found.push(format!("vars.{name} is for dev only"));
        }
    }
    for (secret, is_required) in SECRETS {
        if !vars[secret].is_null() {
            found.push(format!("vars.{secret} is a secret: `npx wrangler secret put`"));
        }
        let required = of.pointer("/secrets/required").and_then(Value::as_array);
        if is_required && !required.is_some_and(|names| names.iter().any(|name| name == secret)) {
            found.push(format!("secrets.required lacks {secret}"));
        }
    }
    let url = vars["PUBLIC_URL"].as_str().unwrap_or_default();
    let host = url.strip_prefix("https://").unwrap_or_default();
    if !text::is_public(host) || host.contains(['/', '@', '?', '#', ' ']) {
        found.push("vars.PUBLIC_URL must be an https origin without a path".into());
    }
    let from = vars["MAIL_FROM"].as_str().unwrap_or_default();
    let domain = from.split_once('@').map_or("", |(_, domain)| domain);
    if !text::is_public(domain) || from.contains([' ', '<', '>', ',']) {
        found.push("vars.MAIL_FROM must be an address and nothing else".into());
    }
    for (name, domain) in [("PUBLIC_URL", host), ("MAIL_FROM", domain)] {
        if is_reserved(domain) {
            found.push(format!("vars.{name} is an example"));
        }
    }
}

/// The virus scanner. The Worker also starts without one, but then every document would stay in quarantine.
fn scanner(found: &mut Vec<String>, vars: &Value) {
    let address = vars["SCANNER_ADDRESS"].as_str().unwrap_or_default();
    let host = text::host_and_port(address).map_or("", |(host, _)| host);
    if address.is_empty() {
        found.push("vars.SCANNER_ADDRESS is missing: every document would stay in quarantine".into());
    } else if !text::is_public(host) {
        found.push("vars.SCANNER_ADDRESS must be a public host name and a port".into());
    }
    if is_reserved(host) {
        found.push("vars.SCANNER_ADDRESS is an example".into());
    }
    if vars["SCANNER_TLS"] != "yes" {
        found.push("vars.SCANNER_TLS must be yes: documents may not leave in the clear".into());
    }
}

/// True if a host is of a domain that only examples have.
fn is_reserved(host: &str) -> bool {
    ["example", "example.com", "example.org", "example.net", "test"]
        .iter()
        .any(|end| host == *end || host.ends_with(&format!(".{end}")))
}

fn bindings(found: &mut Vec<String>, of: &Value) {
    for (list, key, name) in BINDINGS {
        if !items(of, list).any(|item| item[key] == name) {
            found.push(format!("{list} lacks {name}"));
        }
    }
    let told = items(of, "queues.producers").find(|item| item["binding"] == "WEBHOOKS");
    let queue = told.map_or(&Value::Null, |item| &item["queue"]);
    if !items(of, "queues.consumers").any(|item| item["queue"] == *queue) {
        found.push("queues.consumers lacks the queue of WEBHOOKS".into());
    }
    if items(of, "triggers.crons").next().is_none() {
        found.push("triggers.crons is empty: nothing finds what the queue lost".into());
    }
    console(found, &of["assets"]);
    if of.pointer("/observability/logs/invocation_logs") != Some(&Value::Bool(false)) {
        found.push("observability.logs.invocation_logs must be false: its lines hold URLs".into());
    }
}

/// The paths that the Worker answers itself. A test compares them with its routes.
pub(super) const WORKER_PATHS: [&str; 6] = ["/api/*", "/sign", "/sign/*", "/health", "/operations/*", "/.well-known/*"];

/// The settings of the console. With other ones, a browser gets the console where it asks the Worker, or a page of HTML where
/// it asks for a script.
fn console(found: &mut Vec<String>, assets: &Value) {
    for path in WORKER_PATHS {
        if !items(assets, "run_worker_first").any(|item| item == path) {
            found.push(format!("assets.run_worker_first lacks {path}"));
        }
    }
    for (field, value) in [("not_found_handling", "404-page"), ("html_handling", "none")] {
        if assets[field] != value {
            found.push(format!("assets.{field} must be {value}"));
        }
    }
}

/// Values that two environments share, although each must have its own.
fn shared(found: &mut Vec<String>, of: &Value, other: &str, theirs: &Value) {
    for (list, key, field) in OWN {
        let names = |of: &Value| -> BTreeMap<String, String> {
            let item = |item: &Value| {
                let text = item[field].as_str()?.to_owned();
                let at = item[key].as_str().map_or_else(String::new, |name| format!("[{name}]"));
                Some((text, at))
            };
            items(of, list).filter_map(item).collect()
        };
        let theirs = names(theirs);
        for (text, at) in names(of) {
            // A placeholder that two environments share is reported as a placeholder.
            if theirs.contains_key(&text) && !text::is_placeholder(&text) {
                let list = if list.is_empty() { String::new() } else { format!("{list}{at}.") };
                found.push(format!("{list}{field} is the one of {other}"));
            }
        }
    }
}

/// Settings that only one of two environments has. With such a difference, what was tested in one is not what runs in
/// the other.
fn different(found: &mut Vec<String>, (env, of): (&str, &Value), other: &str, theirs: &Value) {
    let names = |of: &Value, list: &str, key: &str| -> Vec<String> {
        let names = items(of, list).filter_map(|item| item[key].as_str().map(str::to_owned));
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    for (list, key) in [
        ("d1_databases", "binding"),
        ("kv_namespaces", "binding"),
        ("durable_objects.bindings", "name"),
        ("send_email", "name"),
        ("queues.producers", "binding"),
        ("ratelimits", "name"),
        ("r2_buckets", "binding"),
        ("services", "binding"),
        ("migrations", "tag"),
    ] {
        if names(of, list, key) != names(theirs, list, key) {
            found.push(format!("{list} differs between {env} and {other}"));
        }
    }
    let keys = |of: &Value| -> Vec<String> {
        let vars = of["vars"].as_object();
        vars.into_iter().flatten().map(|(name, _)| name.clone()).collect()
    };
    if keys(of) != keys(theirs) {
        found.push(format!("vars has other names in {env} than in {other}"));
    }
    for field in ["compatibility_date", "compatibility_flags", "main", "assets"] {
        if of[field] != theirs[field] {
            found.push(format!("{field} differs between {env} and {other}"));
        }
    }
}

/// The items of the list at a path, or the object itself if the path names one or is empty.
fn items<'v>(of: &'v Value, path: &str) -> impl Iterator<Item = &'v Value> {
    let names = path.split('.').filter(|name| !name.is_empty());
    let at = names.fold(of, |at, name| &at[name]);
    let (list, one) = match at {
        Value::Array(list) => (&list[..], None),
        Value::Object(_) => (&[][..], Some(at)),
        _ => (&[][..], None),
    };
    list.iter().chain(one)
}

#[cfg(test)]
mod tests;
