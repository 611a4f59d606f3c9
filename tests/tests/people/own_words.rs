//! A password must not contain the person's own address, name or practice, wherever it is chosen.

use overturn_tests::account::Account;
use overturn_tests::link::{Invited, PASSWORD_RESET, accept, confirm, received};
use overturn_tests::prelude::*;

const MESSAGE: &str = "must not be made of your address, your name or your practice's name";
const GOOD: &str = "violet kettle harbor";

fn assert_personal(answer: &Answer, field: &str) {
    answer.expect(422);
    let details = json!([{ "field": field, "message": MESSAGE }]);
    assert_eq!(answer.json["error"]["details"], details);
}

#[test]
fn a_reset_takes_neither_the_address_nor_the_name_nor_the_practice() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let client = account.server.client();
    let practice = "UPDATE practices SET name = ?2 WHERE id = ?1";
    let id = tenant.id.to_string();
    account.server.database().change(practice, &[&id, "Lakeside Dental"]);
    let token = received(account.server, PASSWORD_RESET, &account.email);
    let (local, _) = account.email.split_once('@').unwrap();
    for password in [
        account.email.clone(),
        account.email.to_uppercase(),
        local.to_owned(),
        format!("{local}!2026"),
        "Lakeside Dental 1".to_owned(),
        "Somebody, owner".to_owned(),
    ] {
        assert_personal(&confirm(&client, &token, &password), "password");
    }
    confirm(&client, &token, GOOD).expect(204);
}

#[test]
fn a_change_of_the_password_does_not_sign_in_either() {
    let account = Account::of(&Tenant::shared(), Role::Owner);
    let page = account.sign_in();
    let change = |new: &str| {
        let body = json!({ "current_password": account.password, "new_password": new });
        page.post("/api/v1/auth/password", body.to_string())
    };
    assert_personal(&change(&account.email), "new_password");
    change(GOOD).expect(204);
}

#[test]
fn nor_an_invitation_whose_person_has_just_said_their_name() {
    let tenant = Tenant::shared();
    let invited = Invited::to(&tenant, Role::Member);
    let client = tenant.server.client();
    let name = "Dana Whitfield-Okonkwo";
    for password in [invited.email.as_str(), "Whitfield-Okonkwo 26"] {
        assert_personal(&accept(&client, &invited.token, name, password), "password");
    }
    let joined = accept(&client, &invited.token, name, GOOD);
    joined.expect(204);
}
