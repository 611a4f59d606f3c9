//! Classifies failures of the database by their error text, in one place.
//!
//! The text itself goes no further, because it can quote values.

use crate::store::query::RowError;
use crate::store::rows::ShapeError;
use crate::store::sealer::SealError;

/// A failed batch. Nothing was committed, unless [`DatabaseError::is_transient`] says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.kind())]
pub enum DatabaseError {
    /// A precondition of the batch did not hold.
    Conflict(FailedGuard),
    /// The connection or the database failed. The batch may or may not have been committed.
    Transient(&'static str),
    /// The database is that of another cell: two were swapped in the configuration. Nothing was done.
    OtherCell,
    /// Anything else, by the name of its kind.
    Broken(&'static str),
    /// What a query read does not fit its type.
    #[error(transparent)]
    Row(#[from] RowError),
    /// What a statement without a query read does not fit its type.
    Shape(#[from] ShapeError),
    /// A value of the batch could not be sealed.
    Seal(#[from] SealError),
}

/// A precondition, identified by the named constraint of its guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailedGuard {
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
    /// A claim with one of these numbers was sent before.
    Number,
    /// The batch seals with a data key that is not the practice's current one, or that has been destroyed.
    DataKey,
}

impl FailedGuard {
    /// What a guard writes into the table `guards`, where a constraint refuses it. `None` if it is no guard of that table.
    #[must_use]
    pub const fn stored(self) -> Option<&'static str> {
        Some(match self {
            Self::Done => "done",
            Self::Credential => "credential",
            Self::Rights => "rights",
            Self::Secret => "secret",
            Self::Owner => "owner",
            Self::Record => "record",
            Self::Request => "request",
            Self::Patients => "patients",
            Self::Mismatches => "mismatches",
            Self::Number => "number",
            Self::DataKey => "data_key",
            Self::Address => return None,
        })
    }
}

/// The constraint of each precondition.
const GUARDS: [(&str, FailedGuard); 13] = [
    ("CHECK constraint failed: batch_done", FailedGuard::Done),
    ("CHECK constraint failed: credential_withdrawn", FailedGuard::Credential),
    ("CHECK constraint failed: rights_changed", FailedGuard::Rights),
    ("CHECK constraint failed: secret_used", FailedGuard::Secret),
    ("CHECK constraint failed: last_owner", FailedGuard::Owner),
    ("CHECK constraint failed: record_changed", FailedGuard::Record),
    ("CHECK constraint failed: request_repeated", FailedGuard::Request),
    ("CHECK constraint failed: mismatch_bound", FailedGuard::Mismatches),
    ("CHECK constraint failed: number_taken", FailedGuard::Number),
    ("CHECK constraint failed: data_key_changed", FailedGuard::DataKey),
    ("CHECK constraint failed: patients_exceeded", FailedGuard::Patients),
    ("UNIQUE constraint failed: users.email_key", FailedGuard::Address),
    ("UNIQUE constraint failed: users.practice_id, users.email_key", FailedGuard::Address),
];

/// What the triggers of a move say: the practice of a row is about to be switched to another cell, or has been.
pub const FENCED: &str = "practice_fenced";
pub const LEFT: &str = "practice_left";

/// The constraint of the guard of `crate::store::own_cell`.
const OTHER_CELL: &str = "CHECK constraint failed: other_cell";

/// What D1 and the platform say of a temporary failure, and its name in the log. Every batch may run twice, so it runs
/// again, and then the caller gets a `503`. Source: developers.cloudflare.com, "Debug D1", the list of `D1_ERROR`s, and
/// what workerd says of the Durable Object that a database is.
const TRANSIENT: [(&str, &str); 16] = [
    (FENCED, FENCED),
    (LEFT, LEFT),
    ("Network connection lost", "connection_lost"),
    ("Replica disconnected from primary", "replica_disconnected"),
    ("reset because its code was updated", "code_updated"),
    ("Internal error while starting up D1 DB storage", "starting_up"),
    ("storage operation exceeded timeout", "storage_timeout"),
    ("storage caused object to be reset", "storage_reset"),
    ("Cannot resolve D1 DB due to transient issue", "transient_issue"),
    ("D1 DB is overloaded", "overloaded"),
    ("Durable Object is overloaded", "overloaded"),
    ("exceeded its memory limit", "memory_limit"),
    ("exceeded its CPU time limit", "cpu_limit"),
    ("client disconnected", "client_disconnected"),
    ("was disconnected", "client_disconnected"),
    // The platform hides the failure behind a number for its support.
    ("internal error; reference =", "platform"),
];

/// What D1 and the schema refuse, and its name in the log: a `500`, because the same batch fails again. D1's own limits
/// are from the same list.
const BROKEN: [(&str, &str); 20] = [
    ("append only", "append_only"),
    ("UNIQUE constraint failed", "unique_constraint"),
    ("CHECK constraint failed", "check_constraint"),
    ("FOREIGN KEY constraint failed", "foreign_key"),
    ("NOT NULL constraint failed", "not_null_constraint"),
    ("no such table", "not_migrated"),
    ("no such column", "not_migrated"),
    ("no such index", "not_migrated"),
    ("has no column named", "not_migrated"),
    ("Exceeded maximum DB size", "full"),
    ("maximum account storage limit", "full"),
    ("daily row read limit", "daily_limit"),
    ("daily row write limit", "daily_limit"),
    ("D1_TYPE_ERROR", "bind"),
    ("Wrong number of parameter bindings", "bind"),
    ("No SQL statements detected", "statement"),
    ("syntax error", "statement"),
    ("malformed JSON", "malformed_json"),
    ("too many SQL variables", "too_large"),
    ("too large", "too_large"),
];

/// The results of SQLite (sqlite.org/rescode.html): the name, with which workerd ends its message, the text of SQLite, and
/// what it means. The local database is a file that other programs of the machine can hold.
const SQLITE: [(&str, &str, DatabaseError); 25] = {
    use DatabaseError::{Broken, Transient};
    [
        ("SQLITE_BUSY", "database is locked", Transient("locked")),
        ("SQLITE_LOCKED", "table is locked", Transient("locked")),
        ("SQLITE_PROTOCOL", "locking protocol", Transient("locked")),
        ("SQLITE_ABORT", "query aborted", Transient("aborted")),
        ("SQLITE_ABORT", "abort due to ROLLBACK", Transient("aborted")),
        ("SQLITE_INTERRUPT", "interrupted", Transient("interrupted")),
        // Statements are prepared anew, so they then fit the schema.
        ("SQLITE_SCHEMA", "schema has changed", Transient("schema_changed")),
        ("SQLITE_NOMEM", "out of memory", Transient("memory_limit")),
        ("SQLITE_READONLY", "readonly database", Broken("read_only")),
        ("SQLITE_IOERR", "disk I/O error", Broken("disk")),
        ("SQLITE_CANTOPEN", "unable to open database", Broken("disk")),
        ("SQLITE_NOLFS", "large file support", Broken("disk")),
        ("SQLITE_FULL", "disk is full", Broken("full")),
        ("SQLITE_CORRUPT", "image is malformed", Broken("corrupt")),
        ("SQLITE_NOTADB", "not a database", Broken("corrupt")),
        ("SQLITE_TOOBIG", "string or blob too big", Broken("too_large")),
        ("SQLITE_CONSTRAINT", "constraint failed", Broken("constraint")),
        ("SQLITE_MISMATCH", "datatype mismatch", Broken("mismatch")),
        ("SQLITE_RANGE", "column index out of range", Broken("bind")),
        ("SQLITE_MISUSE", "other API misuse", Broken("misuse")),
        ("SQLITE_AUTH", "authorization denied", Broken("not_allowed")),
        ("SQLITE_PERM", "permission denied", Broken("not_allowed")),
        ("SQLITE_NOTFOUND", "unknown operation", Broken("statement")),
        ("SQLITE_ERROR", "SQL logic error", Broken("statement")),
        ("SQLITE_INTERNAL", "internal malfunction", Broken("misuse")),
    ]
};

/// The name of a failure that no list has. An alert counts it (docs/operations/watch.md).
pub const UNKNOWN: &str = "unknown_database_error";

impl DatabaseError {
    /// Classifies an error text.
    #[must_use]
    pub fn classify(message: &str) -> Self {
        let find = |signs: &[(&str, &'static str)]| {
            signs.iter().find(|(sign, _)| message.contains(sign)).map(|(_, kind)| *kind)
        };
        let guard = GUARDS.iter().find(|(sign, _)| message.contains(sign));
        if let Some((_, guard)) = guard {
            return Self::Conflict(*guard);
        }
        if message.contains(OTHER_CELL) {
            return Self::OtherCell;
        }
        let of_sqlite = |(name, text, _): &&(&str, &str, Self)| message.contains(name) || message.contains(text);
        find(&TRANSIENT)
            .map(Self::Transient)
            .or_else(|| find(&BROKEN).map(Self::Broken))
            .or_else(|| SQLITE.iter().find(of_sqlite).map(|(.., meant)| *meant))
            .unwrap_or(Self::Broken(UNKNOWN))
    }

    /// The name in the log.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Conflict(FailedGuard::Done) => "batch_done",
            Self::Conflict(FailedGuard::Credential) => "credential_withdrawn",
            Self::Conflict(FailedGuard::Rights) => "rights_changed",
            Self::Conflict(FailedGuard::Secret) => "secret_used",
            Self::Conflict(FailedGuard::Owner) => "last_owner",
            Self::Conflict(FailedGuard::Record) => "record_changed",
            Self::Conflict(FailedGuard::Request) => "request_repeated",
            Self::Conflict(FailedGuard::Patients) => "patients_exceeded",
            Self::Conflict(FailedGuard::Address) => "address_taken",
            Self::Conflict(FailedGuard::Mismatches) => "mismatch_bound",
            Self::Conflict(FailedGuard::Number) => "number_taken",
            Self::Conflict(FailedGuard::DataKey) => "data_key_changed",
            Self::OtherCell => "other_cell",
            Self::Transient(kind) | Self::Broken(kind) => kind,
            Self::Row(_) | Self::Shape(_) => "row",
            Self::Seal(_) => "plan cannot be lowered",
        }
    }

    /// Whether the practice is on its way to another cell, or there.
    fn is_of_move(self) -> bool {
        matches!(self, Self::Transient(FENCED | LEFT))
    }

    /// Whether the practice is in another cell. There the jobs look after it.
    pub(crate) fn has_left(self) -> bool {
        matches!(self, Self::Transient(LEFT))
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
/// This is safe only because every batch may run twice (see `crate::plan`): after a lost connection, the first
/// run may or may not have been committed. `pause` waits before the nth further attempt.
///
/// # Errors
///
/// The last failure.
pub async fn persist<T>(
    mut run: impl AsyncFnMut() -> Result<T, DatabaseError>,
    mut pause: impl AsyncFnMut(u32),
) -> Result<T, DatabaseError> {
    let mut attempt = 1;
    loop {
        match run().await {
            Err(fault) if fault.is_transient() && !fault.is_of_move() && attempt < ATTEMPTS => {
                pause(attempt).await;
                attempt = attempt.saturating_add(1);
            }
            done => return done,
        }
    }
}
