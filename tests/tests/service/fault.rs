//! Temporary and lasting failures of the database.

use overturn_tests::answer::Sent;
use overturn_tests::client::{CLAIMS, STATUS};
use overturn_tests::host::cells;
use overturn_tests::only_in_one_cell;
use overturn_tests::prelude::*;
use rusqlite::Connection;
use std::time::Duration;

const LOST: &str = "D1_ERROR: Network connection lost.";

/// The client of a tenant, with these failures for its requests.
fn with_faults(tenant: &Tenant<'_>, faults: &Value) -> Client {
    tenant.client().faulty(faults)
}

fn line(tenant: &Tenant<'_>, request_id: &str) -> Value {
    let mut lines = tenant.server.log().of(request_id);
    assert_eq!(lines.len(), 1);
    lines.remove(0)
}

#[test]
fn an_answer_lost_after_a_commit_is_read_again_and_nothing_is_written_twice() {
    let tenant = Tenant::shared();
    let body = numbered(["A-1", "A-2"]);
    let before = tenant.counts();
    let client = with_faults(&tenant, &json!({ "2": { "loses": LOST } }));
    let sent = Sent::read(&body, &client.send(&body));
    assert_eq!(sent.created(), [true, true]);
    let after = tenant.counts();
    assert_eq!((after.claims, after.submissions, after.events), (2, 1, 2));
    assert_eq!(after.audit, before.audit + 1);
    // Load, commit, second commit, and a read, because the second commit inserted nothing.
    assert_eq!(line(&tenant, &sent.request_id)["d1_round_trips"], 4);
    tenant.check();

    let corrected = with(item("A-1"), "claim.billed_amount", "5.00");
    let client = with_faults(&tenant, &json!({ "2": { "loses": LOST } }));
    let _sent = Sent::read(&corrected, &client.send(&corrected));
    assert_eq!(tenant.row("A-1")["version"], 2);
    tenant.check();
}

#[test]
fn a_database_that_gives_way_in_passing_is_asked_again() {
    let tenant = Tenant::shared();
    for (n, message) in [
        LOST,
        "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
        "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
        "D1_ERROR: database is locked: SQLITE_BUSY",
        "Durable Object reset because its code was updated.",
        "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
    ]
    .into_iter()
    .enumerate()
    {
        let body = item(&format!("A-{n}"));
        for batch in ["1", "2"] {
            let client = with_faults(&tenant, &json!({ batch: { "fails": message } }));
            let sent = Sent::read(&body, &client.send(&body));
            assert_eq!(sent.created(), [batch == "1"], "{message}");
        }
        let client = with_faults(&tenant, &json!({ "1": { "fails": message } }));
        client.status(&format!("A-{n}")).expect(200);
    }
    tenant.check();
}

#[test]
fn a_database_that_is_gone_is_answered_with_when_to_try_again() {
    let tenant = Tenant::shared();
    let before = tenant.counts();
    let gone = with_faults(&tenant, &json!({ "1+": { "fails": LOST } }));
    let half_gone =
        with_faults(&tenant, &json!({ "2": { "fails": LOST }, "3": { "fails": LOST }, "4": { "fails": LOST } }));
    for answer in [gone.send(&item("A-1")), gone.status("A-1"), half_gone.send(&item("A-1"))] {
        assert_eq!(answer.refusal(503), "temporarily unavailable, try again");
        assert_eq!(answer.header("retry-after"), Some("1"));
        let line = line(&tenant, answer.request_id());
        assert_eq!(line["failure"], "unavailable: connection_lost");
    }
    let answer = gone.get("/health");
    answer.expect(503);
    // Among several, it names those that are gone.
    let whole = if cells() == 1 { &answer.json["error"]["code"] } else { &answer.json["status"] };
    assert_eq!(whole, "unavailable");
    assert_eq!(tenant.counts(), before);
}

