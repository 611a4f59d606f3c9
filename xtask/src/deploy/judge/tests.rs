use super::*;
use serde_json::json;

/// An environment without mistakes.
fn complete(env: &str, n: u32) -> Value {
    json!({
        "definedEnvironments": ["staging", "production"],
        "name": format!("overturn-{env}"),
        "main": "/build/index.js",
        "compatibility_date": "2026-11-01",
        "vars": {
            "ENVIRONMENT": env,
            "MAIL_FROM": "letters@overturn-health.com",
            "PUBLIC_URL": format!("https://{env}.overturn-health.com"),
            "SCANNER_ADDRESS": "clamd.overturn-health.com:3311",
            "SCANNER_TLS": "yes",
        },
        "workers_dev": false,
        "preview_urls": false,
        "routes": [{ "pattern": format!("{env}.overturn-health.com"), "custom_domain": true }],
        "secrets": { "required": ["SEALING_KEYS", "OPERATOR_TOKEN"] },
        "d1_databases": [{ "binding": "DB", "database_id": format!("d1-{n}"), "database_name": format!("overturn-{env}") }],
        "kv_namespaces": [
            { "binding": "BANS", "id": format!("kv-b{n}") },
            { "binding": "SESSIONS", "id": format!("kv-s{n}") },
        ],
        "durable_objects": { "bindings": [{ "name": "LIMITER", "class_name": "Limiter" }] },
        "migrations": [{ "tag": "v1" }],
        "send_email": [{ "name": "MAIL" }],
        "queues": {
            "producers": [{ "binding": "WEBHOOKS", "queue": format!("q-{env}") }],
            "consumers": [{ "queue": format!("q-{env}") }],
        },
        "triggers": { "crons": ["* * * * *"] },
        "assets": { "directory": "build/assets", "binding": "ASSETS", "run_worker_first": true },
        "ratelimits": [{ "name": "IP_LIMITER", "namespace_id": n.to_string() }],
        "r2_buckets": [{ "binding": "DOCUMENTS", "bucket_name": format!("documents-{env}") }],
        "observability": { "logs": { "enabled": true, "invocation_logs": false } },
    })
}

fn both() -> Value {
    json!({ "staging": complete("staging", 1), "production": complete("production", 2) })
}

/// The problems of production after one setting is changed.
fn with(path: &str, value: Value) -> Vec<String> {
    let mut all = both();
    *all["production"].pointer_mut(path).unwrap() = value;
    problems("production", &all)
}

#[test]
fn complete_environments_have_no_problem() {
    for env in ["staging", "production"] {
        assert!(
            problems(env, &both()).is_empty(),
            "{:?}",
            problems(env, &both())
        );
    }
}

#[test]
fn a_placeholder_is_reported_in_every_setting_without_its_text() {
    let id = json!("replace with the id that `wrangler d1 create` prints");
    let found = with("/d1_databases/0/database_id", id);
    assert_eq!(
        found,
        ["production.d1_databases[0].database_id is a placeholder"]
    );
    let found = with("/vars/PUBLIC_URL", json!("replace with the origin"));
    assert_eq!(
        found,
        [
            "production.vars.PUBLIC_URL is a placeholder",
            "vars.PUBLIC_URL must be an https origin without a path"
        ]
    );
}

