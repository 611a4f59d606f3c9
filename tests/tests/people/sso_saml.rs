//! Signing in by the SAML provider of a practice, which is a real one.

use data_encoding::BASE64;
use overturn_core::base::id::SsoProviderId;
use overturn_core::base::time::Time;
use overturn_tests::account::{Account, SESSION, cookie};
use overturn_tests::prelude::*;
use overturn_tests::providers::{ProviderPerson, SamlForm};
use overturn_tests::saml::SamlResponse;
use overturn_tests::sso::{
    Practice, World, browser, code, continuation, is_signed_in, led, member, unique, waits, world,
};

fn path(provider: SsoProviderId) -> String {
    format!("/api/v1/auth/saml/{provider}")
}

/// Posts a form as the provider's page makes the browser do.
fn post(client: &Client, path: &str, form: &SamlForm) -> Answer {
    let body = format!("SAMLResponse={}&RelayState={}", encoded(&form.response), encoded(&form.relay_state));
    client
        .with("Content-Type", "application/x-www-form-urlencoded")
        .with("Origin", "https://idp.example")
        .with("Sec-Fetch-Site", "cross-site")
        .post(path, body)
}

/// Begins a sign-in, and signs the person in at the provider. Returns the cookie and the form.
fn at_provider(world: &World, provider: SsoProviderId, person: &ProviderPerson) -> (String, SamlForm) {
    let (cookie, address) = world.begin(&world.client(), &path(provider));
    let form = world.providers.sign_in_saml(&address, &person.id);
    assert!(form.action.ends_with(&path(provider)), "{}", form.action);
    (cookie, form)
}

fn sign_in(world: &World, provider: SsoProviderId, person: &ProviderPerson) -> Answer {
    let (cookie, form) = at_provider(world, provider, person);
    post(&world.client().with("Cookie", &cookie), &path(provider), &form)
}

/// An account with a second factor and an address of the practice, whose identity at the provider is connected.
fn connected<'w>(world: &'w World, practice: &Practice<'w>, provider: SsoProviderId) -> (Account<'w>, ProviderPerson) {
    let account = Account::of(&practice.tenant, Role::Member);
    let email = practice.moved(account.id);
    let person = world.person(&email);
    let waiting = sign_in(world, provider, &person);
    assert!(waits(&waiting));
    let page = Person::signed_in(&world.server, account.id, &email, Some(now()));
    let done = world.connect(&waiting, &page);
    done.expect(201);
    (account, person)
}

#[test]
fn a_connected_identity_signs_in_with_the_second_factor() {
    let world = world();
    let practice = world.practice();
    let provider = practice.saml(false);
    let (account, person) = connected(&world, &practice, provider);
    let asked = sign_in(&world, provider, &person);
    assert_eq!(cookie(&asked, "__Host-saml").as_deref(), Some(""));
    let done = code(&world.client(), &asked, &account);
    done.expect(200);
    let sso = "SELECT count(*) AS n FROM sessions WHERE user_id = ?1 AND sso IS NOT NULL";
    let id = account.id.to_string();
    assert_eq!(world.server.database().number(sso, &[&id]), 1);
    // With a context that the practice trusts, no code is needed.
    let mut strong = person;
    strong.context = Some(overturn_tests::sso::MFA.into());
    world.providers.add(std::slice::from_ref(&strong));
    let done = sign_in(&world, provider, &strong);
    assert!(is_signed_in(&done));
    let session = browser(&world.client(), &done).get(SESSION);
    assert_eq!(session.json["session"]["kind"], "full");
}

