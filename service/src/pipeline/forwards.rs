//! Where a cell says that what it handed out lives now.

use crate::sql::select;
use crate::store::Query;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::PracticeId;
use overturn_core::base::param::Json;

/// Where what has these ids or hashes lives now, as far as it has moved from the cell that is asked.
pub(crate) fn forwards(what: &[&str]) -> Query<Vec<(String, Cell)>> {
    select!(
        "pipeline.forwards",
        "SELECT json_group_array(json_array(f.what, f.cell)) AS json
         FROM json_each({what}) j CROSS JOIN forwards f WHERE f.what = j.value";
        what = Json(what)
    )
    .one()
}

/// Whether a practice moves to the cell that is asked, and has yet to open there.
pub(super) fn is_away(practice: PracticeId) -> Query<bool> {
    select!(
        "pipeline.is_away",
        "SELECT iif(EXISTS (SELECT 1 FROM moving WHERE id = {practice} AND state = 'arriving'), 'true', 'false') AS json";
        practice
    )
    .one()
}
