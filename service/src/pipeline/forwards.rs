//! Where a cell says that what it handed out lives now.

use crate::sql::select;
use crate::store::Query;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_core::base::param::Json;
use serde::Deserialize;

/// Where something lives now that has moved from the cell that is asked, or to it.
#[derive(Deserialize)]
pub(crate) struct Forward {
    pub(crate) what: String,
    pub(crate) cell: Cell,
    /// When the cell that is asked opened, if it leads there.
    pub(crate) opened_at: Option<Instant>,
}

/// Where what has these ids or hashes lives now, as far as the cell that is asked knows.
pub(crate) fn forwards(what: &[&str]) -> Query<Vec<Forward>> {
    select!(
        "pipeline.forwards",
        "SELECT json_group_array(json_array(f.what, f.cell, f.opened_at)) AS json
         FROM json_each({what}) j CROSS JOIN forwards f WHERE f.what = j.value";
        what = Json(what)
    )
    .one()
}

/// The moves of all practices, as the directory has them.
#[derive(Deserialize)]
pub(super) struct Moves {
    /// The highest epoch.
    latest: i64,
    /// The epochs of those that have yet to switch.
    open: Vec<i64>,
    /// The cells between which a practice switches right now.
    pub(super) switching: Vec<Cell>,
}

pub(super) fn moves() -> Query<Moves> {
    select!(
        "pipeline.moves",
        "SELECT json_array(coalesce((SELECT max(epoch) FROM moves), 0),
           json((SELECT json_group_array(epoch) FROM moves WHERE ended_at IS NULL AND step IN ('copy', 'check', 'follow'))),
           json((SELECT json_group_array(json(cell)) FROM (
             SELECT source AS cell FROM moves WHERE ended_at IS NULL AND step = 'switched'
             UNION SELECT target FROM moves WHERE ended_at IS NULL AND step = 'switched')))) AS json"
    )
    .one()
}

impl Moves {
    /// The highest epoch by which a practice may have left the cell that is asked, or opened there, since the directory was asked.
    /// What was `seen` before counts no more: a directory of an earlier time does not know the epochs of today.
    pub(super) fn went_on(&self, seen: Option<i64>) -> Query<Option<i64>> {
        select!(
            "pipeline.went_on",
            "SELECT json_quote(max(epoch)) AS json FROM moving WHERE epoch > {latest}
               OR epoch IN (SELECT j.value FROM json_each({open}) j) AND state IN ('left', 'here')";
            latest = self.latest.max(seen.unwrap_or_default()), open = Json(&self.open)
        )
        .one()
    }
}

/// Whether a practice that moved to the cell that is asked has opened there. `None` if none has.
pub(super) fn has_opened(practice: PracticeId) -> Query<Option<bool>> {
    select!(
        "pipeline.has_opened",
        "SELECT iif(state = 'here', 'true', 'false') AS json FROM moving
         WHERE id = {practice} AND state IN ('arriving', 'here')";
        practice
    )
    .optional()
}
