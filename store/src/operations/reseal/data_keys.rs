//! Wraps data keys under the service's current key, and makes one for each practice that has none.

use super::page_result::{PageResult, audit};
use crate::json::json;
use crate::keyring::Keyring;
use crate::keyring::practice::Fresh;
use crate::records::sql as trail;
use crate::seal::Nonce;
use crate::settings::sql::data_keys as sql;
use crate::statement::{Param, Statement, text};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::PracticeId;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::plan::Actor;
use overturn_core::plan::audit::Event;
use overturn_core::request::denied::Denied;
use serde::Deserialize;

/// A practice and its newest data key.
#[derive(Deserialize)]
pub(crate) struct Row(pub(crate) PracticeId, Option<StoredDataKey>);

/// Wraps a page of keys under the current key. A destroyed key stays destroyed.
pub(crate) fn page(
    rows: &[Row],
    keys: &Keyring,
    (nonce, secrets): (&mut dyn FnMut() -> Nonce, Vec<[u8; 32]>),
    ctx: &Ctx,
) -> PageResult {
    let current = keys.current();
    let mut result = PageResult::default();
    let (mut new, mut made, mut rewrapped) = (Vec::new(), Vec::new(), Vec::new());
    let mut secrets = secrets.into_iter();
    for (n, Row(practice, stored)) in rows.iter().enumerate() {
        match stored {
            None => {
                let fresh = secrets
                    .next()
                    .map(|secret| Fresh::new(ctx, n, secret, nonce()));
                let keys = fresh
                    .ok_or(Denied::KeyUnavailable)
                    .and_then(|fresh| keys.of_practice(*practice, None).or_new(fresh));
                if let Some(keys) = result.opened(keys)
                    && let Some(row) = keys.data().and_then(|data| data.new_row())
                {
                    new.push((
                        row.practice,
                        row.version,
                        row.id,
                        row.key_version,
                        row.wrapped.clone(),
                    ));
                    made.push((row.practice, row.id, row.audit.id));
                }
            }
            Some(stored) if stored.key_version != current => {
                let wrapped = keys.rewrap(*practice, stored, nonce());
                if let Some(Some((now, wrapped))) = result.opened(wrapped) {
                    let was = stored.key_version;
                    rewrapped.push((*practice, stored.version, was, now, wrapped));
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
    result.made = new.len();
    let now = Param::Int(ctx.now.0);
    if !new.is_empty() {
        let by = [
            now.clone(),
            text(Actor::Operator),
            text(ctx.request_id),
            text(Event::DataKeyCreated.name()),
        ];
        let made = [&[Param::Text(json(&made))], &by[..]].concat();
        result.statements = vec![
            Statement::new(sql::INSERT_ALL, [Param::Text(json(&new)), now]),
            Statement::new(trail::AUDIT_DATA_KEYS, made),
        ];
    }
    if !rewrapped.is_empty() {
        let trails = rewrapped.iter().map(|row| row.0.to_string());
        let audit = audit(Event::DataKeysResealed.name(), trails, current, ctx);
        let rows = Param::Text(json(&rewrapped));
        result
            .statements
            .extend([Statement::new(sql::REWRAP_ALL, [rows]), audit]);
    }
    result
}
