//! The demo data of a development database: practices with keys, and people who can sign in. The service's own code
//! makes it, new on every call.

mod people;
mod practices;

use std::error::Error;

use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_core::plan::audit::{Entry, Event};
use overturn_core::plan::{Plan, Write};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::service::{self, Random};
use people::People;
use practices::Practices;

const DAY_MS: i64 = 86_400_000;

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

/// The writes of one atomic change by the operator.
pub(crate) struct Draft<'c> {
    ctx: &'c Ctx,
    writes: Vec<Write<'static>>,
    records: usize,
}

impl<'c> Draft<'c> {
    fn new(ctx: &'c Ctx) -> Self {
        Self {
            ctx,
            writes: Vec::new(),
            records: 0,
        }
    }

    /// Adds a write and its audit row.
    fn write(
        &mut self,
        practice: Option<PracticeId>,
        event: Event,
        record: impl ToString,
        write: Write<'static>,
    ) {
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
