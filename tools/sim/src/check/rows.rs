//! The rows at the end: consistent, and no claim that no answer explains.

use crate::model::{Input, Output};
use crate::world::World;
use overturn_tests::tenant::CONSISTENT;
use rusqlite::Connection;
use std::collections::BTreeSet;

pub(crate) fn check(world: &World) -> Vec<String> {
    let mut problems = super::broken(world, &RULES);
    for (n, practice) in world.practices.iter().enumerate().filter(|(n, _)| !world.model.borrow().left.contains(n)) {
        let db = world.database(n);
        for (rule, broken) in CONSISTENT.into_iter().filter(|(rule, _)| *rule != IN_ONE_ROUND) {
            let count = super::count(db, broken, [&practice.id]);
            if count > 0 {
                problems.push(format!("practice {n}: not true that {rule} ({count})"));
            }
        }
        let stored = numbers(db, &practice.id).expect("the claims can be read");
        let model = world.model.borrow();
        let of = || model.ops.iter().filter(|op| op.practice == n);
        let sent: BTreeSet<_> =
            of().filter(|op| matches!(op.input, Input::Send(_))).map(|op| op.number.clone()).collect();
        let created = of().filter(|op| matches!(op.output, Output::Created(_) | Output::Exists { .. }));
        let created: BTreeSet<_> = created.map(|op| op.number.clone()).collect();
        let stored: BTreeSet<_> = stored.into_iter().collect();
        for lost in created.difference(&stored) {
            problems.push(format!("practice {n}: {lost} was created and is not stored"));
        }
        for strange in stored.difference(&sent) {
            problems.push(format!("practice {n}: {strange} is stored and was never sent"));
        }
    }
    problems
}

/// A rule that holds if a send is written in one round. One that loses a race for a number has a row for each round.
const IN_ONE_ROUND: &str = "the corrections of a request are audited once";

const RULES: [(&str, &str); 7] = [
    (
        "the counts of all claims are those of the claims",
        "SELECT count(*) FROM (SELECT status, count(*) AS claims FROM claims GROUP BY 1) f
         FULL JOIN (SELECT status, sum(claims) AS claims FROM (
             SELECT status, claims FROM claim_counts WHERE scope = 'all' UNION ALL SELECT status, claims FROM uncounted_claims)
           GROUP BY 1) n
           ON n.status = f.status WHERE f.claims IS NOT n.claims",
    ),
    (
        "the corrections of a request are audited, at most once for each",
        "SELECT count(*) FROM (SELECT practice_id, request_id, count(*) AS n FROM claim_events WHERE kind = 'corrected'
           GROUP BY 1, 2) e
         WHERE (SELECT count(*) FROM audit a WHERE a.practice_id = e.practice_id AND a.action = 'claims.corrected'
           AND a.request_id = e.request_id) NOT BETWEEN 1 AND e.n",
    ),
    (
        "each change of a claim is in the trail under its request",
        "SELECT count(*) FROM claim_events e WHERE NOT EXISTS (SELECT 1 FROM audit a
           WHERE a.practice_id = e.practice_id AND a.request_id = e.request_id AND a.actor = e.actor)",
    ),
    (
        "a case is opened in the trail once",
        "SELECT count(*) FROM cases k WHERE 1 IS NOT (SELECT count(*) FROM audit a
           WHERE a.practice_id = k.practice_id AND a.action = 'case.opened' AND a.record = k.id)",
    ),
    (
        "a report is delivered in the trail once",
        "SELECT count(*) FROM reports r WHERE 1 IS NOT (SELECT count(*) FROM audit a
           WHERE a.practice_id = r.practice_id AND a.action = 'report.delivered' AND a.record = r.id)",
    ),
    (
        "a claim in appeal is undecided in its case, and one whose appeal ended there has its result there",
        "SELECT count(*) FROM claims c JOIN case_claims m ON m.practice_id = c.practice_id AND m.case_id = c.case_id
           AND m.claim_id = c.id
         WHERE m.outcome IS NOT iif(c.status = 'in_appeal', NULL, c.status)",
    ),
    (
        "a recovered claim has the amount of its case",
        "SELECT count(*) FROM claims c JOIN case_claims m ON m.practice_id = c.practice_id AND m.case_id = c.case_id
           AND m.claim_id = c.id
         WHERE c.status = 'recovered' AND c.recovered_cents IS NOT m.recovered_cents",
    ),
];

fn numbers(db: &Connection, practice: &str) -> rusqlite::Result<Vec<String>> {
    let mut read = db.prepare_cached("SELECT claim_number FROM claims WHERE practice_id = ?1")?;
    read.query_map([practice], |row| row.get(0))?.collect()
}
