//! Sending claims: the answers and the stored data.

use overturn_tests::answer::Sent;
use overturn_tests::client::STATUS;
use overturn_tests::prelude::*;
use overturn_tests::tenant::Counts;

#[test]
fn every_field_is_stored_as_it_was_sent_and_the_patient_is_sealed() {
    let tenant = Tenant::shared();
    let sent = tenant.send(&full("A-1"));
    let mut row = tenant.row("A-1");
    let expected = json!({
        "patient": full("A-1")["patient"],
        "procedure_code": "99213-25",
        "denial_codes": ["CO-45", "n130", "see letter"],
        "denial_reason": "not covered",
        "diagnosis_codes": ["J10.1", "E11.9"],
    });
    assert_eq!(tenant.opened(&row), expected);

    let row = row.as_object_mut().unwrap();
    for tag in ["patient_tag", "procedure_tag", "sealed"] {
        assert!(row.remove(tag).unwrap().as_str().unwrap().len() >= 32);
    }
    assert_eq!(row["received_at"], row["updated_at"]);
    row.remove("updated_at");
    let received_at = row.remove("received_at").unwrap().as_i64().unwrap();
    assert!((overturn_tests::tenant::now().0 - received_at).abs() < 60_000);
    let expected = json!({
        "practice_id": tenant.id,
        "id": sent.id(0),
        "submission_id": sent.submission_id,
        "version": 1,
        "status": "received",
        "signing_status": "not_decided",
        "claim_number": "A-1",
        "payer_claim_number": "ICN-1",
        "payer_name": "Acme Health",
        "date_of_service": "2025-01-02",
        "denial_date": "2025-02-03",
        "plan_type": "erisa",
        "billed_cents": 20_000,
        "denied_cents": 12_345,
        "adjustment_codes": r#"["CO-45","N130"]"#,
        "key_version": 1,
        "appeal_due": "2025-08-02",
        "appeal_due_from": "rule",
        "changed": 1,
        "taken_by": null,
        "report_id": null,
        "case_id": null,
        "recovered_cents": null,
        "closing_reason": null,
        "letter_denied": null,
        "letter_plan": null,
        "letter_due": null,
        "letter_counts": null,
        "letter_by": null,
        "letter_at": null,
        "sandbox": 0,
        "script_at": null,
        "script_step": 0,
        // All seven bits.
        "present": 127,
    });
    assert_eq!(Value::from(row.clone()), expected);
}

#[test]
fn a_claim_has_its_submission_event_and_audit_row_under_the_request_that_sent_it() {
    let tenant = Tenant::shared();
    let before = tenant.counts();
    let sent = tenant.send(&numbered(["A-1", "A-2"]));
    let after = Counts { claims: 2, submissions: 1, events: 2, audit: before.audit + 1 };
    assert_eq!(tenant.counts(), after);
    let submissions = tenant.rows("SELECT * FROM submissions WHERE practice_id = ?1", &[]);
    assert_eq!(submissions[0]["id"], json!(sent.submission_id));
    assert_eq!(submissions[0]["request_id"], json!(sent.request_id));
    assert_eq!(submissions[0]["api_key_id"], json!(tenant.key.id));
    let sql = "SELECT DISTINCT actor, request_id FROM claim_history WHERE practice_id = ?1
         UNION SELECT actor, request_id FROM audit WHERE practice_id = ?1 AND action = 'submission.received'";
    let actor = json!({ "actor": format!("api_key:{}", tenant.key.id), "request_id": sent.request_id });
    assert_eq!(tenant.rows(sql, &[]), [actor]);
    tenant.check();
}

#[test]
fn a_batch_of_a_hundred_is_answered_in_the_order_sent() {
    let tenant = Tenant::shared();
    // Neither in numeric nor in text order.
    let numbers: Vec<String> = (0..100).map(|n| format!("B-{}", n * 37 % 100)).collect();
    let sent = tenant.send(&numbered(&numbers));
    assert_eq!(sent.created(), [true; 100]);
    let mut ids: Vec<&str> = (0..100).map(|n| sent.id(n)).collect();
    for (number, id) in numbers.iter().zip(&ids) {
        assert_eq!(tenant.row(number)["id"], json!(id));
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 100);
    tenant.check();
}

#[test]
fn a_resend_creates_and_writes_nothing_and_answers_with_the_same_ids() {
    let tenant = Tenant::shared();
    let (single, many) = (full("A-1"), numbered(["B-1", "B-2", "B-3"]));
    let first = [tenant.send(&single), tenant.send(&many)];
    let before = (tenant.counts(), tenant.row("A-1"));
    for _ in 0..3 {
        for (body, first) in [&single, &many].into_iter().zip(&first) {
            let again = tenant.send(body);
            assert_eq!(again.submission_id, None);
            for (n, item) in again.claims.iter().enumerate() {
                assert!(!item.created);
                assert_eq!(again.id(n), first.id(n));
            }
        }
    }
    assert_eq!((tenant.counts(), tenant.row("A-1")), before);
}

