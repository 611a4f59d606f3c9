//! The deletion of documents whose time is over.

use super::remains::{member, sweep};
use super::{pdf, uploaded};
use overturn_tests::prelude::*;

#[test]
fn the_first_sweep_of_a_day_deletes_the_documents_whose_time_is_over() {
    let server = Server::start(State::fresh(), &json!({ "SCANNER": "none" }));
    let (tenant, member) = member(&server);
    let add_old = |length| {
        uploaded(&member, &pdf(length), "a.pdf");
        tenant.change("UPDATE documents SET uploaded_at = 1 WHERE practice_id = ?1", &[]);
    };
    let deleted = || {
        sweep(&server);
        tenant.audit("document.deleted").len()
    };
    let day_is = |day| server.database().change("UPDATE daily_jobs SET day = ?1", &[day]);
    add_old(1000);
    assert_eq!(deleted(), 1, "whatever the time is");
    add_old(2000);
    day_is("9999-12-31");
    assert_eq!(deleted(), 1, "the day is done");
    day_is("2020-01-01");
    assert_eq!(deleted(), 2);
}

/// A read of every document is not repeated each minute.
#[test]
fn a_deletion_that_fails_is_tried_again_later() {
    let server = Server::start(State::fresh(), &json!({ "SCANNER": "none" }));
    let (tenant, member) = member(&server);
    let change = |sql| server.database().change(sql, &[]);
    uploaded(&member, &pdf(1000), "a.pdf");
    tenant.change("UPDATE documents SET uploaded_at = 1 WHERE practice_id = ?1", &[]);
    change("CREATE TRIGGER broken BEFORE UPDATE OF state ON documents BEGIN SELECT RAISE (ABORT, 'broken'); END");
    sweep(&server);
    change("DROP TRIGGER broken");
    sweep(&server);
    assert_eq!(tenant.audit("document.deleted").len(), 0, "it waits");
    change("UPDATE daily_jobs SET again_at = 1");
    sweep(&server);
    assert_eq!(tenant.audit("document.deleted").len(), 1);
}
