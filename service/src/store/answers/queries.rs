//! The answer that is kept for a request.

use crate::request::idempotency::{Kept, Repeatable};
use crate::store::query::Query;
use crate::store::rows;
use crate::store::statement::text;

/// `?1` the caller's hash, `?2` the place. The earlier answer to a request, as `rows::kept` reads it.
const KEPT: &str = "SELECT json_array(a.fingerprint, a.status, json(a.body), a.at) AS json FROM answers a
     WHERE a.user_id = (SELECT user_id FROM callers WHERE hash = ?1) AND a.place = ?2";

/// The earlier answer to a caller's request, by the hash of the credential.
#[must_use]
pub fn kept(caller: &str, request: &Repeatable) -> Query<Option<Kept>> {
    Query::new("accounts.kept", KEPT, [text(caller), text(&request.place)], rows::kept)
}
