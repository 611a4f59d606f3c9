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
        "d1_databases": [{ "binding": "DB_000", "database_id": format!("d1-{n}"), "database_name": format!("overturn-{env}") }],
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
        "assets": {
            "directory": "build/assets",
            "binding": "ASSETS",
            "run_worker_first": WORKER_PATHS,
            "not_found_handling": "404-page",
            "html_handling": "none",
        },
        "ratelimits": [{ "name": "IP_LIMITER", "namespace_id": n.to_string() }],
        "r2_buckets": [{ "binding": "DOCUMENTS", "bucket_name": format!("documents-{env}") }],
        "services": [{ "binding": "IDENTITY", "service": format!("overturn-{env}-identity") }],
        "observability": { "logs": { "enabled": true, "invocation_logs": false } },
    })
}

/// The identity Worker of an environment without mistakes.
fn complete_identity(env: &str) -> Value {
    json!({ env: {
        "name": format!("overturn-{env}-identity"),
        "compatibility_date": "2026-11-01",
        "workers_dev": false,
        "preview_urls": false,
        "vars": {},
        "kv_namespaces": [],
        "durable_objects": { "bindings": [] },
        "observability": { "logs": { "enabled": true, "invocation_logs": false } },
    } })
}

fn both() -> Value {
    json!({ "staging": complete("staging", 1), "production": complete("production", 2) })
}

/// The problems of an environment after one setting is changed.
fn with(path: &str, value: Value) -> Vec<String> {
    let mut all = both();
    let (fields, name) = path.rsplit_once('/').unwrap();
    match all["production"].pointer_mut(fields).unwrap() {
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = value,
        fields => fields[name] = value,
    }
    problems("production", &all)
}

#[test]
fn complete_environments_have_no_problem() {
    for env in ["staging", "production"] {
        assert_eq!(problems(env, &both()), Vec::<String>::new());
        assert_eq!(identity(env, &both(), &complete_identity(env)), Vec::<String>::new());
    }
}

#[test]
fn every_mistake_is_named() {
    const ROUTES: &str = "routes must have one custom domain, the host name of PUBLIC_URL";
    const NO_ORIGIN: &str = "vars.PUBLIC_URL must be an https origin without a path";
    let placeholder = || json!("replace with the id that `wrangler d1 create` prints");
    for (path, value, expected) in [
        ("/d1_databases/0/database_id", placeholder(), "production.d1_databases[0].database_id is a placeholder"),
        ("/vars/PUBLIC_URL", placeholder(), "production.vars.PUBLIC_URL is a placeholder"),
        ("/kv_namespaces/0/binding", json!("OTHER"), "kv_namespaces lacks BANS"),
        ("/durable_objects/bindings", json!([]), "durable_objects.bindings lacks LIMITER"),
        ("/queues/consumers", json!([]), "queues.consumers lacks the queue of WEBHOOKS"),
        ("/assets/binding", json!("OTHER"), "assets lacks ASSETS"),
        ("/services", json!([]), "services lacks IDENTITY"),
        ("/assets/run_worker_first/1", json!("/other/*"), "assets.run_worker_first lacks /sign"),
        ("/assets/not_found_handling", json!("none"), "assets.not_found_handling must be 404-page"),
        ("/triggers/crons", json!([]), "triggers.crons is empty: nothing finds what the queue lost"),
        ("/secrets/required", json!(["SEALING_KEYS"]), "secrets.required lacks OPERATOR_TOKEN"),
        ("/vars/ENVIRONMENT", json!("staging"), "vars.ENVIRONMENT must be production"),
        ("/vars/PUBLIC_URL", json!("http://overturn-health.com"), NO_ORIGIN),
        ("/vars/PUBLIC_URL", json!("https://overturn.example"), "vars.PUBLIC_URL is an example"),
        ("/vars/MAIL_FROM", json!("overturn"), "vars.MAIL_FROM must be an address and nothing else"),
        ("/vars/MAIL_FROM", json!("a@example.com"), "vars.MAIL_FROM is an example"),
        (
            "/vars/SCANNER_ADDRESS",
            Value::Null,
            "vars.SCANNER_ADDRESS is missing: every document would stay in quarantine",
        ),
        ("/vars/SCANNER_ADDRESS", json!("10.0.0.7:3310"), "vars.SCANNER_ADDRESS must be a public host name and a port"),
        ("/vars/SCANNER_ADDRESS", json!("clamd.overturn.example:3311"), "vars.SCANNER_ADDRESS is an example"),
        ("/vars/SCANNER_TLS", json!("no"), "vars.SCANNER_TLS must be yes: documents may not leave in the clear"),
        ("/vars/LIMITS", json!("unlimited"), "vars.LIMITS is for dev only"),
        ("/vars/SCANNER", json!("none"), "vars has other names in production than in staging"),
        ("/vars/SAML_KEYS", json!("in the clear"), "vars.SAML_KEYS is a secret: `npx wrangler secret put`"),
        (
            "/observability/logs/invocation_logs",
            json!(true),
            "observability.logs.invocation_logs must be false: its lines hold URLs",
        ),
        ("/definedEnvironments", json!(["staging"]), "[env.production] is missing"),
        ("/workers_dev", json!(true), "workers_dev must be false: the service would answer on workers.dev as well"),
        (
            "/preview_urls",
            Value::Null,
            "preview_urls must be false: each uploaded version would answer at an address of its own",
        ),
        ("/routes", Value::Null, ROUTES),
        ("/routes", json!(["production.overturn-health.com/*"]), ROUTES),
        ("/routes/0/custom_domain", Value::Null, ROUTES),
        ("/routes/0/pattern", json!("www.overturn-health.com"), ROUTES),
        ("/name", json!("overturn-staging"), "name is the one of staging"),
        ("/d1_databases/0/database_id", json!("d1-1"), "d1_databases[DB_000].database_id is the one of staging"),
        ("/kv_namespaces/1/id", json!("kv-s1"), "kv_namespaces[SESSIONS].id is the one of staging"),
        // Also if another binding has it.
        ("/kv_namespaces/1/id", json!("kv-b1"), "kv_namespaces[SESSIONS].id is the one of staging"),
        ("/vars/PUBLIC_URL", json!("https://staging.overturn-health.com"), "vars.PUBLIC_URL is the one of staging"),
        ("/migrations/0/tag", json!("v2"), "migrations differs between production and staging"),
        ("/compatibility_date", json!("2026-01-01"), "compatibility_date differs between production and staging"),
    ] {
        let found = with(path, value);
        assert!(found.iter().any(|problem| problem == expected), "{path}: {found:?}");
    }
}

