//! What the entrance of the tests tries with every batch that the service sends: a batch that runs twice leaves what it
//! leaves once, because its answer can be lost; no statement reads all rows of a table that grows; and every statement that
//! touches rows of practices names the practice.

use super::address;
use crate::log;
use overturn_service::sqlite::{fault, run};
use overturn_service::store::Statement;
use overturn_service::store::error::DatabaseError;
use rusqlite::types::{Null, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash as _, Hasher as _};

/// How often a batch of the same statements is tried.
const TIMES: u32 = 2;

/// The starts of statements that go on with each run, and why they may.
const GOES_ON: [(&str, &str); 6] = [
    ("INSERT INTO password_tries", "a try that counts double only closes the account earlier"),
    ("UPDATE continuations SET attempts", "the same for the codes of a sign-in"),
    ("UPDATE signing_links SET attempts = attempts + 1", "the same for the birth dates of a signing link"),
    (
        "UPDATE signing_links SET attempts = max(",
        "only the audit entry beside it keeps a try from being given back twice",
    ),
    ("INSERT INTO mismatches", "only the audit entry beside it keeps a resend for another patient from counting twice"),
    ("UPDATE data_jobs SET counts", "a destruction deletes the next rows, and counts what it deletes"),
];

/// The starts of what stops a batch that already ran: the guard for that, and an audit entry.
const STOPS: [&str; 2] = ["INSERT INTO guards (failed) SELECT 'done' ", "INSERT INTO audit "];

/// The tables that grow with a practice's claims and days.
pub(super) const GROWING: [&str; 15] = [
    "audit",
    "case_claims",
    "case_levels",
    "cases",
    "claim_events",
    "claim_notes",
    "claims",
    "deliveries",
    "document_uses",
    "documents",
    "level_claims",
    "report_claims",
    "reports",
    "signatures",
    "signing_links",
];

/// What may read all rows nevertheless: a text of the statement, and why.
const READS_ALL: [(&str, &str); 15] = [
    ("'totals', json_object(", "counts what a return would return, when an owner asks for one"),
    ("totals = json_object(", "counts what a destruction will delete, once"),
    ("DELETE FROM cases ", "the destruction of a practice, whose levels are gone by then"),
    ("FROM own_cell", "asks once what a database has, when a second one comes"),
    (", 0 FROM ", "asks what the first of several databases has, once a day"),
    ("'changes_of_day'", "says how full a cell is, when the operator asks"),
    ("deliveries_due", "the index has only the deliveries that are due"),
    ("deliveries_missed", "the index has only the deliveries that nobody tried"),
    ("documents_uploaded", "once a day, a job looks at the age of all documents"),
    ("users_auditors", "the index has only staff"),
    ("FROM payers q WHERE q.sandbox = 0 ", "the names that staff filter by are those of all practices"),
    ("FROM notices WHERE next_at <=", "a job sends what is due"),
    ("FROM loose_objects WHERE due_at <=", "a job removes what is due"),
    ("DELETE FROM mismatches WHERE day <", "a job deletes what is old"),
    ("FROM trail_heads WHERE key_version <>", "a job makes anew what has an old key, a page at a time"),
];

/// A writer or a reader on trial.
#[derive(Default)]
pub(super) struct Trial {
    /// The statements whose programs were read, by their addresses.
    known: HashSet<usize>,
    /// How often batches of these statements ran twice.
    twice: HashMap<Vec<usize>, u32>,
}

impl Trial {
    /// Judges a batch that has just run in this transaction.
    ///
    /// # Errors
    ///
    /// A statement reads all rows of a table that grows or of all practices, or a second run would change something.
    pub(super) fn judge(&mut self, db: &Connection, statements: &[Statement]) -> Result<(), DatabaseError> {
        if is_moving(db).map_err(fault)? {
            return Ok(());
        }
        self.read(db, statements)?;
        self.again(db, statements)
    }

