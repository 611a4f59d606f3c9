//! Finds mistakes in the settings of an environment, as wrangler parses them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::text;

/// The lists of an environment: the path, the key of an item's name, the names that the Worker needs to start, and the fields
/// that each environment must have for itself. The environment and its variables are lists of one item without a name.
const LISTS: [(&str, &str, &[&str], &[&str]); 12] = [
    ("", ".", &[], &["name"]),
    ("vars", ".", &[], &["PUBLIC_URL"]),
    ("d1_databases", "binding", &["DB_000"], &["database_id", "database_name"]),
    ("kv_namespaces", "binding", &["BANS", "SESSIONS"], &["id"]),
    ("durable_objects.bindings", "name", &["LIMITER"], &[]),
    ("send_email", "name", &["MAIL"], &[]),
    ("queues.producers", "binding", &["WEBHOOKS"], &["queue"]),
    ("ratelimits", "name", &["IP_LIMITER"], &["namespace_id"]),
    ("assets", "binding", &["ASSETS"], &[]),
    ("r2_buckets", "binding", &["DOCUMENTS"], &["bucket_name"]),
    ("services", "binding", &["IDENTITY"], &["service"]),
    ("migrations", "tag", &[], &[]),
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
    address(&mut found, of);
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
    for (list, key, needed, _) in LISTS {
        let lacking = needed.iter().filter(|name| !items(of, list).any(|item| item[key] == **name));
        found.extend(lacking.map(|name| format!("{list} lacks {name}")));
    }
    let told = items(of, "queues.producers").find(|item| item["binding"] == "WEBHOOKS");
    let queue = told.map_or(&Value::Null, |item| &item["queue"]);
    if !items(of, "queues.consumers").any(|item| item["queue"] == *queue) {
        found.push("queues.consumers lacks the queue of WEBHOOKS".into());
    }
    if items(of, "triggers.crons").next().is_none() {
        found.push("triggers.crons is empty: nothing finds what the queue lost".into());
    }
    cells(found, of);
    console(found, &of["assets"]);
    if of.pointer("/observability/logs/invocation_logs") != Some(&Value::Bool(false)) {
        found.push("observability.logs.invocation_logs must be false: its lines hold URLs".into());
    }
}

/// The databases of the cells: numbered from 0 without a gap, at which the Worker would stop, and each another database.
fn cells(found: &mut Vec<String>, of: &Value) {
    let all: Vec<&Value> = items(of, "d1_databases").collect();
    for (n, item) in all.iter().enumerate() {
        let expected = binding(n);
        if item["binding"] != expected {
            found.push(format!("d1_databases: {} stands where {expected} belongs", item["binding"]));
        }
        for field in ["database_id", "database_name"] {
            // A placeholder is reported as one.
            let is_own = |text: &str| !text::is_placeholder(text);
            let before = all.get(..n).unwrap_or_default().iter().position(|other| other[field] == item[field]);
            if let Some(other) = before.filter(|_| item[field].as_str().is_some_and(is_own)) {
                found.push(format!("d1_databases: {expected} has the {field} of {}", binding(other)));
            }
        }
    }
}

/// The binding of a cell.
fn binding(cell: usize) -> String {
    format!("DB_{cell:03}")
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
    for (list, key, _, own) in LISTS {
        for field in own {
            for item in items(of, list).filter(|item| !item[field].is_null()) {
                // A placeholder that two environments share is reported as a placeholder.
                let is_placeholder = item[field].as_str().is_some_and(text::is_placeholder);
                if !is_placeholder && items(theirs, list).any(|their| their[field] == item[field]) {
                    let name = item[key].as_str().map_or_else(String::new, |name| format!("[{name}]"));
                    let at = if list.is_empty() { String::new() } else { format!("{list}{name}.") };
                    found.push(format!("{at}{field} is the one of {other}"));
                }
            }
        }
    }
}

/// Settings that only one of two environments has. With such a difference, what was tested in one is not what runs in
/// the other.
fn different(found: &mut Vec<String>, (env, of): (&str, &Value), other: &str, theirs: &Value) {
    for (list, key, ..) in LISTS {
        // Production may have more cells, but then staging has several as well.
        let most = if list == "d1_databases" { 2 } else { usize::MAX };
        let names = |of| items(of, list).filter_map(|item| item[key].as_str()).take(most).collect::<BTreeSet<_>>();
        if names(of) != names(theirs) {
            found.push(format!("{list} differs between {env} and {other}"));
        }
    }
    let vars = |of: &Value| of["vars"].as_object().map(|vars| vars.keys().cloned().collect::<Vec<_>>());
    if vars(of) != vars(theirs) {
        found.push(format!("vars has other names in {env} than in {other}"));
    }
    for field in ["compatibility_date", "compatibility_flags", "main", "assets"] {
        if of[field] != theirs[field] {
            found.push(format!("{field} differs between {env} and {other}"));
        }
    }
}

/// The environment answers at the host name of its `PUBLIC_URL`, and nowhere else.
fn address(found: &mut Vec<String>, of: &Value) {
    for (name, why) in [
        ("workers_dev", "the service would answer on workers.dev as well"),
        ("preview_urls", "each uploaded version would answer at an address of its own"),
    ] {
        if of[name] != false {
            found.push(format!("{name} must be false: {why}"));
        }
    }
    // An invalid PUBLIC_URL is reported as a separate problem.
    let host = of.pointer("/vars/PUBLIC_URL").and_then(Value::as_str).and_then(|url| url.strip_prefix("https://"));
    let is_host = |route: &Value| route["custom_domain"] == true && host.is_none_or(|host| route["pattern"] == host);
    if !matches!(of["routes"].as_array().map(Vec::as_slice), Some([only]) if is_host(only)) {
        found.push("routes must have one custom domain, the host name of PUBLIC_URL".into());
    }
}

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
pub(super) fn identity(env: &str, settings: &Value, identity: &Value) -> Vec<String> {
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
