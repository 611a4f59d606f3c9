//! Signing in by an OpenID Connect provider, which is a real one.

use overturn_tests::account::{Account, SESSION, cookie};
use overturn_tests::mail::Inbox;
use overturn_tests::prelude::*;
use overturn_tests::providers::ProviderPerson;
use overturn_tests::sso::{
    DEMO, IDENTITIES, MFA, MIRROR, World, browser, code, continuation, is_signed_in, led, unique, waits, world,
};

const WAITING: &str = "/api/v1/auth/identities/waiting";
const CALLBACK: &str = "/api/v1/auth/oauth/demo/callback";

/// An account with a second factor whose identity at the provider is connected.
fn connected<'w>(world: &'w World, tenant: &Tenant<'w>) -> (Account<'w>, ProviderPerson) {
    let account = Account::of(tenant, Role::Member);
    let person = world.person(&account.email);
    let waiting = world.sign_in(&person);
    let page = person_of(&account);
    let connected = world.connect(&waiting, &page);
    connected.expect(201);
    (account, person)
}

/// The account as a person with a fresh session.
fn person_of<'s>(account: &Account<'s>) -> Person<'s> {
    Person::signed_in(account.server, account.id, &account.email, Some(now()))
}

/// Waits for an email with these words in its subject.
fn letter(inbox: &mut Inbox, subject: &str) {
    while !inbox.take().subject.contains(subject) {}
}

#[test]
fn an_identity_waits_until_the_signed_in_person_connects_it() {
    let world = world();
    let tenant = Tenant::new(&world.server);
    let account = Account::of(&tenant, Role::Member);
    let person = world.person(&account.email);
    let waiting = world.sign_in(&person);
    assert!(waits(&waiting));
    assert_eq!(cookie(&waiting, "__Host-oauth").as_deref(), Some(""), "the ceremony has ended");
    let identity = cookie(&waiting, "__Host-identity").unwrap();
    // Nobody else connects it, and nothing connects it by itself.
    let count = "SELECT count(*) AS n FROM identities WHERE email = ?1";
    let database = world.server.database();
    assert_eq!(database.number(count, &[&account.email]), 0);
    let stranger = Person::of(&tenant, Role::Owner);
    let refused = world.connect(&waiting, &stranger);
    refused.expect(409);
    let alone = world.client().with("Cookie", &format!("__Host-identity={identity}"));
    alone.get(WAITING).expect(401);

    let page = person_of(&account);
    let cookies = format!("__Host-session={}; __Host-identity={identity}", page.session.expose());
    let shown = world.client().with("Cookie", &cookies).get(WAITING);
    shown.expect(200);
    assert_eq!(
        shown.json,
        json!({ "id": shown.json["id"], "provider": DEMO, "provider_name": "Demo provider",
                "email": account.email })
    );
    // Another sign-in at the provider has taken its place since.
    let newer = cookie(&world.sign_in(&person), "__Host-identity").unwrap();
    let replaced = cookies.replace(&identity, &newer);
    let csrf = overturn_service::people::csrf::token(&page.session);
    let replaced = world.client().with("Cookie", &replaced);
    let body = json!({ "id": shown.json["id"] }).to_string();
    let unseen = replaced.with("X-CSRF-Token", &csrf).post(IDENTITIES, body);
    unseen.refused(409, "conflict");
    assert_eq!(unseen.json["error"]["reason"], "version_conflict");
    assert_eq!(database.number(count, &[&account.email]), 0);
    assert_eq!(page.client().get(WAITING).status, 404, "another browser");
    let mut inbox = world.server.mails_to(&account.email);
    let forged = world.client().with("Cookie", &cookies);
    let forged = forged.with("X-CSRF-Token", "x").post(IDENTITIES, "");
    forged.expect(403);
    let done = world.connect(&waiting, &page);
    done.expect(201);
    assert_eq!(cookie(&done, "__Host-identity").as_deref(), Some(""));
    letter(&mut inbox, "was added");
    assert_eq!(database.number(count, &[&account.email]), 1);
    // The waiting identity is used up.
    world.connect(&waiting, &page).expect(404);
    world.client().with("Cookie", &cookies).get(WAITING).expect(404);
    world.connect(&waiting, &stranger).expect(404);
    assert_eq!(database.number(count, &[&account.email]), 1);

    let client = page.client();
    let listed = client.get("/api/v1/auth/identities");
    let identities = listed.json["identities"].as_array().unwrap();
    assert_eq!(identities.len(), 1, "{}", listed.text());
    assert_eq!(identities[0]["provider_name"], "Demo provider");
    let id = identities[0]["id"].as_str().unwrap();
    let events = tenant.audit("identity.joined");
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["record"], id);

    // From now on the identity signs in, with the second factor.
    let asked = world.sign_in(&person);
    let browser_client = world.client();
    let done = code(&browser_client, &asked, &account);
    done.expect(200);
    let session = browser(&browser_client, &done).get(SESSION);
    assert_eq!(session.json["user"]["email"], account.email);

    let path = format!("/api/v1/auth/identities/{id}");
    stranger.client().delete(&path).expect(404);
    // A sign-in by it that waits for the second factor ends with it, and this session goes on.
    let asked = world.sign_in(&person);
    let removed = client.delete(&path);
    removed.expect(204);
    letter(&mut inbox, "was removed");
    assert_eq!(tenant.audit("identity.removed").len(), 1);
    code(&world.client(), &asked, &account).expect(401);
    let session = cookie(&removed, "__Host-session").unwrap().parse().unwrap();
    let page = Person { session, ..page };
    page.client().get(SESSION).expect(200);
    world.connect(&waiting, &page).expect(404);
    assert!(waits(&world.sign_in(&person)));
}

