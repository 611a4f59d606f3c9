//! Pages of the Worker, and the paths in earlier emails, which lead to the console.

use overturn_core::auth::role::Role;
use overturn_core::base::secret::LinkToken;
use overturn_tests::account::Account;
use overturn_tests::client::Answer;
use overturn_tests::link::{Invited, MAGIC_LINK, PASSWORD_RESET, accept, confirm, received, verify};
use overturn_tests::server::Server;
use overturn_tests::tenant::Tenant;

/// The paths in earlier emails, and the pages of the console that they lead to.
const LINKS: [(&str, &str); 3] = [
    ("/auth/magic_link", "/magic-link"),
    ("/auth/password_reset", "/password-reset"),
    ("/auth/invitation", "/invitation"),
];
const NEW: &str = "a quite new passphrase";

pub(crate) fn assert_page(answer: &Answer, status: u16, text: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert!(answer.is_page(), "{}", answer.text());
    assert!(answer.text().contains(text), "{}", answer.text());
}

fn assert_led(answer: &Answer, to: &str) {
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(answer.header("location"), Some(to));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("set-cookie"), None);
    assert!(answer.body.is_empty());
}

#[test]
fn a_link_of_an_earlier_email_leads_to_the_console_and_still_works() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let invited = Invited::to(&tenant, Role::Member);
    let scanner = account.server.client();
    let sign_in = received(account.server, MAGIC_LINK, &account.email);
    let reset = received(account.server, PASSWORD_RESET, &account.email);
    for ((path, page), token) in LINKS.into_iter().zip([&sign_in, &reset, &invited.token]) {
        let link = format!("{path}?token={token}");
        for _ in 0..3 {
            let headed = scanner.request("HEAD", &link, None);
            assert_led(&headed, &format!("{page}#{token}"));
            let opened = scanner.get(&link);
            assert_led(&opened, &format!("{page}#{token}"));
            let line = &account.server.log().of(opened.request_id())[0];
            assert_eq!(line["route"], path);
            assert!(!line.to_string().contains(token.as_str()));
        }
    }
    let client = account.server.client();
    assert_eq!(verify(&client, &sign_in).status, 402);
    assert_eq!(confirm(&client, &reset, NEW).status, 204);
    assert_eq!(accept(&client, &invited.token, "Ann", NEW).status, 204);
    assert_eq!(account.try_password(&client, NEW).status, 402);
}

#[test]
fn a_link_without_a_token_leads_to_the_page_which_says_so() {
    let client = Server::shared().client();
    let unknown = LinkToken::mint([8; 32]);
    for (path, page) in LINKS {
        for query in ["", "?token=", "?token=x", "?token=%22%3E%3Cscript%3E", "?x=y"] {
            assert_led(&client.get(&format!("{path}{query}")), page);
        }
        // The console learns that the link does not work.
        let led = client.get(&format!("{path}?token={}", unknown.expose()));
        assert_led(&led, &format!("{page}#{}", unknown.expose()));
    }
}

#[test]
fn every_failure_of_a_page_is_a_page() {
    let client = Server::shared().client();
    for target in ["/auth", "/auth/", "/auth/nothing", "/auth/magic_link/x"] {
        assert_page(&client.get(target), 404, "There is nothing here");
    }
    for gone in ["/auth/identity", "/auth/passkey.js"] {
        assert_page(&client.get(gone), 404, "There is nothing here");
    }
    for (path, _) in LINKS {
        let posted = client.post(path, "token=x");
        assert_page(&posted, 405, "There is nothing here");
        assert_eq!(posted.header("allow"), Some("GET, HEAD"));
    }
    assert!(!client.get("/authentic").is_page());
}
