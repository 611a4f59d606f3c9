//! Makes keys for a restore drill, one for each practice of the restored copy. The drill calls the copy with them.

use std::error::Error;

use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::PracticeId;
use overturn_core::base::token::Realm;
use overturn_service::auth::scope::{Scope, Scopes};
use overturn_service::operator::{self, NewApiKey};
use overturn_service::plan::audit::{Entry, Event};
use overturn_service::plan::{Plan, Write};
use serde_json::{Map, Value, json};

use crate::service::{self, Random};

/// `sql` has the statements that insert the keys, and `keys` has the keys by practice id.
pub(crate) fn keys(
    practices: impl Iterator<Item = String>,
    ctx: &Ctx,
    random: Random<'_>,
) -> Result<Value, Box<dyn Error>> {
    let mut writes = Vec::new();
    let mut keys = Map::new();
    for (n, practice) in practices.enumerate() {
        let practice_id = PracticeId(practice.parse()?);
        let new = NewApiKey {
            practice_id,
            name: "restore drill".to_owned(),
            scopes: Scopes::of(&[Scope::ClaimsWrite, Scope::ClaimsRead]),
            // The copy runs as dev, even if the original is production.
            realm: Realm::Test,
        };
        let (key, record) = operator::mint(new, random()?, n, ctx);
        let entry = Entry::new(ctx, n, Some(practice_id), Event::ApiKeyCreated, record.id);
        writes.extend([record.insert(), Write::Audit(entry)]);
        keys.insert(practice, key.expose().into());
    }
    let plan = Plan::of_operator(ctx, writes);
    let sql = service::sql(&plan, &service::no_keys()?, random)?;
    Ok(json!({ "sql": sql, "keys": keys }))
}
