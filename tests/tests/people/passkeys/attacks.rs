use super::*;
use overturn_tests::account::SESSION;
use overturn_tests::prelude::*;

fn begin(browser: &mut Browser) -> Value {
    browser.options(&format!("{SIGN_IN}/options"), &Value::Null)
}

fn body(credential: &Value) -> Value {
    json!({ "credential": credential })
}

#[test]
fn a_challenge_counts_once_and_in_its_browser_only() {
    let (account, _, mut authenticator) = with_passkey();
    let log = account.server.log();
    let mut browser = Browser::new(account.server);
    let options = begin(&mut browser);
    let used = browser.cookies.clone();
    let first = body(&authenticator.get(&options));
    // Another browser has no cookie, or one of its own.
    let mut other = Browser::new(account.server);
    assert_refused(log, &other.post(SIGN_IN, &first), "no_ceremony");
    begin(&mut other);
    assert_refused(log, &other.post(SIGN_IN, &first), "challenge");
    browser.post(SIGN_IN, &first).expect(200);
    // The same response, and a new one to the same challenge.
    let mut replayed = Browser::new(account.server);
    replayed.cookies = used;
    assert_refused(log, &replayed.post(SIGN_IN, &first), "spent");
    let second = body(&authenticator.get(&options));
    assert_refused(log, &replayed.post(SIGN_IN, &second), "spent");
    let id = account.id.to_string();
    // One without cookie, one with another challenge, and two replays.
    assert_audited(&account, "session.failed", &id, 4);
    assert_eq!(audited(&account, "passkey.counter_repeated", &id), 0);
    Browser::new(account.server).sign_in(&mut authenticator).expect(200);
}

#[test]
fn a_replay_of_a_passkey_without_a_counter_has_its_reason_in_the_log_and_the_trail() {
    let (account, mut enrolling, _) = with_passkey();
    let log = account.server.log();
    let mut phone = Authenticator::syncing(ORIGIN);
    enrolling.enrol(&mut phone, "Phone").expect(201);
    let mut browser = Browser::new(account.server);
    let options = begin(&mut browser);
    let client = browser.client();
    let response = body(&phone.get(&options)).to_string();
    client.post(SIGN_IN, response.clone()).expect(200);
    let replayed = client.post(SIGN_IN, response);
    assert_refused(log, &replayed, "spent");
    assert_audited(&account, "session.failed", &account.id.to_string(), 1);
}

#[test]
fn of_two_at_once_with_one_challenge_one_signs_in() {
    let (account, mut enrolling, _) = with_passkey();
    let mut phone = Authenticator::syncing(ORIGIN);
    enrolling.enrol(&mut phone, "Phone").expect(201);
    let mut browser = Browser::new(account.server);
    let options = begin(&mut browser);
    // Its counter is always 0, so only the challenge tells the two apart.
    let calls = [(); 2].map(|()| {
        let (client, body) = (browser.client(), body(&phone.get(&options)).to_string());
        move || client.post(SIGN_IN, body)
    });
    let mut answers = at_once(calls.into());
    answers.sort_unstable_by_key(|answer| answer.status);
    answers[0].expect(200);
    assert_failed(&answers[1]);
    // The one that came too late has a reason in the log, and a row in the trail.
    let id = answers[1].request_id();
    assert!(account.server.log().has(|line| {
        let reasons = ["spent", "overtaken"];
        let is_one = reasons.into_iter().any(|reason| line["reason"] == reason);
        line["event"] == "proof_refused" && line["request_id"] == id && is_one
    }));
    assert_audited(&account, "session.failed", &account.id.to_string(), 1);
}

#[test]
fn a_page_of_another_origin_and_an_unverified_person_are_refused() {
    let (account, _, authenticator) = with_passkey();
    let log = account.server.log();
    type Break = fn(&mut Authenticator);
    let broken: [(Break, &str); 4] = [
        (|key| key.origin = "https://evil.example".into(), "origin"),
        (|key| key.origin = "http://127.0.0.1:1".into(), "origin"),
        (|key| key.origin = "http://localhost".into(), "origin"),
        (|key| key.verifies = false, "not_verified"),
    ];
    for (breaks, reason) in broken {
        let mut broken = authenticator.clone();
        breaks(&mut broken);
        let refused = Browser::new(account.server).sign_in(&mut broken);
        assert_refused(log, &refused, reason);
    }
    // An assertion of another key under the same credential id.
    let mut browser = Browser::new(account.server);
    let options = begin(&mut browser);
    let mut forged = Authenticator::new(ORIGIN).create(&json!({
        "challenge": options["challenge"], "user": { "id": "" }, "rp": { "id": "localhost" },
    }));
    let mut key = authenticator.clone();
    let real = key.get(&options);
    forged["response"] = real["response"].clone();
    forged["response"]["signature"] = {
        let mut other = Authenticator::new(ORIGIN);
        other.get(&options)["response"]["signature"].clone()
    };
    for name in ["id", "rawId"] {
        forged[name] = real[name].clone();
    }
    assert_refused(log, &browser.post(SIGN_IN, &body(&forged)), "signature");
    assert_audited(&account, "session.failed", &account.id.to_string(), 5);
}

#[test]
fn a_repeated_counter_is_refused_recorded_and_mailed() {
    let (account, mut browser, mut authenticator) = with_passkey();
    let mut mails = account.server.mails_to(&account.email);
    let mut copy = authenticator.clone();
    Browser::new(account.server).sign_in(&mut authenticator).expect(200);
    let refused = Browser::new(account.server).sign_in(&mut copy);
    assert_refused(account.server.log(), &refused, "counter_repeated");
    let id = browser.get(PASSKEYS).json["passkeys"][0]["id"].as_str().unwrap().to_owned();
    assert_audited(&account, "passkey.counter_repeated", &id, 1);
    let text = loop {
        let mail = mails.take();
        if mail.subject == "A passkey of your Overturn account may have been copied" {
            break mail.text;
        }
    };
    assert!(text.contains("\"Front desk\""), "{text}");
    // The passkey still works.
    Browser::new(account.server).sign_in(&mut authenticator).expect(200);
    // As a second factor, the same rule holds.
    let mut second = Browser::new(account.server);
    let token = account.continuation(&account.server.client());
    let mut copy = authenticator.clone();
    copy.counter = 1;
    let refused = second.show(&mut copy, &token);
    assert_refused(account.server.log(), &refused, "counter_repeated");
    assert_audited(&account, "passkey.counter_repeated", &id, 2);
    second.show(&mut authenticator, &token).expect(200);
}

#[test]
fn a_passkey_that_is_removed_meanwhile_signs_nobody_in() {
    let (account, mut owner, mut authenticator) = with_passkey();
    let mut browser = Browser::new(account.server);
    let options = begin(&mut browser);
    let response = body(&authenticator.get(&options));
    let id = owner.get(PASSKEYS).json["passkeys"][0]["id"].as_str().unwrap().to_owned();
    let removed = owner.call("DELETE", &format!("{PASSKEYS}/{id}"), &Value::Null);
    removed.expect(204);
    let refused = browser.post(SIGN_IN, &response);
    assert_refused(account.server.log(), &refused, "unknown_passkey");
    browser.get(SESSION).expect(401);
}
