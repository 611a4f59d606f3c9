//! Wraps data keys under the service's current key, and makes one for each practice that has none.

use super::page_result::{PageResult, audit};
use crate::keyring::Keyring;
use crate::keyring::practice::Fresh;
use crate::seal::Nonce;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::plan::audit::Event;
use overturn_core::plan::operations::{MadeDataKey, RewrappedDataKey};
use overturn_core::plan::settings::trail::Trail;
use overturn_core::plan::{OperationsWrite, Write};
use overturn_core::request::error::RequestError;
use serde::Deserialize;

/// A practice and its newest data key.
#[derive(Deserialize)]
pub(crate) struct DataKeyRow(pub(crate) PracticeId, Option<StoredDataKey>);

/// Wraps a page of keys under the current key. A destroyed key stays destroyed.
pub(crate) fn page(
    rows: &[DataKeyRow],
    keys: &Keyring,
    (nonce, secrets): (&mut dyn FnMut() -> Nonce, Vec<[u8; 32]>),
    ctx: &Ctx,
) -> PageResult {
    let current = keys.current();
    let mut result = PageResult::default();
    let (mut made, mut rewrapped) = (Vec::new(), Vec::new());
    let mut secrets = secrets.into_iter();
    for (n, DataKeyRow(practice, stored)) in rows.iter().enumerate() {
        match stored {
            None => {
                let fresh = secrets.next().map(|secret| Fresh::new(ctx, n, secret, nonce()));
                let keys = fresh
                    .ok_or(RequestError::KeyUnavailable)
                    .and_then(|fresh| keys.of_practice(*practice, None).or_new(fresh));
                if let Some(keys) = result.opened(keys)
                    && let Some(row) = keys.data().and_then(|data| data.new_row())
                {
                    made.push(MadeDataKey {
                        practice_id: row.practice,
                        version: row.version,
                        id: row.id,
                        key_version: row.key_version,
                        wrapped: row.wrapped.clone(),
                        audit_id: row.audit.id,
                    });
                }
            }
            Some(stored) if stored.key_version != current => {
                let wrapped = keys.rewrap(*practice, stored, nonce());
                if let Some(Some((now, wrapped))) = result.opened(wrapped) {
                    rewrapped.push(RewrappedDataKey {
                        practice_id: *practice,
                        version: stored.version,
                        was: stored.key_version,
                        key_version: now,
                        wrapped,
                    });
                }
            }
            // A destroyed key needs no new wrapping.
            Some(stored) => {
                let keys = keys.of_practice(*practice, Some(stored));
                if result.opened(keys.usable()).is_some() {
                    result.intact = result.intact.saturating_add(1);
                }
            }
        }
    }
    result.resealed = rewrapped.len();
    result.made = made.len();
    if !made.is_empty() {
        let made = OperationsWrite::DataKeysMade(made);
        result.writes.push(Write::Operations(made));
    }
    if !rewrapped.is_empty() {
        let trail = |key: &RewrappedDataKey| Trail(Some(key.practice_id));
        let trails: Vec<Trail> = rewrapped.iter().map(trail).collect();
        let event = Event::DataKeysResealed.name();
        let audit = audit(event, trails.into_iter(), current, ctx);
        let rewrapped = OperationsWrite::DataKeysRewrapped(rewrapped);
        result.writes.extend([Write::Operations(rewrapped), audit]);
    }
    result
}
