use super::*;
use overturn_tests::account::{SESSION, page_of};
use overturn_tests::prelude::*;
use std::collections::BTreeSet;

#[test]
fn the_first_second_factor_can_be_a_passkey() {
    let account = Account::unenrolled(&Tenant::new(server()), Role::Owner);
    let mut mails = account.server.mails_to(&account.email);
    let begin = || {
        let mut browser = Browser::new(account.server);
        let body = json!({ "email": account.email, "password": account.password });
        assert_eq!(browser.post(SESSION, &body).json["session"]["kind"], "enrolment");
        browser
    };
    let (mut elsewhere, mut browser) = (begin(), begin());
    assert_eq!(browser.get(PASSKEYS).json, json!({ "passkeys": [] }));
    let before = browser.client();
    let mut authenticator = Authenticator::syncing(ORIGIN);
    let enrolled = browser.enrol(&mut authenticator, "Phone");
    enrolled.expect(201);
    assert_eq!(enrolled.json["name"], "Phone");
    assert_eq!(enrolled.json["synced"], true);
    assert_eq!(enrolled.json["transports"], json!(["hybrid", "internal"]));
    let codes = enrolled.json["recovery_codes"].as_array().unwrap();
    let different: BTreeSet<_> = codes.iter().map(|code| code.as_str().unwrap()).collect();
    assert_eq!(different.len(), 10);

    assert_eq!(before.get(SESSION).status, 401, "the session has a new token");
    elsewhere.get(SESSION).expect(401);
    let shown = browser.get(SESSION);
    assert_eq!(shown.json["session"]["kind"], "full");
    assert_eq!(shown.json["user"]["two_factor"], true);
    assert!(!browser.cookies.contains_key(CEREMONY), "it was used");
    assert_eq!(audited(&account, "passkey.enrolled", &id_of(&enrolled)), 1);
    loop {
        if mails.take().subject == "A passkey was added to your Overturn account" {
            break;
        }
    }
    // A recovery code replaces the passkey.
    let client = account.server.client();
    let token = account.continuation(&client);
    let body = json!({ "continuation_token": token, "code": codes[0] });
    let done = client.post("/api/v1/auth/session/2fa", body.to_string());
    done.expect(200);
    page_of(&client, &done).get(PASSKEYS).expect(200);
}

#[test]
fn another_passkey_needs_a_fresh_second_factor_and_ends_no_session() {
    let (account, mut browser, authenticator) = with_passkey();
    let mut elsewhere = Browser::new(account.server);
    let options = browser.options(&format!("{PASSKEYS}/options"), &Value::Null);
    let excluded = options["excludeCredentials"].as_array().unwrap();
    assert_eq!(excluded.len(), 1);
    assert_eq!(excluded[0]["id"], authenticator.id());
    assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
    assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
    let mut authenticator = authenticator;
    elsewhere.sign_in(&mut authenticator).expect(200);
    let mut another = Authenticator::new(ORIGIN);
    let enrolled = browser.enrol(&mut another, "Laptop");
    enrolled.expect(201);
    assert!(enrolled.json.get("recovery_codes").is_none());
    elsewhere.get(SESSION).expect(200);
    let listed = browser.get(PASSKEYS).json;
    let names: Vec<_> = listed["passkeys"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["Front desk", "Laptop"]);
    let text = listed.to_string();
    assert!(!text.contains(&another.id()) && !text.contains("key\":"), "{text}");

    age(&account);
    let mut third = Authenticator::new(ORIGIN);
    let asked = browser.post(&format!("{PASSKEYS}/options"), &Value::Null);
    asked.expect(402);
    let token = asked.json["continuation_token"].as_str().unwrap();
    browser.show(&mut another, token).expect(204);
    browser.enrol(&mut third, "Key").expect(201);
}

#[test]
fn a_registration_counts_once_for_its_account_and_browser() {
    let (account, mut browser, _) = with_passkey();
    let begin = format!("{PASSKEYS}/options");
    let body = |credential: &Value| json!({ "name": "Key", "credential": credential });
    let mut key = Authenticator::new(ORIGIN);
    let options = browser.options(&begin, &Value::Null);
    let credential = key.create(&options);
    let begun = browser.cookies.clone();
    // Without the cookie, and with the cookie of another account.
    browser.cookies.remove(CEREMONY);
    browser.post(PASSKEYS, &body(&credential)).expect(409);
    let (_, mut other, _) = with_passkey();
    other.cookies.insert(CEREMONY.into(), begun[CEREMONY].clone());
    other.post(PASSKEYS, &body(&credential)).expect(409);
    // A cookie that began an assertion.
    browser.options(&format!("{SIGN_IN}/options"), &Value::Null);
    browser.post(PASSKEYS, &body(&credential)).expect(409);
    // The right one works once, whatever the authenticator.
    browser.cookies = begun.clone();
    browser.post(PASSKEYS, &body(&credential)).expect(201);
    browser.cookies = begun;
    let again = Authenticator::new(ORIGIN).create(&options);
    browser.post(PASSKEYS, &body(&again)).expect(409);
    let sql = "SELECT count(*) AS n FROM passkeys WHERE user_id = ?1";
    let count = account.server.database().number(sql, &[&account.id.to_string()]);
    assert_eq!(count, 2);
}

