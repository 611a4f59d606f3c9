//! The pages behind mailed links.

use overturn_core::auth::role::Role;
use overturn_tests::account::{Account, SESSION, page_of, show};
use overturn_tests::client::Answer;
use overturn_tests::link::{Invited, MAGIC_LINK, PASSWORD_RESET, received, submit, verify};
use overturn_tests::server::Server;
use overturn_tests::signing::hidden;
use overturn_tests::tenant::Tenant;

const SIGN_IN: &str = "/auth/magic_link";
const CODE: &str = "/auth/magic_link/code";
const RESET: &str = "/auth/password_reset";
const JOIN: &str = "/auth/invitation";
const NEW: &str = "a quite new passphrase";

pub(crate) fn assert_page(answer: &Answer, status: u16, text: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert!(answer.is_page(), "{}", answer.text());
    assert!(answer.text().contains(text), "{}", answer.text());
}

fn cookies(answer: &Answer) -> Vec<(String, String)> {
    let set = answer
        .headers
        .iter()
        .filter(|(name, _)| name == "set-cookie");
    let parts = set.map(|(_, cookie)| {
        let (name, rest) = cookie.split_once('=').unwrap();
        (name.to_owned(), rest.split_once(';').unwrap().1.to_owned())
    });
    parts.collect()
}

#[test]
fn a_link_that_a_mail_scanner_opened_still_works_for_its_reader() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let invited = Invited::to(&tenant, Role::Member);
    let scanner = account.server.client();
    let sign_in = received(account.server, MAGIC_LINK, &account.email);
    let reset = received(account.server, PASSWORD_RESET, &account.email);
    for (path, token) in [(SIGN_IN, &sign_in), (RESET, &reset), (JOIN, &invited.token)] {
        let link = format!("{path}?token={token}");
        for _ in 0..3 {
            assert_eq!(scanner.request("HEAD", &link, None).status, 200);
            let opened = scanner.get(&link);
            assert_page(&opened, 200, "<form method=\"post\"");
            assert_eq!(hidden(&opened, "token"), *token);
            assert!(cookies(&opened).is_empty());
            let line = &account.server.log().of(opened.request_id())[0];
            assert_eq!(line["route"], path);
            assert!(!line.to_string().contains(token.as_str()));
        }
    }
    let client = account.server.client();
    assert_page(
        &submit(&client, SIGN_IN, &[("token", &sign_in)]),
        200,
        "Enter your code",
    );
    assert_page(
        &submit(&client, RESET, &[("token", &reset), ("password", NEW)]),
        200,
        "Your password is set",
    );
    assert_page(
        &submit(
            &client,
            JOIN,
            &[
                ("token", &invited.token),
                ("name", "Ann"),
                ("password", NEW),
            ],
        ),
        200,
        "Your account is ready",
    );
    assert_eq!(account.try_password(&client, NEW).status, 402);
}

#[test]
fn the_form_signs_in_with_the_very_cookies_of_the_interface() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let asked = verify(
        &client,
        &received(account.server, MAGIC_LINK, &account.email),
    );
    let token = asked.json["continuation_token"].as_str().unwrap();
    let by_interface = show(&client, token, &account.code(0));

    let token = received(account.server, MAGIC_LINK, &account.email);
    let page = submit(&client, SIGN_IN, &[("token", &token)]);
    assert!(cookies(&page).is_empty(), "not before the code");
    let token = hidden(&page, "continuation_token");
    let code = account.code(30_000);
    let done = submit(
        &client,
        CODE,
        &[("continuation_token", &token), ("code", &code)],
    );
    assert_page(&done, 200, "You are signed in");
    assert_eq!(cookies(&done), cookies(&by_interface));
    assert_eq!(cookies(&done).len(), 3);
    assert_eq!(page_of(&client, &done).get(SESSION).status, 200);

    let new = Account::unenrolled(&tenant, Role::Owner);
    let token = received(new.server, MAGIC_LINK, &new.email);
    let begun = submit(&client, SIGN_IN, &[("token", &token)]);
    assert_page(&begun, 200, "You are signed in");
    let kind = &page_of(&client, &begun).get(SESSION).json["session"]["kind"];
    assert_eq!(kind, "enrolment");
}

#[test]
fn a_wrong_code_can_be_tried_again_until_there_were_five() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let token = account.continuation(&client);
    let enter = |code: &str| {
        submit(
            &client,
            CODE,
            &[("continuation_token", &token), ("code", code)],
        )
    };
    assert_page(&enter(""), 422, "That code is not right");
    for _ in 0..4 {
        let wrong = enter("123");
        assert_page(&wrong, 401, "That code is not right");
        assert_eq!(hidden(&wrong, "continuation_token"), token);
    }
    assert_page(&enter("123"), 401, "Please begin again");
    assert_page(&enter(&account.code(0)), 401, "Please begin again");
    let unknown = [("continuation_token", "\"><script>"), ("code", "1")];
    assert_page(&submit(&client, CODE, &unknown), 401, "Please begin again");
}

#[test]
fn the_page_shows_the_problems_of_a_password_or_name() {
    let tenant = Tenant::new(Server::shared());
    let rename = "UPDATE practices SET name = ?2 WHERE id = ?1";
    tenant.change(rename, &["<script>alert(1)</script> & \"Co\""]);
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let reset = received(account.server, PASSWORD_RESET, &account.email);
    let refused = submit(
        &client,
        RESET,
        &[("token", &reset), ("password", "passwordpassword")],
    );
    assert_page(&refused, 422, "Password is too common.");
    assert_eq!(hidden(&refused, "token"), reset);
    assert!(!refused.text().contains("passwordpassword"));

    let invited = Invited::to(&tenant, Role::Member);
    let opened = client.get(&format!("{JOIN}?token={}", invited.token));
    let practice = "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Co&quot;";
    assert_page(&opened, 200, practice);
    let name = "\"><img src=x onerror=alert(1)> Ann";
    let token = ("token", &*invited.token);
    let refused = submit(
        &client,
        JOIN,
        &[token, ("name", name), ("password", "short")],
    );
    assert_page(&refused, 422, "Password must have at least 12 characters.");
    assert_page(&refused, 422, practice);
    assert_page(
        &refused,
        422,
        "value=\"&quot;&gt;&lt;img src=x onerror=alert(1)&gt; Ann\"",
    );
    assert!(!refused.text().contains("<img") && !refused.text().contains("<script"));
    let long = "x".repeat(201);
    let refused = submit(&client, JOIN, &[token, ("name", &long), ("password", NEW)]);
    assert_page(&refused, 422, "Name must be at most 200 characters.");
    let joined = submit(&client, JOIN, &[token, ("name", name), ("password", NEW)]);
    assert_page(&joined, 200, "Your account is ready");
    let again = client.get(&format!("{JOIN}?token={}", invited.token));
    assert_page(&again, 401, "This link does not work");
    assert!(
        !again.text().contains("alert"),
        "the name of the practice is told no more"
    );
}
