//! `POST /api/v1/auth/session`, `…/2fa`, `…/logout` and `GET /api/v1/auth/session`.

use overturn_tests::account::{Account, SESSION, SIGN_OUT, cookie, page_of, show};
use overturn_tests::prelude::*;
use std::thread;

const WRONG_CODE: &str = "the sign-in failed";

fn assert_failed(answer: &Answer) {
    answer.expect(401);
    assert_eq!(answer.json["error"]["code"], "not_authenticated");
    assert_eq!(answer.json["error"]["message"], WRONG_CODE);
    assert_eq!(answer.json["error"]["request_id"], answer.request_id());
    assert_eq!(cookie(answer, "__Host-session"), None);
}

#[test]
fn a_person_signs_in_with_password_and_code_and_out_again() {
    let tenant = Tenant::shared();
    for role in Role::ALL {
        let account = match role {
            Role::Staff => Account::staff(tenant.server),
            Role::Auditor => Account::auditor(tenant.server),
            role => Account::of(&tenant, role),
        };
        let client = account.server.client();
        let asked = account.try_password(&client, &account.password);
        asked.expect(402);
        assert_eq!(asked.json["error"]["code"], "two_factor_required");
        assert_eq!(cookie(&asked, "__Host-session"), None, "not before the code");
        let token = asked.json["continuation_token"].as_str().unwrap();
        let done = show(&client, token, &account.code(0));
        done.expect(200);
        assert_eq!(done.json["user"]["email"], account.email.as_str());
        assert_eq!(done.json["user"]["role"], role.name());
        assert_eq!(done.json["session"]["kind"], "full");
        let practice = account.practice_id.map(|id| id.to_string());
        assert_eq!(done.json["practice"]["id"].as_str(), practice.as_deref());

        let page = page_of(&client, &done);
        let shown = page.get(SESSION);
        assert_eq!((shown.status, &shown.json), (200, &done.json));
        page.post(SIGN_OUT, "").expect(204);
        page.get(SESSION).expect(401);
        page.post(SIGN_OUT, "").expect(401);
    }
}

#[test]
fn an_unknown_address_is_answered_like_a_wrong_password() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Member);
    let client = account.server.client();
    let wrong = account.try_password(&client, "not the password");
    let unknown = json!({ "email": "nobody@account.example", "password": "not the password" });
    let unknown = client.post(SESSION, unknown.to_string());
    assert_failed(&wrong);
    assert_failed(&unknown);
    let names = |answer: &Answer| -> Vec<String> {
        let mut names: Vec<_> = answer.headers.iter().map(|(name, _)| name.clone()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&wrong), names(&unknown));
}

#[test]
fn the_address_may_be_typed_in_any_case_and_the_password_in_one() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Member);
    let client = account.server.client();
    let ask = |email: &str, password: &str| {
        let body = json!({ "email": email, "password": password });
        client.post(SESSION, body.to_string()).status
    };
    let email = format!("  {} ", account.email.to_uppercase());
    assert_eq!(ask(&email, &account.password), 402);
    assert_eq!(ask(&email, &account.password.to_uppercase()), 401);
}

#[test]
fn a_hash_of_before_is_made_anew_by_a_right_password_and_by_no_other() {
    // "correct horse Å battery" with m=64, t=3, by the reference implementation of argon2.
    let before = "$argon2id$v=19$m=64,t=3,p=1$MDEyMzQ1Njc4OWFiY2RlZg$pDIol6hNQDpH08IqqoHvh987ViiHf3QZaVtaPvA5FE0";
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let (client, database) = (account.server.client(), account.server.database());
    let id = account.id.to_string();
    let change = "UPDATE users SET password_hash = ?2 WHERE id = ?1";
    database.change(change, &[&id, before]);
    let hash = || {
        let read = "SELECT password_hash AS hash FROM users WHERE id = ?1";
        database.rows(read, &[&id])[0]["hash"].as_str().unwrap().to_owned()
    };
    assert_failed(&account.try_password(&client, "correct horse"));
    assert_eq!(hash(), before);
    for _ in 0..2 {
        let right = account.try_password(&client, "correct horse \u{212b} battery");
        right.expect(402);
        assert!(hash().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", hash());
    }
}

#[test]
fn a_code_works_once_however_often_it_comes_at_the_same_time() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let tokens: Vec<String> = (0..6).map(|_| account.continuation(&client)).collect();
    let code = account.code(0);
    let statuses: Vec<u16> = thread::scope(|scope| {
        let shown: Vec<_> =
            tokens.iter().map(|token| scope.spawn(|| show(&account.server.client(), token, &code).status)).collect();
        shown.into_iter().map(|shown| shown.join().unwrap()).collect()
    });
    let let_in = statuses.iter().filter(|status| **status == 200).count();
    assert_eq!(let_in, 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 401].contains(status)));
    assert_failed(&show(&client, &account.continuation(&client), &code));
}

#[test]
fn thirty_codes_at_the_same_time_are_five_attempts() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let token = account.continuation(&client);
    thread::scope(|scope| {
        for _ in 0..30 {
            scope.spawn(|| assert_failed(&show(&account.server.client(), &token, "000000x")));
        }
    });
    let attempts = "SELECT attempts AS n FROM continuations WHERE user_id = ?1";
    let database = account.server.database();
    assert_eq!(database.number(attempts, &[&account.id.to_string()]), 30);
    assert_failed(&show(&client, &token, &account.code(0)));
}