#[test]
fn an_identity_waits_only_as_long_as_the_certificates_that_checked_it() {
    let world = world();
    let practice = world.practice();
    let provider = practice.saml(false);
    let page = Person::of(&practice.tenant, Role::Member);
    let waiting = sign_in(&world, provider, &world.person(&practice.moved(page.id)));
    assert!(waits(&waiting));
    let owner = Person::of(&practice.tenant, Role::Owner).client();
    let path = format!("/api/v1/settings/sso/providers/{provider}");
    let edit = |body: &str| owner.seeing(&path).patch(&path, body).expect(200);
    // Another name changes nothing, and another rule of what is checked does.
    edit(r#"{"name": "Another name"}"#);
    edit(r#"{"idp_initiated": true}"#);
    world.connect(&waiting, &page).expect(409);
    let waiting = sign_in(&world, provider, &world.person(&practice.moved(page.id)));
    edit(r#"{"name": "One more name"}"#);
    world.connect(&waiting, &page).expect(201);
}

#[test]
fn a_response_is_accepted_once_and_only_in_the_browser_that_asked() {
    let world = world();
    let practice = world.practice();
    let provider = practice.saml(false);
    let (_, person) = connected(&world, &practice, provider);
    let (path, client) = (path(provider), world.client());
    let (cookie, form) = at_provider(&world, provider, &person);
    world.assert_refused(&post(&client, &path, &form), "unsolicited");
    // Another browser's sign-in: with its own state, and with the state of the stolen form.
    let (other, theirs) = at_provider(&world, provider, &person);
    let thief = client.with("Cookie", &other);
    world.assert_refused(&post(&thief, &path, &form), "state");
    let mixed = SamlForm { relay_state: theirs.relay_state.clone(), ..form.clone() };
    world.assert_refused(&post(&thief, &path, &mixed), "in_response_to");
    let mine = client.with("Cookie", &cookie);
    // The provider signs the response, too. One letter of it changes.
    let document = BASE64.decode(form.response.as_bytes()).unwrap();
    let document = String::from_utf8(document).unwrap();
    let changed = document.replacen("IssueInstant=\"2", "IssueInstant=\"1", 1);
    assert_ne!(changed, document);
    let broken = SamlForm { response: BASE64.encode(changed.as_bytes()), ..form.clone() };
    world.assert_refused(&post(&mine, &path, &broken), "signature");
    let asked = post(&mine, &path, &form);
    assert!(!continuation(&asked).is_empty());
    world.assert_refused(&post(&mine, &path, &form), "spent");
    // An identity that waits spends its assertion, too.
    let stranger = world.person(&practice.moved(Person::of(&practice.tenant, Role::Owner).id));
    let (cookie, form) = at_provider(&world, provider, &stranger);
    let mine = client.with("Cookie", &cookie);
    let waiting = post(&mine, &path, &form);
    assert!(waits(&waiting));
    world.assert_refused(&post(&mine, &path, &form), "spent");
}

#[test]
fn the_provider_of_another_practice_signs_nobody_in_here() {
    let world = world();
    let practice = world.practice();
    let elsewhere = world.practice_beside(&practice);
    let (provider, other) = (practice.saml(false), elsewhere.saml(false));
    let (account, person) = connected(&world, &practice, provider);
    // The same provider, trusted by two practices, has two ids: an identity of one is none of the other.
    let answer = sign_in(&world, other, &person);
    world.assert_refused(&answer, "address_not_verified");
    // A response for one practice is not accepted by the other.
    let (cookie, form) = at_provider(&world, provider, &person);
    let client = world.client().with("Cookie", &cookie);
    world.assert_refused(&post(&client, &path(other), &form), "provider_mixed_up");
    // Even an identity that was joined to an account elsewhere does not sign in.
    let moved = "UPDATE users SET practice_id = ?2 WHERE id = ?1";
    let (id, to) = (account.id.to_string(), elsewhere.tenant.id.to_string());
    world.server.database().change(moved, &[&id, &to]);
    world.assert_refused(&sign_in(&world, provider, &person), "other_practice");
}

#[test]
fn an_inactive_practice_has_no_provider() {
    let world = world();
    let practice = world.practice();
    let provider = practice.saml(false);
    let (_, person) = connected(&world, &practice, provider);
    let (cookie, form) = at_provider(&world, provider, &person);
    let id = practice.tenant.id.to_string();
    let close = "UPDATE practices SET state = 'inactive' WHERE id = ?1";
    world.server.database().change(close, &[&id]);
    let client = world.client().with("Cookie", &cookie);
    post(&client, &path(provider), &form).expect(404);
    client.get(&path(provider)).expect(404);
    client.get(&format!("{}/metadata", path(provider))).expect(404);
}

#[test]
fn the_metadata_says_where_responses_go() {
    let world = world();
    let provider = world.practice().saml(false);
    let client = world.client();
    let address = format!("{}/metadata", path(provider));
    let metadata = client.get(&address);
    metadata.expect(200);
    client.with("If-None-Match", metadata.header("etag").unwrap()).get(&address).expect(304);
    let kind = metadata.header("content-type");
    assert_eq!(kind, Some("application/samlmetadata+xml"));
    let origin = format!("http://127.0.0.1:{}", world.server.port());
    let acs = format!("Location=\"{origin}{}\"", path(provider));
    assert!(metadata.text().contains(&acs), "{}", metadata.text());
    let entity = format!("entityID=\"{origin}{}/metadata\"", path(provider));
    assert!(metadata.text().contains(&entity), "{}", metadata.text());
}

#[test]
fn only_the_response_may_come_from_another_site() {
    let world = world();
    let provider = world.practice().saml(false);
    let foreign = world.client().with("Sec-Fetch-Site", "cross-site");
    let answer = foreign.post(&path(provider), "SAMLResponse=x&RelayState=y");
    world.assert_refused(&answer, "unsolicited");
    for other in [format!("{}/metadata", path(provider)), "/api/v1/auth/identities".into()] {
        let answer = foreign.post(&other, "SAMLResponse=x");
        assert_eq!(answer.status, 403, "{other}: {}", answer.text());
    }
    let huge = format!("SAMLResponse={}", "A".repeat(400_000));
    foreign.post(&path(provider), huge).expect(413);
}

/// A response that nobody asked for, about a person of the practice.
fn unsolicited(world: &World, practice: &Practice<'_>, provider: SsoProviderId) -> SamlResponse {
    let now = now();
    let origin = format!("http://127.0.0.1:{}", world.server.port());
    SamlResponse {
        issuer: world.providers.entity_id().into(),
        acs: format!("{origin}{}", path(provider)),
        in_response_to: None,
        subject: unique(),
        email: practice.address(),
        id: format!("_{}", unique()),
        made_at: Time(now).to_string(),
        ends_at: Time(now.plus(120_000)).to_string(),
    }
}

fn post_signed(world: &World, provider: SsoProviderId, response: &SamlResponse) -> Answer {
    let form = SamlForm {
        action: String::new(),
        response: response.signed(world.providers.saml_key()),
        relay_state: String::new(),
    };
    post(&world.client(), &path(provider), &form)
}

#[test]
fn a_provider_begins_sign_ins_only_if_the_practice_allows_it() {
    let world = world();
    let practice = world.practice();
    let (strict, open) = (practice.saml(false), practice.saml(true));
    let response = unsolicited(&world, &practice, strict);
    world.assert_refused(&post_signed(&world, strict, &response), "unsolicited");
    assert_eq!(member(&world, &response.email), None);
    let response = unsolicited(&world, &practice, open);
    let begun = post_signed(&world, open, &response);
    assert!(is_signed_in(&begun));
    assert!(member(&world, &response.email).is_some());
    // Each assertion once, however it is wrapped.
    world.assert_refused(&post_signed(&world, open, &response), "spent");
    let again = SamlResponse { id: format!("_{}", unique()), ..response.clone() };
    assert!(is_signed_in(&post_signed(&world, open, &again)));
    // A response to a request is not one that nobody asked for.
    let stolen =
        SamlResponse { id: format!("_{}", unique()), in_response_to: Some("_request".into()), ..response.clone() };
    world.assert_refused(&post_signed(&world, open, &stolen), "in_response_to");
    // Only with the provider's key, and for this practice.
    let forged = response.signed((
        include_str!("../../../identity/src/saml/tests/fixtures/attacker.key.pem"),
        world.providers.saml_key().1,
    ));
    let form = SamlForm { action: String::new(), response: forged, relay_state: String::new() };
    world.assert_refused(&post(&world.client(), &path(open), &form), "signature");
    let elsewhere = world.practice().saml(true);
    let answer = post_signed(&world, elsewhere, &again);
    world.assert_refused(&answer, "destination");
}

#[test]
fn one_assertion_posted_at_the_same_time_begins_one_session() {
    let world = world();
    let practice = world.practice();
    let open = practice.saml(true);
    let response = unsolicited(&world, &practice, open);
    let world = &*world;
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let posting: Vec<_> = (0..5).map(|_| scope.spawn(|| post_signed(world, open, &response))).collect();
        posting.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let (begun, others): (Vec<&Answer>, _) = answers.iter().partition(|answer| led(answer) == "/");
    assert_eq!(begun.len(), 1);
    let others: Vec<&Answer> = others;
    others.into_iter().for_each(|answer| world.assert_refused(answer, "spent"));
}
