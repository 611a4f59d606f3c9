//! The search for a patient's claims by keyed tags.

use crate::work::patients::{FoundPatient, PatientTag, SCAN_MAX, of_patient, searched};
use crate::work::take::worker;
use overturn_core::base::id::PracticeId;
use overturn_store::Statement;
use overturn_store::testing::Fixture;
use rusqlite::StatementStatus;

/// Three practices with this many claims of other patients each, and claims N-0 to N-5 of one patient, whose tag is another one
/// in each practice: N-0 is received, the others have another status.
fn practices(claims: u32) -> (Fixture, Vec<PracticeId>) {
    let mut f = Fixture::new();
    for n in 2..4 {
        let _key = f.provision(n);
    }
    let sql = "WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < ?1 + 6)
         INSERT INTO claims (practice_id, claim_number, id, submission_id, status, payer_claim_number, payer_name,
           date_of_service, billed_cents, adjustment_codes, patient_tag, key_version, sealed, received_at, updated_at,
           changed, present)
         SELECT p.id, 'N-' || n, substr(p.id, 1, 24) || printf('%012d', n), 's',
           CASE n WHEN 0 THEN 'received' WHEN 1 THEN 'reviewing' WHEN 2 THEN 'in_report' WHEN 3 THEN 'in_appeal'
             WHEN 4 THEN 'recovered' WHEN 5 THEN 'closed' ELSE 'received' END, 'P', 'Acme',
           '2026-01-02', 1, '[]', iif(n < 6, p.id || ' one', p.id || ' tag ' || n), 1, 'x', 1, 1, n + 1, 0 FROM n, practices p";
    f.db.execute(sql, [claims]).unwrap();
    f.count_claims();
    let mut found = f.read(&searched(None));
    found.sort_by_key(|of| of.id);
    let ids = found.into_iter().map(|of| of.id).collect();
    (f, ids)
}

fn tags(practices: &[PracticeId]) -> Vec<PatientTag> {
    practices.iter().map(|of| (*of, format!("{of} one"))).collect()
}

fn found(f: &Fixture, statement: &Statement) -> (FoundPatient, i32) {
    let mut prepared = f.db.prepare(statement.sql).unwrap();
    let params = overturn_store::testing::params(statement);
    let json: String = prepared.query_row(params, |row| row.get(0)).unwrap();
    let steps = prepared.get_status(StatementStatus::VmStep);
    (serde_json::from_str(&json).unwrap(), steps)
}

#[test]
fn a_patient_is_found_in_each_practice_by_its_own_tag() {
    let (f, all) = practices(4);
    let count = |practice: Option<PracticeId>, tags: &[PatientTag]| {
        let statement: Statement = of_patient(practice, tags).into();
        found(&f, &statement).0
    };
    assert_eq!(count(None, &tags(&all)).claims.len(), 6 * all.len());
    let one = count(Some(all[0]), &tags(&all[..1]));
    assert_eq!(one.claims.len(), 6);
    assert!(one.claims.iter().all(|claim| claim.practice.id == all[0]));
    // The tag of one practice finds nothing in another one.
    let elsewhere: Vec<PatientTag> = vec![(all[1], format!("{} one", all[0]))];
    let mut reviewed = count(None, &elsewhere).claims;
    reviewed.retain(|claim| claim.status.name() != "received");
    assert!(reviewed.is_empty());
    assert!(count(None, &[]).claims.is_empty());
}

#[test]
fn a_search_reads_no_more_among_many_claims() {
    let most = u32::try_from(SCAN_MAX).unwrap();
    for in_one in [false, true] {
        let steps = [most, most * 2].map(|claims| {
            let (f, all) = practices(claims);
            let practice = in_one.then(|| all[0]);
            let tags = if in_one { tags(&all[..1]) } else { tags(&all) };
            let statement: Statement = of_patient(practice, &tags).into();
            f.assert_indexed(
                &statement,
                &[
                    "VIRTUAL TABLE",
                    "SCAN f",
                    "SCAN c",
                    "SCAN (subquery",
                    // The open claims of one practice are read up to a bound.
                    "SEARCH q USING INDEX claims_due (practice_id=?)",
                    "SEARCH q USING COVERING INDEX claims_due (practice_id=?)",
                ],
            );
            let plan = f.plan(&statement);
            let by_patient = "claims_of_patient (practice_id=? AND patient_tag=?)";
            assert!(plan.iter().any(|step| step.contains(by_patient)), "{plan:?}");
            let (found, steps) = found(&f, &statement);
            assert_eq!(found.scanned, SCAN_MAX, "it says that it did not see all");
            steps
        });
        assert!(steps[1] < steps[0] + steps[0] / 20, "{in_one} {steps:?}");
    }
}

#[test]
fn only_practices_whose_claims_may_be_read_are_searched() {
    let (mut f, all) = practices(1);
    assert!(all.len() >= 2);
    f.db.execute("UPDATE practices SET state = 'inactive' WHERE id = ?1", [all[0].to_string()]).unwrap();
    let found = f.read(&searched(None));
    let ids: Vec<PracticeId> = found.iter().map(|of| of.id).collect();
    assert_eq!(ids, all[1..]);
    assert!(f.read(&searched(Some(all[0]))).is_empty());
    let one = f.read(&searched(Some(all[1])));
    assert_eq!(one.len(), 1);
    let statement: Statement = searched(Some(all[1])).into();
    f.assert_indexed(&statement, &["SCAN o", "VIRTUAL TABLE"]);
}

#[test]
fn a_colleague_is_an_active_member_of_staff_who_works_on_claims() {
    let (mut f, _) = practices(1);
    let (id, ..) = f.enrol(9);
    let found = f.read(&worker(id)).unwrap();
    assert_eq!(found.id, id);
    let statement: Statement = worker(id).into();
    f.assert_indexed(&statement, &[]);
    for (change, undo) in [("state = 'removed'", "state = 'active'"), ("role = 'auditor'", "role = 'staff'")] {
        let mut set = |to: &str| {
            let sql = format!("UPDATE users SET {to}");
            f.db.execute_batch(&sql).unwrap();
            f.read(&worker(id))
        };
        assert_eq!(set(change), None, "{change}");
        assert!(set(undo).is_some());
    }
}
