use super::*;
use serde_json::{Value, json};

const PUBLIC_URL: &str = "https://app.overturn.example";

fn read(variables: &[(&str, &str)], public_url: Option<&str>) -> Result<IdentitySettings, Wrong> {
    let value = |name: &str| {
        let found = variables.iter().find(|(of, _)| *of == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    IdentitySettings::read(value, public_url, public_url.is_none())
}

/// The variable that a value is refused for.
fn refused(variables: &[(&str, &str)]) -> &'static str {
    match read(variables, Some(PUBLIC_URL)) {
        Ok(_) => "none",
        Err((name, problem)) => {
            let values = variables.iter().filter(|(_, value)| !value.is_empty());
            for (_, value) in values {
                assert!(!problem.contains(value), "{problem}");
            }
            name
        }
    }
}

fn provider() -> Value {
    json!({ "id": "google", "name": "Google", "issuer": "https://accounts.google.example", "client_id": "us" })
}

fn providers(change: impl FnOnce(&mut Value)) -> String {
    let mut provider = provider();
    change(&mut provider);
    json!([provider]).to_string()
}

#[test]
fn without_variables_only_passkeys_are_on() {
    let settings = read(&[], Some(PUBLIC_URL)).ok().unwrap();
    assert_eq!(settings.passkeys.rp_id, "app.overturn.example");
    assert_eq!(settings.passkeys.origins, [PUBLIC_URL]);
    assert!(settings.oidc.is_empty() && settings.saml_keys.is_empty());
    assert_eq!(settings.dns_resolver, "https://cloudflare-dns.com/dns-query");
}

#[test]
fn a_page_of_this_machine_uses_passkeys_only_in_dev() {
    let dev = read(&[], None).ok().unwrap().passkeys;
    for page in ["http://localhost:8787", "http://127.0.0.1:1"] {
        let party = dev.relying_party(page);
        assert_eq!((&*party.id, &*party.origins), ("localhost", &[page.into()][..]));
    }
    let page = "http://localhost:5173";
    let further = read(&[("PASSKEY_ORIGINS", page)], None).ok().unwrap().passkeys;
    assert_eq!(further.relying_party(page).origins, [page]);
    assert_eq!(further.relying_party("http://localhost:8787").origins, [page, "http://localhost:8787"]);
    for page in ["http://evil.example", "http://localhost.evil.example", "junk"] {
        assert!(dev.relying_party(page).origins.is_empty(), "{page}");
    }
    let deployed = read(&[], Some(PUBLIC_URL)).ok().unwrap().passkeys;
    let party = deployed.relying_party("http://localhost:8787");
    assert_eq!(party.origins, [PUBLIC_URL]);
}

#[test]
fn the_relying_party_is_the_host_or_a_domain_above_it() {
    let set = |id| read(&[("PASSKEY_RP_ID", id)], Some(PUBLIC_URL));
    for id in ["app.overturn.example", "overturn.example"] {
        assert_eq!(set(id).ok().unwrap().passkeys.rp_id, id);
    }
    for id in ["", "example", "pp.overturn.example", "other.example", "."] {
        assert_eq!(refused(&[("PASSKEY_RP_ID", id)]), "PASSKEY_RP_ID", "{id}");
    }
    let further = "https://a.overturn.example, https://app.overturn.example,https://overturn.test:8443";
    let settings = read(&[("PASSKEY_ORIGINS", further)], Some(PUBLIC_URL)).ok().unwrap();
    assert_eq!(settings.passkeys.origins, [PUBLIC_URL, "https://a.overturn.example", "https://overturn.test:8443"]);
    for origins in ["", "http://a.example", "https://a.example/", "https://a.example,,"] {
        assert_eq!(refused(&[("PASSKEY_ORIGINS", origins)]), "PASSKEY_ORIGINS", "{origins}");
    }
}

#[test]
fn origins_are_published_only_if_one_is_of_another_site() {
    let published = |further: &str| {
        let variables = [("PASSKEY_RP_ID", "overturn.example"), ("PASSKEY_ORIGINS", further)];
        let settings = read(&variables, Some(PUBLIC_URL)).ok().unwrap();
        settings.passkeys.related_origins().map(<[_]>::to_vec)
    };
    assert_eq!(published("https://overturn.example"), None);
    assert_eq!(published("https://a.overturn.example:8443"), None);
    for other in ["https://overturn.test", "https://evil-overturn.example"] {
        assert_eq!(published(other), Some(vec![PUBLIC_URL.into(), other.into()]));
    }
    let alone = read(&[], Some(PUBLIC_URL)).ok().unwrap().passkeys;
    assert_eq!(alone.related_origins(), None);
}

#[test]
fn a_provider_has_the_usual_values_unless_it_sets_others() {
    let secrets = r#"{"google": "s3cret", "of one that is gone": "x"}"#;
    let variables = [("OIDC_PROVIDERS", &*json!([provider()]).to_string()), ("OIDC_SECRETS", secrets)];
    let settings = read(&variables, Some(PUBLIC_URL)).ok().unwrap();
    let google = settings.oidc_provider("google").unwrap();
    let client = google.client(format!("{PUBLIC_URL}/callback"));
    assert_eq!(google.client_secret, "s3cret");
    assert_eq!(
        (&*client.algorithms, &*client.scopes),
        (&["RS256".to_owned()][..], &["email".into(), "profile".into()][..])
    );
    assert_eq!(client.verified_claim, "email_verified");
    assert_eq!((client.domain_claim, client.local), (None, false));
    assert!(settings.oidc_provider("microsoft").is_none());
    let others = providers(|of| {
        of["algorithms"] = json!(["ES256", "EdDSA"]);
        of["scopes"] = json!(["email"]);
        of["verified_claim"] = json!("xms_edov");
        of["domain_claim"] = json!("hd");
    });
    let settings = read(&[("OIDC_PROVIDERS", &others), ("OIDC_SECRETS", secrets)], Some(PUBLIC_URL));
    let client = settings.ok().unwrap().oidc.first().unwrap().client(String::new());
    assert_eq!(
        (client.algorithms.len(), client.scopes.len(), &*client.verified_claim, client.domain_claim.as_deref()),
        (2, 1, "xms_edov", Some("hd"))
    );
}

#[test]
fn a_provider_that_is_unsafe_or_unclear_is_refused() {
    let secrets = ("OIDC_SECRETS", r#"{"google": "s3cret", "Google": "s3cret"}"#);
    for (field, value) in [
        ("id", json!("Google")),
        ("id", json!("")),
        ("id", json!("a/b")),
        ("id", json!("a".repeat(33))),
        ("name", json!(" ")),
        ("name", json!("G\noogle")),
        ("issuer", json!("http://accounts.google.example")),
        ("issuer", json!("http://localhost:9")),
        ("issuer", json!("https://10.0.0.7")),
        ("issuer", json!("https://a@accounts.google.example")),
        ("issuer", json!("https://accounts.google.example?a=b")),
        ("issuer", json!("https://accounts.google.example#a")),
        ("client_id", json!("replace with the client id")),
        ("algorithms", json!([])),
        ("algorithms", json!(["none"])),
        ("algorithms", json!(["RS256", "HS256"])),
        ("scopes", json!(["email profile"])),
        ("verified_claim", json!("")),
        ("domain_claim", json!("")),
        ("domain_claim", json!(true)),
        ("algorithm", json!("RS256")),
        ("client_id", Value::Null),
    ] {
        let text = providers(|of| of[field] = value.clone());
        assert_eq!(refused(&[("OIDC_PROVIDERS", &text), secrets]), "OIDC_PROVIDERS", "{field}: {value}");
    }
    let twice = json!([provider(), provider()]).to_string();
    assert_eq!(refused(&[("OIDC_PROVIDERS", &twice), secrets]), "OIDC_PROVIDERS");
    let one = json!([provider()]).to_string();
    for wrong in ["", "{}", r#"{"google": ""}"#, r#"{"google": "replace this"}"#, r#"["s3cret"]"#] {
        let variables = [("OIDC_PROVIDERS", &*one), ("OIDC_SECRETS", wrong)];
        assert_eq!(refused(&variables), "OIDC_SECRETS", "{wrong}");
    }
    assert_eq!(refused(&[("OIDC_PROVIDERS", &one)]), "OIDC_SECRETS");
}

#[test]
fn saml_keys_are_pem_and_the_older_ones_follow() {
    let pem = |kind: &str, text: &str| format!("-----BEGIN {kind}-----\n{text}\n-----END {kind}-----\n");
    let pair =
        |text: &str| json!([{ "key": pem("PRIVATE KEY", text), "certificate": pem("CERTIFICATE", text) }]).to_string();
    let (new, old) = (pair("bmV3"), pair("b2xk"));
    let settings = read(&[("SAML_KEYS", &new), ("SAML_OLD_KEYS", &old)], Some(PUBLIC_URL)).ok().unwrap();
    let keys: Vec<bool> = settings.saml_keys.iter().map(|key| key.key.contains("bmV3")).collect();
    assert_eq!(keys, [true, false]);
    assert_eq!(refused(&[("SAML_OLD_KEYS", &old)]), "SAML_OLD_KEYS");
    for wrong in [
        "",
        "[]",
        "{}",
        r#"[{"key": "a", "certificate": "b"}]"#,
        &new.replace("BEGIN PRIVATE", "BEGIN RSA PRIVATE"),
        &new.replace("bmV3", ""),
        &new.replace("bmV3", "replace with a key!"),
    ] {
        assert_eq!(refused(&[("SAML_KEYS", wrong)]), "SAML_KEYS", "{wrong}");
    }
}

#[test]
fn a_resolver_of_this_machine_is_for_dev_only() {
    let local = ("DNS_RESOLVER", "http://localhost:9/dns-query");
    assert_eq!(read(&[local], None).ok().unwrap().dns_resolver, local.1);
    for resolver in
        [local.1, "", "1.1.1.1", "http://dns.example/dns-query", "ftp://dns.example", "https://localhost/dns-query"]
    {
        assert_eq!(refused(&[("DNS_RESOLVER", resolver)]), "DNS_RESOLVER", "{resolver}");
    }
    assert!(read(&[("DNS_RESOLVER", "http://dns.example/dns-query")], None).is_err());
}
