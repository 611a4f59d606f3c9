use super::*;

fn count(status: ClaimStatus, due: &str, claims: i64, denied: (i64, i64)) -> StoredCount {
    StoredCount { status, due: due.into(), claims, billed: (0, 0), denied, recovered: (0, 0) }
}

#[test]
fn every_status_is_listed_and_every_open_claim_is_in_one_place() {
    use ClaimStatus::{Closed, InAppeal, Received};
    let counts = [
        count(Received, "2026-11-22", 2, (0, 250)),
        count(InAppeal, "2026-11-22", 1, (0, 5)),
        count(InAppeal, "late", 3, (0, 1)),
        count(Received, "later", 4, (0, 0)),
        count(Received, "~", 5, (0, 99)),
        count(Closed, "", 6, (0, 7)),
    ];
    let today = Date::parse("2026-11-22").unwrap();
    let shown = serde_json::to_value(summarize(today, &counts)).unwrap();
    let statuses = shown["statuses"].as_array().unwrap().iter();
    let statuses: Vec<_> = statuses.map(|one| (one["status"].as_str().unwrap(), one["claims"].as_i64())).collect();
    assert_eq!(
        statuses,
        [
            ("received", Some(11)),
            ("reviewing", Some(0)),
            ("in_report", Some(0)),
            ("in_appeal", Some(4)),
            ("recovered", Some(0)),
            ("closed", Some(6)),
        ]
    );
    assert_eq!(
        shown["total"],
        json!({ "claims": 21, "billed_amount": "0.00", "denied_amount": "3.62", "amount_recovered": "0.00" })
    );
    assert_eq!(
        shown["deadlines"],
        json!({
            "late": { "claims": 3, "denied_amount": "0.01" },
            "days": [{ "date": "2026-11-22", "claims": 3, "denied_amount": "2.55" }],
            "later": { "claims": 4, "denied_amount": "0.00" },
            "none": { "claims": 5, "denied_amount": "0.99" },
        })
    );
    assert_eq!(shown["today"], "2026-11-22");
}

#[test]
fn the_largest_amounts_add_up_without_loss() {
    // Twice the most cents that one claim can have.
    let largest = (18_446_744_072, 1_709_551_614);
    let summary = summarize(Date::parse("2026-11-22").unwrap(), &[count(ClaimStatus::Received, "~", 2, largest)]);
    let text = serde_json::to_value(summary.total).unwrap();
    assert_eq!(text["denied_amount"], "184467440737095516.14");
}

#[test]
fn no_claims_give_zeros() {
    let summary = summarize(Date::parse("2026-11-22").unwrap(), &[]);
    let shown = serde_json::to_value(summary).unwrap();
    assert_eq!(shown["statuses"].as_array().unwrap().len(), 6);
    assert_eq!(shown["total"]["billed_amount"], "0.00");
    assert_eq!(shown["deadlines"]["days"], json!([]));
}
