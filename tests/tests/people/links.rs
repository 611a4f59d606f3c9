//! Rules for every mailed link.

use super::magic_link::assert_failed;
use overturn_tests::account::Account;
use overturn_tests::link::{Invited, MAGIC_LINK, PASSWORD_RESET, ask, confirm, received, token_of, verify};
use overturn_tests::prelude::*;
use std::collections::BTreeSet;
use std::time::Duration;

type Likeness = (u16, Vec<(String, String)>, String);

/// The parts of an answer that are the same for every request of its kind.
fn likeness(answer: &Answer) -> Likeness {
    let headers = answer.headers.iter();
    let mut headers: Vec<_> = headers
        .filter(|(name, _)| !["x-request-id", "date", "x-ratelimit-reset"].contains(&&**name))
        .cloned()
        .collect();
    headers.sort();
    (answer.status, headers, answer.text())
}

/// An answer, and the work before it.
fn asked(client: &Client, path: &str, email: &str) -> (Likeness, Value) {
    let answer = ask(client, path, email);
    let line = &Server::shared().log().of(answer.request_id())[0];
    (likeness(&answer), line["d1_round_trips"].clone())
}

#[test]
fn every_address_gets_the_same_answer_and_only_an_active_account_gets_an_email() {
    let tenant = Tenant::shared();
    let database = tenant.server.database();
    let known = Account::of(&tenant, Role::Owner);
    let removed = Account::of(&tenant, Role::Owner);
    let remove = "UPDATE users SET state = 'removed' WHERE id = ?1";
    database.change(remove, &[&removed.id.to_string()]);
    let invited = Invited::to(&tenant, Role::Member);
    let before = database.number(
        "SELECT count(*) AS n FROM links WHERE user_id IN (?1, ?2)",
        &[&removed.id.to_string(), &invited.id.to_string()],
    );
    let nobodies = ["nobody.at.all@account.example", &removed.email, &invited.email];
    for path in [MAGIC_LINK, PASSWORD_RESET] {
        let client = tenant.server.client();
        let to_nobody = nobodies.map(|email| asked(&client, path, email));
        let to_known = asked(&client, path, &known.email);
        assert_eq!(to_known.0.0, 202, "{to_known:?}");
        assert_eq!(to_nobody, [to_known.clone(), to_known.clone(), to_known]);
        // Its email comes last.
        let _letter = tenant.server.mails_to(&known.email).take();
    }
    for nobody in nobodies {
        let letter = tenant.server.mails_to(nobody).take_within(Duration::from_millis(300));
        assert_eq!(letter, None, "{nobody}");
    }
    let after = database.number(
        "SELECT count(*) AS n FROM links WHERE user_id IN (?1, ?2)",
        &[&removed.id.to_string(), &invited.id.to_string()],
    );
    assert_eq!(after, before);
}

#[test]
fn a_link_is_mailed_although_its_account_changes_before_the_commit() {
    let tenant = Tenant::shared();
    let changes = "UPDATE users SET epoch = epoch + 1 WHERE id = ?1";
    for path in [MAGIC_LINK, PASSWORD_RESET] {
        let account = Account::of(&tenant, Role::Owner);
        let mut inbox = tenant.server.mails_to(&account.email);
        let client = tenant.server.client().overtaken_by(changes, &[&account.id.to_string()]);
        ask(&client, path, &account.email).expect(202);
        assert!(inbox.take().text.contains("#ovl_"));
    }
}

