//! The destruction of all data.

use super::{JOBS, Practice, id, server, strike};
use overturn_tests::only_in_one_cell;
use overturn_tests::prelude::*;

/// The tables that are destroyed.
const TABLES: [&str; 13] = [
    "claims",
    "claim_events",
    "claim_notes",
    "signing_links",
    "signatures",
    "reports",
    "report_claims",
    "cases",
    "case_claims",
    "case_levels",
    "submissions",
    "webhooks",
    "deliveries",
];

fn is_due(practice: &Practice) {
    let sql = "UPDATE data_jobs SET due_at = 1 WHERE practice_id = ?1 AND state = 'waiting'";
    practice.tenant.change(sql, &[]);
}

/// The rows of the whole database that hold a text.
fn live_rows(practice: &Practice, text: &str) -> Vec<String> {
    let database = practice.tenant.server.database();
    let tables = database.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite_*'",
        &[],
    );
    let rows = tables.iter().flat_map(|table| {
        let table = table["name"].as_str().unwrap();
        database.rows(&format!("SELECT * FROM {table}"), &[])
    });
    rows.map(|row| row.to_string()).filter(|row| row.contains(text)).collect()
}

#[test]
fn a_destruction_waits_can_be_cancelled_and_leaves_nothing_of_a_patient() {
    let (practice, other) = (Practice::new(), Practice::new());
    practice.fill();
    other.fill();
    let mut inbox = server().mails_to(&practice.owner.email);
    let in_force = practice.destroy();
    assert_eq!(in_force.nested(409).1, "the agreement is in force, end it first");
    practice.end();
    let wrong = practice.request(&json!({ "kind": "destruction", "practice_name": "practice" }));
    assert_eq!(wrong.details(), ["practice_name must be the name of the practice"]);
    let first = practice.destroy();
    assert_eq!((first.status, &first.json["state"]), (201, &json!("waiting")));
    strike(&server().client());
    let subjects = [(); 2].map(|()| inbox.take().subject);
    assert!(subjects.contains(&"All data of your practice will be destroyed".to_owned()));
    assert_eq!(practice.count("claims"), 4, "the waiting period is not over");
    assert_eq!(practice.cancel(&id(&first)).json["state"], "cancelled");
    is_due(&practice);
    strike(&server().client());
    assert_eq!(practice.count("claims"), 4, "it was cancelled");

    let job = id(&practice.destroy());
    let before = TABLES.map(|table| practice.count(table));
    assert!(before.iter().all(|rows| *rows > 0), "{before:?}");
    let kept = ["agreements", "audit", "api_keys"].map(|table| practice.count(table));
    is_due(&practice);
    strike(&server().client());
    assert_eq!(TABLES.map(|table| practice.count(table)), [0; 13]);
    let after = ["agreements", "audit", "api_keys"].map(|table| practice.count(table));
    let keys = "SELECT wrapped, destroyed_at FROM practice_keys WHERE practice_id = ?1";
    let keys = practice.tenant.rows(keys, &[]);
    assert!(keys.len() == 1 && keys[0]["wrapped"].is_null(), "{keys:?}");
    // The trail has the beginning and the end.
    assert_eq!(after, [kept[0], kept[1] + 2, kept[2]]);
    assert!(TABLES.iter().all(|table| other.count(table) > 0), "another practice keeps its data");
    let done = practice.job(&job);
    assert_eq!(done["state"], "done", "{done}");
    for kind in done["records"].as_array().unwrap() {
        assert_eq!(kind["done"], kind["total"], "{done}");
    }
    assert!(done["report"]["kept"].as_array().unwrap().contains(&json!("audit")));
    assert!(done["report"]["history_until"].is_string());
    assert_eq!(practice.tenant.audit("data.destroyed").len(), 1);
    assert_eq!(practice.cancel(&job).nested(409).1, "the job is done");
    strike(&server().client());
    assert_eq!(practice.tenant.audit("data.destroyed").len(), 1, "it is destroyed once");

    let signed = practice.sign();
    signed.expect(201);
    practice.tenant.client().send(&item("Qnumber-1")).expect(201);
}

#[test]
fn of_parallel_destruction_requests_one_succeeds() {
    let practice = Practice::new();
    practice.end();
    let mut statuses = at_once(vec![|| practice.destroy().status; 4]);
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409]);
    assert_eq!(practice.count("data_jobs"), 1);
    let listed = practice.owner.client().get(JOBS);
    assert_eq!(listed.json["data_jobs"].as_array().unwrap().len(), 1);
}

