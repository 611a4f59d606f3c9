//! Webhooks: each message that is due has come to its endpoint, or stands as failed. What came is a message.

use crate::world::World;
use rusqlite::Connection;
use std::collections::BTreeSet;

pub(crate) fn check(world: &World) -> Vec<String> {
    let db = world.platform.database.connection();
    let arrived: BTreeSet<_> = world.platform.receivers.arrived().into_iter().map(|came| (came.url, came.id)).collect();
    let mut problems = Vec::new();
    let rows = rows(db).expect("the deliveries can be read");
    for (url, id, state) in &rows {
        let came = arrived.contains(&(url.clone(), id.clone()));
        match state.as_str() {
            "delivered" if !came => problems.push(format!("message {id} is delivered and did not come to {url}")),
            "pending" => problems.push(format!("message {id} to {url} still waits after all its attempts were due")),
            _ => {}
        }
    }
    let known: BTreeSet<_> = rows.into_iter().map(|(url, id, _)| (url, id)).collect();
    for (url, id) in arrived.difference(&known) {
        problems.push(format!("message {id} came to {url}, and there is no such message"));
    }
    let without: i64 = db.query_row(MISSING, [], |row| row.get(0)).expect("the events can be read");
    if without > 0 {
        problems.push(format!("{without} changes of a status have no message to an endpoint that was there before"));
    }
    problems
}

/// Changes of a status, after an endpoint began, without a message about the claim's status to it.
const MISSING: &str = "SELECT count(*) FROM webhooks w JOIN claim_events e ON e.practice_id = w.practice_id
    WHERE e.kind IN ('taken', 'moved') AND w.created_at < e.at - 60000
      AND e.status IS NOT (SELECT p.status FROM claim_history p WHERE p.practice_id = e.practice_id
        AND p.claim_id = e.claim_id AND p.version = e.version - 1)
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.practice_id = w.practice_id AND d.webhook_id = w.id
        AND d.kind = 'claim.status_changed' AND d.body ->> '$.data.claim.id' = e.claim_id
        AND d.body ->> '$.data.claim.status' = e.status)";

fn rows(db: &Connection) -> rusqlite::Result<Vec<(String, String, String)>> {
    let mut read = db.prepare(
        "SELECT w.url, d.id, d.state FROM deliveries d
         JOIN webhooks w ON w.practice_id = d.practice_id AND w.id = d.webhook_id",
    )?;
    read.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
}
