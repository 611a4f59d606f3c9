//! Re-seals claims under the data keys of their practices.

use super::page_result::{PageResult, audit};
use crate::keyring::Keyring;
use crate::keyring::practice::PracticeKeys;
use crate::seal::Nonce;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::base::sealed::{KeyVersion, SealedPlace, StoredDataKey};
use overturn_core::plan::claims::OpenedIdentity;
use overturn_core::plan::operations::ResealedClaim;
use overturn_core::plan::settings::trail::Trail;
use overturn_core::plan::{OperationsWrite, Write};
use overturn_core::request::error::RequestError;
use overturn_core::request::open::Open;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The parts of a stored claim that the re-seal needs.
#[derive(Deserialize)]
pub(crate) struct SealedClaim {
    pub(crate) practice_id: PracticeId,
    pub(crate) id: ClaimId,
    claim_number: String,
    key_version: KeyVersion,
    sealed: String,
    data_key: Option<StoredDataKey>,
}

/// Seals a page under the data keys.
pub(crate) fn page(rows: &[SealedClaim], keys: &Keyring, nonce: &mut dyn FnMut() -> Nonce, ctx: &Ctx) -> PageResult {
    let mut result = PageResult::default();
    let mut resealed = Vec::new();
    let mut practices = BTreeSet::new();
    let mut known: BTreeMap<PracticeId, PracticeKeys<'_>> = BTreeMap::new();
    for row in rows {
        let keys =
            known.entry(row.practice_id).or_insert_with(|| keys.of_practice(row.practice_id, row.data_key.as_ref()));
        if row.key_version.is_data_key() {
            result.check(keys, row.key_version, || opened(row, keys).map(drop));
        } else if let Some(row) = result.opened(reseal(row, keys, nonce)) {
            practices.insert(row.practice_id);
            resealed.push(row);
        }
    }
    result.resealed = resealed.len();
    if !resealed.is_empty() {
        let current = keys.current();
        let trails = practices.into_iter().map(|id| Trail(Some(id)));
        result.writes = vec![
            Write::Operations(OperationsWrite::ClaimsResealed(resealed)),
            audit("claims.resealed", trails, current, ctx),
        ];
    }
    result
}

fn place(row: &SealedClaim) -> SealedPlace {
    SealedPlace::Claim { practice: row.practice_id, id: row.id }
}

/// The opened value of a claim, and the identity fields in it.
fn opened(row: &SealedClaim, keys: &PracticeKeys<'_>) -> Result<(Vec<u8>, OpenedIdentity), RequestError> {
    let place = place(row);
    let secret = keys.open(place, row.key_version, &row.sealed)?;
    // The cause stays out: its text could repeat what was sealed.
    let opened = serde_json::from_slice(&secret).map_err(|_| RequestError::Tampered(place))?;
    Ok((secret, opened))
}

fn reseal(
    row: &SealedClaim,
    keys: &PracticeKeys<'_>,
    nonce: &mut dyn FnMut() -> Nonce,
) -> Result<ResealedClaim, RequestError> {
    let (secret, opened) = opened(row, keys)?;
    let data = keys.data().ok_or(RequestError::KeyUnavailable)?;
    let tags = data.identity().retag(row.practice_id, &row.claim_number, &opened);
    let sealed = data.seal(place(row), &secret, nonce());
    Ok(ResealedClaim {
        practice_id: row.practice_id,
        id: row.id,
        was: row.key_version,
        key_version: data.version(),
        sealed: sealed.ok_or(RequestError::KeyUnavailable)?,
        patient_tag: tags.patient,
        procedure_tag: tags.procedure,
    })
}
