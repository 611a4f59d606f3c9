//! Checks that an environment answers at the host name of its `PUBLIC_URL`, and nowhere else.

use serde_json::Value;

/// The problems of an environment, as wrangler parses it.
pub(super) fn problems(of: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (name, why) in [
        ("workers_dev", "the service would answer on workers.dev as well"),
        ("preview_urls", "each uploaded version would answer at an address of its own"),
    ] {
        if of.get(name) != Some(&Value::Bool(false)) {
            found.push(format!("{name} must be false: {why}"));
        }
    }
    let public = of.pointer("/vars/PUBLIC_URL").and_then(Value::as_str);
    let host = public.and_then(|url| url.strip_prefix("https://"));
    let routes = of.get("routes").and_then(Value::as_array);
    // An invalid PUBLIC_URL is reported as a separate problem.
    let is_host = |route: &Value| {
        let pattern = route.get("pattern").and_then(Value::as_str);
        route.get("custom_domain") == Some(&Value::Bool(true)) && (host.is_none() || pattern == host)
    };
    match routes.map(Vec::as_slice) {
        Some([only]) if is_host(only) => {}
        _ => found.push("routes must have one custom domain, the host name of PUBLIC_URL".into()),
    }
    found
}

#[cfg(test)]
mod tests {
    use super::problems;
    use serde_json::{Value, json};

    fn environment() -> Value {
        json!({
            "workers_dev": false,
            "preview_urls": false,
            "routes": [{ "pattern": "claims.overturn-health.com", "custom_domain": true }],
            "vars": { "PUBLIC_URL": "https://claims.overturn-health.com" },
        })
    }

    #[test]
    fn an_environment_answers_at_its_host_name_only() {
        assert!(problems(&environment()).is_empty());
        for (name, value) in [
            ("workers_dev", json!(true)),
            ("workers_dev", Value::Null),
            ("preview_urls", Value::Null),
            ("routes", json!([])),
            ("routes", json!(["claims.overturn-health.com/*"])),
            ("routes", json!([{ "pattern": "claims.overturn-health.com" }])),
            ("routes", json!([{ "pattern": "www.overturn-health.com", "custom_domain": true }])),
            ("routes", Value::Null),
        ] {
            let mut changed = environment();
            changed[name] = value;
            assert_eq!(problems(&changed).len(), 1, "{changed}");
        }
    }
}
