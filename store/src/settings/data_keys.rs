//! Statements about practices' data keys.

use crate::keyring::practice::{DataKey, Wrapped};
use crate::query::Query;
use crate::settings::sql::data_keys as sql;
use crate::statement::{Param, Statement, text};
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::StoredDataKey;

/// The newest data key of a practice, as `StoredDataKey` reads it.
#[must_use]
pub fn of_practice(practice: PracticeId) -> Query<Option<StoredDataKey>> {
    Query::optional("settings.data_key", sql::OF_PRACTICE, [text(practice)])
}

/// The newest data key of the caller's practice, by the hash of the credential.
#[must_use]
pub fn of_caller(caller: &str) -> Query<Option<StoredDataKey>> {
    Query::optional(
        "settings.data_key_of_caller",
        sql::OF_CALLER,
        [text(caller)],
    )
}

pub(crate) fn insert(new: &Wrapped, now: Instant) -> Statement {
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

/// Checks that a key is the practice's data key.
pub(crate) fn guard(practice: PracticeId, key: &DataKey) -> Statement {
    let number = Param::Int(key.number().into());
    Statement::new(sql::GUARD, [text(practice), number, text(key.id())])
}

/// Destroys the key of a practice, and with it everything it sealed.
pub(crate) fn destroy(practice: PracticeId, now: Instant) -> Statement {
    Statement::new(sql::DESTROY, [text(practice), Param::Int(now.0)])
}
