//! `/api/v1/settings/sandbox` and `/api/v1/sandbox`: a practice's sandbox.

mod claims;
mod clock;
mod crossing;
mod tokens;

use overturn_tests::client::CLAIMS;
use overturn_tests::prelude::*;
use overturn_tests::sandbox::{CLOCK, SANDBOX, Sandbox, sweep};

#[test]
fn a_practice_makes_one_sandbox_whose_keys_send_to_it() {
    let live = Tenant::shared();
    let owner = live.owner();
    assert_eq!(owner.get(SANDBOX).json["sandbox"], Value::Null);
    let made = at_once(vec![|| owner.post(SANDBOX, ""); 3]);
    let ids: Vec<&str> = made
        .iter()
        .map(|made| {
            made.expect(200);
            made.id()
        })
        .collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(live.audit("sandbox.created").len(), 1);

    let sandbox = Sandbox::of(&live);
    assert_eq!(sandbox.practice.id.to_string(), ids[0]);
    sandbox.client.send(&item("N-1")).expect(201);
    sandbox.client.send(&item("N-1")).expect(200);
    assert_eq!(sandbox.status("N-1"), "received");
    live.client().status("N-1").expect(404);
    assert_eq!((sandbox.practice.claims(), live.claims()), (1, 0));
    let shown = &owner.get(SANDBOX).json["sandbox"];
    assert_eq!(shown["claims"], 1);
    assert_eq!(shown["limits"], json!({ "claims": 5000, "document_bytes": 1_000_000, "calls_per_minute": 30 }));
    let key = &shown["keys"][0];
    assert_eq!(key["name"], "Billing");

    sandbox.owner.delete(&format!("{SANDBOX}/keys/{}", key["id"].as_str().unwrap())).expect(204);
    sandbox.client.status("N-1").expect(401);
    for person in [live.member(), Person::staff(live.server).client()] {
        person.get(SANDBOX).expect(403);
        person.post(SANDBOX, "").expect(403);
    }
}

#[test]
fn staff_see_nothing_of_a_sandbox() {
    let live = Tenant::shared();
    let staff = Worker::on(&live).client;
    let sandbox = Sandbox::of(&live);
    let number = format!("RECOVER-{}", sandbox.practice.id);
    let payer = format!("Payer {}", sandbox.practice.id);
    let sent = with(with(item(&number), "claim.payer_name", payer.as_str()), "patient.last_name", payer.as_str());
    sandbox.client.send(&sent).expect(201);
    sandbox.advance("P10D");
    assert_eq!(sandbox.status(&number), "in_appeal");
    sweep(live.server);

    let practice = sandbox.practice.id;
    let found = staff.get(&format!("{QUEUE}?claim_number={number}"));
    assert_eq!(found.json["claims"], json!([]));
    for order in ["deadline", "latest_deadline", "most_denied", "arrived"] {
        let status = "received,reviewing,in_report,in_appeal,recovered,closed";
        let target = format!("{QUEUE}?order={order}&status={status}");
        let found = staff.get(&format!("{target}&payer_name={}&count=true", encoded(&payer)));
        found.expect(200);
        assert_eq!((&found.json["claims"], &found.json["count"]["claims"]), (&json!([]), &json!(0)), "{order}");
        staff.get(&format!("{target}&practice_id={practice}")).expect(403);
    }
    let search = json!({ "first_name": "Jane", "last_name": payer, "date_of_birth": "1980-02-29" });
    let found = staff.post("/api/v1/staff/patients/search", search.to_string());
    assert_eq!(found.json["claims"], json!([]));
    for list in ["practices?limit=100", "payers", "cases?limit=100", "cases?limit=100&awaiting=decision"] {
        let listed = staff.get(&format!("/api/v1/staff/{list}"));
        listed.expect(200);
        for hidden in [practice.to_string(), payer.clone()] {
            assert!(!listed.text().contains(&hidden), "{list}");
        }
    }
    assert_eq!(
        live.server
            .database()
            .number("SELECT count(*) AS n FROM claim_counts WHERE scope = ?1", &[&practice.to_string()]),
        0
    );
    staff.get(&format!("/api/v1/staff/summary?practice_id={practice}")).expect(403);
}

