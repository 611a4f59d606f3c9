//! The limits on emails and on their links.

use overturn_service::request::secret::LinkToken;
use overturn_tests::account::Account;
use overturn_tests::link::{Invited, MAGIC_LINK, PASSWORD_RESET, accept, ask, confirm, preview, verify};
use overturn_tests::prelude::*;

fn from(server: &Server, ip: &str) -> Client {
    server.client().with("CF-Connecting-IP", ip)
}

fn assert_limited(answer: &Answer, limit: &str) {
    answer.expect(429);
    assert_eq!(answer.header("x-ratelimit-limit"), Some(limit));
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
    let wait: i64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!(wait >= 1, "{wait}");
}

#[test]
fn an_address_gets_three_emails_in_five_minutes_from_all_clients_together() {
    let server = Server::lasting(&json!({}));
    let tenant = Tenant::new(&server);
    let account = Account::of(&tenant, Role::Owner);
    let upper = account.email.to_uppercase();
    let nobody = "nobody.limited@account.example";
    for [first, second] in [[account.email.as_str(), &upper], [nobody, nobody]] {
        for (n, remaining) in ["2", "1", "0"].into_iter().enumerate() {
            let client = from(&server, &format!("198.51.100.{n}"));
            let path = [MAGIC_LINK, PASSWORD_RESET][n % 2];
            let asked = ask(&client, path, first);
            asked.expect(202);
            assert_eq!(asked.header("x-ratelimit-limit"), Some("3"));
            assert_eq!(asked.header("x-ratelimit-remaining"), Some(remaining));
        }
        let client = from(&server, "198.51.100.9");
        assert_limited(&ask(&client, MAGIC_LINK, second), "3");
        assert_limited(&ask(&client, PASSWORD_RESET, first), "3");
    }
    let mut inbox = server.mails_to(&account.email);
    let letters = (0..3).map(|_| inbox.take().subject).filter(|subject| subject.starts_with("Sign"));
    assert_eq!(letters.count(), 2);
    // An invalid address does not count.
    for _ in 0..4 {
        ask(&from(&server, "198.51.100.9"), MAGIC_LINK, "x").expect(422);
    }
}

#[test]
fn one_client_may_request_twenty_emails_in_twenty_seconds() {
    let server = Server::lasting(&json!({}));
    let client = from(&server, "198.51.100.1");
    for n in 0..20 {
        let email = format!("n{n}@account.example");
        ask(&client, MAGIC_LINK, &email).expect(202);
    }
    let email = "n20@account.example";
    assert_limited(&ask(&client, MAGIC_LINK, email), "20");
    let elsewhere = ask(&from(&server, "198.51.100.2"), MAGIC_LINK, email);
    assert_eq!(elsewhere.header("x-ratelimit-remaining"), Some("2"));
}

#[test]
fn one_client_may_try_ten_links_a_minute_of_any_kind() {
    let server = Server::lasting(&json!({}));
    let tenant = Tenant::new(&server);
    let invited = Invited::to(&tenant, Role::Member);
    let unknown = LinkToken::mint([4; 32]);
    let unknown = unknown.expose();
    let client = from(&server, "198.51.100.1");
    let good = "correct horse battery";
    for _ in 0..2 {
        verify(&client, unknown).expect(401);
        confirm(&client, unknown, good).expect(401);
        accept(&client, unknown, "Ann", good).expect(401);
        verify(&client, unknown).expect(401);
        let seen = preview(&client, unknown);
        seen.expect(401);
        assert_eq!(seen.header("x-ratelimit-limit"), Some("10"));
    }
    assert_limited(&accept(&client, &invited.token, "Ann", good), "10");
    assert_limited(&preview(&client, &invited.token), "10");
    let elsewhere = from(&server, "198.51.100.2");
    accept(&elsewhere, &invited.token, "Ann", good).expect(204);
}

#[test]
fn one_client_may_read_so_often_by_which_providers_people_sign_in() {
    let server = Server::lasting(&json!({ "READS_PER_MINUTE": "2" }));
    let [client, elsewhere] = ["198.51.100.1", "198.51.100.2"].map(|ip| from(&server, ip));
    for _ in 0..2 {
        client.get("/api/v1/auth/providers").expect(200);
    }
    assert_limited(&client.get("/api/v1/auth/providers"), "2");
    elsewhere.get("/api/v1/auth/providers").expect(200);
}
