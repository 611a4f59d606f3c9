//! Data keys of practices as statements: a new key, its guard, and its destruction.

use crate::json::json;
use crate::keyring::practice::{DataKey, Wrapped};
use crate::settings::sql::data_keys as sql;
use crate::statement::{Param, Statement, text};
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;

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

/// Checks that each key is its practice's data key.
pub(crate) fn guard(keys: &[(PracticeId, &DataKey)]) -> Statement {
    let rows = keys.iter().map(|(practice, key)| (*practice, key.number(), key.id()));
    let rows: Vec<_> = rows.collect();
    Statement::new(sql::GUARD, [Param::Text(json(&rows))])
}

/// Destroys the key of a practice. Nothing that it sealed can be opened after that.
pub(crate) fn destroy(practice: PracticeId, now: Instant) -> Statement {
    Statement::new(sql::DESTROY, [text(practice), Param::Int(now.0)])
}
