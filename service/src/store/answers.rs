//! The answers that are kept for repeated requests.

mod queries;

pub use queries::kept;

use crate::plan::Plan;
use crate::request::idempotency::{KEPT_MS, StoredAnswer};
use crate::store::json::json;
use crate::store::statement::{Param, Statement, text};

/// `?1` the account, `?2` the place, `?3` the request. Fails if another request with the same idempotency key came
/// first.
const GUARD: &str = "INSERT INTO guards (failed) SELECT 'request' WHERE EXISTS (
       SELECT 1 FROM answers WHERE user_id = ?1 AND place = ?2 AND request_id <> ?3)";

/// `?1` the account, `?2` the instant before which stored answers are deleted.
const FORGET: &str = "DELETE FROM answers WHERE user_id = ?1 AND at <= ?2";

/// `?1` the account, `?2` the place, `?3` the request, `?4` the fingerprint, `?5` the status, `?6` the body, `?7` now.
const INSERT: &str = "INSERT INTO answers (user_id, place, request_id, fingerprint, status, body, at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (user_id, place) DO NOTHING";

/// Stores an answer, and deletes the account's old ones. The batch writes nothing if another request with the same key
/// came first.
pub(crate) fn lower(new: &StoredAnswer, plan: &Plan) -> [Statement; 3] {
    let (user, place) = (text(new.caller), text(&new.request.place));
    let request = text(plan.request_id);
    let insert = Statement::new(
        INSERT,
        [
            user.clone(),
            place.clone(),
            request.clone(),
            text(&new.request.fingerprint),
            Param::Int(i64::from(new.status)),
            text(json(&new.body)),
            Param::Int(new.at.0),
        ],
    );
    let before = Param::Int(new.at.plus(-KEPT_MS).0);
    [Statement::new(FORGET, [user.clone(), before]), Statement::new(GUARD, [user, place, request]), insert]
}
