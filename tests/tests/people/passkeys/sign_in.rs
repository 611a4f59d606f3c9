use super::*;
use overturn_tests::account::SESSION;

#[test]
fn a_passkey_signs_in_without_a_password() {
    let (account, _, mut authenticator) = with_passkey();
    let mut mails = account.server.mails_to(&account.email);
    let mut browser = Browser::new(account.server);
    let options = browser.options(&format!("{SIGN_IN}/options"), &Value::Null);
    // Without names, so the browser can offer passkeys in the field for the address.
    assert!(options["allowCredentials"].as_array().is_none_or(Vec::is_empty));
    assert_eq!(options["userVerification"], "required");
    assert_eq!(options["rpId"], "localhost");
    let credential = authenticator.get(&options);
    let done = browser.post(SIGN_IN, &json!({ "credential": credential }));
    done.expect(200);
    assert_eq!(done.json["user"]["email"], account.email.as_str());
    assert_eq!(done.json["session"]["kind"], "full");
    assert!(done.json["session"]["verified_at"].is_string());
    assert_eq!(browser.get(SESSION).json, done.json);
    assert!(browser.cookies.contains_key("__Host-device"));
    assert!(!browser.cookies.contains_key(CEREMONY));
    let rows = account.server.database().rows(
        "SELECT detail FROM audit WHERE action = 'session.created' AND record = ?1 ORDER BY id DESC LIMIT 1",
        &[&account.id.to_string()],
    );
    assert!(rows[0]["detail"].as_str().unwrap().contains(r#""by":"passkey""#), "{rows:?}");
    // The account's own sign-in and the new device of this one.
    let subjects: Vec<_> = (0..3).map(|_| mails.take().subject).collect();
    assert_eq!(subjects[2], "New sign-in to your Overturn account", "{subjects:?}");

    // It is the second factor as well: a sensitive action follows.
    let enrolled = browser.enrol(&mut Authenticator::new(ORIGIN), "Another");
    enrolled.expect(201);
    let used = &browser.get(PASSKEYS).json["passkeys"][0];
    assert!(used["last_used_at"].is_string());
    let before = browser.client();
    let again = browser.sign_in(&mut authenticator);
    again.expect(200);
    before.get(SESSION).expect(401);
}

#[test]
fn a_synced_passkey_of_the_staff_signs_in_and_its_backup_state_is_kept() {
    let account = Account::staff(server());
    let mut browser = signed_in(&account);
    let mut phone = Authenticator::syncing(ORIGIN);
    assert_eq!(browser.enrol(&mut phone, "Phone").json["synced"], true);
    for _ in 0..2 {
        // Its counter stays 0.
        let done = Browser::new(account.server).sign_in(&mut phone);
        assert_eq!((done.status, &done.json["practice"]), (200, &Value::Null));
    }
    // A passkey that may not be synced never becomes one that is.
    let mut key = Authenticator::new(ORIGIN);
    browser.enrol(&mut key, "Key").expect(201);
    key.synced = true;
    let refused = browser.sign_in(&mut key);
    assert_refused(account.server.log(), &refused, "backup");
}

#[test]
fn nobody_signs_in_by_passkey_while_the_identity_worker_is_away() {
    let (account, _, mut authenticator) = with_passkey();
    let away = account.server.client().with("Tests-Bindings", r#"{"IDENTITY":"gone"}"#);
    let mut browser = Browser::new(account.server);
    let options = browser.options(&format!("{SIGN_IN}/options"), &Value::Null);
    let mut broken = Browser::with(away);
    broken.cookies = browser.cookies.clone();
    broken.post(&format!("{SIGN_IN}/options"), &Value::Null).expect(503);
    let body = json!({ "credential": authenticator.get(&options) });
    broken.post(SIGN_IN, &body).expect(503);
    // The same response is accepted when the Worker is back, and a password works in between.
    let password = json!({ "email": account.email, "password": account.password });
    broken.post(SESSION, &password).expect(402);
    browser.post(SIGN_IN, &body).expect(200);
}
