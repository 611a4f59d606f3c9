//! The notice about a limit that was reached without a new mismatch.

use crate::claims::send::alarm;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use overturn_core::claims::intake::Bound;

#[test]
fn the_owners_are_notified_once_about_each_limit() {
    let mut f = Fixture::new();
    f.db.execute_batch(
        "INSERT INTO mismatches (day, practice_id, claim_id, count) SELECT '2027-01-15', id, '', 9 FROM practices",
    )
    .unwrap();
    let practice = f.practice();
    let notices = "SELECT count(*) FROM notices WHERE kind = 'resends_stopped'";
    for (n, bound) in [(1, Bound::Claim), (2, Bound::Practice)] {
        let plan = alarm::plan(practice, bound, &f.ctx());
        let batch = f.lower(&plan);
        for statement in &batch.statements {
            f.assert_indexed(statement, &["CONSTANT ROW"]);
        }
        f.run(&batch.statements).unwrap();
        assert_eq!(f.run(&batch.statements), Err(DatabaseError::Conflict(FailedGuard::Done)));
        let other = alarm::plan(practice, bound, &f.ctx());
        let batch = f.lower(&other);
        assert_eq!(f.run(&batch.statements), Err(DatabaseError::Conflict(FailedGuard::Record)));
        assert_eq!(
            (f.count(notices), f.count("SELECT told FROM mismatches")),
            (n, [0, 1, 3][usize::try_from(n).unwrap()])
        );
    }
    let audited =
        "SELECT count(DISTINCT detail) FROM audit WHERE action = 'claims.resends_stopped' AND actor = 'service'";
    assert_eq!(f.count(audited), 2);
}
