//! The costs in docs/COST.md: the table is the output of tools/dev/cost.mjs, and no call takes more rows than
//! docs/cost.json says.

use overturn_tests::only_on_workerd;
use overturn_tests::prelude::*;
use overturn_tests::project;
use std::fs;

fn model() -> Value {
    let text = fs::read_to_string(project::root().join("docs/cost.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn printed(args: &[&str]) -> String {
    let output = project::command(&project::node()).arg("tools/dev/cost.mjs").args(args).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_page_of_costs_has_the_table_that_the_model_gives() {
    let guide = fs::read_to_string(project::root().join("docs/COST.md")).unwrap();
    let table = printed(&[]);
    assert!(guide.contains(&table), "run `cargo xtask cost`:\n{table}");
    let cells = printed(&["--cells"]);
    assert!(guide.contains(&cells), "run `cargo xtask cost --cells`:\n{cells}");
    let polling = printed(&["--polling"]);
    let total = polling.lines().last().unwrap().split("**").nth(3).unwrap();
    assert!(guide.contains(&format!("${total} a month")), "polling costs {total}");
}

#[test]
fn no_call_takes_more_rows_than_the_cost_is_worked_out_with() {
    only_on_workerd!("D1 counts rows, which cost money there");
    let server = Server::shared();
    let tenant = Tenant::new(server);
    let client = tenant.client();
    let model = model();
    let mut counted = Vec::new();
    let mut holds = |name: &'static str, answer: &Answer| {
        assert!(answer.status < 300, "{}", answer.text());
        let line = &server.log().of(answer.request_id())[0];
        let rows = |what: &str| line[what].as_u64().unwrap();
        counted.push((name, rows("rows_read"), rows("rows_written")));
    };
    // The first call of a key also records its use.
    let _first = client.send(&item("A-0"));
    let batch = numbered((0..25).map(|n| format!("B-{n}")));
    holds("a send of 25 new claims", &client.send(&batch));
    holds("the same send again", &client.send(&batch));
    holds("a status read", &client.status("B-1"));

    let owner = tenant.owner();
    let list = owner.get("/api/v1/denials?limit=100");
    let cursor = list.json["changes_cursor"].as_str().unwrap();
    holds("a request of somebody signed in", &owner.get("/api/v1/denials?limit=25"));
    let changes = format!("/api/v1/denials?limit=100&changes_after={cursor}");
    holds("asking for changes, none there", &owner.get(&changes));

    let worker = Worker::on(&tenant);
    let claim = list.json["denials"][0]["id"].as_str().unwrap();
    holds("a claim opened by staff", &worker.see(claim));
    holds("a claim moved by staff", &worker.take(claim));
    holds("a claim moved by staff", &worker.step(claim, "received"));
    let within = |(name, read, written): &(&str, u64, u64)| {
        let calls = model["calls"].as_array().unwrap();
        let call = calls.iter().find(|call| call["name"] == *name).unwrap();
        Some(*read) <= call["read"].as_u64() && Some(*written) <= call["written"].as_u64()
    };
    assert!(counted.iter().all(within), "{counted:?}");
}

/// Rows and statements of a send and of a status read (docs/PERFORMANCE.md, "What a million claims cost").
#[test]
fn a_send_writes_five_rows_for_each_claim_and_two_beside() {
    only_on_workerd!("D1 counts rows with those of indexes");
    let server = Server::shared();
    let tenant = Tenant::new(server);
    let client = tenant.client();
    // The first send of a practice makes its data key, and the first call of a key records its use.
    let _first = client.send(&item("A-0"));
    let written = |answer: &Answer| {
        assert!(answer.status < 300, "{}", answer.text());
        let line = &server.log().of(answer.request_id())[0];
        line["rows_written"].as_u64().unwrap()
    };
    // The claims have one payer, which is known since the first send, and no deadline.
    assert_eq!(written(&client.send(&item("B-0"))), 5 + 2);
    for claims in [25, 100] {
        let numbers = (0..claims).map(|n| format!("C{claims}-{n}"));
        let sent = client.send(&numbered(numbers));
        assert_eq!(written(&sent), 5 * claims + 2);
    }
    let numbers = (0..100).map(|n| format!("C100-{n}"));
    assert_eq!(written(&client.send(&numbered(numbers))), 0);
    let status = client.status("B-0");
    assert_eq!(written(&status), 0);
    let line = &server.log().of(status.request_id())[0];
    assert_eq!(line["d1_round_trips"], 1, "{line}");
}