#[test]
fn connecting_needs_a_second_factor_shown_lately_and_the_csrf_token() {
    let world = world();
    let tenant = Tenant::new(&world.server);
    let account = Account::of(&tenant, Role::Member);
    let waiting = world.sign_in(&world.person(&account.email));
    let identity = cookie(&waiting, "__Host-identity").unwrap();
    let stale = Person::signed_in(&world.server, account.id, &account.email, None);
    let page = world.connect(&waiting, &stale);
    page.expect(402);
    assert!(page.json["continuation_token"].is_string());
    let fresh = person_of(&account);
    let session = format!("__Host-session={}", fresh.session.expose());
    let both = format!("{session}; __Host-identity={identity}");
    let client = world.client().with("Cookie", &both);
    client.post(IDENTITIES, "").expect(403);
    assert_eq!(fresh.client().post(IDENTITIES, r#"{"id":"x"}"#).status, 404, "no identity waits");
    let nothing = fresh.client().with("Cookie", &both).post(IDENTITIES, "{}");
    nothing.refused(422, "validation_failed");
    let shown = fresh.client().with("Cookie", &both).get(WAITING);
    let body = json!({ "id": shown.json["id"] }).to_string();
    let joined = fresh.client().with("Cookie", &both).post(IDENTITIES, body);
    joined.expect(201);
    assert_eq!(joined.json["provider"], DEMO);
}

#[test]
fn a_changed_answer_of_the_provider_signs_nobody_in() {
    let world = world();
    let tenant = Tenant::new(&world.server);
    let (account, person) = connected(&world, &tenant);
    let hour_ago = now().0 / 1000 - 3600;
    for (changes, reason) in [
        (json!({ "claims": { "aud": "other" } }), "audience"),
        (json!({ "claims": { "aud": ["overturn", "other"] } }), "audience"),
        (json!({ "claims": { "azp": "other" } }), "audience"),
        (json!({ "claims": { "iss": "https://evil.example" } }), "issuer"),
        (json!({ "claims": { "nonce": "other" } }), "nonce"),
        (json!({ "claims": { "nonce": null } }), "nonce"),
        (json!({ "claims": { "exp": hour_ago } }), "expired"),
        (json!({ "claims": { "sub": " " } }), "subject"),
        (json!({ "sign": "none" }), "algorithm"),
        (json!({ "sign": "HS256" }), "algorithm"),
        (json!({ "sign": "broken" }), "signature"),
        (json!({ "fail": { "/token": 400 } }), "code"),
        (json!({ "fail": { "/token": 401 } }), "configuration"),
    ] {
        world.providers.answer_with(&changes);
        let answer = world.sign_in(&person);
        world.assert_refused(&answer, reason);
    }
    world.providers.answer_with(&json!({}));
    let asked = world.sign_in(&person);
    code(&world.client(), &asked, &account).expect(200);
}

#[test]
fn an_answer_belongs_to_the_browser_that_began() {
    let world = world();
    let tenant = Tenant::new(&world.server);
    let (_, person) = connected(&world, &tenant);
    let client = world.client();
    // Without the cookie, and with that of another browser: a stolen state.
    let (own, callback) = world.at_oidc(&client, &person);
    world.assert_refused(&client.get(&callback), "not_begun");
    let (other, _) = world.begin(&client, "/api/v1/auth/oauth/demo");
    let answer = client.with("Cookie", &other).get(&callback);
    world.assert_refused(&answer, "state");
    // With another cookie's name, or an altered one.
    let value = own.strip_prefix("__Host-oauth=").unwrap();
    for cookie in [format!("__Host-saml={value}"), format!("{own}A"), "__Host-oauth=a.b".into()] {
        let answer = client.with("Cookie", &cookie).get(&callback);
        world.assert_refused(&answer, "not_begun");
    }
    let mine = client.with("Cookie", &own);
    let (path, _) = callback.split_once('?').unwrap();
    assert_eq!(path, CALLBACK);
    for (query, reason) in [("?state=x&code=x", "state"), (&callback[path.len()..].replace("iss=", "x="), "issuer")] {
        let answer = mine.get(&format!("{path}{query}"));
        world.assert_refused(&answer, reason);
    }
    // An answer for another provider than the one that the browser began with.
    let mixed = callback.replace("/demo/", &format!("/{MIRROR}/"));
    world.assert_refused(&mine.get(&mixed), "provider_mixed_up");
    // All of these have changed nothing.
    let asked = mine.get(&callback);
    assert!(!continuation(&asked).is_empty());
}

#[test]
fn a_code_and_a_state_are_used_once() {
    let world = world();
    let tenant = Tenant::new(&world.server);
    let (_, person) = connected(&world, &tenant);
    let client = world.client();
    let (cookie, address) = world.begin(&client, "/api/v1/auth/oauth/demo");
    let (first, second) = (world.back(&address, &person), world.back(&address, &person));
    assert_ne!(first, second, "two codes for one state");
    let mine = client.with("Cookie", &cookie);
    assert!(!continuation(&mine.get(&first)).is_empty());
    world.assert_refused(&mine.get(&first), "code");
    world.assert_refused(&mine.get(&second), "spent");
    // The failed attempt is in the trail of the account's practice.
    let failed = || tenant.audit("session.failed").len();
    wait::until("it failed", || failed() > 0);
    assert_eq!(failed(), 1);
    // The same for an identity that waits.
    let stranger = world.person(&format!("{}@nobody.example", unique()));
    let (cookie, address) = world.begin(&client, "/api/v1/auth/oauth/demo");
    let (first, second) = (world.back(&address, &stranger), world.back(&address, &stranger));
    let mine = client.with("Cookie", &cookie);
    assert!(waits(&mine.get(&first)));
    world.assert_refused(&mine.get(&second), "spent");
}

#[test]
fn new_keys_of_the_provider_are_fetched_once_a_minute() {
    let world = world();
    let tenant = Tenant::new(&world.server);
    let (account, person) = connected(&world, &tenant);
    let before = world.providers.asked("/jwks");
    world.providers.answer_with(&json!({ "rotate": true }));
    let asked = world.sign_in(&person);
    code(&world.client(), &asked, &account).expect(200);
    let fetched = world.providers.asked("/jwks");
    assert_eq!(fetched, before + 1);
    // A token can name any key, and must not make the service fetch in a loop.
    for _ in 0..3 {
        world.providers.answer_with(&json!({ "header": { "kid": "other" } }));
        world.assert_refused(&world.sign_in(&person), "unknown_key");
    }
    assert_eq!(world.providers.asked("/jwks"), fetched);
    world.providers.answer_with(&json!({}));
    let discovered = world.providers.asked("/.well-known/openid-configuration");
    assert!((1..=2).contains(&discovered), "{discovered} fetches, one for each id of the provider");
}

#[test]
fn a_provider_that_misbehaves_keeps_nobody_waiting() {
    let world = world();
    let client = world.client();
    for id in ["huge", "moved", "silent"] {
        let answer = client.get(&format!("/api/v1/auth/oauth/{id}"));
        assert_eq!(answer.status, 503, "{id}: {}", answer.text());
        assert!(answer.is_page());
        assert_eq!(answer.header("location"), None);
    }
    // A provider that failed a moment ago is not asked, and keeps the next person waiting even less.
    let asked = world.asked_silent();
    client.get("/api/v1/auth/oauth/silent").expect(503);
    assert_eq!((asked, world.asked_silent()), (1, 1));
    let wrong = client.get("/api/v1/auth/oauth/wrong");
    assert!(led(&wrong).starts_with("/sign-in#refused=not_accepted&"));
    let tenant = Tenant::new(&world.server);
    let (_, person) = connected(&world, &tenant);
    world.providers.answer_with(&json!({ "fail": { "/token": 500 } }));
    world.sign_in(&person).expect(503);
}

#[test]
fn a_document_without_keys_is_asked_for_again() {
    let world = world();
    let person = world.person(&format!("{}@nobody.example", unique()));
    // The second id has a key set of its own, which no other test has fetched.
    let sign_in = || {
        let client = world.client();
        let (cookie, address) = world.begin(&client, &format!("/api/v1/auth/oauth/{MIRROR}"));
        let callback = world.back(&address, &person);
        client.with("Cookie", &cookie).get(&callback)
    };
    let no_keys = json!({ "jwks": { "error": "away" } });
    world.providers.answer_with(&no_keys);
    let before = world.providers.asked("/jwks");
    sign_in().expect(503);
    sign_in().expect(503);
    assert_eq!(world.providers.asked("/jwks"), before + 1, "it rests");
    world.providers.answer_with(&json!({}));
    let rested = wait::found("it has rested", || Some(sign_in()).filter(|answer| answer.status != 503));
    assert!(waits(&rested));
    assert_eq!(world.providers.asked("/jwks"), before + 2);
}

#[test]
fn an_unknown_provider_is_not_found_for_every_step() {
    let world = world();
    let client = world.client();
    let id = "019aa307-3b5e-7c80-8e0e-0f5a3f0f1d10";
    let mut pages = Vec::new();
    for path in [
        "/api/v1/auth/oauth/unknown".to_owned(),
        "/api/v1/auth/oauth/unknown/callback?code=x&state=y".to_owned(),
        "/api/v1/auth/oauth/%2e%2e".to_owned(),
        "/api/v1/auth/saml/unknown".to_owned(),
        format!("/api/v1/auth/saml/{id}"),
    ] {
        let answer = client.get(&path);
        assert_eq!(answer.status, 404, "{path}: {}", answer.text());
        pages.push(answer.text());
    }
    let posted = client.post(&format!("/api/v1/auth/saml/{id}"), "SAMLResponse=x");
    posted.expect(404);
    pages.push(posted.text());
    assert!(pages.iter().all(|page| *page == pages[0]));
    let metadata = client.get(&format!("/api/v1/auth/saml/{id}/metadata"));
    metadata.expect(404);
    assert_eq!(metadata.json["error"]["code"], "not_found");
}

#[test]
fn a_person_without_an_account_waits_however_the_address_looks() {
    let world = world();
    let email = format!("{}@nobody.example", unique());
    let page = world.sign_in(&world.person(&email));
    assert!(waits(&page));
    let tenant = Tenant::new(&world.server);
    let account = Account::of(&tenant, Role::Member);
    let known = world.sign_in(&world.person(&account.email));
    // The answer does not show whether there is an account.
    let likeness = |answer: &Answer| {
        let names = answer.headers.iter().map(|(name, _)| name.clone());
        (led(answer).to_owned(), names.collect::<Vec<_>>())
    };
    assert_eq!(likeness(&page), likeness(&known));
}

#[test]
fn nothing_of_the_query_is_logged_or_shown() {
    let world = world();
    let client = world.client();
    let secret = format!("secret{}", unique());
    let marked = encoded(&format!("<b>{secret}"));
    let query = format!("?code={marked}&state={marked}&iss={marked}&error={marked}&error_description={marked}");
    let answer = client.get(&format!("{CALLBACK}{query}"));
    world.assert_refused(&answer, "not_begun");
    assert!(!led(&answer).contains(&secret));
    let (own, _) = world.begin(&client, "/api/v1/auth/oauth/demo");
    let answer = client.with("Cookie", &own).get(&format!("{CALLBACK}{query}"));
    world.assert_refused(&answer, "state");
    assert!(!led(&answer).contains(&secret));
    let lines = world.server.log().lines();
    assert!(!lines.iter().any(|line| line.contains(&secret)));
}

#[test]
fn the_practices_context_stands_for_the_second_factor() {
    let world = world();
    let practice = world.practice();
    let account = Account::of(&practice.tenant, Role::Member);
    let email = practice.moved(account.id);
    let strong = world.strong_person(&email);
    let page = Person::signed_in(&world.server, account.id, &email, Some(now()));
    world.connect(&world.sign_in(&strong), &page).expect(201);
    let done = world.sign_in(&strong);
    assert!(is_signed_in(&done));
    assert!(cookie(&done, "__Host-device").is_some());
    let session = browser(&world.client(), &done);
    assert_eq!(session.get(SESSION).json["session"]["kind"], "full");
    let sso = "SELECT count(*) AS n FROM sessions WHERE user_id = ?1 AND sso IS NOT NULL";
    let id = account.id.to_string();
    assert_eq!(world.server.database().number(sso, &[&id]), 1);
    // The same person without the context shows the second factor.
    let mut weak = strong.clone();
    weak.methods = vec!["pwd".into()];
    weak.context = None;
    world.providers.add(std::slice::from_ref(&weak));
    let asked = world.sign_in(&weak);
    code(&world.client(), &asked, &account).expect(200);
    assert_eq!(world.server.database().number(sso, &[&id]), 2);
    // A practice that does not trust the provider always asks.
    let elsewhere = Tenant::new(&world.server);
    let (other, person) = connected(&world, &elsewhere);
    let mut strong = person.clone();
    strong.methods = vec![MFA.into()];
    world.providers.add(std::slice::from_ref(&strong));
    let asked = world.sign_in(&strong);
    code(&world.client(), &asked, &other).expect(200);
    let id = other.id.to_string();
    assert_eq!(world.server.database().number(sso, &[&id]), 0);
}

#[test]
fn the_list_of_providers_says_nothing_about_accounts() {
    let world = world();
    let client = world.client();
    let list = |query: &str| client.get(&format!("/api/v1/auth/providers{query}")).json;
    let installed = list("");
    let first = &installed["providers"][0];
    assert_eq!(first, &json!({ "id": DEMO, "name": "Demo provider", "url": "/api/v1/auth/oauth/demo" }));
    let practice = world.practice();
    let saml = practice.saml(false).to_string();
    let domain = practice.domain.to_uppercase();
    let of = list(&format!("?domain={domain}"));
    let urls: Vec<&Value> = of["providers"].as_array().unwrap().iter().map(|of| &of["url"]).collect();
    let saml = Value::from(format!("/api/v1/auth/saml/{saml}"));
    assert!(urls.contains(&&saml) && urls.contains(&&Value::from("/api/v1/auth/oauth/demo")), "{urls:?}");
    for nobody in ["?domain=nobody.example", "?domain=", "?domain=%00", "?domain=a%20b"] {
        assert_eq!(list(nobody), json!({ "providers": [] }), "{nobody}");
    }
}
