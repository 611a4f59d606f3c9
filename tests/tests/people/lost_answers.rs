//! Sign-ins and second factors whose commit loses its answer or fails.

use overturn_core::auth::role::Role;
use overturn_core::base::totp::TotpSecret;
use overturn_tests::account::{Account, SIGN_OUT, page_of, show};
use overturn_tests::client::{Answer, Client};
use overturn_tests::server::Server;
use overturn_tests::tenant::{self, Tenant};
use serde_json::json;

const TOTP: &str = "/api/v1/auth/2fa/totp";

/// The client, whose second batch runs but loses its answer.
fn unlucky(client: &Client) -> Client {
    let lost = json!({ "2": { "loses": "D1_ERROR: Network connection lost." } });
    client.with("Tests-Database", &lost.to_string())
}

/// The code of an app that has just scanned this enrollment.
fn code_of(totp: &Answer) -> String {
    let secret = totp.json["totp"]["secret"].as_str().unwrap();
    let secret = TotpSecret::from_base32(secret).unwrap();
    secret.code_at(tenant::now())
}

fn told(tenant: &Tenant<'_>, event: &str) -> usize {
    tenant.audit(event).len()
}

#[test]
fn a_sign_in_whose_answers_are_lost_is_complete_and_counted_once() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::of(&tenant, Role::Owner);
    let client = Server::shared().client();
    let token = account.continuation(&unlucky(&client));
    let done = show(&unlucky(&client), &token, &account.code(0));
    assert_eq!(done.status, 200, "{}", done.text());
    assert_eq!(told(&tenant, "session.created"), 1);
    let page = page_of(&client, &done);
    let out = unlucky(&page).post(SIGN_OUT, "");
    assert_eq!(out.status, 204, "{}", out.text());
    assert_eq!(page.get("/api/v1/auth/session").status, 401);
}

#[test]
fn an_enrolment_whose_answers_are_lost_is_the_one_that_was_shown() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::unenrolled(&tenant, Role::Owner);
    let client = Server::shared().client();
    let begun = account.try_password(&unlucky(&client), &account.password);
    assert_eq!(begun.status, 200, "{}", begun.text());
    let page = page_of(&client, &begun);
    let totp = unlucky(&page).post(TOTP, "");
    assert_eq!(totp.status, 201, "{}", totp.text());
    let body = json!({ "factor_id": totp.json["factor_id"], "code": code_of(&totp) });
    let confirmed = unlucky(&page).post(&format!("{TOTP}/confirm"), body.to_string());
    assert_eq!(confirmed.status, 200, "{}", confirmed.text());
    let page = page_of(&client, &confirmed);
    let renewed = unlucky(&page).post("/api/v1/auth/2fa/recovery_codes", "");
    assert_eq!(renewed.status, 201, "{}", renewed.text());
    let spare = renewed.json["recovery_codes"][9].as_str().unwrap();
    let shown = show(&unlucky(&client), &account.continuation(&client), spare);
    assert_eq!(shown.status, 200, "{}", shown.text());
}

#[test]
fn a_factor_that_is_replaced_before_the_commit_is_not_confirmed_and_no_session_ends() {
    let tenant = Tenant::new(Server::shared());
    let account = Account::unenrolled(&tenant, Role::Member);
    let client = Server::shared().client();
    let page = page_of(&client, &account.try_password(&client, &account.password));
    let totp = page.post(TOTP, "");
    let body = json!({ "factor_id": totp.json["factor_id"], "code": code_of(&totp) });
    let gone = json!({ "sql": "DELETE FROM factors WHERE id = ?1", "params": [totp.json["factor_id"]] });
    let faults = json!({ "2": { "before": [gone] } }).to_string();
    let overtaken = page.with("Tests-Database", &faults);
    let refused = overtaken.post(&format!("{TOTP}/confirm"), body.to_string());
    assert_eq!(refused.nested(404).0, "not_found");
    assert_eq!(page.get("/api/v1/auth/session").json["session"]["kind"], "enrolment");
}
