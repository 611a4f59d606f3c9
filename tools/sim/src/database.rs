//! The databases: SQLite in memory behind trips that take time, fail, and go on when nobody waits for them any more.

use crate::clock::{MS, SECOND};
use crate::dice::Dice;
use crate::faults::{Fault, Faults};
use crate::outage::Outages;
use crate::scheduler::{Group, Scheduler};
use crate::trace::Trace;
use overturn_native::MIGRATIONS;
use overturn_service::host::{self, Ran, Step};
use overturn_service::sqlite::{fault, keep_statements, run};
use overturn_service::store::Statement;
use overturn_service::store::error::{DatabaseError, FENCED};
use rusqlite::Connection;
use std::cell::RefCell;
use std::rc::Rc;
use tokio::sync::{Semaphore, oneshot};

type Answer = Result<Ran, DatabaseError>;

/// How late a batch runs at most.
const LATEST: u64 = 12 * SECOND;

/// A database of a world, for all isolates.
#[derive(Clone)]
pub(crate) struct Sqlite(Rc<Parts>);

struct Parts {
    cell: u16,
    db: Rc<Connection>,
    outages: Rc<Outages>,
    scheduler: Rc<Scheduler>,
    faults: Rc<Faults>,
    trace: Rc<Trace>,
    dice: Dice,
    /// How many batches may be on their way at once, if that is limited. Others wait for their turn.
    connections: Option<Rc<Semaphore>>,
    /// When batches left and came back.
    #[cfg(test)]
    trips: RefCell<Vec<(u64, u64)>>,
}

thread_local! {
    /// The databases of the worlds before on a thread: their statements are prepared already.
    static KEPT: RefCell<Vec<Rc<Connection>>> = const { RefCell::new(Vec::new()) };
}

/// Empty databases with the real migrations, each in a transaction that nobody commits. The next world of the thread takes it
/// back, because it would take longer to prepare all statements again.
pub(crate) fn empty(cells: usize) -> rusqlite::Result<Vec<Rc<Connection>>> {
    let mut kept = KEPT.take();
    // A world that panicked may hold its databases.
    kept.retain(|db| Rc::strong_count(db) == 1);
    kept.iter().filter(|db| !db.is_autocommit()).try_for_each(|db| db.execute_batch("ROLLBACK"))?;
    while kept.len() < cells {
        kept.push(Rc::new(migrated()?));
    }
    let own = kept[..cells].to_vec();
    own.iter().try_for_each(|db| db.execute_batch("BEGIN"))?;
    KEPT.set(kept);
    Ok(own)
}

fn migrated() -> rusqlite::Result<Connection> {
    let db = Connection::open_in_memory()?;
    db.pragma_update(None, "foreign_keys", true)?;
    keep_statements(&db)?;
    for (_, migration) in MIGRATIONS {
        db.execute_batch(&format!("BEGIN; {migration}; COMMIT;"))?;
    }
    Ok(db)
}

impl Sqlite {
    pub(crate) fn new(
        seed: u64,
        (cell, db): (u16, Rc<Connection>),
        outages: &Rc<Outages>,
        scheduler: &Rc<Scheduler>,
        faults: &Rc<Faults>,
        trace: &Rc<Trace>,
        connections: Option<&Rc<Semaphore>>,
    ) -> Self {
        Self(Rc::new(Parts {
            connections: connections.cloned(),
            #[cfg(test)]
            trips: RefCell::default(),
            cell,
            db,
            outages: Rc::clone(outages),
            scheduler: Rc::clone(scheduler),
            faults: Rc::clone(faults),
            trace: Rc::clone(trace),
            dice: Dice::new(seed, &format!("database {cell}")),
        }))
    }

    /// When batches left and came back since the last time.
    #[cfg(test)]
    pub(crate) fn take_trips(&self) -> Vec<(u64, u64)> {
        self.0.trips.take()
    }

    /// The connection, for rows that the operator makes.
    pub(crate) fn own(&self) -> Rc<Connection> {
        Rc::clone(&self.0.db)
    }

    /// The connection, for the checks.
    pub(crate) fn connection(&self) -> &Connection {
        &self.0.db
    }

    /// Runs a batch of the operator. False if it fails.
    pub(crate) fn operate(&self, statements: &[Statement]) -> bool {
        self.run(statements).is_ok()
    }

