//! What `cargo xtask dev --sso` adds to the demo data.

use overturn_tests::account::{Account, cookie};
use overturn_tests::prelude::*;
use overturn_tests::project;
use overturn_tests::providers::{ProviderPerson, Providers};
use overturn_tests::sso::is_signed_in;
use std::fs;

#[test]
fn a_person_without_an_account_joins_the_demo_practice_by_its_provider() {
    let providers = Providers::with_resolver();
    let server = Server::start(State::fresh(), &providers.vars());
    let tenant = Tenant::new(&server);
    let owner = Account::of(&tenant, Role::Owner);
    let added = add_to_practice(&server, &providers, &owner);
    let domain = owner.email.split('@').nth(1).unwrap();
    let email = format!("new.person@{domain}");
    providers.add(&[ProviderPerson::new("new", &email)]);

    let path = format!("/api/v1/auth/saml/{}", added["id"].as_str().unwrap());
    // The provider reads the service's metadata at this address.
    let host = format!("127.0.0.1:{}", server.port());
    let client = server.client().with("Host", &host);
    let begun = client.get(&path);
    begun.expect(302);
    let address = begun.header("location").unwrap();
    let form = providers.sign_in_saml(address, "new");
    let ceremony = cookie(&begun, "__Host-saml").unwrap();
    let body = format!("SAMLResponse={}&RelayState={}", encoded(&form.response), encoded(&form.relay_state));
    let client = client
        .with("Cookie", &format!("__Host-saml={ceremony}"))
        .with("Content-Type", "application/x-www-form-urlencoded");
    let done = client.post(&path, body);
    assert!(is_signed_in(&done));
}

/// Runs the script of `cargo xtask dev --sso`. Returns the provider that it added.
fn add_to_practice(server: &Server, providers: &Providers, owner: &Account) -> Value {
    let folder = server.state().folder();
    let (demo, done) = (folder.join("demo.json"), folder.join("demo-sso.json"));
    let user = json!({ "email": owner.email, "password": owner.password });
    let url = format!("http://127.0.0.1:{}", server.port());
    let content = json!({ "base_url": url, "users": { "owner": user } });
    fs::write(&demo, content.to_string()).unwrap();
    let mut command = project::command(&project::node());
    command
        .arg("tools/dev/sso.mjs")
        .args([&demo, &done])
        .env("CODE", owner.code(0))
        .env("METADATA", providers.metadata())
        .env("RECORDS", providers.records());
    let ended = command.output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{said}");
    serde_json::from_str(&fs::read_to_string(done).unwrap()).unwrap()
}
