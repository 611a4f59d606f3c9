//! The demo data of a development database: practices with keys, and people who can sign in. The service's own code
//! makes it, new on every call.

mod history;
mod people;
mod practices;

use std::error::Error;

use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::{DAY_MS, Instant};
use overturn_core::base::token::ApiKey;
use overturn_service::plan::audit::{Entry, Event};
use overturn_service::plan::{Plan, Write};
use rusqlite::Connection;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::service::{self, Random};
use people::People;
use practices::Practices;

/// `sql` has the statements that insert the data, and `practices` and `users` have the credentials to try it with.
pub(crate) fn made(ctx: &Ctx, random: Random<'_>) -> Result<Value, Box<dyn Error>> {
    // The data must be sealed with the keys of the service that will read it.
    let keys = service::keys()?;
    let mut draft = Draft::new(ctx);
    let practices = Practices::made(&mut draft, random)?.keys;
    let users = People::made(&mut draft, &practices, random)?.users;
    let sql = service::sql(&Plan::of_operator(ctx, draft.writes), &keys, random)?;
    Ok(json!({ "sql": sql, "practices": practices, "users": users }))
}

/// Fills the first two practices of a state folder with claims in every state. `demo` is the content of its demo.json,
/// and `database` its database, which no service may have open.
pub(crate) fn filled(
    demo: &Value,
    database: Connection,
    now: Instant,
    random: Random<'_>,
) -> Result<(), Box<dyn Error>> {
    let keys = service::keys()?;
    let (first, second) = (receiving(demo, "active", "CH")?, receiving(demo, "other", "LO")?);
    let staff = ["staff", "second_staff"].map(|label| {
        let email = demo.pointer(&format!("/users/{label}/email"));
        email.and_then(Value::as_str).unwrap_or_default()
    });
    history::fill(database, (&first, &second), &staff, now, (&keys, random))
}

/// A practice that gets claims with its full key.
fn receiving(demo: &Value, label: &str, prefix: &'static str) -> Result<history::Practice, Box<dyn Error>> {
    let text = |what: &str| {
        let text = demo.pointer(&format!("/practices/{label}/{what}"));
        text.and_then(Value::as_str).ok_or(format!("demo.json has no {what} of {label}"))
    };
    Ok(history::Practice {
        id: PracticeId(text("id")?.parse()?),
        key: text("keys/full")?.parse::<ApiKey>()?.hash(),
        prefix,
    })
}

/// The writes of one atomic change by the operator.
pub(crate) struct Draft<'c> {
    ctx: &'c Ctx,
    writes: Vec<Write>,
    records: usize,
}

impl<'c> Draft<'c> {
    fn new(ctx: &'c Ctx) -> Self {
        Self { ctx, writes: Vec::new(), records: 0 }
    }

    /// Adds a write and its audit row.
    fn write(&mut self, practice: Option<PracticeId>, event: Event, record: impl ToString, write: Write) {
        let entry = Entry::new(self.ctx, self.writes.len(), practice, event, record);
        self.writes.extend([write, Write::Audit(entry)]);
    }

    /// The number of the next record.
    fn next(&mut self) -> usize {
        let n = self.records;
        self.records = n.saturating_add(1);
        n
    }

    /// The id of the next record.
    fn id(&mut self) -> Uuid {
        let n = self.next();
        self.ctx.id(Purpose::Record, n)
    }

    fn ago(&self, days: i64) -> Instant {
        self.ctx.now.plus(days.saturating_mul(-DAY_MS))
    }
}