#[test]
fn an_emptied_sandbox_has_no_claim_and_takes_claims_again() {
    let server = Server::start(State::fresh(), &json!({ "LIMITS": "unlimited" }));
    let server: &'static Server = Box::leak(Box::new(server));
    let live = Tenant::new(server);
    let sandbox = Sandbox::of(&live);
    sandbox.client.send(&batch([item("RECOVER-1"), item("SIGN-1"), item("N-1")])).expect(201);
    sandbox.advance("P40D");
    sandbox.client.send(&item("N-2")).expect(201);
    let emptied = sandbox.owner.post(&format!("{SANDBOX}/empty"), "");
    emptied.expect(200);
    assert_eq!(emptied.json["emptying"], true);
    // Nothing but the call begins it: no scheduled job runs.
    let shown = sandbox.emptied();
    assert_eq!(shown["claims"], 0);
    for table in ["claims", "claim_events", "cases", "signing_links", "deliveries", "submissions"] {
        assert_eq!(sandbox.practice.count(table), 0, "{table}");
    }
    assert_eq!(shown["ahead_seconds"], 0);
    sandbox.client.post(CLAIMS, item("RECOVER-1").to_string()).expect(201);
    // The key keeps the 325 days that it had left.
    sandbox.advance("P324D");
    assert_eq!(sandbox.status("RECOVER-1"), "recovered");
    sandbox.advance("P2D");
    sandbox.client.get(CLOCK).expect(401);

    // It can be emptied again.
    let sandbox = Sandbox { practice: sandbox.practice, ..Sandbox::of(&live) };
    sandbox.owner.post(&format!("{SANDBOX}/empty"), "").expect(200);
    sandbox.emptied();
    assert_eq!(sandbox.practice.claims(), 0);
    sandbox.client.send(&item("RECOVER-1")).expect(201);
}

/// New claims would be destroyed, and the clock would be set back.
#[test]
fn a_sandbox_that_is_being_emptied_takes_no_new_claims_and_no_advance_of_its_clock() {
    let sandbox = Sandbox::of(&Tenant::shared());
    sandbox.client.send(&item("N-1")).expect(201);
    // It keeps the destruction from its beginning.
    sandbox
        .practice
        .change("INSERT INTO document_settings (practice_id, retention_days, legal_hold) VALUES (?1, 2557, 1)", &[]);
    sandbox.owner.post(&format!("{SANDBOX}/empty"), "").expect(200);
    // It takes about as long again as it has taken, and what has taken long is left to the job of each minute.
    for (since, wait) in [("+ 3600000", "1"), ("- 7200000", "60")] {
        sandbox
            .practice
            .change(&format!("UPDATE data_jobs SET requested_at = requested_at {since} WHERE practice_id = ?1"), &[]);
        for (path, body) in [(CLAIMS, item("N-2").to_string()), (CLOCK, r#"{"advance":"P1D"}"#.to_owned())] {
            let answer = sandbox.client.post(path, body);
            answer.expect(503);
            assert!(answer.text().contains("the sandbox is being emptied, try again"), "{}", answer.text());
            assert_eq!(answer.header("retry-after"), Some(wait), "{path}");
        }
    }
    sandbox.client.send(&item("N-1")).expect(200);
    sandbox.practice.change("UPDATE document_settings SET legal_hold = 0 WHERE practice_id = ?1", &[]);
    // Another call goes on with it.
    sandbox.owner.post(&format!("{SANDBOX}/empty"), "").expect(200);
    sandbox.emptied();
    assert_eq!(sandbox.advance("P1D").json["clock"]["waiting"], 0);
    sandbox.client.send(&item("N-2")).expect(201);
}
