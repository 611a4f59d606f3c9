//! What a resend corrects and what it leaves unchanged.

use overturn_tests::answer::OTHER_CLAIM;
use overturn_tests::prelude::*;

/// The events of a claim after the first.
fn corrections(tenant: &Tenant<'_>, number: &str) -> Vec<(i64, Value)> {
    let sql = "SELECT e.version, e.detail FROM claim_events e JOIN claims c ON c.practice_id = e.practice_id AND c.id = e.claim_id
         WHERE e.practice_id = ?1 AND c.claim_number = ?2 AND e.version > 1 ORDER BY e.version";
    let rows = tenant.rows(sql, &[number]).into_iter();
    let read = |row: Value| {
        let detail = serde_json::from_str(row["detail"].as_str().unwrap()).unwrap();
        (row["version"].as_i64().unwrap(), detail)
    };
    rows.map(read).collect()
}

fn state(number: &str, billed: Option<i64>, denied: Option<i64>) -> Value {
    json!({ "payer_claim_number": number, "billed_cents": billed, "denied_cents": denied })
}

#[test]
fn amounts_and_the_payer_claim_number_are_corrected_and_their_history_is_kept() {
    let tenant = Tenant::shared();
    let first = tenant.send(&full("A-1"));
    let before = tenant.row("A-1");
    let mut body = with(full("A-1"), "claim.payer_claim_number", "ICN-2");
    body = with(body, "claim.billed_amount", "300.00");
    body = with(body, "claim.denied_amount", "0.01");
    let corrected = tenant.send(&body);
    assert_eq!((corrected.created(), corrected.id(0)), (vec![false], first.id(0)));

    let mut expected = before;
    let after = tenant.row("A-1");
    expected["payer_claim_number"] = json!("ICN-2");
    expected["billed_cents"] = json!(30_000);
    expected["denied_cents"] = json!(1);
    expected["version"] = json!(2);
    // The practice's second change.
    expected["changed"] = json!(2);
    assert!(after["updated_at"].as_i64() >= expected["updated_at"].as_i64());
    expected["updated_at"] = after["updated_at"].clone();
    assert_eq!(after, expected);

    let sent = state("ICN-1", Some(20_000), Some(12_345));
    let now = state("ICN-2", Some(30_000), Some(1));
    let change = json!({ "before": sent, "after": now });
    assert_eq!(corrections(&tenant, "A-1"), [(2, change)]);
    let audited = tenant.rows(
        "SELECT record, request_id, actor FROM audit WHERE practice_id = ?1 AND action = 'claims.corrected'",
        &[],
    );
    let actor = format!("api_key:{}", tenant.key.id);
    let id = &corrected.request_id;
    assert_eq!(audited, [json!({ "record": id, "request_id": id, "actor": actor })]);

    // Changing it back is one more correction.
    tenant.send(&full("A-1"));
    assert_eq!(corrections(&tenant, "A-1")[1].0, 3);
    tenant.check();
}

#[test]
fn one_batch_creates_corrects_repeats_and_refuses() {
    let tenant = Tenant::shared();
    let first = tenant.send(&numbered(["A-1", "A-2", "A-3"]));
    let body = batch([
        with(item("A-1"), "claim.billed_amount", "7.00"),
        item("A-4"),
        with(with(item("A-2"), "claim.date_of_service", "2025-01-03"), "claim.billed_amount", "9.00"),
        item("A-3"),
        with(item("A-5"), "claim.payer_claim_number", "ICN-5"),
    ]);
    let sent = tenant.send(&body);
    assert_eq!(sent.created(), [false, true, false, false, true]);
    assert_eq!(sent.errors(), [None, None, Some(OTHER_CLAIM), None, None]);
    assert_eq!((sent.id(0), sent.id(3)), (first.id(0), first.id(2)));
    let billed = ["A-1", "A-2", "A-3", "A-4", "A-5"].map(|number| tenant.row(number)["billed_cents"].clone());
    assert_eq!(billed, [700, 12_000, 12_000, 12_000, 12_000].map(Value::from));
    let corrected =
        tenant.number("SELECT count(*) AS n FROM claim_events WHERE practice_id = ?1 AND kind = 'corrected'");
    assert_eq!(corrected, 1);
    tenant.check();
}

#[test]
fn a_claim_is_corrected_whatever_its_status_and_keeps_it() {
    let tenant = Tenant::shared();
    tenant.send(&item("A-1"));
    tenant.change_claims("UPDATE claims SET status = 'in_appeal' WHERE practice_id = ?1", &[]);
    let body = with(item("A-1"), "claim.billed_amount", "8.00");
    let sent = tenant.send(&body);
    assert_eq!(sent.claims[0].outcome.as_ref().unwrap().status, "in_appeal");
    let row = tenant.row("A-1");
    assert_eq!((&row["billed_cents"], &row["status"]), (&json!(800), &json!("in_appeal")));
    let status = tenant.rows("SELECT status FROM claim_events WHERE practice_id = ?1 AND version = 2", &[]);
    assert_eq!(status, [json!({ "status": "in_appeal" })]);
}
