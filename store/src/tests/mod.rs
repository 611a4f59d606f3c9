//! The real statements on real SQLite with the real migrations.

mod accounts;
mod counts;
mod data_jobs;
mod data_keys;
mod errors;
mod fewer_rows;
mod fills;
mod inventory;
mod mismatches;
mod plans;
mod sends;
mod trail;
mod versions;

use crate::testing as fixture;
use fixture::Fixture;
use overturn_core::base::id::{ClaimId, PracticeId};

fn ids(f: &Fixture) -> (PracticeId, Vec<ClaimId>) {
    let read = |sql: &str| {
        let text: String = f.db.query_row(sql, [], |row| row.get(0)).unwrap();
        text
    };
    let practice = read("SELECT practice_id FROM claims LIMIT 1");
    let claims = read("SELECT json_group_array(id) FROM (SELECT id FROM claims ORDER BY id)");
    (PracticeId(practice.parse().unwrap()), serde_json::from_str(&claims).unwrap())
}
