//! What only several databases show of the staff's work. The servers of the tests have several with `OVERTURN_CELLS`.

use overturn_core::base::cell::Cell;
use overturn_tests::host;
use overturn_tests::prelude::*;
use overturn_tests::server::OPERATOR_TOKEN;

const TAKE: &str = "/api/v1/staff/claims/take";
const QUEUE: &str = "/api/v1/staff/claims";
const KEY: &str = "5a1c0f52-6c58-4f67-8d0c-6e7b6b7c1c11";

/// Two practices in two cells; `None` if there is one cell.
fn two() -> Option<[Tenant<'static>; 2]> {
    let one = Tenant::shared();
    (host::cells() > 1).then(|| {
        let other = std::iter::repeat_with(Tenant::shared).find(|other| other.id.cell() != one.id.cell());
        [one, other.unwrap()]
    })
}

fn sent(tenant: &Tenant<'_>, number: &str) -> Value {
    let sent = tenant.send(&numbered([number]));
    json!({ "practice_id": tenant.id, "id": sent.id(0), "version": 1 })
}

#[test]
fn claims_of_two_cells_are_taken_in_the_order_sent_and_once() {
    let Some([a, b]) = two() else { return };
    let claims = [sent(&a, "T-1"), sent(&b, "T-2"), sent(&a, "T-3")];
    let staff = Person::staff(a.server);
    let client = staff.client().with("Idempotency-Key", KEY);
    let body = json!({ "claims": claims }).to_string();
    let taken = client.post(TAKE, &body);
    taken.expect(200);
    for (claim, result) in claims.iter().zip(taken.json["results"].as_array().unwrap()) {
        assert_eq!((&result["id"], &result["status"]), (&claim["id"], &json!("done")));
    }
    let again = client.post(TAKE, &body);
    assert_eq!((again.header("idempotency-replayed"), &again.json), (Some("true"), &taken.json));
    for (tenant, number) in [(&a, "T-1"), (&b, "T-2"), (&a, "T-3")] {
        let row = tenant.row(number);
        assert_eq!((&row["version"], &row["taken_by"]), (&json!(2), &json!(staff.id.to_string())));
    }
    let mine = staff.client().get(&format!("{QUEUE}?taken_by=me&count=true"));
    assert_eq!(mine.json["count"], json!({ "claims": 3, "more": false }));
}

#[test]
fn claims_that_failed_are_taken_under_the_same_key_where_their_practice_has_moved() {
    let Some([a, b]) = two() else { return };
    let claims = [sent(&a, "M-1"), sent(&b, "M-2")];
    let client = Person::staff(a.server).client().with("Idempotency-Key", KEY);
    let body = json!({ "claims": claims }).to_string();
    let refuse = format!(
        "CREATE TRIGGER \"refuse {id}\" BEFORE UPDATE ON claims WHEN new.practice_id = '{id}'
         BEGIN SELECT RAISE (ABORT, 'no such table'); END",
        id = b.id
    );
    a.server.database().change(&refuse, &[]);
    assert!(client.post(TAKE, &body).status >= 500);
    a.server.database().change(&format!("DROP TRIGGER \"refuse {}\"", b.id), &[]);
    let operator = a.server.client().with("Authorization", &format!("Bearer {OPERATOR_TOKEN}"));
    operator.post(&format!("/operations/moves?practice={}&to={}", b.id, a.id.cell().0), "").expect(200);
    for _ in 0..2 {
        let taken = client.post(TAKE, &body);
        taken.expect(200);
        for (claim, result) in claims.iter().zip(taken.json["results"].as_array().unwrap()) {
            let done = (&claim["id"], &json!("done"), &json!(2));
            assert_eq!((&result["id"], &result["status"], &result["claim"]["version"]), done);
        }
    }
}

#[test]
fn a_batch_that_finds_its_practice_gone_is_run_again_and_no_other_one() {
    let Some([a, b]) = two() else { return };
    let staff = Person::staff(a.server).client();
    for nth in 1..=10 {
        let claims = [sent(&a, &format!("L-{nth}")), sent(&b, &format!("L-{nth}"))];
        let gone = json!({ nth.to_string(): { "fails": "practice_left" } });
        let taken = staff.faulty(&gone).post(TAKE, json!({ "claims": claims }).to_string());
        taken.expect(200);
        for result in taken.json["results"].as_array().unwrap() {
            assert_eq!(result["status"], "done", "{nth}");
        }
    }
}

