//! Cases of two practices.

use super::Fixture;

impl Fixture {
    /// Two practices, each with this many cases of one claim. Every third case has no deadline, every fourth one is not open.
    pub(crate) fn with_cases(cases: u32) -> Self {
        let mut f = Self::new();
        let _key = f.provision(2);
        let (staff, ..) = f.enrol(1);
        let numbers = "WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < ?1)";
        let id = "printf('%08d-0000-7000-8000-', n) || substr(p.id, -12)";
        let writes = [
            format!(
                "INSERT INTO cases (practice_id, id, payer_name, opened_at, opened_by)
                     SELECT p.id, {id}, 'Acme', 1, '{staff}' FROM n, practices p"
            ),
            format!(
                "INSERT INTO case_levels (practice_id, case_id, level, kind, due_on, begun_at, begun_by)
                     SELECT p.id, {id}, 1, 'hearing', iif(n % 3 = 0, NULL, date('2026-01-01', n || ' days')), 1, '{staff}'
                     FROM n, practices p"
            ),
            format!(
                "INSERT INTO case_claims (practice_id, case_id, claim_id, joined_at, outcome)
                     SELECT p.id, {id}, 'c', 1, iif(n % 4 = 0, 'closed', NULL) FROM n, practices p"
            ),
        ];
        for write in &writes {
            f.db.execute(&format!("{numbers} {write}"), [cases]).unwrap();
        }
        // The outcome of a claim comes after it joined its case.
        f.db.execute("UPDATE case_claims SET outcome = outcome", []).unwrap();
        f
    }

    /// The same with the only level of each case filed, except that every third one has no day, and every fifth is decided.
    pub(crate) fn with_filed_cases(of: u32) -> Self {
        let f = Self::with_cases(of);
        let file = "UPDATE case_levels SET filed_on = '2026-01-01',
            decision_due = iif(rowid % 3 = 0, NULL, date('2026-03-01', (rowid % 50) || ' days')),
            decided_on = iif(rowid % 5 = 0, '2026-02-01', NULL)";
        let file = file.replace("rowid", "CAST(substr(case_id, 1, 8) AS INTEGER)");
        f.db.execute(&file, []).unwrap();
        f
    }
}