#[test]
fn an_interrupted_destruction_continues_and_counts_each_row_once() {
    only_in_one_cell!("the faults go by the number of a batch, and the batches of several cells come in any order");
    // A sweep covers all practices of a server, so this test has its own.
    let server: &'static Server = Box::leak(Box::new(Server::lasting(&json!({ "LIMITS": "unlimited" }))));
    let practice = Practice::on(server);
    for hundred in 0..6 {
        let numbers: Vec<String> = (0..100).map(|n| format!("Qnumber{hundred}-{n}")).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        practice.tenant.send(&numbered(&numbers));
        // Each claim has a second event after its arrival.
        let corrected = |number: &&str| with(item(number), "claim.billed_amount", "77.00");
        let corrected = numbers.iter().map(corrected);
        practice.tenant.send(&batch(corrected));
    }
    practice.end();
    let job = id(&practice.destroy());
    is_due(&practice);
    // Each sweep gets one step further than the one before and fails there.
    let dies_from = |first: usize| -> String {
        let fails = (first..first + 60).map(|n| (n.to_string(), json!({ "fails": "the isolate died" })));
        Value::Object(fails.collect()).to_string()
    };
    for first in 1..60 {
        strike(&server.client().with("Tests-Database", &dies_from(first)));
        // Half of the events are deleted.
        if practice.count("claim_events") == 100 {
            break;
        }
    }
    assert_eq!(practice.count("claim_events"), 100);
    let state = practice.job(&job);
    assert_eq!(state["state"], "running", "{state}");
    assert!(practice.count("claims") > 0);
    practice.tenant.client().status("Qnumber0-0").expect(403);
    let running = practice.cancel(&job);
    assert_eq!(running.nested(409).1, "the destruction has begun");
    // After a lost answer, the batch runs twice.
    let loses = (2..80).step_by(2);
    let loses = loses.map(|n| (n.to_string(), json!({ "loses": "Network connection lost" })));
    let loses = Value::Object(loses.collect()).to_string();
    strike(&server.client().with("Tests-Database", &loses));
    at_once(vec![|| strike(&server.client()); 3]);
    let done = practice.job(&job);
    assert_eq!(done["state"], "done", "{done}");
    for kind in done["records"].as_array().unwrap() {
        assert_eq!(kind["done"], kind["total"], "{done}");
    }
    assert!(live_rows(&practice, "Qnumber").is_empty());
    assert!(live_rows(&practice, "Acme Health").is_empty());
    assert!(!live_rows(&practice, "data.destroyed").is_empty());
    assert_eq!(practice.tenant.audit("data.destruction_begun").len(), 1);
    assert_eq!(practice.tenant.audit("data.destroyed").len(), 1);
    assert_eq!(TABLES.map(|table| practice.count(table)), [0; 13]);
}

#[test]
fn a_destruction_that_begins_cancels_the_open_return_and_no_page_is_given() {
    // A sweep covers all practices of a server, so this test has its own.
    let server: &'static Server = Box::leak(Box::new(Server::lasting(&json!({ "LIMITS": "unlimited" }))));
    let practice = Practice::on(server);
    practice.tenant.send(&numbered(["Qnumber-1"]));
    practice.end();
    let client = practice.owner.client();
    let take = |job: &str| client.get(&format!("{JOBS}/{job}/records"));
    let [done, open] = [(); 2].map(|()| {
        let job = id(&practice.request(&json!({ "kind": "return" })));
        let state = if practice.count("data_jobs") == 1 {
            // The single page can be read again.
            let mut at = Some(take(&job));
            while let Some(page) = at.take() {
                page.expect(200);
                let link = page.header("link").map(str::to_owned);
                let next = link.and_then(|link| Some(link.strip_prefix('<')?.split_once('>')?.0.to_owned()));
                at = next.map(|next| client.get(&next));
            }
            "done"
        } else {
            "running"
        };
        assert_eq!(practice.job(&job)["state"], state);
        job
    });
    assert_eq!(take(&done).status, 200, "the page may have been lost");
    let job = id(&practice.destroy());
    is_due(&practice);
    // Each sweep fails one batch later than the one before.
    for first in 1..60 {
        let fails = (first..first + 60).map(|n: usize| (n.to_string(), json!({ "fails": "the isolate died" })));
        let faults = Value::Object(fails.collect()).to_string();
        strike(&server.client().with("Tests-Database", &faults));
        if practice.job(&job)["state"] == "running" {
            break;
        }
    }
    assert_eq!(practice.job(&job)["state"], "running");
    assert_eq!(practice.job(&open)["state"], "cancelled");
    let cancelled = practice.tenant.audit("data.job_cancelled");
    assert_eq!(cancelled.len(), 1, "{cancelled:?}");
    let given = practice.tenant.audit("data.returned").len();
    for job in [&done, &open] {
        let refused = take(job);
        assert_eq!(refused.nested(409).1, "the data of the practice is being destroyed");
    }
    assert_eq!(practice.tenant.audit("data.returned").len(), given);
    strike(&server.client());
    assert_eq!(practice.job(&job)["state"], "done");
}
