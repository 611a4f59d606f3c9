use super::*;
use overturn_tests::account::SESSION;

fn continuation(browser: &mut Browser, account: &Account<'_>) -> String {
    let body = json!({ "email": account.email, "password": account.password });
    let asked = browser.post(SESSION, &body);
    asked.expect(402);
    asked.json["continuation_token"].as_str().unwrap().into()
}

#[test]
fn a_passkey_takes_the_place_of_a_code() {
    let (account, _, mut authenticator) = with_passkey();
    let mut browser = Browser::new(account.server);
    let token = continuation(&mut browser, &account);
    let asked = json!({ "continuation_token": token });
    let options = browser.options(SECOND_FACTOR_OPTIONS, &asked);
    let allowed = options["allowCredentials"].as_array().unwrap();
    assert_eq!(allowed.len(), 1);
    assert_eq!(allowed[0]["id"], authenticator.id());
    let done = browser.show(&mut authenticator, &token);
    done.expect(200);
    assert_eq!(done.json["session"]["kind"], "full");
    assert!(browser.cookies.contains_key("__Host-device"));
    assert!(!browser.cookies.contains_key(CEREMONY));
    // The token was used.
    assert_failed(&browser.post(SECOND_FACTOR_OPTIONS, &asked));
    // An account without passkeys says so to who has shown its password.
    let plain = super::account();
    let mut browser = Browser::new(plain.server);
    let token = continuation(&mut browser, &plain);
    let none = browser.post(SECOND_FACTOR_OPTIONS, &json!({ "continuation_token": token }));
    none.expect(409);
}

#[test]
fn a_passkey_confirms_a_session_from_its_own_page() {
    let (account, mut browser, mut authenticator) = with_passkey();
    age(&account);
    let begin = format!("{PASSKEYS}/options");
    let asked = browser.post(&begin, &Value::Null);
    asked.expect(402);
    let token = asked.json["continuation_token"].as_str().unwrap();
    let csrf = browser.cookies.remove("csrf_token").unwrap();
    let mut unproven = browser.twin();
    unproven.show(&mut authenticator, token).expect(403);
    let mut stranger = Browser::new(account.server);
    assert_failed(&stranger.show(&mut authenticator, token));
    browser.cookies.insert("csrf_token".into(), csrf);
    let before = browser.client();
    browser.show(&mut authenticator, token).expect(204);
    assert_eq!(before.get(SESSION).status, 401, "the session has a new token");
    browser.post(&begin, &Value::Null).expect(200);
}
