//! `POST /api/v1/auth/magic_link` and `…/verify`.

use overturn_core::role::Role;
use overturn_tests::account::{Account, SESSION, cookie, page_of, show};
use overturn_tests::client::{Answer, Client};
use overturn_tests::link::{
    CONFIRM, Invited, MAGIC_LINK, PASSWORD_RESET, VERIFY, ask, confirm, received, token_of, verify,
};
use overturn_tests::server::Server;
use overturn_tests::tenant::Tenant;
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

fn assert_failed(answer: &Answer) {
    assert_eq!(answer.status, 401, "{}", answer.text());
    assert_eq!(answer.json["error"]["message"], "the sign-in failed");
    assert_eq!(cookie(answer, "__Host-session"), None);
}

fn sign_in_link(account: &Account<'_>) -> String {
    received(account.server, MAGIC_LINK, &account.email)
}

type Likeness = (u16, Vec<(String, String)>, String);

/// All of an answer that is the same for every request of its kind.
fn likeness(answer: &Answer) -> Likeness {
    let headers = answer.headers.iter();
    let mut headers: Vec<_> = headers
        .filter(|(name, _)| name != "x-request-id" && name != "date")
        .cloned()
        .collect();
    headers.sort();
    (answer.status, headers, answer.text())
}

#[test]
fn a_link_does_what_a_password_does_and_no_more() {
    let tenant = Tenant::new(Server::shared());
    for account in [
        Account::of(&tenant, Role::Member),
        Account::staff(tenant.server),
    ] {
        let client = account.server.client();
        let asked = verify(&client, &sign_in_link(&account));
        assert_eq!(asked.status, 402, "{}", asked.text());
        assert_eq!(asked.json["error"]["code"], "two_factor_required");
        assert_eq!(cookie(&asked, "__Host-session"), None);
        let token = asked.json["continuation_token"].as_str().unwrap();
        let done = show(&client, token, &account.code(0));
        assert_eq!(done.status, 200, "{}", done.text());
        assert_eq!(page_of(&client, &done).get(SESSION).status, 200);
    }
    let new = Account::unenrolled(&tenant, Role::Member);
    let begun = verify(&new.server.client(), &sign_in_link(&new));
    assert_eq!(begun.status, 200, "{}", begun.text());
    assert_eq!(begun.json["session"]["kind"], "enrolment");
    let page = page_of(&new.server.client(), &begun);
    assert_eq!(page.get("/api/v1/settings/api_keys").status, 402);
}

/// An answer, and the work that was done before it.
fn asked(client: &Client, path: &str, email: &str) -> (Likeness, Value) {
    let answer = ask(client, path, email);
    let line = &Server::shared().log().of(answer.request_id())[0];
    (likeness(&answer), line["d1_round_trips"].clone())
}

#[test]
fn every_address_is_answered_alike_and_only_an_account_in_use_gets_a_letter() {
    let tenant = Tenant::new(Server::shared());
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
    let nobodies = [
        "nobody.at.all@account.example",
        &removed.email,
        &invited.email,
    ];
    for path in [MAGIC_LINK, PASSWORD_RESET] {
        let client = tenant.server.client();
        let to_nobody = nobodies.map(|email| asked(&client, path, email));
        let to_known = asked(&client, path, &known.email);
        assert_eq!(to_known.0.0, 202, "{to_known:?}");
        assert_eq!(to_nobody, [to_known.clone(), to_known.clone(), to_known]);
        // Its letter comes last.
        let _letter = tenant.server.mails_to(&known.email).take();
    }
    for nobody in nobodies {
        let letter = tenant
            .server
            .mails_to(nobody)
            .take_within(Duration::from_millis(300));
        assert_eq!(letter, None, "{nobody}");
    }
    let after = database.number(
        "SELECT count(*) AS n FROM links WHERE user_id IN (?1, ?2)",
        &[&removed.id.to_string(), &invited.id.to_string()],
    );
    assert_eq!(after, before);
}

#[test]
fn a_link_works_once_however_often_it_is_pressed_at_the_same_time() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let token = sign_in_link(&account);
    let statuses: Vec<u16> = thread::scope(|scope| {
        let pressed: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| verify(&account.server.client(), &token).status))
            .collect();
        let pressed = pressed.into_iter();
        pressed.map(|pressed| pressed.join().unwrap()).collect()
    });
    let good = statuses.iter().filter(|status| **status == 402).count();
    assert_eq!(good, 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [401, 402].contains(status)));
    let continuations = "SELECT count(*) AS n FROM continuations WHERE user_id = ?1";
    let database = account.server.database();
    assert_eq!(
        database.number(continuations, &[&account.id.to_string()]),
        1
    );
    assert_failed(&verify(&account.server.client(), &token));
}

#[test]
fn a_link_is_worth_nothing_once_it_is_old_or_its_account_has_changed() {
    let tenant = Tenant::new(Server::shared());
    let client = tenant.server.client();
    for change in [
        "UPDATE links SET expires_at = expires_at - 600000 WHERE user_id = ?1",
        "UPDATE users SET epoch = epoch + 1 WHERE id = ?1",
        "UPDATE users SET state = 'removed' WHERE id = ?1",
    ] {
        let account = Account::of(&tenant, Role::Owner);
        let token = sign_in_link(&account);
        tenant
            .server
            .database()
            .change(change, &[&account.id.to_string()]);
        assert_failed(&verify(&client, &token));
    }
    let account = Account::of(&tenant, Role::Owner);
    let token = sign_in_link(&account);
    let soon = "UPDATE links SET expires_at = expires_at - 570000 WHERE user_id = ?1";
    tenant
        .server
        .database()
        .change(soon, &[&account.id.to_string()]);
    assert_eq!(
        verify(&client, &token).status,
        402,
        "ten minutes are not over"
    );
}

