use super::*;
use serde_json::{Value, json};

const DAYS: [&str; 4] = ["2026-07-01", "2026-07-02", "2026-07-03", "2026-07-04"];

fn at(day: usize) -> String {
    format!("{}T08:00:00.000Z", DAYS[day])
}

/// A claim as the service answers it, after changes of one a day: the kind, the status, and the signing status if it changed.
fn claim(changes: &[(&str, &str, Option<&str>)], deadline: Option<&str>) -> Value {
    let history: Vec<_> = (1..)
        .zip(changes)
        .map(|(version, (kind, status, signing))| {
            json!({ "version": version, "at": at(version - 1), "kind": kind, "status": status, "signing": signing })
        })
        .collect();
    let signing = changes.iter().rev().find_map(|(.., signing)| *signing).unwrap_or("not_decided");
    json!({
        "id": Uuid::from_u128(1), "claim_number": "A-1", "status": changes.last().unwrap().1,
        "signing": { "status": signing }, "deadline": deadline.map(|date| json!({ "date": date })), "report_id": null,
        "updated_at": at(changes.len() - 1), "version": changes.len(), "history": history,
    })
}

/// Nothing is known but a claim as the list had it.
fn listed(claim: Option<&Value>) -> Changes {
    let known = claim.map(|claim| serde_json::from_value::<ListedClaim>(claim.clone()).unwrap());
    let claims = known.map(|claim| (claim.id.0, KnownClaim { claim, version: None }));
    Changes { claims: claims.into_iter().collect(), reports: BTreeSet::new(), cursor: "start".into() }
}

/// What is told of a claim: what changed, to what, and on which day.
fn told(changes: &mut Changes, claim: Value) -> Vec<String> {
    let told = changes.take(serde_json::from_value(claim).unwrap());
    let said = told.into_iter().map(|(at, data, _)| {
        let body: Value = serde_json::from_str(&data.body(at, false)).unwrap();
        let claim = &body["data"]["claim"];
        let new = ["status", "signing_status", "deadline"].map(|key| claim[key].as_str().unwrap_or_default()).concat();
        let kind = body["type"].as_str().unwrap().strip_prefix("claim.").unwrap();
        let (day, _) = body["timestamp"].as_str().unwrap().split_once('T').unwrap();
        format!("{kind} {new} {day}")
    });
    said.collect()
}

const RECEIVED: (&str, &str, Option<&str>) = ("received", "received", None);

#[test]
fn every_change_between_two_reads_is_told_once_in_order_with_its_time() {
    let moves = [RECEIVED, ("taken", "reviewing", None), ("moved", "in_appeal", None), ("moved", "recovered", None)];
    let statuses = [
        "status_changed reviewing 2026-07-02",
        "status_changed in_appeal 2026-07-03",
        "status_changed recovered 2026-07-04",
    ];
    // A claim that is new, one that only the list named, and one whose history was read.
    let mut new = listed(None);
    assert_eq!(told(&mut new, claim(&moves, None)), statuses);
    assert!(told(&mut new, claim(&moves, None)).is_empty());
    let mut known = listed(Some(&claim(&moves[..2], None)));
    assert_eq!(told(&mut known, claim(&moves[..3], None)), statuses[1..2]);
    assert_eq!(told(&mut known, claim(&moves, None)), statuses[2..]);
}

/// The scripts of a sandbox take a step at the time at which it was due.
#[test]
fn a_change_with_an_earlier_time_than_what_was_read_is_told() {
    let mut late = claim(&[RECEIVED, ("corrected", "received", None)], None);
    let mut changes = listed(None);
    assert!(told(&mut changes, late.clone()).is_empty(), "neither is news");
    let moved = json!({ "version": 3, "at": at(0), "kind": "moved", "status": "reviewing", "signing": null });
    late["history"].as_array_mut().unwrap().push(moved);
    for (key, value) in [("version", json!(3)), ("status", json!("reviewing")), ("updated_at", json!(at(0)))] {
        late[key] = value;
    }
    let only_listed = told(&mut listed(Some(&claim(&[RECEIVED, ("corrected", "received", None)], None))), late.clone());
    assert_eq!(told(&mut changes, late), ["status_changed reviewing 2026-07-01"]);
    assert_eq!(only_listed, ["status_changed reviewing 2026-07-01"]);
}

#[test]
fn signatures_links_deadlines_and_amounts_are_told_as_the_service_tells_them() {
    let first = [RECEIVED, ("signing", "received", Some("needed")), ("signing", "received", None)];
    let mut changes = listed(Some(&claim(&first[..1], None)));
    let asked = ["signing_changed needed 2026-07-02", "signing_changed needed 2026-07-03"];
    assert_eq!(told(&mut changes, claim(&first, None)), asked, "the second one is another link");
    let due = [first[0], first[1], first[2], ("signed", "received", Some("signed"))];
    let said = ["signing_changed signed 2026-07-04", "deadline_changed 2026-09-01 2026-07-04"];
    assert_eq!(told(&mut changes, claim(&due, Some("2026-09-01"))), said);
    assert!(told(&mut listed(None), claim(&[RECEIVED], Some("2026-09-01"))).is_empty(), "the receipt is no news");
    let paid = [RECEIVED, ("moved", "recovered", None), ("amount_corrected", "recovered", None)];
    let said = ["status_changed recovered 2026-07-02", "amount_corrected  2026-07-03"];
    assert_eq!(told(&mut listed(None), claim(&paid, None)), said);
}
