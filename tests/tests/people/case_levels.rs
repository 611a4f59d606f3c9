//! `…/cases/{id}/levels`: the levels of an appeal, and the deadlines of its claims.

use crate::cases::id_of;
use overturn_core::base::cell::Cell;
use overturn_core::base::date::Date;
use overturn_tests::prelude::*;

/// A case of two claims, with a deadline for its first level.
fn opened(worker: &Worker<'_>, due_on: Option<&str>) -> (String, Vec<String>) {
    let ids = worker.reviewed(&["L-1", "L-2"]);
    (id_of(&worker.open(&ids, due_on)), ids)
}

fn edit(worker: &Worker<'_>, case: &str, body: &Value) -> Value {
    let edited = worker.edit_level(case, 1, body);
    edited.expect(200);
    edited.json
}

fn deadline(worker: &Worker<'_>, claim: &str) -> Value {
    worker.see(claim).json["deadline"].clone()
}

fn from_case(date: &str) -> Value {
    json!({ "date": date, "from": "case" })
}

/// Files the first level and records a denial.
fn lost(worker: &Worker<'_>, case: &str) {
    let body = json!({ "filed_on": "2026-01-05", "decided_on": "2026-02-06", "outcome": "upheld" });
    edit(worker, case, &body);
}

#[test]
fn claims_are_due_with_the_level_until_it_is_filed_and_again_with_the_next_one() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let (case, ids) = opened(&worker, None);
    let closed = json!({ "status": "closed", "reason": "withdrawn" });
    worker.act(&ids[1], "moves", &closed).expect(200);

    let edited = edit(&worker, &case, &json!({ "due_on": "2027-03-01" }));
    assert_eq!(edited["version"], 2);
    assert_eq!(edited["level"]["due_on"], "2027-03-01");
    assert_eq!(deadline(&worker, &ids[0]), from_case("2027-03-01"));
    let last = worker.see(&ids[0]).json["history"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["kind"], &last["detail"]), (&json!("deadline"), &json!({ "appeal_due": "2027-03-01" })));
    edit(&worker, &case, &json!({ "filed_on": "2026-01-05" }));
    assert_eq!(deadline(&worker, &ids[0]), Value::Null);
    // Later details of a filed level set no deadline.
    let version = worker.see(&ids[0]).json["version"].clone();
    edit(&worker, &case, &json!({ "decided_on": "2026-02-06", "outcome": "upheld", "due_on": null }));
    assert_eq!(worker.see(&ids[0]).json["version"], version);

    let begun = worker.begin_level(&case, &json!({ "kind": "external_review", "due_on": "2027-06-07" }));
    begun.expect(201);
    assert_eq!((&begun.json["version"], &begun.json["level"]["level"]), (&json!(5), &json!(2)));
    assert_eq!(deadline(&worker, &ids[0]), from_case("2027-06-07"));
    // A closed claim does not change.
    assert_eq!(deadline(&worker, &ids[1]), Value::Null);
    let view = worker.case(&case).json;
    let kinds = [&view["levels"][0]["kind"], &view["levels"][1]["kind"]];
    assert_eq!(kinds, ["internal_appeal", "external_review"]);
    assert_eq!(view["levels"][0]["outcome"], "upheld");
    // A correction of an earlier level sets no deadline.
    edit(&worker, &case, &json!({ "filed_on": "2026-01-06" }));
    assert_eq!(deadline(&worker, &ids[0]), from_case("2027-06-07"));
    let said = tenant.audit("case.level_changed");
    assert_eq!(said[1]["detail"], r#"{"filed_on":"2026-01-05","level":1}"#);
    assert_eq!(
        tenant.audit("case.level_begun")[0]["detail"],
        r#"{"due_on":"2027-06-07","kind":"external_review","level":2}"#
    );
    tenant.check();
}

#[test]
fn an_edit_that_changes_nothing_leaves_no_trace() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let (case, _) = opened(&worker, Some("2027-03-01"));
    let same = edit(&worker, &case, &json!({ "due_on": "2027-03-01" }));
    assert_eq!(same["version"], 1);
    assert_eq!(worker.case(&case).json["version"], 1);
    assert_eq!(tenant.audit("case.level_changed").len(), 0);
}

#[test]
fn the_parts_of_a_level_go_together() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let (case, _) = opened(&worker, Some("2027-03-01"));
    let outcomes = "outcome must be one of overturned, partly_overturned, upheld, dismissed, withdrawn";
    for (body, problems) in [
        (json!({ "filed_on": "9999-12-31" }), vec!["filed_on must not be in the future"]),
        (json!({ "filed_on": "2026-02-30" }), vec!["filed_on must be a date (YYYY-MM-DD)"]),
        (json!({ "due_on": 7 }), vec!["due_on must be a date (YYYY-MM-DD)"]),
        (json!({ "outcome": "won" }), vec![outcomes]),
        (json!({ "outcome": "withdrawn" }), vec!["decided_on is required with outcome"]),
        (
            json!({ "decided_on": "2026-02-06" }),
            vec!["outcome is required with decided_on", "filed_on is required unless the outcome is withdrawn"],
        ),
        (
            json!({ "decided_on": "2026-02-06", "outcome": "upheld" }),
            vec!["filed_on is required unless the outcome is withdrawn"],
        ),
        (
            json!({ "filed_on": "2026-02-07", "decided_on": "2026-02-06", "outcome": "upheld" }),
            vec!["decided_on must not be before filed_on"],
        ),
        (
            json!({ "due": "2027-03-01" }),
            vec!["body must have only kind, due_on, filed_on, decided_on, outcome and follow_up_on"],
        ),
        (json!({}), vec!["body must have kind, due_on, filed_on, decided_on, outcome or follow_up_on"]),
    ] {
        let refused = worker.edit_level(&case, 1, &body);
        assert_eq!(refused.details(), problems, "{body}");
    }
    worker.edit_level(&case, 1, &json!([])).nested(400);
    // A level that was not filed can be withdrawn. It can be decided on the day of filing. Its deadline may be in the
    // past.
    let withdrawn = json!({ "decided_on": "2026-02-06", "outcome": "withdrawn" });
    edit(&worker, &case, &withdrawn);
    let decided = json!({ "filed_on": "2026-02-06", "outcome": "dismissed", "due_on": "2025-01-01" });
    edit(&worker, &case, &decided);
}

