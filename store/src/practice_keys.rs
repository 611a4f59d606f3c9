//! Practices' data keys as statements.

use super::sql::practice_keys as sql;
use super::{Param, Statement, text};
use crate::keyring::practice::{DataKey, Wrapped};
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;

/// The newest data key of a practice, as `StoredDataKey` reads it.
#[must_use]
pub fn of_practice(practice: PracticeId) -> Statement {
    Statement::new(sql::OF_PRACTICE, [text(practice)])
}

/// The newest data key of the caller's practice, by the hash of what was presented.
#[must_use]
pub fn of_caller(caller: &str) -> Statement {
    Statement::new(sql::OF_CALLER, [text(caller)])
}

pub(super) fn insert(new: &Wrapped, now: Instant) -> Statement {
    Statement::new(
        sql::INSERT,
        [
            text(new.practice),
            Param::Int(new.version.into()),
            text(new.id),
            Param::Int(new.key_version.0),
            text(&new.wrapped),
            Param::Int(now.0),
        ],
    )
}

/// That a key is the practice's data key.
pub(super) fn guard(practice: PracticeId, key: &DataKey) -> Statement {
    let number = Param::Int(key.number().into());
    Statement::new(sql::GUARD, [text(practice), number, text(key.id())])
}

/// The key of a practice is destroyed, and with it what it sealed.
pub(super) fn destroy(practice: PracticeId, now: Instant) -> Statement {
    Statement::new(sql::DESTROY, [text(practice), Param::Int(now.0)])
}