    /// # Errors
    ///
    /// A statement reads all rows of a table that grows or of all practices.
    pub(super) fn reads(&mut self, db: &Connection, statements: &[Statement]) -> Result<(), DatabaseError> {
        if is_moving(db).map_err(fault)? { Ok(()) } else { self.read(db, statements) }
    }

    fn read(&mut self, db: &Connection, statements: &[Statement]) -> Result<(), DatabaseError> {
        for statement in statements {
            if self.known.insert(address(statement))
                && let Some(all) = endless(db, statement).map_err(fault)?
                && !READS_ALL.iter().any(|(text, _)| statement.sql.contains(text) || all == *text)
            {
                return Err(guilty("a statement reads all rows", &format!("{all} in {}", statement.sql)));
            }
        }
        Ok(())
    }

    /// Runs the batch again, and takes the second run back.
    fn again(&mut self, db: &Connection, statements: &[Statement]) -> Result<(), DatabaseError> {
        let times = self.twice.entry(statements.iter().map(address).collect()).or_default();
        let goes_on = |statement: &Statement| GOES_ON.iter().any(|(start, _)| statement.sql.starts_with(start));
        if *times == TIMES || statements.iter().any(goes_on) {
            return Ok(());
        }
        *times = times.saturating_add(1);
        let written = db.total_changes();
        db.execute_batch("SAVEPOINT again").map_err(fault)?;
        let writes = |statement: &&Statement| !STOPS.iter().any(|start| statement.sql.starts_with(start));
        let ran = run(db, &statements.iter().filter(writes).cloned().collect::<Vec<_>>());
        // Most second runs write nothing, and then no table is read. A row may be written as it was.
        let wrote = ran.is_ok() && db.total_changes() != written;
        let read = || if wrote { contents(db).map_err(fault) } else { Ok(Vec::new()) };
        let twice = read()?;
        db.execute_batch("ROLLBACK TO again; RELEASE again").map_err(fault)?;
        let once = read()?;
        match once.iter().zip(&twice).find(|(before, after)| before != after) {
            Some(((table, _), _)) => {
                let all: Vec<_> = statements.iter().map(|statement| statement.sql).collect();
                Err(guilty("a batch does more when it runs twice", &format!("{table} by {all:?}")))
            }
            None => Ok(()),
        }
    }
}

/// Whether a practice moves from or to this cell. Then triggers look at every write, and with them SQLite explains reads that it
/// makes only after a violation. `service/src/moving/tests.rs` runs what a move does twice.
fn is_moving(db: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'moving_with_sandbox')";
    db.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

/// The test whose request sent the batch gets an error, and this line says why. SQL has no values.
fn guilty(fault: &'static str, what: &str) -> DatabaseError {
    log::tell(&format!("on trial: {fault}: {}", what.replace('\n', " ")));
    DatabaseError::Broken(fault)
}

/// The tables, each with a digest of its rows.
fn contents(db: &Connection) -> rusqlite::Result<Vec<(String, u64)>> {
    let mut tables = db.prepare_cached("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")?;
    let tables: Vec<String> = tables.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    tables.into_iter().map(|table| digest(db, &table).map(|digest| (table, digest))).collect()
}

fn digest(db: &Connection, table: &str) -> rusqlite::Result<u64> {
    let mut rows = db.prepare_cached(&format!("SELECT * FROM {table}"))?;
    let mut rows = rows.query([])?;
    let mut digest = DefaultHasher::new();
    while let Some(row) = rows.next()? {
        // A migration may have added some since the statement was made.
        for column in 0..row.as_ref().column_count() {
            match row.get_ref(column)? {
                ValueRef::Null => digest.write_u8(0),
                ValueRef::Integer(number) => number.hash(&mut digest),
                ValueRef::Real(number) => number.to_bits().hash(&mut digest),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.hash(&mut digest),
            }
        }
    }
    Ok(digest.finish())
}

/// An instruction of a compiled statement.
struct Instruction {
    code: String,
    p1: i64,
    p2: i64,
    /// How many columns a search compares.
    columns: Option<i64>,
}

