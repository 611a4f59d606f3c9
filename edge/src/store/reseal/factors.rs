//! Second factors under the current key. One that was left behind would lock its person out with the old key.

use super::{Done, audit};
use crate::keyring::Keyring;
use crate::seal::Nonce;
use crate::store::json::json;
use crate::store::trail::STAFF;
use crate::store::{Param, Statement, sql};
use overturn_core::ctx::Ctx;
use overturn_core::id::{FactorId, UserId};
use overturn_core::identity::KeyVersion;
use serde::{Deserialize, Serialize};

/// A stored factor, as far as re-sealing sees it.
#[derive(Deserialize)]
pub(super) struct SealedRow {
    pub(super) user_id: UserId,
    pub(super) id: FactorId,
    key_version: KeyVersion,
    sealed: String,
}

#[derive(Serialize)]
struct Resealed {
    user_id: UserId,
    id: FactorId,
    was: KeyVersion,
    sealed: String,
}

/// Seals a page under the current key.
pub(super) fn page(
    rows: &[SealedRow],
    keys: &Keyring,
    nonce: &mut dyn FnMut() -> Nonce,
    ctx: &Ctx,
) -> Done {
    let current = keys.identity.current().version();
    let old = rows.iter().filter(|row| row.key_version != current);
    let (count, resealed) = (
        old.clone().count(),
        old.filter_map(|row| reseal(row, current, keys, nonce))
            .collect::<Vec<_>>(),
    );
    let mut done = Done {
        resealed: resealed.len(),
        unreadable: count.saturating_sub(resealed.len()),
        statements: Vec::new(),
    };
    if !resealed.is_empty() {
        let version = Param::Int(i64::from(current.0));
        let trail = [STAFF.to_owned()].into_iter();
        done.statements = vec![
            Statement::new(
                sql::accounts::RESEAL_FACTORS,
                [Param::Text(json(&resealed)), version],
            ),
            audit("factors.resealed", trail, current, ctx),
        ];
    }
    done
}

fn reseal(
    row: &SealedRow,
    current: KeyVersion,
    keys: &Keyring,
    nonce: &mut dyn FnMut() -> Nonce,
) -> Option<Resealed> {
    let place = [row.user_id.0, row.id.0];
    let secret = keys
        .account(row.key_version)?
        .open(place, &row.sealed)
        .ok()?;
    let sealed = keys.account(current)?.seal(place, &secret, nonce())?;
    Some(Resealed {
        user_id: row.user_id,
        id: row.id,
        was: row.key_version,
        sealed,
    })
}