#[test]
fn a_key_that_came_with_claims_of_one_cell_is_refused_with_those_of_another() {
    let Some([a, b]) = two() else { return };
    let staff = Person::staff(a.server);
    let client = staff.client().with("Idempotency-Key", KEY);
    let take = |claim: &Value| client.post(TAKE, json!({ "claims": [claim] }).to_string());
    let [first, other] = [sent(&a, "K-1"), sent(&b, "K-2")];
    // A body without an answer leaves the key free.
    client.post(TAKE, "{}").expect(422);
    let taken = take(&first);
    taken.expect(200);
    take(&other).refused(422, "validation_failed");
    assert_eq!(b.row("K-2")["version"], 1);
    let again = take(&first);
    assert_eq!((again.header("idempotency-replayed"), &again.json), (Some("true"), &taken.json));
}

#[test]
fn a_session_that_ends_in_the_directory_ends_in_every_cell() {
    let Some(tenants) = two() else { return };
    let staff = Person::staff(tenants[0].server);
    let client = staff.client();
    let cases = |tenant: &Tenant<'_>| client.get(&format!("/api/v1/staff/practices/{}/cases", tenant.id)).status;
    assert_eq!(tenants.each_ref().map(cases), [200, 200]);
    let end = "UPDATE sessions SET revoked_at = 1 WHERE user_id = ?1";
    tenants[0].server.database().change_directory(end, &[&staff.id.to_string()]);
    assert_eq!(tenants.each_ref().map(cases), [401, 401]);
}

#[test]
fn a_colleague_whose_rights_end_in_the_directory_gets_no_claim_of_another_cell() {
    let Some(tenants) = two() else { return };
    let tenant = tenants.iter().find(|tenant| tenant.id.cell().0 != 0).unwrap();
    let claims = ["C-1", "C-2"].map(|number| sent(tenant, number));
    let (staff, colleague) = (Person::staff(tenant.server), Person::staff(tenant.server));
    let give = |client: &Client, claim: &Value| {
        let target = format!("/api/v1/staff/practices/{}/claims/{}/take", tenant.id, claim["id"].as_str().unwrap());
        let body = json!({ "user_id": colleague.id.to_string() });
        client.with("If-Match", "\"1\"").post(&target, body.to_string())
    };
    give(&staff.client(), &claims[0]).expect(200);
    // The third batch asks the directory, after the copies in the cell were read.
    let ends = "UPDATE users SET state = 'removed', epoch = epoch + 1 WHERE id = ?1";
    let ends = json!({ "sql": ends, "params": [colleague.id.to_string()], "cell": 0 });
    let overtaken = staff.client().faulty(&json!({ "3": { "before": [ends] } }));
    give(&overtaken, &claims[1]).refused(422, "validation_failed");
    assert_eq!(tenant.row("C-2")["taken_by"], Value::Null);
}

#[test]
fn a_page_without_a_cell_that_fails_says_so_and_is_never_the_known_one() {
    let Some([a, _]) = two() else { return };
    let staff = Person::staff(a.server).client();
    for target in [QUEUE, "/api/v1/staff/cases", "/api/v1/staff/payers", "/api/v1/staff/summary"] {
        let whole = staff.get(target);
        assert_eq!(whole.json.get("missing_cells"), None);
        // The second batch is that of the first cell beside the directory.
        let faults = json!({ "2": { "fails": "no such table" } }).to_string();
        let failing = staff.with("Tests-Database", &faults);
        let known = failing.with("If-None-Match", "*").get(target);
        known.expect(200);
        assert_eq!(known.json["missing_cells"], json!([1]), "{target}");
        assert_ne!(known.header("etag"), whole.header("etag"));
    }
    let faults = json!({ "2": { "fails": "no such table" } }).to_string();
    let table = staff.with("Tests-Database", &faults).with("Accept", "text/csv").get(QUEUE);
    assert_eq!(table.header("x-missing-cells"), Some("1"));
}

#[test]
fn a_search_in_a_practice_whose_cell_fails_may_be_tried_again() {
    let Some([a, b]) = two() else { return };
    let staff = Person::staff(a.server).client();
    let search = |client: &Client, tenant: &Tenant<'_>| {
        let body =
            json!({ "first_name": "A", "last_name": "B", "date_of_birth": "1968-04-12", "practice_id": tenant.id });
        client.post("/api/v1/staff/patients/search", body.to_string()).status
    };
    // The first batch asks the directory about the caller.
    let failing = staff.faulty(&json!({ "3": { "fails": "no such table" } }));
    // The third batch asks the cell of the practice, behind two of the directory.
    for tenant in [&a, &b].into_iter().filter(|tenant| tenant.id.cell() != Cell::FIRST) {
        assert_eq!((search(&staff, tenant), search(&failing, tenant)), (200, 503));
    }
}
