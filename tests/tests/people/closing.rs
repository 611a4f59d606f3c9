//! Too many wrong passwords in a row close an account's password until its owner uses a mailed link.

use overturn_tests::account::{Account, SESSION, cookie, show};
use overturn_tests::link::{MAGIC_LINK, PASSWORD_RESET, confirm, received, verify};
use overturn_tests::mail::Inbox;
use overturn_tests::prelude::*;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

const CLOSED: &str = "Your Overturn password is closed";

/// One server for this module. It closes a password after four wrong ones in a row.
fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::lasting(&json!({ "LIMITS": "unlimited", "PASSWORD_FAILURES": "4" })))
}

fn owner() -> Account<'static> {
    Account::of(&Tenant::new(server()), Role::Owner)
}

fn wrong(account: &Account<'_>, times: usize) {
    let client = account.server.client();
    for _ in 0..times {
        let answer = account.try_password(&client, "not the password");
        answer.expect(401);
    }
}

fn right(account: &Account<'_>) -> Answer {
    account.try_password(&account.server.client(), &account.password)
}

/// Waits for an email, then counts those with this subject.
fn letters(inbox: &mut Inbox, subject: &str, time_out: Duration) -> usize {
    let mut count = 0;
    while let Some(mail) = inbox.take_within(time_out) {
        count += usize::from(mail.subject == subject);
    }
    count
}

fn closings(account: &Account<'_>) -> i64 {
    let sql = "SELECT count(*) AS n FROM audit WHERE action = 'password.closed' AND record = ?1";
    account.server.database().number(sql, &[&account.id.to_string()])
}

#[test]
fn after_so_many_wrong_ones_the_right_password_is_wrong_too() {
    let account = owner();
    let mut inbox = server().mails_to(&account.email);
    wrong(&account, 4);
    let closed = right(&account);
    let unknown = json!({ "email": "nobody@account.example", "password": "x" });
    let unknown = server().client().post(SESSION, unknown.to_string());
    assert_eq!((closed.status, unknown.status), (401, 401));
    assert_eq!(closed.json["error"]["message"], unknown.json["error"]["message"]);
    wrong(&account, 3);
    assert_eq!(letters(&mut inbox, CLOSED, Duration::from_secs(2)), 1);
    assert_eq!(closings(&account), 1);
}

#[test]
fn a_known_device_is_refused_too() {
    let account = owner();
    let desk = server().client();
    let done = show(&desk, &account.continuation(&desk), &account.code(0));
    let device = cookie(&done, "__Host-device").unwrap();
    let known = desk.with("Cookie", &format!("__Host-device={device}"));
    wrong(&account, 4);
    account.try_password(&known, &account.password).expect(401);
}

#[test]
fn a_sign_in_link_opens_it_and_so_does_a_new_password() {
    let account = owner();
    let client = server().client();
    wrong(&account, 5);
    right(&account).expect(401);
    let link = received(server(), MAGIC_LINK, &account.email);
    assert_eq!(right(&account).status, 401, "a letter alone opens nothing");
    verify(&client, &link).expect(402);
    right(&account).expect(402);

    wrong(&account, 5);
    let reset = received(server(), PASSWORD_RESET, &account.email);
    confirm(&client, &reset, "violet kettle harbor").expect(204);
    let asked = account.try_password(&client, "violet kettle harbor");
    asked.expect(402);
    assert_eq!(closings(&account), 2);
}

#[test]
fn the_password_so_far_is_tried_as_often_where_another_is_chosen() {
    let account = owner();
    let page = account.sign_in();
    let change = |page: &Client, current: &str| {
        let body = json!({ "current_password": current, "new_password": "violet kettle harbor" });
        page.post("/api/v1/auth/password", body.to_string())
    };
    let mut inbox = server().mails_to(&account.email);
    for _ in 0..4 {
        let refused = change(&page, "not the password");
        refused.expect(422);
    }
    // The password is closed after the answer.
    wait::until("it is closed", || closings(&account) > 0);
    change(&page, &account.password).expect(422);
    right(&account).expect(401);
    assert_eq!(letters(&mut inbox, CLOSED, Duration::from_secs(2)), 1);
}

#[test]
fn an_attempt_at_the_current_password_that_cannot_be_counted_is_not_compared() {
    let account = owner();
    let page = account.sign_in();
    let change = |current: &str, new: &str| {
        let body = json!({ "current_password": current, "new_password": new });
        page.post("/api/v1/auth/password", body.to_string())
    };
    let uncounted = format!(
        "CREATE TRIGGER uncounted BEFORE INSERT ON password_tries WHEN NEW.user_id = '{}'
         BEGIN SELECT RAISE (ABORT, 'no count'); END",
        account.id
    );
    let database = server().database();
    database.change(&uncounted, &[]);
    for current in ["not the password", &account.password] {
        let answer = change(current, "violet kettle harbor");
        assert!(answer.status >= 500, "{}", answer.text());
    }
    // A new password that breaks the rules is refused before the current one is tried.
    change("not the password", "short").expect(422);
    database.change("DROP TRIGGER uncounted", &[]);
    let answer = change("not the password", "violet kettle harbor");
    answer.expect(422);
    let tries = "SELECT tries AS n FROM password_tries WHERE user_id = ?1";
    assert_eq!(database.number(tries, &[&account.id.to_string()]), 1);
}

#[test]
fn of_120_parallel_wrong_ones_100_count_and_one_email_is_sent() {
    let server = Server::lasting(&json!({ "LIMITS": "unlimited" }));
    let account = Account::of(&Tenant::new(&server), Role::Owner);
    let mut inbox = server.mails_to(&account.email);
    let try_at_once = |times: usize| {
        thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    let client = server.client();
                    for _ in 0..times / 20 {
                        let answer = account.try_password(&client, "not the password");
                        answer.expect(401);
                    }
                });
            }
        });
    };
    try_at_once(20);
    right(&account).expect(402);
    try_at_once(120);
    right(&account).expect(401);
    let tries = "SELECT tries AS n FROM password_tries WHERE user_id = ?1";
    let tries = server.database().number(tries, &[&account.id.to_string()]);
    assert_eq!(tries, 121, "each attempt once");
    assert_eq!(letters(&mut inbox, CLOSED, Duration::from_secs(2)), 1);
    assert_eq!(closings(&account), 1);
    let link = received(&server, MAGIC_LINK, &account.email);
    verify(&server.client(), &link).expect(402);
    right(&account).expect(402);
}
