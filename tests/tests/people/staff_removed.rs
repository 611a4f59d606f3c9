//! A staff account that is removed during its write.

use overturn_tests::only_in_one_cell;
use overturn_tests::prelude::*;

#[test]
fn a_person_removed_between_load_and_commit_writes_nothing() {
    only_in_one_cell!("in the cell of a practice, a call that the directory has authorized goes on");
    let tenant = Tenant::shared();
    let worker = Worker::on(&tenant);
    let ids = worker.reviewed(&["A-1", "A-2"]);
    let case = worker.open(&ids[1..], None).json["id"].clone();
    let case = case.as_str().unwrap();
    let stored = |table: &str| tenant.rows(&format!("SELECT * FROM {table} WHERE practice_id = ?1"), &[]);
    let tables = [
        "claims",
        "claim_events",
        "claim_notes",
        "reports",
        "cases",
        "case_levels",
        "level_claims",
        "signing_links",
        "audit",
        "deliveries",
    ];
    let before = tables.map(stored);
    // A further level needs an outcome of the first one, which this case does not have, and the claim is not recovered.
    let writes = overturn_tests::staff::writes(&ids[0], case);
    let taken = writes.into_iter().filter(|(_, what, _)| !what.ends_with("/levels") && !what.ends_with("/amount"));
    for (method, what, body) in taken {
        let gone = Person::staff(tenant.server);
        let sql = "UPDATE users SET state = 'removed', epoch = epoch + 1 WHERE id = ?1";
        let version = if what.starts_with("cases/") { 1 } else { 2 };
        let client =
            gone.client().with("If-Match", &format!("\"{version}\"")).overtaken_by(sql, &[&gone.id.to_string()]);
        // Only the holder can release a claim.
        tenant.change(
            "UPDATE claims SET taken_by = ?2 WHERE practice_id = ?1 AND id = ?3",
            &[&gone.id.to_string(), &ids[0]],
        );
        let body = body.to_string();
        let target = worker.of_practice(&what);
        let refused = client.request(method, &target, Some(body.as_bytes()));
        assert_eq!(refused.status, 401, "{what} {}", refused.text());
        tenant.change(
            "UPDATE claims SET taken_by = ?2 WHERE practice_id = ?1 AND id = ?3",
            &[&worker.person.id.to_string(), &ids[0]],
        );
        assert_eq!(tables.map(stored), before, "{what}");
    }
}
