//! How full the cells are, and where a new practice goes.

use crate::host::Size;
use crate::prelude::*;
use crate::store::own_cell::binding;
use overturn_core::base::cell::Cell;
use overturn_core::base::instant::DAY_MS;

/// A cell gets no more practices beyond this part of its limit, in percent, and the log says so.
const FULL_PERCENT: u64 = 80;
/// The cell of the last practice is kept until its load is above that of the emptiest one by this part, in percent, or by
/// `NEARBY_BYTES`.
const NEARBY_PERCENT: u64 = 10;
/// An empty database has about a quarter of this.
const NEARBY_BYTES: u64 = 2_000_000;
/// D1's limit.
pub const D1_BYTES: u64 = 10_000_000_000;
const MINUTES_OF_DAY: f64 = 1_440.0;

/// What the rows of a cell say of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct CellFigures {
    pub practices: u64,
    pub claims: u64,
    /// The rows of audit trails: one or more for each write.
    pub changes: u64,
    /// Those of the last 24 hours.
    pub changes_of_day: u64,
}

/// The figures of a cell. They read a few rows of each practice.
#[must_use]
pub fn cell_figures(now: Instant) -> Query<CellFigures> {
    // Ids begin with the time in milliseconds.
    let since = now.plus(-DAY_MS).0;
    let since = format!("{:08x}-{:04x}", since >> 16, since & 0xffff);
    select!(
        "operations.cell",
        "SELECT json_object('practices', (SELECT count(*) FROM practices WHERE sandbox_of IS NULL AND state IN ('active', 'inactive')),
           'claims', (SELECT coalesce(sum(claims), 0) FROM claim_counts WHERE scope = 'all'),
           'changes', coalesce(sum(t.last), 0), 'changes_of_day', coalesce(sum(t.last - t.first + 1), 0)) AS json
         FROM (SELECT (SELECT max(a.seq) FROM audit a WHERE a.practice_id = o.trail) AS last,
             (SELECT a.seq FROM audit a WHERE a.practice_id = o.trail AND a.id >= {since} ORDER BY a.id LIMIT 1) AS first
           FROM (SELECT id AS trail FROM practices WHERE sandbox_of IS NULL UNION ALL SELECT 'staff') o) t";
        since
    )
    .one()
}

/// A database, and how full it is.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CellReport {
    /// Its number.
    #[cfg_attr(feature = "schema", schemars(with = "u16"))]
    pub cell: Cell,
    /// Its name in the configuration.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^DB_[0-9]{3,5}$")))]
    pub binding: String,
    pub practices: u64,
    pub claims: u64,
    /// The rows of audit trails: one or more for each write.
    pub changes: u64,
    /// The mean of the last 24 hours.
    pub changes_a_minute: f64,
    /// How large it is. `null` if the host does not say.
    pub bytes: Option<u64>,
    /// How many bytes it can have. `null` for a file, which has no limit of its own.
    pub most: Option<u64>,
    /// After how many days it is full, if each change needs as much room as those before and they come as in the last 24
    /// hours.
    pub days_left: Option<u64>,
    /// True from 80 percent of `most` on. It gets no more practices while another database has room.
    pub filling: bool,
}

impl CellReport {
    /// The report of a cell.
    #[must_use]
    pub fn of(cell: Cell, figures: CellFigures, size: Option<Size>) -> Self {
        let CellFigures { practices, claims, changes, changes_of_day } = figures;
        #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
        let changes_a_minute = (changes_of_day as f64 / MINUTES_OF_DAY * 10.0).round() / 10.0;
        let (bytes, most) = (size.map(|size| size.bytes), size.and_then(|size| size.most));
        let days_left = bytes.zip(most).and_then(|(bytes, most)| {
            let left = u128::from(most.saturating_sub(bytes)).saturating_mul(changes.into());
            let a_day = u128::from(bytes).saturating_mul(changes_of_day.into());
            u64::try_from(left.checked_div(a_day)?).ok()
        });
        let filling = size.is_some_and(is_filling);
        Self {
            cell,
            binding: binding(cell),
            practices,
            claims,
            changes,
            changes_a_minute,
            bytes,
            most,
            days_left,
            filling,
        }
    }
}

/// True if a database should get no more practices.
pub(crate) fn is_filling(size: Size) -> bool {
    size.most.is_some_and(|most| size.bytes >= (most / 100).saturating_mul(FULL_PERCENT))
}

/// What a cell holds, for the choice of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    pub cell: Cell,
    pub practices: u64,
    pub size: Size,
}

/// The cell of a new practice: that of the last one, until another is clearly emptier. A practice counts as much as the mean
/// one, even if its claims have not come yet, so that many new ones do not go to one cell.
#[must_use]
pub fn place(loads: &[Load], last: Option<Cell>) -> Cell {
    let sum = |of: fn(&Load) -> u64| loads.iter().map(of).fold(0_u64, u64::saturating_add);
    let mean = sum(|load| load.size.bytes).checked_div(sum(|load| load.practices)).unwrap_or(0);
    let weight =
        |load: &&Load| (is_filling(load.size), load.size.bytes.max(load.practices.saturating_mul(mean)), load.cell);
    let Some(emptiest) = loads.iter().min_by_key(weight) else { return Cell::FIRST };
    let bound = weight(&emptiest).1;
    let bound = bound.saturating_add((bound / 100).saturating_mul(NEARBY_PERCENT).max(NEARBY_BYTES));
    let kept = loads.iter().find(|load| Some(load.cell) == last);
    let kept = kept.filter(|load| weight(load).0 == weight(&emptiest).0 && weight(load).1 <= bound);
    kept.unwrap_or(emptiest).cell
}