/// The table or index of which a statement reads all rows, or all rows of a practice. A loop that `LIMIT` or `EXISTS` leaves
/// is taken to end in time, although one that finds nothing goes on. One through the rows of all practices is not: it
/// finds those of others.
fn endless(db: &Connection, statement: &Statement) -> rusqlite::Result<Option<String>> {
    for program in programs(db, statement.sql, statement.params.len())? {
        for (end, step) in program.iter().enumerate() {
            let mut same = program.iter().filter(|other| other.p1 == step.p1);
            let all = match &*step.code {
                "Count" => true,
                "Next" | "Prev" => !ends(&program, step, end) && !narrow(same.clone()),
                _ => false,
            };
            let searches_none = matches!(&*step.code, "Count" | "Rewind" | "Last");
            if (all || searches_none)
                && let Some(open) = same.find(|other| matches!(&*other.code, "OpenRead" | "OpenWrite" | "ReopenIdx"))
                && let Some(owner) = owner(db, open.p2)?
                && (all && owner.grows || searches_none && owner.of_practices)
            {
                return Ok(Some(owner.name));
            }
        }
    }
    Ok(None)
}

/// True if something inside the loop that this step closes jumps out of it.
fn ends(program: &[Instruction], step: &Instruction, end: usize) -> bool {
    let start = usize::try_from(step.p2).unwrap_or(end);
    let past = |inside: &Instruction| usize::try_from(inside.p2).is_ok_and(|to| to > end);
    let mut inside = program.get(start..end).unwrap_or_default().iter();
    inside.any(|inside| matches!(&*inside.code, "DecrJumpZero" | "Goto") && past(inside))
}

/// True if these steps of a cursor search by more than the practice.
fn narrow<'p>(steps: impl Iterator<Item = &'p Instruction> + Clone) -> bool {
    let whole = steps.clone().any(|step| matches!(&*step.code, "Rewind" | "Last"));
    let mut seeks = steps.filter(|step| matches!(&*step.code, "SeekGE" | "SeekGT" | "SeekLE" | "SeekLT")).peekable();
    !whole && seeks.peek().is_some() && seeks.all(|seek| seek.columns != Some(1))
}

/// The programs of a statement: its own, and those of the triggers that it fires.
fn programs(db: &Connection, sql: &str, params: usize) -> rusqlite::Result<Vec<Vec<Instruction>>> {
    let mut explained = db.prepare(&format!("EXPLAIN {sql}"))?;
    let mut rows = explained.query(params_from_iter(std::iter::repeat_n(Null, params)))?;
    let mut programs: Vec<Vec<Instruction>> = Vec::new();
    while let Some(row) = rows.next()? {
        let columns = match row.get_ref(5)? {
            ValueRef::Text(text) => str::from_utf8(text).ok().and_then(|text| text.parse().ok()),
            ValueRef::Integer(number) => Some(number),
            _ => None,
        };
        let step = Instruction { code: row.get(1)?, p1: row.get(2)?, p2: row.get(3)?, columns };
        match programs.last_mut() {
            Some(program) if row.get::<_, i64>(0)? > 0 => program.push(step),
            _ => programs.push(vec![step]),
        }
    }
    Ok(programs)
}

/// A table or an index.
struct Owner {
    name: String,
    /// Whether its table grows with a practice's claims and days.
    grows: bool,
    /// Whether its rows are of practices.
    of_practices: bool,
}

/// The table or index with this root page.
fn owner(db: &Connection, root: i64) -> rusqlite::Result<Option<Owner>> {
    let mut owner = db.prepare_cached(
        "SELECT name, tbl_name, EXISTS (SELECT 1 FROM pragma_table_info(tbl_name) c WHERE c.name = 'practice_id')
         FROM sqlite_master WHERE rootpage = ?1",
    )?;
    let owner = owner.query_row([root], |row| {
        let table: String = row.get(1)?;
        Ok(Owner { name: row.get(0)?, grows: GROWING.contains(&&*table), of_practices: row.get(2)? })
    });
    owner.optional()
}
