//! Claims under the current key.

use super::{Done, audit};
use crate::keyring::Keyring;
use crate::seal::Nonce;
use crate::store::json::json;
use crate::store::{Param, Statement, sql};
use overturn_core::claim::{Opened, Present};
use overturn_core::ctx::Ctx;
use overturn_core::id::{ClaimId, PracticeId};
use overturn_core::identity::KeyVersion;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A stored claim, as far as re-sealing sees it.
#[derive(Deserialize)]
pub(super) struct SealedRow {
    pub(super) row: i64,
    practice_id: PracticeId,
    id: ClaimId,
    claim_number: String,
    key_version: KeyVersion,
    sealed: String,
    present: Option<Present>,
}

#[derive(Serialize)]
struct Resealed {
    row: i64,
    practice_id: PracticeId,
    was: KeyVersion,
    sealed: String,
    patient_tag: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    procedure_tag: Option<String>,
    /// The parts that it has, as they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    present: Option<Present>,
}

/// Seals a page under the current key.
pub(super) fn page(
    rows: &[SealedRow],
    keys: &Keyring,
    nonce: &mut dyn FnMut() -> Nonce,
    ctx: &Ctx,
) -> Done {
    let current = keys.identity.current().version();
    let mut done = Done::default();
    let mut resealed = Vec::new();
    let mut practices = BTreeSet::new();
    for row in rows.iter().filter(|row| row.key_version != current) {
        match reseal(row, keys, nonce) {
            Some(row) => {
                practices.insert(row.practice_id);
                resealed.push(row);
            }
            None => done.unreadable = done.unreadable.saturating_add(1),
        }
    }
    done.resealed = resealed.len();
    if !resealed.is_empty() {
        let version = Param::Int(i64::from(current.0));
        let trails = practices.into_iter().map(|id| id.to_string());
        done.statements = vec![
            Statement::new(sql::RESEAL, [Param::Text(json(&resealed)), version]),
            audit("claims.resealed", trails, current, ctx),
        ];
    }
    done
}

fn reseal(row: &SealedRow, keys: &Keyring, nonce: &mut dyn FnMut() -> Nonce) -> Option<Resealed> {
    let secret = keys
        .sealing(row.key_version)?
        .open([row.practice_id.0, row.id.0], &row.sealed)
        .ok()?;
    let opened: Opened = serde_json::from_slice(&secret).ok()?;
    let identity = keys.identity.current();
    let tags = identity.retag(row.practice_id, &row.claim_number, &opened);
    let sealed =
        keys.sealing(identity.version())?
            .seal([row.practice_id.0, row.id.0], &secret, nonce())?;
    Some(Resealed {
        row: row.row,
        practice_id: row.practice_id,
        was: row.key_version,
        sealed,
        patient_tag: tags.patient,
        procedure_tag: tags.procedure,
        present: row.present,
    })
}
