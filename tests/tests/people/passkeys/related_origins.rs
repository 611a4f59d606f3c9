use super::*;

const PATH: &str = "/.well-known/webauthn";

#[test]
fn origins_of_other_sites_are_published_and_accepted() {
    let server = Server::lasting(&json!({
        "LIMITS": "unlimited",
        "PUBLIC_URL": "https://app.overturn.example",
        "PASSKEY_ORIGINS": "https://overturn.test,https://console.overturn.example",
    }));
    let listed = server.client().get(PATH);
    listed.expect(200);
    assert_eq!(listed.header("content-type"), Some("application/json"));
    let origins = ["https://app.overturn.example", "https://overturn.test", "https://console.overturn.example"];
    assert_eq!(listed.json, json!({ "origins": origins }));
    server.client().with("If-None-Match", listed.header("etag").unwrap()).get(PATH).expect(304);
    let account = Account::of(&Tenant::new(&server), Role::Owner);
    let mut browser = signed_in(&account);
    for origin in origins {
        let mut key = Authenticator::syncing(origin);
        assert_eq!(browser.enrol(&mut key, "Key").status, 201, "{origin}");
        assert_eq!(Browser::new(&server).sign_in(&mut key).status, 200, "{origin}");
    }
    let mut evil = Authenticator::syncing("https://evil.example");
    browser.enrol(&mut evil, "Key").expect(422);
}

#[test]
fn one_site_publishes_nothing() {
    server().client().get(PATH).expect(404);
}
