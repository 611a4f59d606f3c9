use super::*;
use overturn_tests::account::SESSION;

/// A server with the limits of the interface for passkeys, but ten calls of an address.
fn limited() -> Server {
    Server::lasting(&json!({
        "PASSKEYS_PER_ADDRESS_PER_MINUTE": "10",
        "AUTH_FAILURES_PER_MINUTE": "1000",
        "AUTH_FAILURES_PER_NETWORK_PER_MINUTE": "1000",
        "AUTH_FAILURES_PER_ISOLATE_PER_20_SECONDS": "1000",
    }))
}

#[test]
fn a_person_and_an_address_make_ten_calls_a_minute() {
    let server = limited();
    let tenant = Tenant::new(&server);
    let account = Account::unenrolled(&tenant, Role::Owner);
    let mut browser = Browser::with(server.client().with("CF-Connecting-IP", "198.51.100.7"));
    let password = json!({ "email": account.email, "password": account.password });
    browser.post(SESSION, &password).expect(200);
    for path in [PASSKEYS, SIGN_IN] {
        let begin = format!("{path}/options");
        for left in (0..10).rev() {
            let begun = browser.post(&begin, &Value::Null);
            begun.expect(200);
            let left = left.to_string();
            assert_eq!(begun.header("x-ratelimit-remaining"), Some(&*left));
        }
        let refused = browser.post(&begin, &Value::Null);
        refused.expect(429);
        assert_eq!(refused.header("x-ratelimit-limit"), Some("10"));
    }
    // One count for an address, whatever it calls without a session. Nobody else is kept out.
    let token = json!({ "continuation_token": "x" });
    browser.post(SECOND_FACTOR_OPTIONS, &token).expect(429);
    browser.post(SIGN_IN, &json!({})).expect(429);
    let mut other = Browser::with(server.client().with("CF-Connecting-IP", "198.51.100.8"));
    other.post(&format!("{SIGN_IN}/options"), &Value::Null).expect(200);
    // Reading is not limited so.
    browser.get(PASSKEYS).expect(200);
}

#[test]
fn refused_assertions_count_like_wrong_codes() {
    let server = limited();
    let tenant = Tenant::new(&server);
    let account = Account::of(&tenant, Role::Owner);
    let mut browser = signed_in(&account);
    let mut authenticator = Authenticator::new(ORIGIN);
    browser.enrol(&mut authenticator, "Key").expect(201);
    let mut stranger = Browser::with(server.client().with("CF-Connecting-IP", "198.51.100.9"));
    let options = stranger.options(&format!("{SIGN_IN}/options"), &Value::Null);
    authenticator.verifies = false;
    let body = json!({ "credential": authenticator.get(&options) });
    for _ in 0..5 {
        assert_failed(&stranger.post(SIGN_IN, &body));
    }
    stranger.post(SIGN_IN, &body).expect(429);
}

#[test]
fn an_office_with_one_address_signs_in_sixty_times_a_minute_and_one_account_asks_ten_times() {
    let server = Server::lasting(&json!({ "AUTH_PER_ADDRESS_PER_20_SECONDS": "100" }));
    let tenant = Tenant::new(&server);
    let mut office = Browser::with(server.client().with("CF-Connecting-IP", "198.51.100.21"));
    let [first, second] = [(); 2].map(|()| Account::of(&tenant, Role::Member));
    let token_of = |account: &Account<'_>| {
        let body = json!({ "email": account.email, "password": account.password });
        let asked = office.post(SESSION, &body);
        asked.expect(402);
        json!({ "continuation_token": asked.json["continuation_token"] })
    };
    let [first, second] = [&first, &second].map(token_of);
    // They have no passkey, which they learn ten times each.
    for left in (0..10).rev() {
        let asked = office.post(SECOND_FACTOR_OPTIONS, &first);
        asked.expect(409);
        assert_eq!(asked.header("x-ratelimit-remaining"), Some(&*left.to_string()));
    }
    let refused = office.post(SECOND_FACTOR_OPTIONS, &first);
    refused.expect(429);
    assert_eq!(refused.header("x-ratelimit-limit"), Some("10"));
    office.post(SECOND_FACTOR_OPTIONS, &second).expect(409);
    // Twelve of the address's sixty calls are gone.
    for _ in 12..60 {
        let begun = office.post(&format!("{SIGN_IN}/options"), &Value::Null);
        begun.expect(200);
        assert_eq!(begun.header("x-ratelimit-limit"), Some("60"));
    }
    office.post(&format!("{SIGN_IN}/options"), &Value::Null).expect(429);
    office.post(SECOND_FACTOR_OPTIONS, &second).expect(429);
}
