//! Sign-ins and second factors whose commit loses its answer or fails.

use overturn_core::base::totp::TotpSecret;
use overturn_tests::account::{Account, SIGN_OUT, page_of, show};
use overturn_tests::prelude::*;
use overturn_tests::tenant::{self};

const TOTP: &str = "/api/v1/auth/2fa/totp";

/// The client, whose second batch runs but loses its answer.
fn unlucky(client: &Client) -> Client {
    let lost = json!({ "2": { "loses": "D1_ERROR: Network connection lost." } });
    client.faulty(&lost)
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
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let client = Server::shared().client();
    let token = account.continuation(&unlucky(&client));
    let done = show(&unlucky(&client), &token, &account.code(0));
    done.expect(200);
    assert_eq!(told(&tenant, "session.created"), 1);
    let page = page_of(&client, &done);
    let out = unlucky(&page).post(SIGN_OUT, "");
    out.expect(204);
    page.get("/api/v1/auth/session").expect(401);
}

#[test]
fn an_enrolment_whose_answers_are_lost_is_the_one_that_was_shown() {
    let tenant = Tenant::shared();
    let account = Account::unenrolled(&tenant, Role::Owner);
    let client = Server::shared().client();
    let begun = account.try_password(&unlucky(&client), &account.password);
    begun.expect(200);
    let page = page_of(&client, &begun);
    let totp = unlucky(&page).post(TOTP, "");
    totp.expect(201);
    let body = json!({ "factor_id": totp.json["factor_id"], "code": code_of(&totp) });
    let confirmed = unlucky(&page).post(&format!("{TOTP}/confirm"), body.to_string());
    confirmed.expect(200);
    let page = page_of(&client, &confirmed);
    let renewed = unlucky(&page).post("/api/v1/auth/2fa/recovery_codes", "");
    renewed.expect(201);
    let spare = renewed.json["recovery_codes"][9].as_str().unwrap();
    let shown = show(&unlucky(&client), &account.continuation(&client), spare);
    shown.expect(200);
}

#[test]
fn a_factor_that_is_replaced_before_the_commit_is_not_confirmed_and_no_session_ends() {
    let tenant = Tenant::shared();
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