/// The cell of the practice that was placed last, in the directory.
#[must_use]
pub fn last_place() -> Query<Option<Cell>> {
    select!("operations.last_place", "SELECT json_quote(cell) AS json FROM places ORDER BY practice_id DESC LIMIT 1")
        .optional()
}

/// The row of a practice's place, for the directory.
#[must_use]
pub fn placed(practice: PracticeId, cell: Cell) -> Write {
    sql!("INSERT INTO places (practice_id, cell) VALUES ({practice}, {cell}) ON CONFLICT DO NOTHING"; practice, cell = i64::from(cell.0))
}

/// The row of an active account's address, for the directory.
#[must_use]
pub fn addressed(email_key: &str, user: UserId, cell: Cell) -> Write {
    sql!(
        "INSERT INTO addresses (email_key, user_id, cell) VALUES ({email_key}, {user}, {cell}) ON CONFLICT DO NOTHING";
        email_key, user, cell = i64::from(cell.0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fixture;

    const MB: u64 = 1_000_000;

    /// Loads of cells by their practices and megabytes.
    fn loads(all: &[(u64, u64)]) -> Vec<Load> {
        let size = |bytes| Size { bytes, most: Some(D1_BYTES) };
        let load = |(n, (practices, mb)): (u16, &(u64, u64))| Load {
            cell: Cell(n),
            practices: *practices,
            size: size(mb * MB),
        };
        (0..).zip(all).map(load).collect()
    }

    #[test]
    fn a_new_practice_goes_to_the_emptiest_cell() {
        assert_eq!(place(&loads(&[(9, 900), (1, 100), (3, 300)]), None), Cell(1));
        assert_eq!(place(&loads(&[(0, 1), (0, 1)]), None), Cell(0), "the first of equal ones");
        assert_eq!(place(&[], None), Cell(0));
        assert_eq!(place(&loads(&[(9, 900), (1, 100)]), Some(Cell(0))), Cell(1), "the last one is far fuller");
    }

    #[test]
    fn a_small_difference_does_not_change_the_cell() {
        for (of_last, expected) in [(990, 1), (1_090, 1), (1_300, 0)] {
            assert_eq!(place(&loads(&[(10, 1_000), (10, of_last)]), Some(Cell(1))), Cell(expected), "{of_last}");
        }
        assert_eq!(place(&loads(&[(0, 1), (0, 3)]), Some(Cell(1))), Cell(1), "databases with next to nothing");
        assert_eq!(place(&loads(&[(0, 1), (0, 3)]), Some(Cell(4))), Cell(0), "a cell that is gone");
    }

    #[test]
    fn practices_without_claims_yet_are_spread_as_if_they_had_them() {
        let mut practices = [10, 10, 10];
        let mut last = None;
        for _ in 0..30 {
            let cell = place(&loads(&practices.map(|count| (count, 1_000))), last);
            practices[usize::from(cell.0)] += 1;
            last = Some(cell);
        }
        assert!(practices.iter().all(|count| (18..=22).contains(count)), "{practices:?}");
    }

    #[test]
    fn a_cell_that_is_almost_full_gets_no_practice_while_another_has_room() {
        assert_eq!(place(&loads(&[(1, 8_000), (500, 7_900)]), Some(Cell(0))), Cell(1));
        assert_eq!(place(&loads(&[(1, 8_100), (1, 8_000)]), None), Cell(1));
    }

    #[test]
    fn the_time_left_follows_from_the_changes_of_the_last_day() {
        let size = Some(Size { bytes: 2_000 * MB, most: Some(D1_BYTES) });
        let figures = CellFigures { practices: 3, claims: 9, changes: 1_000, changes_of_day: 100 };
        let report = CellReport::of(Cell(1), figures, size);
        assert_eq!((report.days_left, report.changes_a_minute, &*report.binding), (Some(40), 0.1, "DB_001"));
        assert!(!report.filling);
        let full = CellReport::of(Cell(1), figures, size.map(|size| Size { bytes: 8_000 * MB, ..size }));
        assert!(full.filling);
        let still = CellReport::of(Cell(1), CellFigures { changes_of_day: 0, ..figures }, size);
        assert_eq!(still.days_left, None, "nothing is written");
        let endless = CellReport::of(Cell(1), figures, size.map(|size| Size { most: None, ..size }));
        assert_eq!(endless.days_left, None);
    }

    #[test]
    fn changes_are_counted_by_their_trails() {
        let mut f = Fixture::new();
        let now = f.ctx().now;
        let before = f.read(&cell_figures(now));
        assert_eq!((before.practices, before.claims), (1, 0));
        let practice = f.practice();
        for (n, ago) in [(1_u128, 3), (2, 2), (3, 0)] {
            let at = now.plus(-ago * DAY_MS).0;
            let id = format!("{:08x}-{:04x}-7000-8000-{n:012x}", at >> 16, at & 0xffff);
            let row = format!(
                "INSERT INTO audit (practice_id, id, seq, at, actor, action, record, request_id)
                 VALUES ('{practice}', '{id}', {n}, {at}, 'operator', 'practice.state', 'x', 'x')"
            );
            f.db.execute_batch(&row).unwrap();
        }
        let after = f.read(&cell_figures(now));
        assert_eq!((after.changes - before.changes, after.changes_of_day - before.changes_of_day), (3, 1));
    }
}
