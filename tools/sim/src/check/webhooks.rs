//! Webhooks: each message that is due has come to its endpoint, or stands as failed. What came is a message.

use crate::clients::owner::endpoint;
use crate::world::World;
use rusqlite::Connection;
use std::collections::BTreeSet;

/// How many attempts there are at a message, by the waits between them in `isolates.rs`.
const ATTEMPTS: i64 = 4;

pub(crate) fn check(world: &World) -> Vec<String> {
    let arrived: BTreeSet<_> = world.platform.receivers.arrived().into_iter().map(|came| (came.url, came.id)).collect();
    let mut problems = Vec::new();
    let overlaps = world.platform.receivers.overlaps();
    if overlaps > 0 {
        problems.push(format!("{overlaps} times, two attempts at a message were under way at once"));
    }
    let rows: Vec<Row> = super::collect(world, rows);
    let made = world.platform.receivers.attempts();
    for Row { url, id, state, attempts, error, is_active, practice, logged, taken } in &rows {
        let message = (url.clone(), id.clone());
        let (came, made) = (arrived.contains(&message), made.get(&message).copied().unwrap_or_default());
        // An isolate may end before it notes an attempt.
        if *logged > made || (world.plan.is_calm && *logged < made) || (state == "delivered" && *taken == 0) {
            problems.push(format!(
                "of {made} attempts at message {id} to {url}, {logged} are in its log, and {taken} worked"
            ));
        }
        match state.as_str() {
            "delivered" if !came => problems.push(format!("message {id} is delivered and did not come to {url}")),
            "pending" => problems.push(format!("message {id} to {url} still waits after all its attempts were due")),
            "failed" => {
                let ends = world.practices.iter().position(|of| of.id == *practice);
                let ends = ends.is_some_and(|n| !world.model.borrow().access.agreements[n].ends.is_empty());
                let is_due = match error.as_str() {
                    "endpoint_inactive" => !is_active,
                    "agreement_ended" => ends,
                    _ => *attempts >= ATTEMPTS,
                };
                if !is_due {
                    problems.push(format!("message {id} to {url} failed after {attempts} attempts: {error}"));
                }
            }
            _ => {}
        }
    }
    let known: BTreeSet<_> = rows.into_iter().map(|row| (row.url, row.id)).collect();
    let has_left = |url: &str| world.model.borrow().left.iter().any(|practice| url == endpoint(*practice));
    for (url, id) in arrived.difference(&known).filter(|(url, _)| !has_left(url)) {
        problems.push(format!("message {id} came to {url}, and there is no such message"));
    }
    let without = super::count_all(world, MISSING);
    if without > 0 {
        problems.push(format!("{without} changes of a status have no message to an endpoint that was there before"));
    }
    let without = super::count_all(world, MISSING_DUE);
    if without > 0 {
        problems.push(format!("{without} changes of a deadline have no message to an endpoint that was there before"));
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

/// The same for deadlines. A deadline that stays and only comes from elsewhere is no news.
const MISSING_DUE: &str = "SELECT count(*) FROM webhooks w JOIN claim_events e ON e.practice_id = w.practice_id
    WHERE w.created_at < e.at - 60000 AND json_type(e.detail, '$.appeal_due') IS NOT NULL
      AND (e.detail ->> '$.appeal_due') IS NOT (SELECT p.detail ->> '$.appeal_due' FROM claim_events p
        WHERE p.practice_id = e.practice_id AND p.claim_id = e.claim_id AND p.version < e.version
          AND json_type(p.detail, '$.appeal_due') IS NOT NULL ORDER BY p.version DESC LIMIT 1)
      AND EXISTS (SELECT 1 FROM claim_events p WHERE p.practice_id = e.practice_id AND p.claim_id = e.claim_id
        AND p.version < e.version AND json_type(p.detail, '$.appeal_due') IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.practice_id = w.practice_id AND d.webhook_id = w.id
        AND d.kind = 'claim.deadline_changed' AND d.body ->> '$.data.claim.id' = e.claim_id
        AND (d.body ->> '$.data.claim.deadline') IS (e.detail ->> '$.appeal_due'))";

/// A message to an endpoint.
struct Row {
    url: String,
    id: String,
    state: String,
    attempts: i64,
    error: String,
    is_active: bool,
    practice: String,
    /// How many attempts are in its log, and how many of them worked.
    logged: i64,
    taken: i64,
}

fn rows(db: &Connection) -> rusqlite::Result<Vec<Row>> {
    let mut read = db.prepare_cached(
        "SELECT w.url, d.id, d.state, d.attempts, ifnull(d.last_error, ''), w.state = 'active', d.practice_id,
           (SELECT count(*) FROM attempts a WHERE a.practice_id = d.practice_id AND a.delivery_id = d.id AND a.webhook_id = d.webhook_id),
           (SELECT count(*) FROM attempts a WHERE a.practice_id = d.practice_id AND a.delivery_id = d.id AND a.webhook_id = d.webhook_id
             AND a.status BETWEEN 200 AND 299)
         FROM deliveries d JOIN webhooks w ON w.practice_id = d.practice_id AND w.id = d.webhook_id",
    )?;
    let row = |row: &rusqlite::Row<'_>| {
        Ok(Row {
            url: row.get(0)?,
            id: row.get(1)?,
            state: row.get(2)?,
            attempts: row.get(3)?,
            error: row.get(4)?,
            is_active: row.get(5)?,
            practice: row.get(6)?,
            logged: row.get(7)?,
            taken: row.get(8)?,
        })
    };
    read.query_map([], row)?.collect()
}