#[test]
fn every_binding_variable_and_list_that_is_missing_is_named() {
    for (path, value, expected) in [
        (
            "/kv_namespaces/0/binding",
            json!("OTHER"),
            "kv_namespaces lacks BANS",
        ),
        (
            "/durable_objects/bindings",
            json!([]),
            "durable_objects.bindings lacks LIMITER",
        ),
        (
            "/queues/consumers",
            json!([]),
            "queues.consumers lacks the queue of WEBHOOKS",
        ),
        ("/assets/binding", json!("OTHER"), "assets lacks ASSETS"),
        ("/r2_buckets", json!([]), "r2_buckets lacks DOCUMENTS"),
        (
            "/assets/run_worker_first",
            json!(["/api/*"]),
            "assets.run_worker_first must be true: the Worker answers every path",
        ),
        (
            "/triggers/crons",
            json!([]),
            "triggers.crons is empty: nothing finds what the queue lost",
        ),
        (
            "/secrets/required",
            json!(["SEALING_KEYS"]),
            "secrets.required lacks OPERATOR_TOKEN",
        ),
        (
            "/vars/ENVIRONMENT",
            json!("staging"),
            "vars.ENVIRONMENT must be production",
        ),
        (
            "/vars/PUBLIC_URL",
            json!("http://overturn-health.com"),
            "vars.PUBLIC_URL must be an https origin without a path",
        ),
        (
            "/vars/PUBLIC_URL",
            json!("https://overturn.example"),
            "vars.PUBLIC_URL is an example",
        ),
        (
            "/vars/MAIL_FROM",
            json!("overturn"),
            "vars.MAIL_FROM must be an address and nothing else",
        ),
        (
            "/vars/MAIL_FROM",
            json!("a@example.com"),
            "vars.MAIL_FROM is an example",
        ),
        (
            "/vars/SCANNER_ADDRESS",
            Value::Null,
            "vars.SCANNER_ADDRESS is missing: every document would stay in quarantine",
        ),
        (
            "/vars/SCANNER_ADDRESS",
            json!("10.0.0.7:3310"),
            "vars.SCANNER_ADDRESS must be a public host name and a port",
        ),
        (
            "/vars/SCANNER_ADDRESS",
            json!("clamd.overturn.example:3311"),
            "vars.SCANNER_ADDRESS is an example",
        ),
        (
            "/vars/SCANNER_TLS",
            json!("no"),
            "vars.SCANNER_TLS must be yes: documents may not leave in the clear",
        ),
        (
            "/observability/logs/invocation_logs",
            json!(true),
            "observability.logs.invocation_logs must be false: its lines hold URLs",
        ),
        (
            "/definedEnvironments",
            json!(["staging"]),
            "[env.production] is missing",
        ),
    ] {
        let found = with(path, value);
        assert!(
            found.iter().any(|problem| problem == expected),
            "{path}: {found:?}"
        );
    }
    let mut all = both();
    all["production"]["vars"]["LIMITS"] = json!("unlimited");
    all["production"]["vars"]["SCANNER"] = json!("none");
    all["production"]["vars"]["OPERATOR_TOKEN"] = json!("in the clear");
    let found = problems("production", &all);
    for expected in [
        "vars.LIMITS is for dev only",
        "vars.SCANNER is for dev only",
        "vars.OPERATOR_TOKEN is a secret: `npx wrangler secret put`",
        "vars has other names in production than in staging",
    ] {
        assert!(found.iter().any(|problem| problem == expected), "{found:?}");
    }
}

#[test]
fn shared_and_different_settings_of_two_environments_are_named() {
    for (path, value, expected) in [
        (
            "/name",
            json!("overturn-staging"),
            "name is the one of staging",
        ),
        (
            "/d1_databases/0/database_id",
            json!("d1-1"),
            "d1_databases[DB].database_id is the one of staging",
        ),
        (
            "/kv_namespaces/1/id",
            json!("kv-s1"),
            "kv_namespaces[SESSIONS].id is the one of staging",
        ),
        // Also if another binding has it.
        (
            "/kv_namespaces/1/id",
            json!("kv-b1"),
            "kv_namespaces[SESSIONS].id is the one of staging",
        ),
        (
            "/ratelimits/0/namespace_id",
            json!("1"),
            "ratelimits[IP_LIMITER].namespace_id is the one of staging",
        ),
        (
            "/r2_buckets/0/bucket_name",
            json!("documents-staging"),
            "r2_buckets[DOCUMENTS].bucket_name is the one of staging",
        ),
        (
            "/queues/producers/0/queue",
            json!("q-staging"),
            "queues.producers[WEBHOOKS].queue is the one of staging",
        ),
        (
            "/vars/PUBLIC_URL",
            json!("https://staging.overturn-health.com"),
            "vars.PUBLIC_URL is the one of staging",
        ),
        (
            "/migrations/0/tag",
            json!("v2"),
            "migrations differs between production and staging",
        ),
        (
            "/compatibility_date",
            json!("2026-01-01"),
            "compatibility_date differs between production and staging",
        ),
    ] {
        let found = with(path, value);
        assert!(
            found.iter().any(|problem| problem == expected),
            "{path}: {found:?}"
        );
    }
}
