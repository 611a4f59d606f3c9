//! Re-seals second factors under the current key. A factor that was left out could not be opened once the old key is
//! gone.

use super::result::{PageResult, audited};
use crate::plan::statement::{Bind as _, Rows};
use crate::prelude::*;
use crate::sql::Select;
use crate::store::keyring::Keyring;
use crate::store::seal::OpenError;
use overturn_core::base::id::{FactorId, UserId};

/// The parts of a stored factor that the re-seal needs.
#[derive(Deserialize)]
pub(super) struct SealedFactor {
    pub(super) user_id: UserId,
    pub(super) id: FactorId,
    key_version: KeyVersion,
    sealed: String,
}

/// The next page of factors.
pub(super) fn after(seen: Option<(UserId, FactorId)>) -> Select {
    let [user, id] = seen.map_or_else(Default::default, |(user, id)| [user.to_string(), id.to_string()]);
    select!(
        "operations.factors",
        "SELECT json_group_array(json_array(user_id, id, key_version, sealed)) AS json
         FROM (SELECT * FROM factors WHERE (user_id, id) > ({user}, {id})
           AND NOT EXISTS (SELECT 1 FROM users u CROSS JOIN absent a WHERE u.id = user_id AND a.id = u.practice_id) ORDER BY user_id, id LIMIT 500)";
        user, id
    )
}

/// Seals a page under the current key.
pub(super) fn page(rows: &[SealedFactor], keys: &Keyring, ctx: &Ctx) -> PageResult {
    let current = keys.current();
    let mut result = PageResult::default();
    let mut opened = Vec::new();
    for row in rows {
        match result.opened(open(row, keys)) {
            Some(secret) if row.key_version != current => opened.push((row, secret)),
            Some(_) => result.stays(),
            None => {}
        }
    }
    result.resealed = opened.len();
    if !opened.is_empty() {
        result.writes = vec![audited(Event::FactorsResealed, 0, None, current, ctx), written(&opened, current)];
    }
    result
}

/// The secret of a factor, for its place.
fn open(row: &SealedFactor, keys: &Keyring) -> Result<Seal, RequestError> {
    let place = SealedPlace::Factor { user: row.user_id, id: row.id };
    let key = keys.account(row.key_version).ok_or(RequestError::KeyUnavailable)?;
    let secret = key.open(place, &row.sealed).map_err(|OpenError| RequestError::Tampered(place))?;
    Ok(Seal::new(place, &secret))
}

/// A factor that got another key since it was read stays as it is.
fn written(opened: &[(&SealedFactor, Seal)], current: KeyVersion) -> Write {
    sql!(
        "WITH f AS MATERIALIZED (
           SELECT j.value ->> 0 AS user_id, j.value ->> 1 AS id, j.value ->> 2 AS was, j.value ->> 3 AS sealed
           FROM json_each({factors}) j)
         UPDATE factors SET sealed = f.sealed, key_version = {key} FROM f
         WHERE factors.user_id = f.user_id AND factors.id = f.id AND factors.key_version = f.was";
        factors = Rows::of(opened, |(row, secret)| {
            [row.user_id.bind(), row.id.bind(), row.key_version.0.bind(), secret.clone().bind()]
        }),
        key = current.0
    )
}
