//! People of several databases reach their accounts, which are found by address, link, token or session.

use crate::magic_link::assert_failed;
use overturn_tests::account::{Account, SESSION, page_of, show};
use overturn_tests::link::{Invited, MAGIC_LINK, PASSWORD_RESET, accept, ask, confirm, received, verify};
use overturn_tests::only_on_native;
use overturn_tests::prelude::*;
use overturn_tests::state::State;
use std::sync::OnceLock;

const CELLS: u16 = 3;
const NEW: &str = "a quite new passphrase";

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::lasting(&json!({ "LIMITS": "unlimited", "CELLS": CELLS.to_string() })))
}

/// A practice in each cell.
fn tenants() -> [Tenant<'static>; 3] {
    [0, 1, 2].map(|cell| Tenant::in_cell(server(), cell))
}

/// A new address that practices of two cells invite.
fn invited_twice() -> ([Tenant<'static>; 2], [Invited; 2]) {
    let [_, first, second] = tenants();
    let here = Invited::to(&first, Role::Member);
    let there = Invited::at(&second, Role::Member, &here.email);
    ([first, second], [here, there])
}

/// Signs in with the password and the code, and returns the page.
fn sign_in(client: &Client, account: &Account<'_>) -> Client {
    let done = show(client, &account.continuation(client), &account.code(0));
    done.expect(200);
    page_of(client, &done)
}

#[test]
fn a_person_of_any_cell_signs_in_by_password_and_by_link_and_sets_a_new_password() {
    only_on_native!("cells_path is what several databases show on workerd");
    for tenant in tenants() {
        let account = Account::of(&tenant, Role::Member);
        let page = sign_in(&server().client(), &account);
        assert_eq!(page.get(SESSION).json["practice"]["id"], tenant.id.to_string());
        let token = received(server(), MAGIC_LINK, &account.email);
        verify(&server().client(), &token).expect(402);
        let token = received(server(), PASSWORD_RESET, &account.email);
        confirm(&server().client(), &token, NEW).expect(204);
        page.get(SESSION).expect(401);
        account.try_password(&server().client(), &account.password).expect(401);
        account.try_password(&server().client(), NEW).expect(402);
    }
    let staff = Account::staff(server());
    assert_eq!(sign_in(&server().client(), &staff).get(SESSION).json["practice"], Value::Null);
}

#[test]
fn an_installation_that_gets_more_databases_keeps_its_people_and_their_addresses() {
    only_on_native!("cells_path is what several databases show on workerd");
    let with = |cells: &str| json!({ "LIMITS": "unlimited", "CELLS": cells });
    let one = Server::start(State::empty(), &with("1"));
    let account = Account::of(&Tenant::in_cell(&one, 0), Role::Member);
    let staff = Account::staff(&one);
    let people = [account, staff].map(|person| (person.email, person.password));
    let three = Server::start(one.stop(), &with("3"));
    for (email, password) in &people {
        let body = json!({ "email": email, "password": password });
        three.client().post(SESSION, body.to_string()).expect(402);
        let elsewhere = Invited::at(&Tenant::in_cell(&three, 1), Role::Member, email);
        accept(&three.client(), &elsewhere.token, "Ann", NEW).expect(409);
    }
    // An instance that still knew one database told the directory nothing.
    let database = three.database();
    database.change_directory("DELETE FROM addresses", &[]);
    database.change_directory("DELETE FROM daily_jobs", &[]);
    assert_eq!(three.client().exchange("POST", "/.tests/sweep", Some(b"")).status, 204);
    for (email, _) in &people {
        let known = "SELECT count(*) AS n FROM addresses WHERE email_key = ?1 AND cell = 0";
        assert_eq!(database.number(known, &[email]), 1);
    }
}

#[test]
fn an_unknown_address_is_answered_as_one_of_any_cell() {
    only_on_native!("cells_path is what several databases show on workerd");
    let known = tenants().map(|tenant| Account::of(&tenant, Role::Member).email);
    let unknown = (0..6).map(|n| format!("nobody{n}.{}@account.example", now().0));
    for email in known.into_iter().chain(unknown) {
        let body = json!({ "email": email, "password": "a wrong passphrase" });
        assert_failed(&server().client().post(SESSION, body.to_string()));
        ask(&server().client(), MAGIC_LINK, &email).expect(202);
    }
    // The attempts at addresses without an account have a row in their cell, as with one cell.
    let tries = "SELECT count(*) AS n FROM password_tries WHERE user_id = ''";
    assert!(server().database().number(tries, &[]) > 0);
}

#[test]
fn an_address_has_one_active_account_in_all_cells() {
    only_on_native!("cells_path is what several databases show on workerd");
    let ([first, second], [here, there]) = invited_twice();
    let client = server().client();
    let join = |invited: &Invited| accept(&client, &invited.token, "Ann", NEW);
    join(&here).expect(204);
    for _ in 0..2 {
        let taken = join(&there);
        taken.expect(409);
        assert_eq!(taken.json["error"]["reason"], "already_exists");
    }
    let practice = || {
        let body = json!({ "email": here.email, "password": NEW });
        let begun = client.post(SESSION, body.to_string());
        begun.expect(200);
        begun.json["practice"]["id"].clone()
    };
    assert_eq!(practice(), first.id.to_string());
    // The first account goes. Its row of the directory stays, and gives way once no batch can be under way.
    server().database().change("UPDATE users SET state = 'removed' WHERE id = ?1", &[&here.id.to_string()]);
    join(&there).expect(409);
    let earlier = "UPDATE addresses SET reserved_at = reserved_at - 120000 WHERE email_key = ?1";
    server().database().change_directory(earlier, &[&here.email]);
    join(&there).expect(204);
    assert_eq!(practice(), second.id.to_string());
}

#[test]
fn of_two_people_who_accept_at_once_in_two_cells_one_gets_the_address() {
    only_on_native!("cells_path is what several databases show on workerd");
    let (_, [here, there]) = invited_twice();
    let calls = [&here.token, &there.token].map(|token| {
        let token = token.clone();
        move || accept(&server().client(), &token, "Ann", NEW).status
    });
    let mut statuses = at_once(calls.into());
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 409]);
    let active = "SELECT count(*) AS n FROM users WHERE email_key = ?1 AND state = 'active'";
    assert_eq!(server().database().number(active, &[&here.email]), 1);
}

