//! Pages that explain refusals.

use super::pages::assert_page;
use overturn_core::auth::role::Role;
use overturn_core::base::secret::LinkToken;
use overturn_tests::account::{Account, cookie};
use overturn_tests::client::Answer;
use overturn_tests::link::{
    Invited, MAGIC_LINK, PASSWORD_RESET, confirm, received, submit, verify,
};
use overturn_tests::server::Server;
use overturn_tests::tenant::Tenant;

const SIGN_IN: &str = "/auth/magic_link";
const CODE: &str = "/auth/magic_link/code";
const RESET: &str = "/auth/password_reset";
const JOIN: &str = "/auth/invitation";
const NEW: &str = "a quite new passphrase";

#[test]
fn a_link_that_no_longer_works_says_so_and_no_more() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let used = received(account.server, MAGIC_LINK, &account.email);
    assert_eq!(verify(&client, &used).status, 402);
    let reset = received(account.server, PASSWORD_RESET, &account.email);
    assert_eq!(confirm(&client, &reset, NEW).status, 204);
    let unknown = LinkToken::mint([6; 32]);
    let mut pages = Vec::new();
    for token in [&*used, &reset, unknown.expose(), "x", ""] {
        let fields = [("token", token), ("name", "Ann"), ("password", NEW)];
        for path in [SIGN_IN, RESET, JOIN] {
            let failed = submit(&client, path, &fields);
            assert_eq!(cookie(&failed, "__Host-session"), None);
            pages.push(failed);
        }
        pages.push(client.get(&format!("{JOIN}?token={token}")));
    }
    let status = |page: &Answer| if page.status == 422 { 401 } else { page.status };
    for page in &pages {
        assert_page(page, page.status, "This link does not work");
        assert_eq!((status(page), page.text()), (401, pages[0].text()));
    }
    for path in [SIGN_IN, RESET, JOIN] {
        for target in [path.to_owned(), format!("{path}?token=%22%3E%3Cscript%3E")] {
            assert_page(&client.get(&target), 401, "This link does not work");
        }
    }
}

#[test]
fn a_form_of_another_site_does_not_sign_in() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let token = received(account.server, MAGIC_LINK, &account.email);
    let client = account.server.client();
    let body = format!("token={token}");
    for headers in [
        &[
            ("Sec-Fetch-Site", "cross-site"),
            ("Origin", "https://evil.example"),
        ][..],
        &[("Sec-Fetch-Site", "same-site")],
        &[("Origin", "https://evil.example")],
        &[("Origin", "null")],
    ] {
        let client = headers
            .iter()
            .fold(client.with("X-Nothing", ""), |client, (name, value)| {
                client.with(name, value)
            });
        for path in [SIGN_IN, CODE, RESET, JOIN] {
            assert_page(&client.post(path, &body), 403, "There is nothing here");
        }
    }
    assert_eq!(
        verify(&client, &token).status,
        402,
        "the link was not touched"
    );
}

#[test]
fn every_failure_of_a_page_is_a_page() {
    let client = Server::shared().client();
    let token = LinkToken::mint([8; 32]);
    let link = format!("{JOIN}?token={}", token.expose());
    for target in ["/auth", "/auth/", "/auth/nothing", "/auth/magic_link/x"] {
        assert_page(&client.get(target), 404, "There is nothing here");
    }
    let wrong = client.request("PUT", SIGN_IN, Some(b""));
    assert_page(&wrong, 405, "There is nothing here");
    assert_eq!(wrong.header("allow"), Some("GET, HEAD, POST"));
    assert_page(&client.get(CODE), 405, "There is nothing here");
    let large = vec![b'x'; 3 << 20];
    assert_page(&client.post(SIGN_IN, large), 413, "There is nothing here");
    let lost = r#"{"*": {"fails": "D1_ERROR: Network connection lost."}}"#;
    let unavailable = client.with("Tests-Database", lost).get(&link);
    assert_page(&unavailable, 503, "That did not work");
    assert_eq!(unavailable.header("retry-after"), Some("1"));
    let broken = r#"{"*": {"fails": "D1_ERROR: no such table: links"}}"#;
    let failed = client.with("Tests-Database", broken).get(&link);
    assert_page(&failed, 500, "That did not work");
    assert!(!client.get("/authentic").is_page());
}

#[test]
fn an_invitation_to_an_address_with_an_account_is_refused_on_a_page() {
    let (here, elsewhere) = (Tenant::new(Server::shared()), Tenant::new(Server::shared()));
    let account = Account::of(&elsewhere, Role::Owner);
    let invited = Invited::at(&here, Role::Member, &account.email);
    let fields = [
        ("token", &*invited.token),
        ("name", "Ann"),
        ("password", NEW),
    ];
    let refused = submit(&here.server.client(), JOIN, &fields);
    assert_page(&refused, 409, "This invitation cannot be accepted");
}
