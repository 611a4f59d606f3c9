//! The handling of a failed batch.

use crate::store::error::{ATTEMPTS, DatabaseError, FailedGuard, UNKNOWN, persist};
use rusqlite::ffi;

#[test]
fn constraint_names_and_temporary_failures_are_classified() {
    for (message, fault) in [
        (
            "D1_ERROR: CHECK constraint failed: credential_withdrawn: SQLITE_CONSTRAINT",
            DatabaseError::Conflict(FailedGuard::Credential),
        ),
        (
            "D1_ERROR: CHECK constraint failed: claim_billed: SQLITE_CONSTRAINT",
            DatabaseError::Broken("check_constraint"),
        ),
        ("D1_ERROR: Network connection lost.", DatabaseError::Transient("connection_lost")),
        (
            "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
            DatabaseError::Transient("storage_timeout"),
        ),
        (
            "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
            DatabaseError::Transient("memory_limit"),
        ),
        ("D1_ERROR: D1 DB exceeded its CPU time limit and was reset.", DatabaseError::Transient("cpu_limit")),
        (
            "D1_ERROR: Can't read from request stream because client disconnected.",
            DatabaseError::Transient("client_disconnected"),
        ),
        ("D1_ERROR: no such table: claims: SQLITE_ERROR", DatabaseError::Broken("not_migrated")),
        ("D1_ERROR: database is locked: SQLITE_BUSY", DatabaseError::Transient("locked")),
        ("D1_ERROR: Replica disconnected from primary.", DatabaseError::Transient("replica_disconnected")),
        ("internal error; reference = 0123456789abcdef", DatabaseError::Transient("platform")),
        (
            "D1_ERROR: NOT NULL constraint failed: claims.id: SQLITE_CONSTRAINT",
            DatabaseError::Broken("not_null_constraint"),
        ),
        ("D1_ERROR: Exceeded maximum DB size.", DatabaseError::Broken("full")),
        ("anything else with 'Jane Doe'", DatabaseError::Broken(UNKNOWN)),
    ] {
        assert_eq!(DatabaseError::classify(message), fault, "{message}");
    }
}

#[test]
fn every_result_that_sqlite_has_a_text_for_is_classified() {
    let unknown = ffi::code_to_str(2);
    let mut known = 0;
    // The primary results have the numbers 1 to 26. Those from 27 on are no failures.
    for code in 1..=26 {
        let text = ffi::code_to_str(code);
        if text != unknown {
            known += 1;
            let fault = DatabaseError::classify(text);
            assert_ne!(fault, DatabaseError::Broken(UNKNOWN), "{code}: {text}");
        }
    }
    assert!(known >= 22, "{known}");
    let busy = DatabaseError::classify(ffi::code_to_str(ffi::SQLITE_BUSY));
    assert_eq!(busy, DatabaseError::Transient("locked"));
}

#[test]
fn only_a_passing_failure_is_tried_again_and_not_for_ever() {
    let tries = |faults: &[Result<u8, DatabaseError>]| {
        let mut runs = 0;
        let mut pauses = Vec::new();
        let result = futures_lite(persist(
            async || {
                runs += 1;
                faults[runs - 1]
            },
            async |n| pauses.push(n),
        ));
        (result, runs, pauses.len())
    };
    let lost = DatabaseError::Transient("connection_lost");
    let conflict = DatabaseError::Conflict(FailedGuard::Credential);
    assert_eq!(tries(&[Ok(1)]), (Ok(1), 1, 0));
    assert_eq!(tries(&[Err(lost), Err(lost), Ok(3)]), (Ok(3), 3, 2));
    assert_eq!(tries(&[Err(conflict)]), (Err(conflict), 1, 0));
    assert_eq!(tries(&[Err(lost); ATTEMPTS as usize]), (Err(lost), ATTEMPTS as usize, 2));
}

/// Runs a future that never waits.
fn futures_lite<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}
