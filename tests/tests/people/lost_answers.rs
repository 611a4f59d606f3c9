//! Sign-ins and second factors whose commit loses its answer or fails.

use overturn_service::auth::totp::TotpSecret;
use overturn_tests::account::{Account, SIGN_OUT, page_of, show};
use overturn_tests::prelude::*;
use overturn_tests::tenant::{self};

const TOTP: &str = "/api/v1/auth/2fa/totp";

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
    let token = account.continuation(&client.losing_commit());
    let done = show(&client.losing_commit(), &token, &account.code(0));
    done.expect(200);
    assert_eq!(told(&tenant, "session.created"), 1);
    let page = page_of(&client, &done);
    let out = page.losing_commit().post(SIGN_OUT, "");
    out.expect(204);
    page.get("/api/v1/auth/session").expect(401);
}

#[test]
fn an_enrolment_whose_answers_are_lost_is_the_one_that_was_shown() {
    let tenant = Tenant::shared();
    let account = Account::unenrolled(&tenant, Role::Owner);
    let client = Server::shared().client();
    let begun = account.try_password(&client.losing_commit(), &account.password);
    begun.expect(200);
    let page = page_of(&client, &begun);
    let totp = page.losing_commit().post(TOTP, "");
    totp.expect(201);
    let body = json!({ "factor_id": totp.json["factor_id"], "code": code_of(&totp) });
    let confirmed = page.losing_commit().post(&format!("{TOTP}/confirm"), body.to_string());
    confirmed.expect(200);
    let page = page_of(&client, &confirmed);
    let renewed = page.losing_commit().post("/api/v1/auth/2fa/recovery_codes", "");
    renewed.expect(201);
    let spare = renewed.json["recovery_codes"][9].as_str().unwrap();
    let shown = show(&client.losing_commit(), &account.continuation(&client), spare);
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
    let factor = totp.json["factor_id"].as_str().unwrap();
    let overtaken = page.overtaken_by("DELETE FROM factors WHERE id = ?1", &[factor]);
    let refused = overtaken.post(&format!("{TOTP}/confirm"), body.to_string());
    refused.refused(404, "not_found");
    assert_eq!(page.get("/api/v1/auth/session").json["session"]["kind"], "enrolment");
}
