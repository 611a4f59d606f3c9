//! Classifies failures of the database by their error text, in one place.
//!
//! The text itself goes no further, because it can quote values.

use crate::query::RowError;
use crate::rows::ShapeError;
use std::fmt;

/// A failed batch. Nothing was committed, unless [`Fault::is_transient`] says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A precondition of the batch did not hold.
    Conflict(Guard),
    /// The connection or the database failed. The batch may or may not have been committed.
    Transient(&'static str),
    /// Anything else, by the name of its kind.
    Broken(&'static str),
    /// A row does not fit the type of its query.
    Row(RowError),
}

/// A precondition, identified by the named constraint of its guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// The same batch ran before, and its answer was lost. There is nothing left to do.
    Done,
    /// The caller's key, practice or agreement no longer allows the call.
    Credential,
    /// The person's credential, account or practice no longer allows the call.
    Rights,
    /// A link, a code or a continuation token has been used or has expired in the meantime.
    Secret,
    /// The practice would be left without an owner.
    Owner,
    /// The record has changed in the meantime.
    Record,
    /// Another request with the same idempotency key came first.
    Request,
    /// The person must show the second factor before the next patient is opened.
    Patients,
    /// The address already has an account.
    Address,
    /// These mismatches would exceed a limit of the day.
    Mismatches,
    /// The batch seals with a data key that is not the practice's current one, or that has been destroyed.
    DataKey,
}

/// The constraint of each precondition.
const GUARDS: [(&str, Guard); 12] = [
    ("CHECK constraint failed: batch_done", Guard::Done),
    (
        "CHECK constraint failed: credential_withdrawn",
        Guard::Credential,
    ),
    ("CHECK constraint failed: rights_changed", Guard::Rights),
    ("CHECK constraint failed: secret_used", Guard::Secret),
    ("CHECK constraint failed: last_owner", Guard::Owner),
    ("CHECK constraint failed: record_changed", Guard::Record),
    ("CHECK constraint failed: request_repeated", Guard::Request),
    ("CHECK constraint failed: mismatch_bound", Guard::Mismatches),
    ("CHECK constraint failed: data_key_changed", Guard::DataKey),
    (
        "CHECK constraint failed: patients_exceeded",
        Guard::Patients,
    ),
    ("UNIQUE constraint failed: users.email_key", Guard::Address),
    (
        "UNIQUE constraint failed: users.practice_id, users.email_key",
        Guard::Address,
    ),
];

/// Texts of temporary failures, and their names in the log.
const TRANSIENT: [(&str, &str); 10] = [
    ("Network connection lost", "connection_lost"),
    ("storage caused object to be reset", "storage_reset"),
    ("reset because its code was updated", "code_updated"),
    (
        "Cannot resolve D1 DB due to transient issue",
        "transient_issue",
    ),
    ("D1 DB is overloaded", "overloaded"),
    ("storage operation exceeded timeout", "storage_timeout"),
    ("exceeded its memory limit", "memory_limit"),
    ("exceeded its CPU time limit", "cpu_limit"),
    ("client disconnected", "client_disconnected"),
    (
        "Internal error while starting up D1 DB storage",
        "starting_up",
    ),
];

/// Other failures with a name in the log.
const BROKEN: [(&str, &str); 7] = [
    ("append only", "append_only"),
    ("UNIQUE constraint failed", "unique_constraint"),
    ("CHECK constraint failed", "check_constraint"),
    ("FOREIGN KEY constraint failed", "foreign_key"),
    ("no such table", "not_migrated"),
    ("no such column", "not_migrated"),
    ("too large", "too_large"),
];

impl From<ShapeError> for Fault {
    fn from(_: ShapeError) -> Self {
        Self::Broken("row")
    }
}

impl From<RowError> for Fault {
    fn from(error: RowError) -> Self {
        Self::Row(error)
    }
}

/// The name in the log.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(error) => error.fmt(f),
            other => f.write_str(other.kind()),
        }
    }
}

impl Fault {
    /// Classifies an error text.
    #[must_use]
    pub fn classify(message: &str) -> Self {
        let find = |signs: &[(&str, &'static str)]| {
            signs
                .iter()
                .find(|(sign, _)| message.contains(sign))
                .map(|(_, kind)| *kind)
        };
        let guard = GUARDS.iter().find(|(sign, _)| message.contains(sign));
        if let Some((_, guard)) = guard {
            return Self::Conflict(*guard);
        }
        find(&TRANSIENT)
            .map(Self::Transient)
            .or_else(|| find(&BROKEN).map(Self::Broken))
            .unwrap_or(Self::Broken("unclassified"))
    }

    /// The name in the log.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Conflict(Guard::Done) => "batch_done",
            Self::Conflict(Guard::Credential) => "credential_withdrawn",
            Self::Conflict(Guard::Rights) => "rights_changed",
            Self::Conflict(Guard::Secret) => "secret_used",
            Self::Conflict(Guard::Owner) => "last_owner",
            Self::Conflict(Guard::Record) => "record_changed",
            Self::Conflict(Guard::Request) => "request_repeated",
            Self::Conflict(Guard::Patients) => "patients_exceeded",
            Self::Conflict(Guard::Address) => "address_taken",
            Self::Conflict(Guard::Mismatches) => "mismatch_bound",
            Self::Conflict(Guard::DataKey) => "data_key_changed",
            Self::Transient(kind) | Self::Broken(kind) => kind,
            Self::Row(_) => "row",
        }
    }

    /// Whether the same batch may succeed when run again.
    #[must_use]
    pub const fn is_transient(self) -> bool {
        matches!(self, Self::Transient(_))
    }
}

/// How many times a batch runs before its failure is passed on.
pub const ATTEMPTS: u32 = 3;

/// Runs a batch, and runs it again after a temporary failure.
///
/// This is safe only because every batch may run twice (see `overturn_core::plan`): after a lost connection, the first
/// run may or may not have been committed. `pause` waits before the nth further attempt.
///
/// # Errors
///
/// The last failure.
pub async fn persist<T>(
    mut run: impl AsyncFnMut() -> Result<T, Fault>,
    mut pause: impl AsyncFnMut(u32),
) -> Result<T, Fault> {
    let mut attempt = 1;
    loop {
        match run().await {
            Err(fault) if fault.is_transient() && attempt < ATTEMPTS => {
                pause(attempt).await;
                attempt = attempt.saturating_add(1);
            }
            done => return done,
        }
    }
}
