//! Wraps data keys under the service's current key.

use super::result::{PageResult, audited};
use crate::prelude::*;
use crate::sql::Select;
use crate::store::keyring::Keyring;
use crate::store::seal::Nonce;
use overturn_core::base::sealed::StoredDataKey;

/// A practice and its newest data key.
#[derive(Deserialize)]
pub(super) struct DataKeyRow(pub(super) PracticeId, StoredDataKey);

/// A data key that another key of the service wraps: the practice, its number, the old and the new wrapping key, and the
/// wrapped key.
type Rewrapped = (PracticeId, u32, KeyVersion, KeyVersion, String);

/// The next page of data keys.
pub(super) fn after(seen: Option<PracticeId>) -> Select {
    const DATA_KEY: &str = data_key!("p.practice_id");
    select!(
        "operations.data_keys",
        "SELECT json_group_array(json_array(p.practice_id, {DATA_KEY})) AS json
         FROM (SELECT DISTINCT practice_id FROM practice_keys WHERE practice_id > {seen}
           AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = practice_id) ORDER BY practice_id LIMIT 100) p"
        [DATA_KEY]; seen = seen.map_or_else(String::new, |id| id.to_string())
    )
}

/// Wraps a page of keys under the current key. A destroyed key stays destroyed.
pub(super) fn page(rows: &[DataKeyRow], keys: &Keyring, nonce: &mut dyn FnMut() -> Nonce, ctx: &Ctx) -> PageResult {
    let current = keys.current();
    let mut result = PageResult::default();
    let mut rewrapped: Vec<Rewrapped> = Vec::new();
    for DataKeyRow(practice, stored) in rows {
        if stored.key_version == current {
            let keys = keys.of_practice(*practice, Some(stored));
            if result.opened(keys.identity()).is_some() {
                result.stays();
            }
        } else if let Some(Some((now, wrapped))) = result.opened(keys.rewrap(*practice, stored, nonce())) {
            rewrapped.push((*practice, stored.version, stored.key_version, now, wrapped));
        }
    }
    result.resealed = rewrapped.len();
    if !rewrapped.is_empty() {
        let audits = rewrapped.iter().enumerate();
        let audits = audits.map(|(n, (of, ..))| audited(Event::DataKeysResealed, n, Some(*of), current, ctx));
        result.writes = audits.chain([written(&rewrapped)]).collect();
    }
    result
}

/// A key that was destroyed or wrapped again since it was read stays as it is.
fn written(keys: &[Rewrapped]) -> Write {
    sql!(
        "WITH f AS MATERIALIZED (SELECT j.value ->> 0 AS practice_id, j.value ->> 1 AS version, j.value ->> 2 AS was,
           j.value ->> 3 AS now, j.value ->> 4 AS wrapped FROM json_each({keys}) j)
         UPDATE practice_keys SET wrapped = f.wrapped, key_version = f.now FROM f
         WHERE practice_keys.practice_id = f.practice_id AND practice_keys.version = f.version
           AND practice_keys.key_version = f.was AND practice_keys.destroyed_at IS NULL";
        keys = Json(keys)
    )
}
