//! Each database knows which cell it is, so that two swapped databases are noticed before anything is read.

use crate::store::{Done, Statement};
use overturn_core::base::cell::Cell;
use overturn_core::base::param::Plain as _;

pub mod bindings;

/// The name of a cell's database in the configuration.
#[must_use]
pub fn binding(cell: Cell) -> String {
    bindings::name(cell.0)
}

/// Aborts the batch in the database of another cell. One that has practices and no number is from before there were several
/// cells, so it is the first.
#[must_use]
pub fn check(cell: Cell) -> Statement {
    Statement::new(
        "INSERT INTO guards (failed) SELECT 'cell'
         WHERE coalesce((SELECT number FROM own_cell), iif(EXISTS (SELECT 1 FROM practices), 0, ?1)) <> ?1",
        [i64::from(cell.0).param()],
    )
}

/// What the directory knows of the first cell, on a condition: before, its own indexes said the same.
macro_rules! fills {
    ($condition:literal) => {
        [
            concat!(
                "INSERT INTO addresses (email_key, user_id, cell)
                 SELECT u.email_key, u.id, 0 FROM users u WHERE u.state = 'active' AND ",
                $condition,
                " AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = u.practice_id) ON CONFLICT DO NOTHING"
            ),
            concat!(
                "INSERT INTO domains (domain, practice_id, cell)
                 SELECT d.domain, d.practice_id, 0 FROM practice_domains d WHERE d.verified_at IS NOT NULL AND ",
                $condition,
                " AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = d.practice_id) ON CONFLICT DO NOTHING"
            ),
            concat!(
                "INSERT INTO logins (login, user_id, cell)
                 SELECT json_array(i.provider, i.issuer, i.subject), u.id, 0 FROM identities i JOIN users u ON u.id = i.user_id
                 WHERE u.state <> 'removed' AND ",
                $condition,
                " AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = u.practice_id) ON CONFLICT DO NOTHING"
            ),
        ]
    };
}

/// When a second cell comes. They read nothing once the cell has its number.
const FIRST_FILLS: [&str; 3] = fills!("NOT EXISTS (SELECT 1 FROM own_cell)");

/// Afterward: an instance that still knows one cell tells the directory nothing.
const LATER_FILLS: [&str; 3] = fills!("true");

/// What the directory does not know yet of the first cell. They read every active account, so they run once a day.
pub(crate) fn fills() -> [Statement; 3] {
    LATER_FILLS.map(|sql| Statement::new(sql, []))
}

/// [`check`], and the number of a database that has none yet. They go before the statements of a batch.
#[must_use]
pub fn claim(cell: Cell) -> Vec<Statement> {
    let fills = FIRST_FILLS.iter().filter(|_| cell == Cell::FIRST).map(|sql| Statement::new(sql, []));
    let claimed = Statement::new(
        "INSERT INTO own_cell (one, number) VALUES (1, ?1) ON CONFLICT DO NOTHING",
        [i64::from(cell.0).param()],
    );
    [check(cell)].into_iter().chain(fills).chain([claimed]).collect()
}

/// The results of the statements behind [`claim`].
pub(crate) fn behind(cell: Cell, done: Vec<Done>) -> Vec<Done> {
    done.into_iter().skip(claim(cell).len()).collect()
}

/// Lets writes pass to practices that move. Who made them wait is gone, or is slow; it notices.
#[must_use]
pub fn lifted() -> Statement {
    Statement::new("UPDATE moving SET state = 'leaving' WHERE state = 'fenced'", [])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::error::DatabaseError;
    use crate::testing::Fixture;

    fn claimed(f: &mut Fixture, cell: u16) -> Result<i64, DatabaseError> {
        f.run(&claim(Cell(cell)))?;
        Ok(f.count("SELECT number FROM own_cell"))
    }

    #[test]
    fn a_database_keeps_its_number_and_refuses_every_other() {
        let mut f = Fixture::empty();
        assert_eq!(claimed(&mut f, 2), Ok(2));
        assert_eq!(claimed(&mut f, 2), Ok(2));
        for other in [0, 1, 3] {
            assert_eq!(claimed(&mut f, other), Err(DatabaseError::OtherCell), "{other}");
        }
        assert_eq!(f.count("SELECT number FROM own_cell"), 2);
    }

    #[test]
    fn a_database_with_practices_and_no_number_is_the_first() {
        let mut f = Fixture::new();
        assert_eq!(claimed(&mut f, 1), Err(DatabaseError::OtherCell));
        assert_eq!(f.run(&[check(Cell::FIRST)]).map(drop), Ok(()));
        assert_eq!(f.count("SELECT count(*) FROM own_cell"), 0, "the check alone writes nothing");
        assert_eq!(claimed(&mut f, 0), Ok(0));
    }
}
