//! Wraps data keys under the service's current key.

use super::page_result::{PageResult, audit};
use crate::keyring::Keyring;
use crate::seal::Nonce;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::plan::audit::Event;
use overturn_core::plan::operations::RewrappedDataKey;
use overturn_core::plan::settings::trail::Trail;
use overturn_core::plan::{OperationsWrite, Write};
use serde::Deserialize;

/// A practice and its newest data key.
#[derive(Deserialize)]
pub(crate) struct DataKeyRow(pub(crate) PracticeId, StoredDataKey);

/// Wraps a page of keys under the current key. A destroyed key stays destroyed.
pub(crate) fn page(rows: &[DataKeyRow], keys: &Keyring, nonce: &mut dyn FnMut() -> Nonce, ctx: &Ctx) -> PageResult {
    let current = keys.current();
    let mut result = PageResult::default();
    let mut rewrapped = Vec::new();
    for DataKeyRow(practice, stored) in rows {
        if stored.key_version == current {
            let keys = keys.of_practice(*practice, Some(stored));
            if result.opened(keys.identity()).is_some() {
                result.intact = result.intact.saturating_add(1);
            }
        } else if let Some(Some((now, wrapped))) = result.opened(keys.rewrap(*practice, stored, nonce())) {
            rewrapped.push(RewrappedDataKey {
                practice_id: *practice,
                version: stored.version,
                was: stored.key_version,
                key_version: now,
                wrapped,
            });
        }
    }
    result.resealed = rewrapped.len();
    if !rewrapped.is_empty() {
        let trail = |key: &RewrappedDataKey| Trail(Some(key.practice_id));
        let trails: Vec<Trail> = rewrapped.iter().map(trail).collect();
        let audit = audit(Event::DataKeysResealed, trails.into_iter(), current, ctx);
        result.writes = vec![Write::Operations(OperationsWrite::DataKeysRewrapped(rewrapped)), audit];
    }
    result
}