#[test]
fn the_next_level_takes_a_decision_and_a_claim_in_appeal() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let (case, ids) = opened(&worker, Some("2027-03-01"));
    let next = json!({ "kind": "hearing" });
    let refused = worker.begin_level(&case, &next);
    let message = refused.nested(409).1;
    assert!(message.ends_with("outcome of level 1 is not recorded"), "{message}");
    lost(&worker, &case);
    let unknown = worker.begin_level(&case, &json!({ "kind": "seance", "due_on": "soon" }));
    let details = unknown.details();
    assert!(details[0].starts_with("kind must be one of reconsideration, "), "{details:?}");
    assert_eq!(details[1], "due_on must be a date (YYYY-MM-DD)");
    assert_eq!(worker.begin_level(&case, &json!({})).details(), ["kind is required"]);
    for id in &ids {
        let closed = json!({ "status": "closed", "reason": "denial_upheld" });
        worker.act(id, "moves", &closed).expect(200);
    }
    let refused = worker.begin_level(&case, &next);
    let message = refused.nested(409).1;
    assert!(message.ends_with("claims of the case are no longer in_appeal"), "{message}");
    // A claim that returns to its case waits for the next level and gets its deadline.
    let back = json!({ "status": "in_appeal", "case_id": case });
    worker.act(&ids[0], "moves", &back).expect(200);
    assert_eq!(deadline(&worker, &ids[0]), Value::Null);
    let begun = worker.begin_level(&case, &json!({ "kind": "hearing", "due_on": "2027-08-09" }));
    begun.expect(201);
    assert_eq!(deadline(&worker, &ids[0]), from_case("2027-08-09"));
    // A level that is followed by another one must stay decided.
    let refused = worker.edit_level(&case, 1, &json!({ "decided_on": null, "outcome": null }));
    let wrong = "outcome is required of a level that another one follows";
    assert_eq!(refused.details(), [wrong]);
}

#[test]
fn no_day_of_a_level_is_before_the_level_in_front_was_decided() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let (case, _) = opened(&worker, None);
    lost(&worker, &case);
    let day = |ago: i32| Date::of(now()).plus_days(-ago).unwrap().to_string();
    let decided = json!({ "filed_on": day(9), "decided_on": day(8) });
    edit(&worker, &case, &decided);
    let early = json!({ "kind": "external_review", "due_on": day(9) });
    let refused = worker.begin_level(&case, &early);
    let expected = ["due_on must not be before the level in front was decided"];
    assert_eq!(refused.details(), expected);
    let begun = worker.begin_level(&case, &json!({ "kind": "external_review", "due_on": day(8) }));
    begun.expect(201);
    let refused = worker.edit_level(&case, 2, &json!({ "filed_on": day(9) }));
    let expected = ["filed_on must not be before the level in front was decided"];
    assert_eq!(refused.details(), expected);
    let filed = worker.edit_level(&case, 2, &json!({ "filed_on": day(8) }));
    filed.expect(200);
    let refused = worker.edit_level(&case, 1, &json!({ "decided_on": day(7) }));
    let expected = ["decided_on must not be behind the day on which the next level was filed"];
    assert_eq!(refused.details(), expected);
}

#[test]
fn a_claim_that_joins_or_moves_while_a_level_changes_is_not_left_with_the_old_day() {
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let (case, ids) = opened(&worker, Some("2027-03-01"));
    // In another cell, the directory authorizes first.
    let commit = if tenant.id.cell() == Cell::FIRST { 2 } else { 3 };
    let edited = |sql: &str, id: &str| {
        let client = worker.on_case(&case).overtaken_before(commit, sql, &[id]);
        let target = worker.of_practice(&format!("cases/{case}/levels/1"));
        let body = json!({ "due_on": "2027-09-09" }).to_string();
        client.patch(&target, &body)
    };
    // The same happens when a claim joins the case or leaves it.
    let joined = "UPDATE cases SET version = version + 1 WHERE id = ?1";
    edited(joined, &case).refused(409, "conflict");
    let moved = "UPDATE claims SET version = version + 1 WHERE id = ?1";
    edited(moved, &ids[1]).refused(409, "conflict");
    assert_eq!(deadline(&worker, &ids[0]), from_case("2027-03-01"));
    assert_eq!(tenant.audit("case.level_changed").len(), 0);

    // The reverse: the case changes while a claim joins.
    let late = worker.reviewed(&["L-3"]).remove(0);
    let tag = worker.see(&late).header("etag").unwrap().to_owned();
    let client = worker.client.with("If-Match", &tag);
    let client = client.overtaken_before(commit, joined, &[&case]);
    let body = json!({ "status": "in_appeal", "case_id": case }).to_string();
    let raced = client.post(&format!("{}/moves", worker.at(&late)), body);
    raced.refused(409, "conflict");
    assert_eq!(tenant.row("L-3")["status"], "reviewing");
    let body = json!({ "status": "in_appeal", "case_id": case });
    worker.act(&late, "moves", &body).expect(200);
    assert_eq!(deadline(&worker, &late), from_case("2027-03-01"));
}