#[test]
fn a_reservation_whose_batch_never_ran_gives_way_after_two_minutes() {
    only_on_native!("cells_path is what several databases show on workerd");
    let (_, [invited, elsewhere]) = invited_twice();
    let reserve = |at: i64| {
        let sql = "INSERT INTO addresses (email_key, user_id, cell, reserved_at)
           VALUES (?1, ?2, 2, CAST(?3 AS INTEGER)) ON CONFLICT DO UPDATE SET reserved_at = excluded.reserved_at";
        let params = [&*invited.email, &elsewhere.id.to_string(), &at.to_string()];
        server().database().change_directory(sql, &params);
    };
    let client = server().client();
    for age in [0, 119_000] {
        reserve(now().0 - age);
        accept(&client, &invited.token, "Ann", NEW).expect(409);
    }
    reserve(now().0 - 121_000);
    // Its own time begins only now, not before the other cell was asked.
    let asked = format!("asked.{}", invited.email);
    let note = "INSERT INTO addresses (email_key, user_id, cell, reserved_at)
       VALUES (?1, 'x', 0, CAST(unixepoch('subsec') * 1000 AS INTEGER)) ON CONFLICT DO NOTHING";
    let faults = json!({ "3": { "before": [{ "sql": note, "params": [asked], "cell": 0 }] } });
    accept(&client.faulty(&faults), &invited.token, "Ann", NEW).expect(204);
    let later =
        "SELECT count(*) AS n FROM addresses a JOIN addresses b ON b.email_key = ?2 AND b.reserved_at >= a.reserved_at
       WHERE a.email_key = ?1";
    assert_eq!(server().database().number(later, &[&asked, &invited.email]), 1);
}

