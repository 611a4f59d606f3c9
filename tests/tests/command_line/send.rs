//! No claim is lost or sent twice, however a send ends.

use crate::program::{File, end, program, run};
use crate::relay::relay;
use overturn_tests::prelude::*;
use overturn_tests::tenant::Counts;
use std::process::Command;

const DISTINCT: &str = "SELECT count(DISTINCT claim_number) AS n FROM claims WHERE practice_id = ?1";

pub(crate) fn each_once(tenant: &Tenant<'_>, claims: i64, submissions: i64) {
    tenant.check();
    let counts = Counts { claims, submissions, events: claims, audit: tenant.counts().audit };
    assert_eq!(tenant.counts(), counts);
    assert_eq!(tenant.number(DISTINCT), claims);
}

fn wait_for(tenant: &Tenant<'_>, claims: i64) {
    wait::until("all claims arrive", || tenant.claims() >= claims);
}

#[test]
fn a_send_that_was_stopped_in_the_middle_is_finished_by_the_next_and_doubles_nothing() {
    for (signal, status) in [("INT", Some(130)), ("TERM", Some(130)), ("KILL", None)] {
        let tenant = Tenant::shared();
        let file = File::of_lines(signal, (0..250).map(|n| item(&format!("C-{n}"))));
        // The service accepts the second hundred claims, and the answer is lost.
        let port = relay(tenant.server.port(), 1);
        let child = program(&tenant, port, &["send", "--json", file.path()]).spawn().unwrap();
        wait_for(&tenant, 200);
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
        let stopped = end(child);
        assert_eq!(stopped.status, status, "{}", stopped.notes);
        let created = |event: &&serde_json::Value| event["event"] == "created";
        assert_eq!(stopped.events.iter().filter(created).count(), 100);
        if signal != "KILL" {
            assert_eq!(["created", "not_answered"].map(|name| stopped.count(name)), [100, 100]);
            assert!(stopped.notes.contains("Run the same command again"));
        }
        each_once(&tenant, 200, 2);

        let again = run(&tenant, &["send", "--json", file.path()]);
        assert_eq!(again.status, Some(0), "{}", again.notes);
        assert_eq!(["created", "already_there"].map(|name| again.count(name)), [50, 200]);
        each_once(&tenant, 250, 3);
    }
}

#[test]
fn a_number_that_comes_again_is_compared_by_the_service() {
    let tenant = Tenant::shared();
    let corrected = with(item("A"), "claim.billed_amount", "99.00");
    let another = with(item("A"), "patient.last_name", "Roe");
    let file = File::of_lines("again", [item("A"), corrected, another, item("B")]);
    let sent = run(&tenant, &["send", "--json", file.path()]);
    assert_eq!(sent.status, Some(1));
    let names = ["created", "already_there", "refused", "invalid"];
    assert_eq!(names.map(|name| sent.count(name)), [2, 1, 1, 0]);
    assert_eq!(tenant.row("A")["billed_cents"], 9_900);
    let refused = sent.events.iter().find(|event| event["event"] == "refused").unwrap();
    assert_eq!((refused["line"].as_u64(), refused["claim_number"].as_str()), (Some(3), Some("A")));
}