#[test]
fn the_identity_worker_is_the_one_that_is_bound_and_has_nothing_to_lose() {
    for (field, value, expected) in [
        (
            "name",
            json!("overturn-staging-identity"),
            "services[IDENTITY].service is not the name of the identity Worker",
        ),
        ("compatibility_date", json!("2026-01-01"), "identity: compatibility_date is not that of the service"),
        ("workers_dev", Value::Null, "identity: workers_dev must be false: only the service reaches it"),
        ("routes", json!([{ "pattern": "a.example" }]), "identity: routes must be left out"),
        ("vars", json!({ "SEALING_KEYS": "" }), "identity: vars must be left out"),
        (
            "durable_objects",
            json!({ "bindings": [{ "name": "LIMITER" }] }),
            "identity: durable_objects.bindings must be left out",
        ),
        ("observability", Value::Null, "identity: observability.logs.invocation_logs must be false"),
    ] {
        let mut its = complete_identity("production");
        its["production"][field] = value;
        assert_eq!(identity("production", &both(), &its), [expected]);
    }
}

/// The paths of the Worker's routes, from the texts of its route table.
fn routes() -> Vec<&'static str> {
    let sources = concat!(
        include_str!("../../../../../service/src/router.rs"),
        include_str!("../../../../../service/src/html/path.rs"),
    );
    let texts = sources.split('"').skip(1).step_by(2);
    texts.filter(|text| text.starts_with('/')).collect()
}

#[test]
fn every_path_of_the_worker_reaches_it_before_the_console() {
    let routes = routes();
    assert!(routes.len() > 100, "{}", routes.len());
    let reaches = |route: &str, path: &str| match path.strip_suffix('*') {
        Some(start) => route.starts_with(start),
        None => route == path,
    };
    for route in &routes {
        let reached = WORKER_PATHS.iter().any(|path| reaches(route, path));
        assert!(reached, "run_worker_first lacks {route}");
    }
    for path in WORKER_PATHS {
        let has_route = routes.iter().any(|route| reaches(route, path));
        assert!(has_route, "no route needs {path} in run_worker_first");
    }
    let settings = include_str!("../../../../../wrangler.toml");
    let list = settings.split_once("run_worker_first = [").unwrap().1;
    let list = list.split_once(']').unwrap().0;
    let listed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    assert_eq!(listed, WORKER_PATHS);
}

#[test]
fn each_cell_is_another_database_and_none_is_left_out() {
    let environment = |name: &str, n: u32, cells: &[(&str, &str)]| {
        let mut of = complete(name, n);
        let databases = cells.iter().map(|(binding, id)| {
            json!({ "binding": binding, "database_id": format!("{id}-{name}"), "database_name": format!("name-{id}-{name}") })
        });
        of["d1_databases"] = databases.collect();
        of
    };
    for (cells, expected) in [
        (&[("DB_000", "a"), ("DB_001", "b"), ("DB_002", "c")][..], &[][..]),
        (&[("DB_000", "a"), ("DB_002", "b")], &["d1_databases: \"DB_002\" stands where DB_001 belongs"]),
        (
            &[("DB_000", "a"), ("DB_001", "b"), ("DB_002", "a")],
            &[
                "d1_databases: DB_002 has the database_id of DB_000",
                "d1_databases: DB_002 has the database_name of DB_000",
            ],
        ),
    ] {
        let settings =
            json!({ "staging": environment("staging", 1, cells), "production": environment("production", 2, cells) });
        assert_eq!(problems("production", &settings), expected, "{cells:?}");
    }
}
