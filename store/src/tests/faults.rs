//! The handling of a failed batch.

use crate::fault::{ATTEMPTS, Fault, Guard, persist};

#[test]
fn constraint_names_and_temporary_failures_are_classified() {
    for (message, fault) in [
        (
            "D1_ERROR: CHECK constraint failed: credential_withdrawn: SQLITE_CONSTRAINT",
            Fault::Conflict(Guard::Credential),
        ),
        (
            "D1_ERROR: CHECK constraint failed: claim_billed: SQLITE_CONSTRAINT",
            Fault::Broken("check_constraint"),
        ),
        (
            "D1_ERROR: Network connection lost.",
            Fault::Transient("connection_lost"),
        ),
        (
            "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
            Fault::Transient("storage_timeout"),
        ),
        (
            "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
            Fault::Transient("memory_limit"),
        ),
        (
            "D1_ERROR: D1 DB exceeded its CPU time limit and was reset.",
            Fault::Transient("cpu_limit"),
        ),
        (
            "D1_ERROR: Can't read from request stream because client disconnected.",
            Fault::Transient("client_disconnected"),
        ),
        (
            "D1_ERROR: no such table: claims: SQLITE_ERROR",
            Fault::Broken("not_migrated"),
        ),
        (
            "anything else with 'Jane Doe'",
            Fault::Broken("unclassified"),
        ),
    ] {
        assert_eq!(Fault::classify(message), fault, "{message}");
    }
}

#[test]
fn only_a_passing_failure_is_tried_again_and_not_for_ever() {
    let tries = |faults: &[Result<u8, Fault>]| {
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
    let lost = Fault::Transient("connection_lost");
    let conflict = Fault::Conflict(Guard::Credential);
    assert_eq!(tries(&[Ok(1)]), (Ok(1), 1, 0));
    assert_eq!(tries(&[Err(lost), Err(lost), Ok(3)]), (Ok(3), 3, 2));
    assert_eq!(tries(&[Err(conflict)]), (Err(conflict), 1, 0));
    assert_eq!(
        tries(&[Err(lost); ATTEMPTS as usize]),
        (Err(lost), ATTEMPTS as usize, 2)
    );
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