#[test]
fn a_recovery_code_replaces_the_app_once() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let other = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let code = account.recovery[3].expose().to_uppercase().replace('-', " ");
    assert_failed(&show(&client, &other.continuation(&client), &code));
    let done = show(&client, &account.continuation(&client), &code);
    done.expect(200);
    assert_failed(&show(&client, &account.continuation(&client), &code));
    let another = account.recovery[4].expose();
    show(&client, &account.continuation(&client), another).expect(200);
    // The person alone learns how many are left.
    let left = |of: &Account<'_>| of.sign_in().get("/api/v1/auth/2fa/recovery_codes").json["left"].clone();
    assert_eq!((left(&account), left(&other)), (json!(8), json!(10)));
}

#[test]
fn an_account_without_a_second_factor_may_only_enrol_one() {
    let tenant = Tenant::shared();
    let mut account = Account::unenrolled(&tenant, Role::Owner);
    let client = account.server.client();
    let begun = account.try_password(&client, &account.password);
    begun.expect(200);
    assert_eq!(begun.json["session"]["kind"], "enrolment");
    let page = page_of(&client, &begun);
    let keys = page.get("/api/v1/settings/api_keys");
    keys.expect(402);
    assert_eq!(keys.json["error"]["code"], "two_factor_required");
    assert_eq!(keys.json.get("continuation_token"), None);

    let totp = page.post("/api/v1/auth/2fa/totp", "");
    totp.expect(201);
    let uri = totp.json["totp"]["otpauth_uri"].as_str().unwrap();
    let secret = totp.json["totp"]["secret"].as_str().unwrap();
    assert!(uri.starts_with("otpauth://totp/Overturn:") && uri.contains(secret), "{uri}");
    account.totp = Some(from_base32(secret));
    let confirm = |code: &str| {
        let body = json!({ "factor_id": totp.json["factor_id"], "code": code });
        page.post("/api/v1/auth/2fa/totp/confirm", body.to_string())
    };
    let wrong = confirm("12345");
    wrong.expect(422);
    assert_eq!(wrong.json["error"]["details"][0]["field"], "code");
    // Of one moment: a while later there is another one.
    let code = account.code(0);
    let enrolled = confirm(&code);
    enrolled.expect(200);
    let codes = enrolled.json["recovery_codes"].as_array().unwrap();
    assert_eq!(codes.len(), 10);
    assert!(cookie(&enrolled, "__Host-device").is_some(), "the device is known at the next sign-in");

    assert_eq!(page.get(SESSION).status, 401, "the token of before is worth nothing");
    let page = page_of(&client, &enrolled);
    page.get("/api/v1/settings/api_keys").expect(200);
    assert_failed(&show(&client, &account.continuation(&client), &code));
    let spare = codes[0].as_str().unwrap();
    show(&client, &account.continuation(&client), spare).expect(200);
}

#[test]
fn a_second_factor_is_shown_again_in_its_own_session_only() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let page = account.sign_in();
    let other = Account::of(&tenant, Role::Owner).sign_in();
    let stale = "UPDATE sessions SET verified_at = verified_at - 600000 WHERE user_id = ?1";
    account.server.database().change(stale, &[&account.id.to_string()]);
    let new = json!({ "name": "K", "scopes": ["claims:read"] }).to_string();
    let make = |page: &overturn_tests::client::Client| page.post("/api/v1/settings/api_keys", &new);
    let refused = make(&page);
    refused.expect(402);
    let token = refused.json["continuation_token"].as_str().unwrap();

    assert_failed(&show(&account.server.client(), token, &account.code(30_000)));
    assert_failed(&show(&other, token, &account.code(30_000)));
    let forged = show(&page.with("X-CSRF-Token", "x"), token, &account.code(30_000));
    forged.expect(403);
    let shown = show(&page, token, &account.code(30_000));
    shown.expect(204);
    assert_eq!(make(&page).status, 401, "the token of before is worth nothing");
    let page = page_of(&account.server.client(), &shown);
    make(&page).expect(201);
}

#[test]
fn a_sign_in_never_reuses_an_earlier_session() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let planted = format!("ovs_{}", "A".repeat(43));
    let client = account.server.client().with("Cookie", &format!("__Host-session={planted}"));
    let done = show(&client, &account.continuation(&client), &account.code(0));
    done.expect(200);
    assert_ne!(cookie(&done, "__Host-session"), Some(planted));
    client.get(SESSION).expect(401);
}

#[test]
fn sign_ins_and_failures_are_in_the_trail() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client().with("CF-Connecting-IP", "203.0.113.9");
    account.try_password(&client, "wrong");
    let token = account.continuation(&client);
    show(&client, &token, "1");
    show(&client, &token, &account.code(0)).expect(200);
    let trail = "SELECT action, actor, detail FROM audit WHERE practice_id = ?1 AND record = ?2 ORDER BY id";
    let (practice, user) = (tenant.id.to_string(), account.id.to_string());
    let wanted = ["session.failed", "session.first_factor_passed", "session.failed", "session.created"];
    // Failures are written after their answers.
    let rows = || account.server.database().rows(trail, &[&practice, &user]);
    let rows = wait::found("a row for each", || Some(rows()).filter(|rows| rows.len() >= wanted.len()));
    let actions: Vec<_> = rows.iter().map(|row| row["action"].as_str().unwrap()).collect();
    assert_eq!(actions, wanted);
    for row in rows {
        assert_eq!(row["actor"], format!("user:{}", account.id));
        assert!(row["detail"].as_str().unwrap().contains("203.0.113.9"), "{row}");
    }
}

fn from_base32(text: &str) -> overturn_service::auth::totp::TotpSecret {
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for c in text.chars() {
        let value = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".find(c).unwrap();
        bits = bits << 5 | u32::try_from(value).unwrap();
        held += 5;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 255) as u8);
        }
    }
    overturn_service::auth::totp::TotpSecret::from_bytes(&bytes).unwrap()
}
