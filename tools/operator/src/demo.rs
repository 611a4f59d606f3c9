//! The demo data of a development database: practices with keys, and people who can sign in. The service's own code
//! makes it, new on every call.

mod history;
mod people;
mod practices;

use std::error::Error;

use overturn_core::base::cell::Cell;
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{PracticeId, UserId};
use overturn_core::base::instant::{DAY_MS, Instant};
use overturn_core::base::token::ApiKey;
use overturn_service::operator;
use overturn_service::plan::audit::{Entry, Event};
use overturn_service::plan::{Plan, Write};
use overturn_service::store::own_cell;
use rusqlite::Connection;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::service::{self, Random};
use crate::sql;
use people::People;
use practices::Practices;

/// `sql` has the statements that insert the data, and `practices` and `users` have the credentials to try it with. With several
/// cells, `second` has the statements of the second one, which gets a practice.
pub(crate) fn made(ctx: &Ctx, cells: u16, random: Random<'_>) -> Result<Value, Box<dyn Error>> {
    // The data must be sealed with the keys of the service that will read it.
    let keys = service::keys()?;
    if cells == 1 {
        let mut draft = Draft::new(ctx);
        let (practices, users) = drafted(&mut draft, &|_| true, random)?;
        let sql = service::sql(&Plan::of_operator(ctx, draft.writes), &keys, random)?;
        return Ok(json!({ "sql": sql, "practices": practices, "users": users }));
    }
    let second = ctx.in_cell(Cell(1));
    let mut drafts = [Draft::new(ctx), Draft::new(&second)];
    let [first, other] = &mut drafts;
    let (mut practices, mut users) = drafted(first, &|practice| practice != ELSEWHERE, random)?;
    let (more, others) = drafted(other, &|practice| practice == ELSEWHERE, random)?;
    practices.extend(more);
    users.extend(others);
    let directory = [first.directory(), other.directory()].concat();
    first.writes.extend(directory);
    let [sql, second] = drafts.map(|draft| {
        let claim = own_cell::claim(draft.ctx.cell).iter().map(sql::render).collect::<Result<Vec<_>, _>>()?;
        let sql = service::sql(&Plan::of_operator(draft.ctx, draft.writes), &keys, random)?;
        Ok::<_, Box<dyn Error>>(format!("{};\n{sql}", claim.join(";\n")))
    });
    Ok(json!({ "sql": sql?, "second": second?, "practices": practices, "users": users }))
}

/// The practice that lives in the second cell, if there is one.
const ELSEWHERE: &str = "other";

type Labeled = Map<String, Value>;

/// The practices with these labels and their people. The staff have an empty label.
fn drafted(
    draft: &mut Draft<'_>,
    wanted: &dyn Fn(&str) -> bool,
    random: Random<'_>,
) -> Result<(Labeled, Labeled), Box<dyn Error>> {
    let practices = Practices::made(draft, wanted, random)?.keys;
    let users = People::made(draft, &practices, wanted, random)?.users;
    Ok((practices, users))
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
    let (first, second) = (receiving(demo, "active", "CH")?, receiving(demo, ELSEWHERE, "LO")?);
    // The staff who worked on its claims have no accounts in another cell.
    let second = Some(second).filter(|second| second.id.cell() == first.id.cell());
    let staff = ["staff", "second_staff"].map(|label| {
        let email = demo.pointer(&format!("/users/{label}/email"));
        email.and_then(Value::as_str).unwrap_or_default()
    });
    history::fill(database, (&first, second.as_ref()), &staff, now, (&keys, random))
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
    practices: Vec<PracticeId>,
    /// The keys of the addresses of accounts.
    people: Vec<(String, UserId)>,
}

impl<'c> Draft<'c> {
    fn new(ctx: &'c Ctx) -> Self {
        Self { ctx, writes: Vec::new(), records: 0, practices: Vec::new(), people: Vec::new() }
    }

    /// What the directory knows of its practices and people.
    fn directory(&self) -> Vec<Write> {
        let cell = self.ctx.cell;
        let practices = self.practices.iter().map(|id| operator::placed(*id, cell));
        let people = self.people.iter().map(|(key, id)| operator::addressed(key, *id, cell));
        practices.chain(people).collect()
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
