//! What can go wrong with the database, told from its error text in one place.
//!
//! The text itself goes no further: it can quote values.

/// A failed batch. Nothing of it was committed, except where [`Fault::is_transient`] says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A precondition of the batch did not hold.
    Conflict(Guard),
    /// The connection or the database gave way. The batch may or may not have been committed.
    Transient(&'static str),
    /// Anything else, by the name of its kind.
    Broken(&'static str),
}

/// A precondition, by the named constraint that guards it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// The caller's key, practice or agreement no longer allows the call.
    Credential,
}

/// Signs of a failure that passes, and what the log calls it.
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

/// Failures that are worth a name in the log.
const BROKEN: [(&str, &str); 6] = [
    ("UNIQUE constraint failed", "unique_constraint"),
    ("CHECK constraint failed", "check_constraint"),
    ("FOREIGN KEY constraint failed", "foreign_key"),
    ("no such table", "not_migrated"),
    ("no such column", "not_migrated"),
    ("too large", "too_large"),
];

impl Fault {
    /// Reads an error text.
    #[must_use]
    pub fn classify(message: &str) -> Self {
        let find = |signs: &[(&str, &'static str)]| {
            signs
                .iter()
                .find(|(sign, _)| message.contains(sign))
                .map(|(_, kind)| *kind)
        };
        if message.contains("CHECK constraint failed: credential_withdrawn") {
            return Self::Conflict(Guard::Credential);
        }
        find(&TRANSIENT)
            .map(Self::Transient)
            .or_else(|| find(&BROKEN).map(Self::Broken))
            .unwrap_or(Self::Broken("unclassified"))
    }

    /// What the log calls it.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Conflict(Guard::Credential) => "credential_withdrawn",
            Self::Transient(kind) | Self::Broken(kind) => kind,
        }
    }

    /// Whether the same batch may succeed when run again.
    #[must_use]
    pub const fn is_transient(self) -> bool {
        matches!(self, Self::Transient(_))
    }
}

/// Times a batch is run before its failure is passed on.
pub const ATTEMPTS: u32 = 3;

/// Runs a batch, and again where it failed in passing.
///
/// Sound only because every batch may be carried out twice (see `overturn_core::plan`): after a lost connection
/// nobody knows whether the first was committed. `pause` waits before the n-th further attempt.
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
