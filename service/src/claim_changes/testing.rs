//! What a decision changes of claims.

use super::SeenClaim;
use crate::plan::statement::WriteParam;
use crate::plan::{Guard, Write};
use crate::testing::Fixture;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::base::param::Param;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The changes, as the update reads them; none for another write.
pub(crate) fn changed(write: &Write) -> Option<Vec<Value>> {
    match write {
        Write::Sql(update) if update.sql.contains("UPDATE claims SET status") => match &update.params[0] {
            WriteParam::Plain(changes) => Some(json(changes)),
            other => panic!("{other:?}"),
        },
        _ => None,
    }
}

/// True for the write of the events of changes.
pub(crate) fn is_event(write: &Write) -> bool {
    matches!(write, Write::Sql(insert) if insert.sql.starts_with("INSERT INTO claim_events "))
}

/// The versions that a guard checks; none for another guard.
pub(crate) fn versions(guard: &Guard) -> Option<Vec<(PracticeId, ClaimId, i64)>> {
    match guard {
        Guard::Sql(guard) if guard.sql.contains("c.version = j.value ->> 2") => Some(json(&guard.params[0])),
        _ => None,
    }
}

fn json<T: DeserializeOwned>(param: &Param) -> T {
    let Param::Text(text) = param else { panic!("{param:?}") };
    serde_json::from_str(text).unwrap()
}

/// All claims, in the versions that they have.
pub(crate) fn seen_claims(f: &Fixture) -> Vec<SeenClaim> {
    let mut read = f.db.prepare("SELECT practice_id, id, version FROM claims ORDER BY id").unwrap();
    let rows = read.query_map([], |row| {
        let [practice, id]: [String; 2] = [row.get(0)?, row.get(1)?];
        let (practice_id, id) = (PracticeId(practice.parse().unwrap()), ClaimId(id.parse().unwrap()));
        Ok(SeenClaim { practice_id, id, version: row.get(2)? })
    });
    rows.unwrap().map(Result::unwrap).collect()
}
