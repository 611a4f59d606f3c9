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

/// What the directory knows of the first cell when a second one comes: before, its own indexes said the same. They read
/// nothing once the cell has its number.
const FILLS: [&str; 3] = [
    "INSERT INTO addresses (email_key, user_id, cell)
     SELECT email_key, id, 0 FROM users WHERE state = 'active' AND NOT EXISTS (SELECT 1 FROM own_cell)
     ON CONFLICT DO NOTHING",
    "INSERT INTO domains (domain, practice_id, cell)
     SELECT domain, practice_id, 0 FROM practice_domains
     WHERE verified_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM own_cell) ON CONFLICT DO NOTHING",
    "INSERT INTO logins (login, user_id, cell)
     SELECT json_array(i.provider, i.issuer, i.subject), i.user_id, 0 FROM identities i JOIN users u ON u.id = i.user_id
     WHERE u.state <> 'removed' AND NOT EXISTS (SELECT 1 FROM own_cell) ON CONFLICT DO NOTHING",
];

/// [`check`], and the number of a database that has none yet. They go before the statements of a batch.
#[must_use]
pub fn claim(cell: Cell) -> Vec<Statement> {
    let fills = FILLS.iter().filter(|_| cell == Cell::FIRST).map(|sql| Statement::new(sql, []));
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