#[test]
fn a_sign_in_ends_the_session_that_the_browser_has_in_another_cell() {
    only_on_native!("cells_path is what several databases show on workerd");
    let tenants = tenants();
    let accounts = tenants.each_ref().map(|tenant| Account::of(tenant, Role::Member));
    let staff = Account::staff(server());
    let signed_out = |tenant: &Tenant<'_>| tenant.audit("session.ended").len();
    let mut page = sign_in(&server().client(), &staff);
    for (tenant, account) in tenants.iter().zip(&accounts) {
        let next = sign_in(&page, account);
        page.get(SESSION).expect(401);
        next.get(SESSION).expect(200);
        assert_eq!(signed_out(tenant), 0);
        page = next;
    }
    let again = sign_in(&page, &Account::staff(server()));
    page.get(SESSION).expect(401);
    again.get(SESSION).expect(200);
    for tenant in &tenants {
        assert_eq!(signed_out(tenant), 1, "each in the trail of its practice");
        let row = tenant.audit("session.ended").remove(0);
        assert_eq!(row["actor"], "service", "another practice does not learn who signs in");
    }
}

#[test]
fn nobody_is_signed_in_while_the_earlier_session_in_another_cell_cannot_end() {
    only_on_native!("cells_path is what several databases show on workerd");
    let [_, first, second] = tenants();
    let [earlier, account] = [&first, &second].map(|tenant| Account::of(tenant, Role::Member));
    let page = sign_in(&server().client(), &earlier);
    let begun = account.continuation(&page);
    let in_cell = |sql: &str| {
        server().database().batch(&[json!({ "sql": sql, "params": [], "cell": 1 })]);
    };
    in_cell(&format!(
        "CREATE TRIGGER unreachable BEFORE UPDATE OF revoked_at ON sessions WHEN new.user_id = '{}'
         BEGIN SELECT RAISE (ABORT, 'Network connection lost'); END",
        earlier.id
    ));
    show(&page, &begun, &account.code(0)).expect(503);
    in_cell("DROP TRIGGER unreachable");
    page.get(SESSION).expect(200);
    assert_eq!(second.audit("session.created").len(), 0);
    show(&page, &begun, &account.code(0)).expect(200);
    page.get(SESSION).expect(401);
}

#[test]
fn a_leaked_key_of_any_cell_is_revoked_there() {
    only_on_native!("cells_path is what several databases show on workerd");
    let tenants = tenants();
    for tenant in &tenants {
        let body = json!({ "token": tenant.key.text });
        server().client().post("/api/v1/leaks", body.to_string()).expect(202);
        wait::until("the key is revoked", || tenant.audit("api_key.leaked").len() == 1);
        assert_eq!(
            tenant.number("SELECT count(*) AS n FROM api_keys WHERE practice_id = ?1 AND revoked_at IS NULL"),
            0
        );
    }
}

#[test]
fn a_key_that_may_have_moved_is_not_refused_while_its_cell_does_not_say() {
    only_on_native!("cells_path is what several databases show on workerd");
    let [_, tenant, _] = tenants();
    let client = tenant.client();
    tenant.change("UPDATE api_keys SET hash = 'moved' || id WHERE practice_id = ?1", &[]);
    assert_eq!(client.status("A-1").status, 401);
    let fails = json!({ "fails": "D1_ERROR: Network connection lost." });
    // The key is not there, and whether it moved is asked three times.
    let answer = client.faulty(&json!({ "2": fails, "3": fails, "4": fails })).status("A-1");
    assert_eq!((answer.status, answer.header("retry-after").is_some()), (503, true), "{}", answer.text());
}