#[test]
fn a_link_does_what_it_was_sent_for_and_nothing_else() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let reset = received(account.server, PASSWORD_RESET, &account.email);
    assert_failed(&verify(&client, &reset));
    assert_failed(&verify(&client, &Invited::to(&tenant, Role::Owner).token));
    let sign_in = sign_in_link(&account);
    assert_failed(&confirm(&client, &sign_in, "correct horse battery"));
    assert_eq!(verify(&client, &sign_in).status, 402);
    assert_eq!(
        confirm(&client, &reset, "correct horse battery").status,
        204
    );
}

#[test]
fn what_can_be_no_token_is_answered_like_one_that_is_unknown() {
    let client = Server::shared().client();
    let unknown = overturn_core::secret::LinkToken::mint([5; 32]);
    for token in [unknown.expose(), "x", "ovs_AAAA", "ovl_"] {
        assert_failed(&verify(&client, token));
    }
    for (path, body, status, field) in [
        (MAGIC_LINK, "", 400, Value::Null),
        (MAGIC_LINK, "{}", 422, json!("email")),
        (MAGIC_LINK, r#"{"email":"x"}"#, 422, json!("email")),
        (PASSWORD_RESET, r#"{"email":7}"#, 422, json!("email")),
        (VERIFY, "[]", 400, Value::Null),
        (VERIFY, "{}", 422, json!("token")),
        (CONFIRM, "{}", 422, json!("token")),
    ] {
        let answer = client.post(path, body);
        assert_eq!(answer.status, status, "{body}: {}", answer.text());
        assert_eq!(answer.json["error"]["details"][0]["field"], field, "{body}");
    }
}

#[test]
fn nobody_learns_from_the_answer_that_a_letter_could_not_be_sent() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let good = likeness(&ask(&client, MAGIC_LINK, &account.email));
    let broken = r#"{"*": {"fails": "D1_ERROR: no such table: users"}}"#;
    for (name, weather) in [
        ("Tests-Bindings", r#"{"MAIL": "gone"}"#),
        ("Tests-Database", broken),
    ] {
        let answer = ask(&client.with(name, weather), MAGIC_LINK, &account.email);
        assert_eq!(likeness(&answer), good, "{name}");
    }
    let told = |line: &Value| line["event"] == "link_not_sent";
    assert!(account.server.log().has(told), "the operator does");
}

#[test]
fn a_sign_in_whose_answer_was_lost_is_answered_and_the_link_stays_used() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let token = sign_in_link(&account);
    let lost = r#"{"2": {"loses": "D1_ERROR: Network connection lost."}}"#;
    let client = account.server.client();
    let asked = verify(&client.with("Tests-Database", lost), &token);
    assert_eq!(asked.status, 402, "{}", asked.text());
    let continuation = asked.json["continuation_token"].as_str().unwrap();
    assert_eq!(show(&client, continuation, &account.code(0)).status, 200);
    assert_failed(&verify(&client, &token));
}

#[test]
fn a_link_leads_where_the_service_is_whatever_a_request_says() {
    let vars = json!({ "LIMITS": "unlimited", "PUBLIC_URL": "https://overturn.example" });
    let server = Server::lasting(&vars);
    let account = Account::of(&Tenant::new(&server), Role::Owner);
    let client = server.client().with("X-Forwarded-Host", "evil.example");
    let body = json!({ "email": account.email }).to_string();
    let head = client
        .head("POST", MAGIC_LINK)
        .replace("Host: 127.0.0.1", "Host: evil.example");
    let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    let mut connection = client.connect();
    connection.write(request.as_bytes()).unwrap();
    assert_eq!(connection.read(false).unwrap().status, 202);
    let mail = server.mails_to(&account.email).take();
    let link = mail.link();
    assert!(
        link.starts_with("https://overturn.example/auth/magic_link?token=ovl_"),
        "{link}"
    );
    assert!(!mail.text.contains("evil"), "{mail:?}");
    assert_eq!(verify(&server.client(), &token_of(link)).status, 402);
}

#[test]
fn what_became_of_a_link_is_in_the_trail() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let token = sign_in_link(&account);
    let client = account
        .server
        .client()
        .with("CF-Connecting-IP", "203.0.113.9");
    assert_eq!(verify(&client, &token).status, 402);
    assert_failed(&verify(&client, &token));
    let wanted = [
        ("magic_link.sent", None),
        ("session.first_factor_passed", Some("magic_link")),
        ("session.failed", None),
    ];
    let rows = trail(&account, wanted.len());
    for (row, (action, by)) in rows.iter().zip(wanted) {
        assert_eq!(row["action"], action);
        assert_eq!(row["actor"], format!("user:{}", account.id));
        let detail: Value = serde_json::from_str(row["detail"].as_str().unwrap()).unwrap();
        assert_eq!(detail["by"].as_str(), by, "{row}");
        assert!(!row.to_string().contains(&token));
    }
    assert!(rows[2]["detail"].as_str().unwrap().contains("203.0.113.9"));
}

/// So many rows of the trail about an account, some of which are written behind the answers.
pub(crate) fn trail(account: &Account<'_>, rows: usize) -> Vec<Value> {
    let query = "SELECT action, actor, detail FROM audit WHERE record = ?1 ORDER BY at, id";
    for _ in 0..100 {
        let found = account
            .server
            .database()
            .rows(query, &[&account.id.to_string()]);
        if found.len() >= rows {
            assert_eq!(found.len(), rows, "{found:?}");
            return found;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("fewer than {rows} rows");
}