#[test]
fn a_resend_answers_with_the_current_status_whatever_it_is() {
    let tenant = Tenant::shared();
    let first = tenant.send(&item("A-1"));
    for status in ["received", "reviewing", "in_report", "in_appeal", "recovered", "closed"] {
        tenant.change_claims("UPDATE claims SET status = ?2 WHERE practice_id = ?1", &[status]);
        let answer = tenant.client().send(&item("A-1"));
        let expected = json!({
            "claims": [{ "claim_number": "A-1", "created": false, "id": first.id(0), "status": status }],
            "submission_id": null,
        });
        assert_eq!((answer.status, answer.json), (200, expected));
    }
}

#[test]
fn new_claims_join_the_submission_of_their_request_and_known_ones_stay_in_theirs() {
    let tenant = Tenant::shared();
    let first = tenant.send(&numbered(["A-1", "A-2"]));
    let second = tenant.send(&numbered(["A-2", "A-3", "A-1", "A-4"]));
    assert_eq!(second.created(), [false, true, false, true]);
    assert_ne!(first.submission_id, second.submission_id);
    for (number, sent) in [("A-1", &first), ("A-2", &first), ("A-3", &second), ("A-4", &second)] {
        assert_eq!(tenant.row(number)["submission_id"], json!(sent.submission_id));
    }
    tenant.check();
}

#[test]
fn practices_share_no_numbers() {
    let tenants = [Tenant::shared(), Tenant::shared()];
    let sent = tenants.each_ref().map(|tenant| tenant.send(&item("A-1")));
    assert_eq!(sent[0].created(), [true]);
    assert_eq!(sent[1].created(), [true]);
    assert_ne!(sent[0].id(0), sent[1].id(0));
    let other = with(item("A-1"), "patient.first_name", "Ann");
    assert_eq!(tenants[1].send(&other).errors(), [Some(overturn_tests::answer::OTHER_PATIENT)]);
}

#[test]
fn all_keys_of_a_practice_see_the_same_claims() {
    let tenant = Tenant::shared();
    let first = tenant.send(&item("A-1"));
    let key = tenant.key(&[overturn_service::auth::scope::Scope::ClaimsWrite], overturn_core::base::token::Realm::Test);
    let body = numbered(["A-1", "A-2"]);
    let second = Sent::read(&body, &tenant.client_of(&key).send(&body));
    assert_eq!(second.created(), [false, true]);
    assert_eq!(second.id(0), first.id(0));
}

#[test]
fn the_largest_amount_and_the_longest_texts_are_kept_whole() {
    let tenant = Tenant::shared();
    let number = "𝒜".repeat(128);
    let mut body = full(&number);
    for (field, length) in [
        ("patient.first_name", 200),
        ("patient.last_name", 200),
        ("patient.account_number", 200),
        ("patient.member_id", 200),
        ("claim.payer_claim_number", 128),
        ("claim.payer_name", 200),
        ("claim.procedure_code", 200),
        ("claim.denial_reason", 2000),
    ] {
        body = with(body, field, "漢".repeat(length));
    }
    body = with(body, "claim.billed_amount", "9999999999999999.99");
    body = with(body, "claim.denial_codes", vec!["N130"; 20]);
    assert_eq!(tenant.send(&body).created(), [true]);
    let sql = "SELECT CAST(billed_cents AS TEXT) AS billed FROM claims WHERE practice_id = ?1";
    assert_eq!(tenant.rows(sql, &[])[0]["billed"], "999999999999999999");
    let opened = tenant.opened(&tenant.row(&number));
    assert_eq!(opened["patient"], body["patient"]);
    assert_eq!(opened["denial_reason"], body["claim"]["denial_reason"]);
    assert_eq!(tenant.send(&body).created(), [false]);
}

#[test]
fn a_use_that_comes_to_nothing_is_a_use_all_the_same() {
    let calls: [fn(&Tenant<'_>) -> u16; 3] = [
        |tenant| tenant.client().status("none").status,
        |tenant| tenant.client().send(&json!({})).status,
        |tenant| tenant.client().get(STATUS).status,
    ];
    for (call, status) in calls.into_iter().zip([404, 422, 422]) {
        let tenant = Tenant::shared();
        assert_eq!(call(&tenant), status);
        let sql = "SELECT coalesce(last_used_at, 0) AS n FROM api_keys WHERE practice_id = ?1";
        let mut looks = std::iter::repeat_with(|| tenant.number(sql)).take(500);
        assert!(looks.any(|at| at > 0));
    }
}

#[test]
fn the_use_of_a_key_is_noted_once_and_not_with_every_request() {
    let tenant = Tenant::shared();
    let used = || {
        let sql = "SELECT coalesce(last_used_at, 0) AS n FROM api_keys WHERE practice_id = ?1";
        tenant.number(sql)
    };
    assert_eq!(used(), 0);
    tenant.send(&item("A-1"));
    let noted = std::iter::repeat_with(used).take(500).find(|at| *at > 0).unwrap();
    for _ in 0..5 {
        tenant.send(&item("A-1"));
    }
    assert_eq!(used(), noted);
}
