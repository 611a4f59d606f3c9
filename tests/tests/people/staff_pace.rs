//! A staff member who opens unusually many patients in an hour must confirm the second factor again, and an alert is
//! logged.

use overturn_tests::account::{Account, page_of, show};
use overturn_tests::prelude::*;
use std::sync::OnceLock;

const BOUND: usize = 4;

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::lasting(&json!({ "PATIENTS_PER_HOUR": BOUND.to_string() })))
}

/// The staff paths of claims of this many patients.
fn patients(tenant: &Tenant<'_>, count: usize) -> Vec<String> {
    (0..count)
        .map(|n| {
            let name = format!("Doe the {n}th");
            let sent = tenant.send(&with(item(&format!("P-{n}")), "patient.last_name", name));
            let id = &sent.claims[0].outcome.as_ref().unwrap().id;
            format!("/api/v1/staff/practices/{}/claims/{id}", tenant.id)
        })
        .collect()
}

fn alerts(actor: &str) -> Vec<Value> {
    let sql = "SELECT record, detail, session_id FROM audit WHERE practice_id = 'staff' AND action = 'staff.patients_exceeded'
               AND actor = 'user:' || ?1";
    server().database().rows(sql, &[actor])
}

fn open(client: &Client, claim: &str) -> Answer {
    client.get(claim)
}

#[test]
fn of_many_patients_opened_in_parallel_the_limit_is_shown_and_one_alert_is_left() {
    let tenant = Tenant::new(server());
    let claims = patients(&tenant, 3 * BOUND);
    let auditor = Person::auditor(server());
    let mut inbox = server().mails_to(&auditor.email);
    let staff = Person::staff(server());
    let client = staff.client();
    let answers = at_once(claims.iter().map(|claim| || open(&client, claim)).collect());
    let shown = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(shown, BOUND);
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        answer.refused(402, "two_factor_required");
        assert!(answer.json["continuation_token"].is_string());
        assert!(!answer.text().contains("Doe"));
    }
    // The practice's trail has exactly the claims that were shown.
    assert_eq!(tenant.audit("claim.read").len(), BOUND);
    let left = alerts(&staff.id.to_string());
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["record"], staff.id.to_string());
    assert_eq!(left[0]["session_id"], json!(staff.session_id));
    let said: Value = serde_json::from_str(left[0]["detail"].as_str().unwrap()).unwrap();
    assert_eq!(said, json!({ "limit": BOUND, "seconds": 3600 }));
    let logged = |line: &Value| line["event"] == "patients_exceeded" && line["user_id"] == staff.id.to_string();
    assert!(server().log().has(logged));
    assert_eq!(inbox.take().subject, "Somebody of the staff opened many patients");
    // Patients opened before stay open to them.
    let (again, _) = claims.iter().zip(&answers).find(|(_, answer)| answer.status == 200).unwrap();
    open(&client, again).expect(200);
    // A second session starts with the second factor, and counts what the first has opened since.
    let (_, session) = staff.session(Some(overturn_tests::tenant::now().plus(-60_000)));
    let (refused, _) = claims.iter().zip(&answers).find(|(_, answer)| answer.status == 402).unwrap();
    let second = overturn_tests::person::page(server(), &session);
    open(&second, refused).expect(402);
}

#[test]
fn the_second_factor_lets_the_next_patients_be_opened() {
    let tenant = Tenant::new(server());
    let claims = patients(&tenant, 2 * BOUND + 1);
    let account = Account::staff(server());
    let client = account.sign_in();
    for claim in &claims[..BOUND] {
        open(&client, claim).expect(200);
    }
    let asked = open(&client, &claims[BOUND]);
    let token = asked.json["continuation_token"].as_str().unwrap();
    let code = account.code(30_000);
    let shown = show(&client, token, &code);
    shown.expect(204);
    let client = page_of(&client, &shown);
    for claim in &claims[BOUND..2 * BOUND] {
        open(&client, claim).expect(200);
    }
    open(&client, &claims[2 * BOUND]).expect(402);
    assert_eq!(alerts(&account.id.to_string()).len(), 2);
    let colleague = Person::staff(server()).client();
    open(&colleague, &claims[2 * BOUND]).expect(200);
}

#[test]
fn past_the_limit_a_search_does_not_tell_whether_there_is_such_a_patient() {
    let tenant = Tenant::new(server());
    let claims = patients(&tenant, BOUND + 1);
    let client = Person::staff(server()).client();
    let search = |last_name: &str| {
        let patient = &item("X")["patient"];
        let body = json!({
            "first_name": patient["first_name"], "last_name": last_name,
            "date_of_birth": patient["date_of_birth"], "practice_id": tenant.id.to_string(),
        });
        client.post("/api/v1/staff/patients/search", body.to_string())
    };
    let [unopened, nobody] = [format!("Doe the {BOUND}th"), "Nobody".into()];
    search(&nobody).expect(200);
    for claim in &claims[..BOUND] {
        open(&client, claim).expect(200);
    }
    for name in [unopened, nobody] {
        let refused = search(&name);
        refused.refused(402, "two_factor_required");
        assert!(!refused.text().contains("Doe"));
    }
}