    /// A trip of a batch there and back.
    async fn trip(&self, statements: Vec<Statement>) -> Answer {
        let Parts { scheduler, faults, dice, .. } = &*self.0;
        let there = dice.between(MS, 12 * MS);
        scheduler.sleep(there).await;
        match self.0.outages.of(self.0.cell) {
            Some(Fault::CellRefuses) => return Err(overloaded()),
            Some(Fault::CellSilent) => {
                scheduler.sleep(dice.between(9 * SECOND, 12 * SECOND)).await;
                return Err(lost());
            }
            Some(_) => scheduler.sleep(dice.between(SECOND / 2, 5 * SECOND)).await,
            None => {}
        }
        if faults.strike(Fault::BatchOverloaded) {
            return Err(overloaded());
        }
        if faults.strike(Fault::BatchLostBefore) {
            return Err(lost());
        }
        if faults.strike(Fault::BatchLate) {
            self.run_later(statements);
            return Err(lost());
        }
        if faults.strike(Fault::BatchSlow) {
            scheduler.sleep(dice.between(SECOND, LATEST)).await;
        }
        let ran = self.run(&statements);
        scheduler.sleep(dice.between(MS, 12 * MS)).await;
        if ran.is_ok() && faults.strike(Fault::BatchLostAfter) {
            return Err(lost());
        }
        ran
    }

    /// Runs a batch when whoever sent it may have gone on.
    fn run_later(&self, statements: Vec<Statement>) {
        let (own, scheduler) = (self.clone(), &self.0.scheduler);
        let late = scheduler.sleep(self.0.dice.between(0, LATEST));
        scheduler.spawn(Group::World, async move {
            late.await;
            let _unheard = own.run(&statements);
        });
    }

    /// Runs a batch in one transaction.
    fn run(&self, statements: &[Statement]) -> Answer {
        let Parts { cell, db, trace, .. } = &*self.0;
        // A batch that only reads leaves nothing to take back.
        let writes = statements.iter().any(|statement| !statement.sql.starts_with("SELECT"));
        let step = |sql| match writes {
            true => db.prepare_cached(sql).and_then(|mut step| step.execute([])).map(drop).map_err(fault),
            false => Ok(()),
        };
        step("SAVEPOINT batch")?;
        let ran = run(db, statements);
        if ran.is_err() {
            step("ROLLBACK TO batch")?;
        }
        step("RELEASE batch")?;
        match &ran {
            Ok(ran) if ran.rows_written > 0 => {
                trace.tell(|| {
                    format!("a batch of {} commits {} rows in cell {cell}", statements.len(), ran.rows_written)
                });
            }
            Err(DatabaseError::Conflict(guard)) => {
                trace.tell(|| format!("a guard aborts a batch: {guard:?}"));
                trace.sometimes(crate::states::of_guard(*guard));
            }
            Err(error) => {
                trace.tell(|| format!("a batch fails: {error}"));
                if *error == DatabaseError::Transient(FENCED) {
                    trace.sometimes(crate::states::FENCE_MET);
                }
            }
            Ok(_) => {}
        }
        ran
    }
}

fn overloaded() -> DatabaseError {
    DatabaseError::classify("D1_ERROR: D1 DB is overloaded. Requests queued for too long.")
}

fn lost() -> DatabaseError {
    DatabaseError::classify("D1_ERROR: Network connection lost.")
}

impl host::Database for Sqlite {
    fn batch<'a>(&'a self, statements: &'a [Statement]) -> Step<'a, Answer> {
        let (answer, answered) = oneshot::channel();
        let (own, statements) = (self.clone(), statements.to_vec());
        Box::pin(async move {
            let Parts { cell, scheduler, trace, .. } = &*own.0;
            if !scheduler.reach().has(*cell) {
                trace.wrong(format!("work that has nothing to do in cell {cell} sends a batch there"));
            }
            let scheduler = Rc::clone(scheduler);
            // The batch is on its way, whether or not somebody waits for its answer.
            scheduler.spawn(Group::World, async move {
                let _turn = match &own.0.connections {
                    Some(connections) => connections.acquire().await.ok(),
                    None => None,
                };
                #[cfg(test)]
                let began = own.0.scheduler.now();
                let _unheard = answer.send(own.trip(statements).await);
                #[cfg(test)]
                own.0.trips.borrow_mut().push((began, own.0.scheduler.now()));
            });
            answered.await.unwrap_or_else(|_| Err(lost()))
        })
    }
}
