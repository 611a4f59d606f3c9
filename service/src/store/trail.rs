//! The rows of the chain of an audit trail.

use crate::store::query::Query;
use crate::store::statement::{Param, count, text};
use crate::trail::{ChainHead, Trail, TrailRow};

/// The rows `$which` of trail `?1` in order, as `trail::TrailRow` reads them: as many as fit into one value, and at most
/// `$most`.
macro_rules! rows {
    ($which:literal, $most:literal) => {
        concat!(
            "SELECT json_group_array(json_array(seq, id, at, actor, action, record, request_id, detail, address,
               session_id, mac, previous)) AS json
             FROM (SELECT a.*, sum(400 + length(record) + ifnull(length(detail), 0)) OVER (ORDER BY seq) AS size,
                     row_number() OVER (ORDER BY seq) AS n
                   FROM (SELECT * FROM audit WHERE practice_id = ?1 AND seq > ",
            $which,
            " ORDER BY seq LIMIT ",
            $most,
            ") a)
             WHERE n = 1 OR size <= 600000"
        )
    };
}

/// `?1` the trail, `?2` the number to start after, `?3` how many.
const ROWS: &str = rows!("?2", "CAST(?3 AS INTEGER)");

/// `?1` the trail. The next unlinked rows.
const UNLINKED: &str = rows!("coalesce((SELECT h.seq FROM trail_heads h WHERE h.practice_id = ?1), 0)", "1000");

/// `?1` the trail, as `trail::ChainHead` reads it. No row before the first link.
const HEAD: &str = "SELECT json_array(seq, digest, key_version, mac) AS json FROM trail_heads WHERE practice_id = ?1";

/// The rows of a trail after a number, in order.
#[must_use]
pub fn rows(trail: Trail, after: i64, most: usize) -> Query<Vec<TrailRow>> {
    Query::or_default("trail.rows", ROWS, [text(trail), Param::Int(after), count(most)])
}

/// The next unlinked rows of a trail.
#[must_use]
pub fn unlinked(trail: Trail) -> Query<Vec<TrailRow>> {
    Query::or_default("trail.unlinked", UNLINKED, [text(trail)])
}

/// The last linked row of a trail.
#[must_use]
pub fn head(trail: Trail) -> Query<Option<ChainHead>> {
    Query::optional("trail.head", HEAD, [text(trail)])
}