#[test]
fn an_answer_lost_for_good_is_made_up_by_a_resend() {
    let tenant = Tenant::shared();
    let lost = json!({ "loses": LOST });
    let faults = json!({ "2": lost, "3": lost, "4": lost });
    let answer = with_faults(&tenant, &faults).send(&item("A-1"));
    answer.expect(503);
    let again = tenant.send(&item("A-1"));
    assert_eq!(again.created(), [false]);
    assert_eq!(tenant.claims(), 1);
    tenant.check();
}

#[test]
fn a_fault_inside_is_answered_without_detail_and_its_text_goes_nowhere() {
    let tenant = Tenant::shared();
    let before = tenant.counts();
    for (message, kind) in [
        ("D1_ERROR: UNIQUE constraint failed: canary.canary", "unique_constraint"),
        ("D1_ERROR: no such table: canary", "not_migrated"),
        ("D1_ERROR: near \"canary\": syntax error", "statement"),
        ("canary", "unknown_database_error"),
    ] {
        for batch in ["1", "2"] {
            let client = with_faults(&tenant, &json!({ batch: { "fails": message } }));
            let answer = client.send(&item("A-1"));
            assert_eq!(answer.refusal(500), "internal error");
            let line = line(&tenant, answer.request_id());
            assert_eq!(line["failure"], format!("internal: {kind}"));
            assert!(!line.to_string().contains("canary"));
        }
    }
    assert_eq!(tenant.counts(), before);
}

#[test]
fn a_row_of_an_unknown_form_is_a_fault_and_not_a_guess() {
    let tenant = Tenant::shared();
    tenant.send(&item("A-1"));
    tenant.change("UPDATE api_keys SET id = 'x' WHERE practice_id = ?1", &[]);
    assert_eq!(tenant.client().status("A-1").refusal(500), "internal error");
    assert_eq!(tenant.client().send(&item("A-1")).refusal(500), "internal error");
}

#[test]
fn a_claim_under_a_key_that_is_not_there_is_not_judged() {
    let tenant = Tenant::shared();
    tenant.send(&numbered(["A-1", "A-2"]));
    tenant.change("UPDATE claims SET key_version = 9 WHERE practice_id = ?1 AND claim_number = 'A-1'", &[]);
    let before = tenant.counts();
    let answer = tenant.client().send(&numbered(["A-3", "A-1"]));
    assert_eq!(answer.refusal(503), "temporarily unavailable, try again");
    assert_eq!(tenant.counts(), before);
    // Its status is still readable.
    tenant.client().status("A-1").expect(200);
}

#[test]
fn a_call_that_is_refused_without_the_database_does_not_ask_it() {
    let tenant = Tenant::shared();
    let gone = json!({ "1+": { "fails": LOST } }).to_string();
    let nobody = Server::shared().client().with("Tests-Database", &gone);
    nobody.post(CLAIMS, "{}").expect(401);
    nobody.get(STATUS).expect(401);
    tenant.client().with("Tests-Database", &gone).get(CLAIMS).expect(405);
}

#[test]
fn a_write_while_another_program_holds_the_database_may_be_tried_again() {
    only_in_one_cell!("the names of workerd's files do not say which database they are");
    let server = Server::lasting(&json!({ "LIMITS": "unlimited" }));
    let tenant = Tenant::in_cell(&server, 0);
    let other = Connection::open(server.state().database()).unwrap();
    other.busy_timeout(Duration::from_secs(10)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let answer = tenant.client().send(&item("A-1"));
    assert_eq!(answer.refusal(503), "temporarily unavailable, try again");
    assert_eq!(answer.header("retry-after"), Some("1"));
    // The native program waits for the other one, in its queue of writes, so a request may have waited for too long before.
    let failure = &line(&tenant, answer.request_id())["failure"];
    let may_be = ["unavailable: locked", "unavailable: time_out"];
    assert!(may_be.iter().any(|text| failure == text), "{failure}");
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(tenant.send(&item("A-1")).created(), [true]);
}
