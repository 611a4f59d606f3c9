use super::*;
use serde_json::{Value, json};

fn claim(set: Value) -> ListedClaim {
    let mut claim = json!({
        "id": Uuid::from_u128(1), "claim_number": "A-1", "status": "received",
        "signing": { "status": "not_decided", "link_expires_at": null }, "deadline": null,
        "amount_recovered": null, "report_id": null,
    });
    for (name, value) in set.as_object().unwrap() {
        claim[name] = value.clone();
    }
    serde_json::from_value(claim).unwrap()
}

fn kinds(told: &[Data]) -> Vec<&'static str> {
    told.iter().map(|data| data.kind().name()).collect()
}

#[test]
fn each_change_of_a_claim_is_told_as_the_service_tells_it() {
    let mut changes = Changes { claims: BTreeMap::new(), reports: BTreeSet::new(), cursor: "start".into() };
    let mut take = |set| kinds(&changes.take(claim(set)));
    assert!(take(json!({ "deadline": { "date": "2026-07-04" } })).is_empty(), "the receipt is no news");
    assert_eq!(take(json!({})), ["claim.deadline_changed"]);
    assert!(take(json!({})).is_empty());
    let needed = json!({ "status": "needed", "link_expires_at": "2126-07-04T00:00:00Z" });
    assert_eq!(take(json!({ "signing": needed })), ["claim.signing_changed"]);
    let renewed = json!({ "status": "needed", "link_expires_at": "2126-07-05T00:00:00Z" });
    assert_eq!(take(json!({ "signing": renewed })), ["claim.signing_changed"]);
    let revoked = json!({ "status": "needed", "link_expires_at": null });
    assert_eq!(take(json!({ "signing": revoked })), ["claim.signing_changed"]);
    let old = json!({ "status": "needed", "link_expires_at": "2020-07-05T00:00:00Z" });
    assert_eq!(take(json!({ "signing": old })), ["claim.signing_changed"]);
    assert!(take(json!({ "signing": revoked })).is_empty(), "a link that expired was not revoked");
    assert_eq!(take(json!({ "signing": renewed })), ["claim.signing_changed"]);
    let ended = json!({ "status": "closed", "signing": revoked });
    assert_eq!(take(ended), ["claim.status_changed"], "a link ends with its claim");
    assert_eq!(take(json!({ "signing": renewed })), ["claim.status_changed", "claim.signing_changed"]);
    let paid = json!({ "status": "recovered", "amount_recovered": "1.00", "signing": renewed });
    assert_eq!(take(paid), ["claim.status_changed"]);
    let corrected = json!({ "status": "recovered", "amount_recovered": "2.00", "signing": renewed });
    assert_eq!(take(corrected), ["claim.amount_corrected"]);
}

#[test]
fn a_claim_that_came_and_moved_between_two_reads_is_told() {
    let mut changes = Changes { claims: BTreeMap::new(), reports: BTreeSet::new(), cursor: "start".into() };
    let told = changes.take(claim(json!({ "status": "reviewing" })));
    assert_eq!(kinds(&told), ["claim.status_changed"]);
}
