//! One whole path of practices that live in three databases, of the staff who work on the claims of all, and of their patients.

use crate::deliveries::enter;
use crate::webhooks::WEBHOOKS;
use overturn_tests::account::{Account, SESSION};
use overturn_tests::prelude::*;
use overturn_tests::receiver::{OK, Receiver};
use overturn_tests::signing::{patient, proof, sign, token_of};

const DECIDE: &str = "/api/v1/staff/claims/signing";

#[test]
fn a_whole_path_goes_through_three_cells() {
    let server = Server::lasting(&json!({ "LIMITS": "unlimited", "CELLS": "3" }));
    let tenants = [0, 1, 2].map(|cell| Tenant::in_cell(&server, cell));
    let hooks = tenants.each_ref().map(|tenant| {
        let owner = Account::of(tenant, Role::Owner).sign_in();
        assert_eq!(owner.get(SESSION).json["practice"]["id"], tenant.id.to_string());
        let receiver = Receiver::new([OK]);
        let body = json!({ "url": receiver.url(), "events": ["claim.signing_changed"] });
        let made = owner.post(WEBHOOKS, body.to_string());
        made.expect(201);
        (receiver, made.json["secret"].as_str().unwrap().to_owned())
    });
    let numbers = ["A-1", "B-1", "C-1"];
    for (tenant, number) in tenants.iter().zip(numbers) {
        assert_eq!(tenant.send(&item(number)).created(), [true]);
    }

    let staff = Account::staff(&server).sign_in();
    let queue = staff.get(&format!("{QUEUE}?count=true"));
    queue.expect(200);
    assert_eq!((queue.json["count"]["claims"].as_u64(), queue.json.get("missing_cells")), (Some(3), None));
    let listed = queue.json["claims"].as_array().unwrap();
    let claims = tenants.each_ref().map(|tenant| {
        let claim = listed.iter().find(|claim| claim["practice"]["id"] == tenant.id.to_string()).unwrap();
        json!({ "practice_id": tenant.id, "id": claim["id"], "version": claim["version"] })
    });
    let decided = staff.post(DECIDE, json!({ "decision": "needed", "claims": claims }).to_string());
    decided.expect(200);
    assert!(decided.json["results"].as_array().unwrap().iter().all(|result| result["status"] == "done"));

    for (tenant, number) in tenants.iter().zip(numbers) {
        let told = tenant.client().status(number);
        let token = token_of(told.json["claim"]["signing"]["link"].as_str().unwrap());
        let phone = patient(&server);
        let proof = proof(&phone, &token);
        sign(&phone, &token, &proof, &[("name", "Jane Doe")]).expect(200);
        assert_eq!(tenant.row(number)["signing_status"], "signed");
    }
    // What the queue has not delivered yet, the job of each minute does.
    enter(&server.client(), "/.tests/sweep", "");
    for ((receiver, secret), number) in hooks.iter().zip(numbers) {
        let told = receiver.wait(2);
        assert!(told.iter().all(|one| one.signed_by(secret) == 1 && one.body.contains(number)), "{told:?}");
    }
    let cells = staff.get("/api/v1/staff/cells");
    cells.expect(200);
    let practices = cells.json["cells"].as_array().unwrap().iter().map(|cell| &cell["practices"]);
    assert!(practices.eq([&json!(1), &json!(1), &json!(1)]), "{}", cells.text());
    for tenant in &tenants {
        tenant.check();
    }
}
