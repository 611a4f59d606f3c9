//! `POST /api/v1/auth/invitation`.

use overturn_tests::account::{Account, SESSION, cookie, page_of};
use overturn_tests::link::{Invited, MAGIC_LINK, accept, invitation, preview, received};
use overturn_tests::prelude::*;
use std::thread;

const NEW: &str = "a quite new passphrase";

fn sign_in(client: &Client, email: &str) -> Answer {
    let body = json!({ "email": email, "password": NEW });
    client.post(SESSION, body.to_string())
}

fn row(tenant: &Tenant<'_>, invited: &Invited) -> Value {
    let query =
        "SELECT state, name, role, epoch, password_hash IS NULL AS empty FROM users WHERE practice_id = ?1 AND id = ?2";
    tenant.rows(query, &[&invited.id.to_string()]).remove(0)
}

#[test]
fn an_invited_person_joins_signs_in_and_enrols() {
    let tenant = Tenant::shared();
    let invited = Invited::to(&tenant, Role::Admin);
    let client = tenant.server.client();
    assert_eq!(sign_in(&client, &invited.email).status, 401, "not yet");
    let joined = accept(&client, &invited.token, " Zoë Łukasiewicz ", NEW);
    joined.expect(204);
    assert_eq!(cookie(&joined, "__Host-session"), None);
    let begun = sign_in(&client, &invited.email);
    begun.expect(200);
    assert_eq!(begun.json["user"]["name"], "Zoë Łukasiewicz");
    assert_eq!(begun.json["user"]["role"], "admin");
    assert_eq!(begun.json["session"]["kind"], "enrolment");
    let page = page_of(&client, &begun);
    page.post("/api/v1/auth/2fa/totp", "").expect(201);
    let joined = "SELECT count(*) AS n FROM audit WHERE practice_id = ?1 AND action = 'member.joined'";
    assert_eq!(tenant.number(joined), 1);
}

#[test]
fn an_invitation_shows_its_practice_to_the_holder_of_its_link_and_stays_usable() {
    let tenant = Tenant::shared();
    let rename = "UPDATE practices SET name = ?2 WHERE id = ?1";
    tenant.change(rename, &["Lakeside & \"Co\""]);
    let invited = Invited::to(&tenant, Role::Member);
    let client = tenant.server.client();
    for _ in 0..2 {
        let shown = preview(&client, &invited.token);
        shown.expect(200);
        assert_eq!(shown.json, json!({ "email": invited.email, "practice_name": "Lakeside & \"Co\"" }));
        assert_eq!(shown.header("set-cookie"), None);
    }
    // A link of another kind shows nothing, and neither does a used one.
    let account = Account::of(&tenant, Role::Owner);
    let other = received(tenant.server, MAGIC_LINK, &account.email);
    for token in [&*other, "x"] {
        preview(&client, token).expect(401);
    }
    accept(&client, &invited.token, "Ann", NEW).expect(204);
    let used = preview(&client, &invited.token);
    used.expect(401);
    assert!(!used.text().contains("Lakeside"));
    let failed = "SELECT count(*) AS n FROM audit WHERE practice_id = ?1 AND action = 'session.failed'";
    assert_eq!(tenant.number(failed), 0, "reading is no attempt");
}

#[test]
fn only_one_invitation_of_an_account_is_accepted() {
    let tenant = Tenant::shared();
    let invited = Invited::to(&tenant, Role::Member);
    let tokens = [invited.token.clone(), invitation(tenant.server, invited.id), invited.token.clone()];
    let statuses: Vec<u16> = thread::scope(|scope| {
        let accepted: Vec<_> = tokens
            .iter()
            .map(|token| scope.spawn(|| accept(&tenant.server.client(), token, "Ann", NEW).status))
            .collect();
        let accepted = accepted.into_iter();
        accepted.map(|accepted| accepted.join().unwrap()).collect()
    });
    let good = statuses.iter().filter(|status| **status == 204).count();
    assert_eq!(good, 1, "{statuses:?}");
    let client = tenant.server.client();
    for token in tokens {
        let again = accept(&client, &token, "Eve", "another passphrase of hers");
        again.expect(401);
    }
    assert_eq!(row(&tenant, &invited)["name"], "Ann");
    sign_in(&client, &invited.email).expect(200);
}

#[test]
fn an_invitation_ends_after_seven_days_and_when_it_is_taken_back() {
    let tenant = Tenant::shared();
    let client = tenant.server.client();
    for change in [
        "UPDATE links SET expires_at = expires_at - 604800000 WHERE user_id = ?1",
        "UPDATE users SET state = 'removed' WHERE id = ?1",
        "UPDATE users SET epoch = epoch + 1 WHERE id = ?1",
    ] {
        let invited = Invited::to(&tenant, Role::Owner);
        let id = invited.id.to_string();
        tenant.server.database().change(change, &[&id]);
        let refused = accept(&client, &invited.token, "Ann", NEW);
        refused.expect(401);
        assert_eq!(row(&tenant, &invited)["empty"], 1);
    }
    let invited = Invited::to(&tenant, Role::Owner);
    let client = client.overtaken_by("UPDATE users SET state = 'removed' WHERE id = ?1", &[&invited.id.to_string()]);
    let refused = accept(&client, &invited.token, "Ann", NEW);
    refused.expect(409);
    assert_eq!(row(&tenant, &invited)["state"], "removed");
}

#[test]
fn an_address_that_has_an_account_elsewhere_keeps_it_and_the_invitation() {
    let (here, elsewhere) = (Tenant::shared(), Tenant::shared());
    let account = Account::of(&elsewhere, Role::Owner);
    let invited = Invited::at(&here, Role::Member, &account.email.to_uppercase());
    let client = here.server.client();
    let refused = accept(&client, &invited.token, "Ann", NEW);
    refused.expect(409);
    assert_eq!(refused.json["error"]["code"], "conflict");
    assert_eq!(row(&here, &invited)["state"], "invited");
    account.try_password(&client, NEW).expect(401);
    account.try_password(&client, &account.password).expect(402);
    let remove = "UPDATE users SET state = 'removed' WHERE id = ?1";
    here.server.database().change(remove, &[&account.id.to_string()]);
    accept(&client, &invited.token, "Ann", NEW).expect(204);
}

#[test]
fn an_invitation_whose_answer_was_lost_is_accepted_once() {
    let tenant = Tenant::shared();
    let invited = Invited::to(&tenant, Role::Member);
    let client = tenant.server.client().losing_commit();
    accept(&client, &invited.token, "Ann", NEW).expect(204);
    assert_eq!(row(&tenant, &invited)["epoch"], 2);
}
