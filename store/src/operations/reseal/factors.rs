//! Re-seals second factors under the current key. A factor that was left out could not be opened once the old key is
//! gone.

use super::page_result::{PageResult, audit};
use crate::keyring::Keyring;
use crate::seal::{Nonce, OpenError};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{FactorId, UserId};
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use overturn_core::plan::audit::Event;
use overturn_core::plan::operations::ResealedFactor;
use overturn_core::plan::settings::trail::Trail;
use overturn_core::plan::{OperationsWrite, Write};
use overturn_core::request::error::RequestError;
use serde::Deserialize;

/// The parts of a stored factor that the re-seal needs.
#[derive(Deserialize)]
pub(crate) struct SealedFactor {
    pub(crate) user_id: UserId,
    pub(crate) id: FactorId,
    key_version: KeyVersion,
    sealed: String,
}

/// Seals a page under the current key.
pub(crate) fn page(rows: &[SealedFactor], keys: &Keyring, nonce: &mut dyn FnMut() -> Nonce, ctx: &Ctx) -> PageResult {
    let current = keys.current();
    let mut result = PageResult::default();
    let mut resealed = Vec::new();
    for row in rows {
        if row.key_version != current {
            resealed.extend(result.opened(reseal(row, current, keys, nonce)));
        } else if result.opened(opened(row, keys)).is_some() {
            result.intact = result.intact.saturating_add(1);
        }
    }
    result.resealed = resealed.len();
    if !resealed.is_empty() {
        let resealed = OperationsWrite::FactorsResealed { key_version: current, rows: resealed };
        let trail = [Trail(None)].into_iter();
        result.writes = vec![Write::Operations(resealed), audit(Event::FactorsResealed, trail, current, ctx)];
    }
    result
}

/// The place of a factor's secret, and the secret.
fn opened(row: &SealedFactor, keys: &Keyring) -> Result<(SealedPlace, Vec<u8>), RequestError> {
    let place = SealedPlace::Factor { user: row.user_id, id: row.id };
    let key = keys.account(row.key_version);
    let secret = key
        .ok_or(RequestError::KeyUnavailable)?
        .open(place, &row.sealed)
        .map_err(|OpenError| RequestError::Tampered(place))?;
    Ok((place, secret))
}

fn reseal(
    row: &SealedFactor,
    current: KeyVersion,
    keys: &Keyring,
    nonce: &mut dyn FnMut() -> Nonce,
) -> Result<ResealedFactor, RequestError> {
    let (place, secret) = opened(row, keys)?;
    let sealed = keys.account(current).and_then(|key| key.seal(place, &secret, nonce()));
    Ok(ResealedFactor {
        user_id: row.user_id,
        id: row.id,
        was: row.key_version,
        sealed: sealed.ok_or(RequestError::KeyUnavailable)?,
    })
}
