use super::*;
use overturn_tests::account::{SECOND_FACTOR, SESSION, show};
use overturn_tests::browser::shown;

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

#[test]
fn exactly_one_of_code_and_passkey_is_shown() {
    let (account, _, mut authenticator) = with_passkey();
    let mut browser = Browser::new(account.server);
    let token = continuation(&mut browser, &account);
    let options = browser.options(SECOND_FACTOR_OPTIONS, &json!({ "continuation_token": token }));
    let mut body = shown(&token, &authenticator.get(&options));
    body["code"] = json!("123456");
    let both = browser.post(SECOND_FACTOR, &body);
    assert_eq!(problems(&both), ["code must not be given beside passkey"]);
    let none = browser.post(SECOND_FACTOR, &json!({ "continuation_token": token }));
    assert_eq!(problems(&none), ["code or passkey is required"]);
    body.as_object_mut().unwrap().remove("code");
    browser.post(SECOND_FACTOR, &body).expect(200);
}

#[test]
fn an_assertion_counts_only_for_the_token_and_purpose_that_it_was_begun_for() {
    let (account, _, mut authenticator) = with_passkey();
    let log = account.server.log();
    let mut browser = Browser::new(account.server);
    let [first, second] = [(); 2].map(|()| continuation(&mut browser, &account));
    // Begun for a sign-in, shown as a second factor.
    let options = browser.options(&format!("{SIGN_IN}/options"), &Value::Null);
    let body = shown(&first, &authenticator.get(&options));
    assert_refused(log, &browser.post(SECOND_FACTOR, &body), "other_ceremony");
    // Begun for another token.
    let options = browser.options(SECOND_FACTOR_OPTIONS, &json!({ "continuation_token": first }));
    let body = shown(&second, &authenticator.get(&options));
    assert_refused(log, &browser.post(SECOND_FACTOR, &body), "other_ceremony");
    // Begun as a second factor, used to sign in.
    let body = json!({ "credential": authenticator.get(&options) });
    assert_refused(log, &browser.post(SIGN_IN, &body), "other_ceremony");
    // Another account's passkey.
    let (_, _, mut other) = with_passkey();
    assert_refused(log, &browser.show(&mut other, &first), "other_account");
    assert_audited(&account, "session.failed", &account.id.to_string(), 4);
}

#[test]
fn wrong_passkeys_count_like_wrong_codes() {
    let (account, _, mut authenticator) = with_passkey();
    let mut browser = Browser::new(account.server);
    let token = continuation(&mut browser, &account);
    let mut unknown = Authenticator::new(ORIGIN);
    let options = browser.options(SECOND_FACTOR_OPTIONS, &json!({ "continuation_token": token }));
    for _ in 0..5 {
        let body = shown(&token, &unknown_response(&mut unknown, &options));
        assert_failed(&browser.post(SECOND_FACTOR, &body));
    }
    let body = shown(&token, &authenticator.get(&options));
    assert_failed(&browser.post(SECOND_FACTOR, &body));
    assert_failed(&show(&browser.client(), &token, &account.code(0)));
}

/// The response of a passkey that no account has.
fn unknown_response(authenticator: &mut Authenticator, options: &Value) -> Value {
    authenticator.get(options)
}

#[test]
fn the_cookie_of_a_ceremony_is_one_that_browsers_keep() {
    let (account, _, mut authenticator) = with_passkey();
    // Twenty passkeys with the longest ids that there are. Only the enrolled one is in the authenticator.
    let sql = "INSERT INTO passkeys (user_id, id, credential_id, public_key, sign_count, backup_eligible, backed_up,
                 transports, name, created_at)
               SELECT user_id, ?2, ?3, public_key, 0, 0, 0, '[\"internal\",\"hybrid\",\"usb\"]', name, 1
               FROM passkeys WHERE user_id = ?1 AND created_at > 1";
    let user = account.id.to_string();
    for n in 0..19 {
        let id = uuid::Uuid::from_u128(n).to_string();
        let unique = format!("{n:04}{}", account.id.0.simple());
        let credential = format!("{unique}{}", "A".repeat(1364 - unique.len()));
        account.server.database().change(sql, &[&user, &id, &credential]);
    }
    let mut browser = Browser::new(account.server);
    let token = continuation(&mut browser, &account);
    let asked = json!({ "continuation_token": token });
    let options = browser.options(SECOND_FACTOR_OPTIONS, &asked);
    let named = options["allowCredentials"].as_array().unwrap();
    assert_eq!(named.len(), 2, "the newest one, and one long one");
    let length = CEREMONY.len() + browser.cookies[CEREMONY].len();
    assert!((2000..=4096).contains(&length), "{length}");
    browser.show(&mut authenticator, &token).expect(200);
}