#[test]
fn a_link_that_is_used_between_load_and_commit_does_not_sign_in() {
    let tenant = Tenant::shared();
    let client = tenant.server.client();
    for change in [
        "UPDATE links SET used_at = 1 WHERE user_id = ?1",
        "UPDATE users SET epoch = epoch + 1 WHERE id = ?1",
        "UPDATE users SET state = 'removed' WHERE id = ?1",
    ] {
        let account = Account::of(&tenant, Role::Owner);
        let id = account.id.to_string();
        let client = client.overtaken_by(change, &[&id]);
        for (path, press) in [
            (MAGIC_LINK, verify as fn(&Client, &str) -> Answer),
            (PASSWORD_RESET, |client, token| confirm(client, token, "correct horse battery")),
        ] {
            let undo = "UPDATE users SET state = 'active' WHERE id = ?1";
            tenant.server.database().change(undo, &[&id]);
            let token = received(tenant.server, path, &account.email);
            assert_failed(&press(&client, &token));
        }
        let undo = "UPDATE users SET state = 'active' WHERE id = ?1";
        tenant.server.database().change(undo, &[&id]);
        let continuations = "SELECT count(*) AS n FROM continuations WHERE user_id = ?1";
        assert_eq!(tenant.server.database().number(continuations, &[&id]), 0);
        let still = account.try_password(&tenant.server.client(), &account.password);
        assert_eq!(still.status, 402, "{change}: {}", still.text());
    }
}

#[test]
fn an_email_that_fails_does_not_change_the_answer() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let good = likeness(&ask(&client, MAGIC_LINK, &account.email));
    let gone = client.with("Tests-Bindings", r#"{"MAIL": "gone"}"#);
    let answer = ask(&gone, MAGIC_LINK, &account.email);
    assert_eq!(likeness(&answer), good);
    let told = |line: &Value| line["event"] == "mail_not_sent";
    assert!(account.server.log().has(told), "the operator does");
}

#[test]
fn a_link_that_could_not_be_made_is_not_promised_to_any_address() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let links = || {
        let count = "SELECT count(*) AS n FROM links WHERE user_id = ?1";
        account.server.database().number(count, &[&account.id.to_string()])
    };
    let locked = r#"{"fails": "D1_ERROR: database is locked: SQLITE_BUSY"}"#;
    let twice = format!(r#"{{"2": {locked}, "3": {locked}}}"#);
    let always = format!(r#"{{"2": {locked}, "3": {locked}, "4": {locked}}}"#);
    let mut trips = BTreeSet::new();
    for (n, path) in [MAGIC_LINK, PASSWORD_RESET].into_iter().enumerate() {
        for address in [account.email.as_str(), "nobody@nowhere.example"] {
            for faults in [format!(r#"{{"1+": {locked}}}"#), always.clone()] {
                let answer = ask(&client.with("Tests-Database", &faults), path, address);
                assert_eq!(answer.status, 503, "{path} {address} {faults}");
                assert_eq!(answer.header("retry-after"), Some("1"));
                let line = account.server.log().of(answer.request_id()).remove(0);
                assert_eq!(line["failure"], "unavailable: locked");
            }
            let before = n + usize::from(address != account.email);
            assert_eq!(links(), i64::try_from(before).unwrap());
            // What passes is tried again, and the work is the same for every address.
            let answer = ask(&client.with("Tests-Database", &twice), path, address);
            assert_eq!(answer.status, 202, "{path} {address}");
            let line = account.server.log().of(answer.request_id()).remove(0);
            trips.insert(line["d1_round_trips"].as_u64());
        }
    }
    assert_eq!(trips.len(), 1, "{trips:?}");
    assert_eq!(links(), 2);
}

#[test]
fn a_link_leads_where_the_service_is_whatever_a_request_says() {
    let vars = json!({ "LIMITS": "unlimited", "PUBLIC_URL": "https://overturn.example" });
    let server = Server::lasting(&vars);
    let account = Account::of(&Tenant::new(&server), Role::Owner);
    let client = server.client().with("X-Forwarded-Host", "evil.example");
    let body = json!({ "email": account.email }).to_string();
    let head = client.head("POST", MAGIC_LINK).replace("Host: 127.0.0.1", "Host: evil.example");
    let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    let mut connection = client.connect();
    connection.write(request.as_bytes()).unwrap();
    connection.read(false).unwrap().expect(202);
    let mail = server.mails_to(&account.email).take();
    let link = mail.link();
    assert!(link.starts_with("https://overturn.example/magic-link#ovl_"), "{link}");
    assert!(!mail.text.contains("evil"), "{mail:?}");
    verify(&server.client(), &token_of(link)).expect(402);
}