#[test]
fn one_credential_is_enrolled_once_even_by_two_at_once() {
    // A passkey is found in the cell of its account.
    let tenant = Tenant::shared();
    let [mut browser, mut other] = [(); 2].map(|()| with_passkey_of(Account::of(&tenant, Role::Member)).1);
    let begin = format!("{PASSKEYS}/options");
    let mut key = Authenticator::new(ORIGIN);
    let mut calls = Vec::new();
    for browser in [&mut browser, &mut other] {
        let options = browser.options(&begin, &Value::Null);
        let body = json!({ "name": "Key", "credential": key.create(&options) }).to_string();
        let client = browser.client();
        calls.push(move || client.post(PASSKEYS, body).status);
    }
    let mut statuses = at_once(calls);
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
}

#[test]
fn an_account_has_twenty_passkeys_at_most() {
    let (account, mut browser, _) = with_passkey();
    let mut calls = Vec::new();
    for _ in 0..22 {
        let mut twin = browser.twin();
        let options = twin.options(&format!("{PASSKEYS}/options"), &Value::Null);
        let credential = Authenticator::new(ORIGIN).create(&options);
        let body = json!({ "name": "Key", "credential": credential }).to_string();
        let client = twin.client();
        calls.push(move || client.post(PASSKEYS, body).status);
    }
    let statuses = at_once(calls);
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 19);
    browser.post(&format!("{PASSKEYS}/options"), &Value::Null).expect(409);
    let sql = "SELECT count(*) AS n FROM passkeys WHERE user_id = ?1";
    let count = account.server.database().number(sql, &[&account.id.to_string()]);
    assert_eq!(count, 20);
}

#[test]
fn a_passkey_is_renamed_and_removed_by_its_person_only() {
    let (account, mut browser, mut authenticator) = with_passkey();
    let (_, mut stranger, _) = with_passkey();
    let listed = browser.get(PASSKEYS);
    let id = listed.json["passkeys"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("{PASSKEYS}/{id}");
    let name = json!({ "name": "Küche" });
    stranger.call("PATCH", &path, &name).expect(404);
    stranger.call("DELETE", &path, &Value::Null).expect(404);
    let renamed = browser.call("PATCH", &path, &name);
    assert_eq!((renamed.status, &renamed.json["name"]), (200, &json!("Küche")));
    assert_eq!(browser.get(PASSKEYS).json["passkeys"][0], renamed.json);
    assert_eq!(audited(&account, "passkey.renamed", &id), 1);

    let mut elsewhere = Browser::new(account.server);
    elsewhere.sign_in(&mut authenticator).expect(200);
    age(&account);
    browser.call("DELETE", &path, &Value::Null).expect(402);
    changed(&account, "UPDATE sessions SET verified_at = seen_at WHERE user_id = ?1");
    let before = browser.client();
    browser.call("DELETE", &path, &Value::Null).expect(204);
    assert_eq!(browser.get(PASSKEYS).json, json!({ "passkeys": [] }));
    elsewhere.get(SESSION).expect(401);
    assert_eq!(before.get(SESSION).status, 401, "the session has a new token");
    assert_eq!(audited(&account, "passkey.removed", &id), 1);
    browser.call("DELETE", &path, &Value::Null).expect(404);
    assert_failed(&elsewhere.sign_in(&mut authenticator));
}

#[test]
fn the_last_second_factor_cannot_be_removed() {
    let (account, mut browser, _) = with_passkey();
    let enrolled = browser.enrol(&mut Authenticator::new(ORIGIN), "Laptop");
    enrolled.expect(201);
    changed(&account, "DELETE FROM factors WHERE user_id = ?1");
    let ids: Vec<String> = browser.get(PASSKEYS).json["passkeys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|passkey| passkey["id"].as_str().unwrap().to_owned())
        .collect();
    // Two removals at once leave one.
    let calls = ids.iter().map(|id| {
        let (client, path) = (browser.client(), format!("{PASSKEYS}/{id}"));
        move || client.delete(&path).status
    });
    let mut statuses = at_once(calls.collect());
    statuses.sort_unstable();
    assert_eq!(statuses[0], 204, "{statuses:?}");
    assert!([401, 409].contains(&statuses[1]), "{statuses:?}");
    let mut again = signed_in_by_recovery_code(&account);
    let left = again.get(PASSKEYS).json["passkeys"][0]["id"].as_str().unwrap().to_owned();
    let last = again.call("DELETE", &format!("{PASSKEYS}/{left}"), &Value::Null);
    assert_eq!((last.status, &last.json["error"]["code"]), (409, &json!("conflict")));
    assert_eq!(
        last.json["error"]["message"],
        "this is your last second factor: enroll another one first, then remove it"
    );
}

fn signed_in_by_recovery_code(account: &Account<'_>) -> Browser {
    let mut browser = Browser::new(account.server);
    let token = account.continuation(&account.server.client());
    let code = account.recovery[0].expose();
    let body = json!({ "continuation_token": token, "code": code });
    let done = browser.post("/api/v1/auth/session/2fa", &body);
    done.expect(200);
    browser
}
