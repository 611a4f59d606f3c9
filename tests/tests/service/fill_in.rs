//! What a resend fills in.

use overturn_tests::prelude::*;

fn one(tenant: &Tenant<'_>, id: &str) -> Value {
    let member = Person::of(tenant, Role::Member).client();
    member.get(&format!("/api/v1/denials/{id}")).json.clone()
}

#[test]
fn a_claim_sent_without_denial_date_and_plan_gets_its_deadline_when_they_come() {
    let tenant = Tenant::shared();
    let first = tenant.send(&item("A-1"));
    let member = tenant.member();
    let cursor = member.get("/api/v1/denials").json["changes_cursor"].clone();
    let dated = with(with(item("A-1"), "claim.denial_date", "2025-02-03"), "claim.plan_type", "erisa");
    let sent = tenant.client().send(&dated);
    let result = json!({ "claim_number": "A-1", "created": false, "id": first.id(0), "status": "received" });
    let answer = json!({ "claims": [result], "submission_id": null });
    assert_eq!((sent.status, sent.json), (200, answer));
    let claim = one(&tenant, first.id(0));
    assert_eq!((&claim["denial_date"], &claim["plan_type"]), (&json!("2025-02-03"), &json!("erisa")));
    let due = json!({ "date": "2025-08-02", "from": "rule", "source": "29 CFR 2560.503-1(h)(3)(i)" });
    assert_eq!(claim["deadline"], due);
    let event = &claim["history"][1];
    assert_eq!(
        (&event["kind"], &event["by"], &event["filled_in"]),
        (&json!("filled_in"), &json!("billing_system"), &json!(["denial_date", "plan_type"]))
    );
    // Followers see the change.
    let after = format!("/api/v1/denials?changes_after={}", cursor.as_str().unwrap());
    let told = member.get(&after);
    assert_eq!(told.json["denials"][0]["deadline"], due);

    // Existing fields stay: the service keeps the first value.
    let other = with(with(dated, "claim.denial_date", "2025-03-03"), "claim.plan_type", "medicare");
    tenant.send(&other);
    let same = one(&tenant, first.id(0));
    assert_eq!((&same["deadline"], same["history"].as_array().unwrap().len()), (&due, 2));
    tenant.check();
}

#[test]
fn parts_that_are_sealed_are_filled_in_and_opened_only_for_that() {
    let tenant = Tenant::shared();
    tenant.send(&item("A-1"));
    let mut more = full("A-1");
    for same in ["date_of_service", "procedure_code", "denial_codes", "denial_reason"] {
        more["claim"][same] = item("A-1")["claim"][same].clone();
    }
    more["patient"]["first_name"] = item("A-1")["patient"]["first_name"].clone();
    let before = tenant.opened(&tenant.row("A-1"));
    tenant.send(&more);
    let after = tenant.opened(&tenant.row("A-1"));
    assert_eq!(after["patient"]["member_id"], full("A-1")["patient"]["member_id"]);
    assert_eq!(after["diagnosis_codes"], full("A-1")["claim"]["diagnosis_codes"]);
    assert_eq!(after["denial_codes"], before["denial_codes"]);
    let blob = tenant.row("A-1")["sealed"].clone();
    tenant.send(&more);
    assert_eq!(tenant.row("A-1")["sealed"], blob);
    let detail = tenant.rows("SELECT detail FROM claim_events WHERE practice_id = ?1 AND kind = 'filled_in'", &[]);
    assert_eq!(detail.len(), 1);
    let member_id = full("A-1")["patient"]["member_id"].as_str().unwrap().to_owned();
    assert!(!detail[0].to_string().contains(&member_id));
    tenant.check();
}

#[test]
fn many_senders_that_each_fill_in_another_part_at_once_all_hold() {
    let tenant = Tenant::shared();
    let numbers: Vec<String> = (0..5).map(|n| format!("F-{n}")).collect();
    tenant.send(&batch(numbers.iter().map(|number| item(number))));
    let parts: [(&str, Value); 5] = [
        ("claim.denial_date", json!("2025-02-03")),
        ("claim.plan_type", json!("erisa")),
        ("claim.diagnosis_codes", json!(["J10.1"])),
        ("patient.account_number", json!("ACC-1")),
        ("patient.member_id", json!("W-1")),
    ];
    let calls = parts.iter().map(|(field, value)| {
        let body = batch(numbers.iter().map(|number| with(item(number), field, value.clone())));
        let client = tenant.client();
        move || client.send(&body).status
    });
    assert_eq!(at_once(calls.collect()), [200; 5]);
    for number in &numbers {
        let row = tenant.row(number);
        assert_eq!(row["appeal_due"], "2025-08-02", "{row}");
        let secret = tenant.opened(&row);
        assert_eq!(secret["diagnosis_codes"], json!(["J10.1"]));
        let patient = &secret["patient"];
        assert_eq!((&patient["account_number"], &patient["member_id"]), (&json!("ACC-1"), &json!("W-1")));
    }
    tenant.check();
}

#[test]
fn endpoints_get_a_message_about_the_deadline_that_a_resend_sets() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let body = json!({ "url": "https://hooks.example.com/", "events": ["claim.deadline_changed"] });
    let made = owner.post("/api/v1/settings/webhooks", body.to_string());
    made.expect(201);
    let sent = tenant.send(&with(item("A-1"), "claim.plan_type", "erisa"));
    for _ in 0..2 {
        let dated = with(item("A-1"), "claim.denial_date", "2025-02-03");
        assert_eq!(tenant.send(&dated).created(), [false]);
    }
    // Another part sets no deadline.
    let told_more = with(item("A-1"), "claim.denial_reason", "not covered");
    assert_eq!(tenant.send(&told_more).created(), [false]);
    let told = tenant.messages();
    assert_eq!(told.len(), 1);
    let claim = json!({ "id": sent.id(0), "claim_number": "A-1", "deadline": "2025-08-02" });
    assert_eq!(told[0]["data"]["claim"], claim);
}
