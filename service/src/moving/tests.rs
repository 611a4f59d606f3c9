use super::course::{Places, carry_on, read};
use super::record::{self, Move, Step};
use super::rows::{Range, Side};
use super::tables::{self, Table};
use crate::plan::{Actor, Guard, Plan, Write};
use crate::sqlite::{fault, run};
use crate::store::error::{DatabaseError, FENCED, LEFT};
use crate::store::{Done, Statement};
use crate::testing::Fixture;
use overturn_core::base::cell::Cell as Number;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};

mod faults;
mod names;
mod seed;

/// Three cells, in which batches run until one is lost: before it runs, or its answer. Each may also run a second time, late.
struct World {
    cells: [RefCell<Fixture>; 3],
    now: Cell<i64>,
    seeds: Cell<u8>,
    /// How many batches are answered.
    left: Cell<usize>,
    runs_the_lost: Cell<bool>,
    /// How many batches later each runs again, if it does.
    lag: Cell<usize>,
    /// The largest answer of a statement, in bytes.
    largest: Cell<usize>,
    late: RefCell<VecDeque<(Number, Vec<Statement>)>>,
    /// What callers do between two batches.
    between: RefCell<Vec<Between>>,
    practice: PracticeId,
}

type Between = Box<dyn Fn(&World)>;

/// Whether a caller finds the practice by its key.
const FINDS: &str = "SELECT count(*) FROM api_keys WHERE hash = 'x0api_keys'";

const LOST: DatabaseError = DatabaseError::Transient("lost");

impl World {
    fn new() -> Self {
        let first = Fixture::empty();
        let (mut second, third) = (Fixture::empty(), Fixture::empty());
        second.key_hash = second.provision(1);
        let practice = second.practice();
        seed::everything(&second, practice);
        let cells = [first, second, third].map(RefCell::new);
        let world = Self {
            cells,
            now: Cell::new(1_800_000_000_000),
            seeds: Cell::new(100),
            left: Cell::new(usize::MAX),
            runs_the_lost: Cell::new(false),
            lag: Cell::new(usize::MAX),
            largest: Cell::new(usize::MAX),
            late: RefCell::default(),
            between: RefCell::default(),
            practice,
        };
        world.cells[0].borrow().db.execute("INSERT INTO places VALUES (?1, 1)", [practice.to_string()]).unwrap();
        world
    }

    fn tables(&self) -> Vec<Table> {
        let stored = tables::stored();
        let fixture = self.cells[0].borrow();
        let json: String = fixture.db.query_row(stored.statement().sql, [], |row| row.get(0)).unwrap();
        tables::ordered(stored.row(Some(&json)).unwrap())
    }

    /// The rows of the practice and its sandbox in a cell, by table.
    fn rows(&self, cell: usize) -> BTreeMap<String, Vec<String>> {
        let fixture = self.cells[cell].borrow();
        let ids = [self.practice.to_string(), seed::SANDBOX.to_owned()];
        let of = |table: &Table| {
            let rows = ids.iter().flat_map(|id| {
                let range = Range { of: id, after: None, until: None, most: 1000 };
                let query = table.read(Side::Target, &range);
                let sql = query.statement().sql;
                let json: String = fixture.db.query_row(sql, [id], |row| row.get(0)).unwrap();
                query.row(Some(&json)).unwrap()
            });
            (table.name.clone(), rows.map(|(_, row)| row.to_string()).collect())
        };
        self.tables().iter().map(of).collect()
    }

    fn schema(&self, cell: usize) -> Vec<String> {
        let fixture = self.cells[cell].borrow();
        let mut names =
            fixture.db.prepare("SELECT name || sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").unwrap();
        let names = names.query_map([], |row| row.get(0)).unwrap();
        names.map(Result::unwrap).collect()
    }

    /// Cancels the open move, and carries it on to its end.
    fn cancel(&self) {
        let ctx = self.ctx().unwrap();
        futures_executor(self.commit(&ctx, (Vec::new(), vec![record::cancel(self.practice)]))).unwrap();
        while self.open().is_some() {
            self.carry_on(usize::MAX).unwrap();
        }
    }

    /// The old cells are emptied.
    fn let_a_day_pass(&self) {
        self.now.set(self.now.get() + 2 * super::KEPT_MS);
        let due = Instant(self.now.get() - super::KEPT_MS);
        for mv in futures_executor(read(self, Number::FIRST, &record::open(due))).unwrap() {
            assert_eq!(mv.step, Step::Done);
            futures_executor(carry_on(self, mv, Instant(i64::MAX))).unwrap();
        }
        assert!(futures_executor(read(self, Number::FIRST, &record::open(due))).unwrap().is_empty());
    }

    /// Only nameless rows are left.
    fn assert_gone(&self, cell: usize) {
        for (table, rows) in self.rows(cell) {
            assert!(rows.is_empty() || ["practices", "users"].contains(&&*table), "{table}: {rows:?}");
        }
        let named =
            "SELECT (SELECT count(*) FROM users WHERE name || email || email_key <> '' OR password_hash IS NOT NULL)
                       + (SELECT count(*) FROM practices WHERE name <> '') + (SELECT count(*) FROM moving_changes)";
        assert_eq!(self.cells[cell].borrow().count(named), 0);
    }

    fn begin(&self, to: u16) -> Move {
        let ctx = self.ctx().unwrap();
        let from = self.place();
        let begun = record::begin(&ctx, self.practice, [Number(from), Number(to)]);
        futures_executor(self.commit(&ctx, (Vec::new(), vec![begun]))).unwrap();
        self.open().unwrap()
    }

    fn transact(&self, cell: Number, statements: &[Statement]) -> Result<Vec<Done>, DatabaseError> {
        let mut fixture = self.cells[usize::from(cell.0)].borrow_mut();
        let tx = fixture.db.transaction().map_err(fault)?;
        let ran = run(&tx, statements)?;
        if ran.done.iter().flat_map(|done| &done.json).any(|json| json.len() > self.largest.get()) {
            return Err(DatabaseError::Broken("too_large"));
        }
        tx.commit().map_err(fault)?;
        Ok(ran.done)
    }

    /// Runs a batch again that ran some time ago, and nothing is to be another way than before.
    fn run_late(&self, cell: Number, statements: &[Statement]) {
        let mut late = self.late.borrow_mut();
        if statements.iter().any(|one| !one.sql.starts_with("SELECT")) {
            late.push_back((cell, statements.to_vec()));
        }
        if late.len() > self.lag.get()
            && let Some((cell, statements)) = late.pop_front()
        {
            let before = self.contents(cell);
            let _refused = self.transact(cell, &statements);
            assert_eq!(self.contents(cell), before, "{:?}", statements.iter().map(|one| one.sql).collect::<Vec<_>>());
        }
    }

    /// The rows of all tables of a cell. A copy of what rows refer to beside may come late.
    fn contents(&self, cell: Number) -> Vec<String> {
        let fixture = self.cells[usize::from(cell.0)].borrow();
        let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('spent_proofs') ORDER BY name";
        let mut names = fixture.db.prepare_cached(sql).unwrap();
        let names: Vec<String> = names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let rows = names.iter().flat_map(|name| {
            let mut all = fixture.db.prepare_cached(&format!("SELECT * FROM {name}")).unwrap();
            let columns = all.column_count();
            let row = |row: &rusqlite::Row<'_>| {
                let values = (0..columns).map(|n| row.get::<_, rusqlite::types::Value>(n));
                Ok(format!("{name} {:?}", values.collect::<Result<Vec<_>, _>>()?))
            };
            all.query_map([], row).unwrap().map(Result::unwrap).collect::<Vec<_>>()
        });
        rows.collect()
    }

    fn place(&self) -> u16 {
        self.cells[0].borrow().db.query_row("SELECT cell FROM places", [], |row| row.get(0)).unwrap()
    }

    fn open(&self) -> Option<Move> {
        futures_executor(read(self, Number::FIRST, &record::newest()))
            .unwrap()
            .into_iter()
            .find(|mv| mv.ended_at.is_none())
    }

    /// Lets somebody carry the open move on until so many batches ran.
    fn carry_on(&self, batches: usize) -> Result<(), DatabaseError> {
        let Some(mv) = self.open() else { return Ok(()) };
        self.left.set(batches);
        self.now.set(self.now.get() + 120_000);
        let went = futures_executor(carry_on(self, mv, Instant(i64::MAX)));
        self.left.set(usize::MAX);
        went
    }

    /// Writes as a caller does that finds the practice by its key. False if it has to wait.
    fn write(&self, sql: &str) -> bool {
        for cell in &self.cells {
            let fixture = cell.borrow();
            if fixture.count(FINDS) == 1 {
                return match fixture.db.execute_batch(sql).map_err(fault) {
                    Ok(()) => true,
                    Err(DatabaseError::Transient(FENCED)) => false,
                    Err(other) => panic!("{other:?} for {sql}"),
                };
            }
        }
        false
    }
}

/// Nothing here waits.
fn futures_executor<T>(work: impl Future<Output = T>) -> T {
    let mut work = Box::pin(work);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match work.as_mut().poll(&mut context) {
        std::task::Poll::Ready(done) => done,
        std::task::Poll::Pending => panic!("it waits"),
    }
}

impl Places for World {
    fn now(&self) -> Instant {
        Instant(self.now.get())
    }

    fn ctx(&self) -> Result<Ctx, DatabaseError> {
        self.seeds.set(self.seeds.get().wrapping_add(1));
        let [low, high] = [self.seeds.get(), u8::try_from(self.now.get() / 120_000 % 256).unwrap()];
        let mut seed = [low; 32];
        seed[0] = high;
        Ok(Ctx::new(self.now(), seed))
    }

    async fn batch(&self, cell: Number, statements: &[Statement]) -> Result<Vec<Done>, DatabaseError> {
        let lost = self.left.get() == 0;
        self.left.set(self.left.get().saturating_sub(1));
        if lost && !self.runs_the_lost.get() {
            return Err(LOST);
        }
        let ran = self.transact(cell, statements);
        for act in &*self.between.borrow() {
            act(self);
        }
        self.run_late(cell, statements);
        if lost { ran.and(Err(LOST)) } else { ran }
    }

    async fn commit(&self, ctx: &Ctx, (guards, writes): (Vec<Guard>, Vec<Write>)) -> Result<Vec<Done>, DatabaseError> {
        let plan = Plan { guards, actor: Actor::Operator, ..Plan::of_operator(ctx, writes) };
        let batch = self.cells[0].borrow_mut().lower(&plan);
        self.batch(Number::FIRST, &batch.statements).await
    }
}

#[test]
fn every_table_with_a_practice_or_a_person_moves() {
    let world = World::new();
    let moved: Vec<String> = world.tables().into_iter().map(|table| table.name).collect();
    let fixture = world.cells[0].borrow();
    let sql = "SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
               WHERE m.type = 'table' AND c.name IN ('practice_id', 'user_id') AND m.name NOT IN ('places', 'addresses', 'domains', 'logins')";
    let mut found = fixture.db.prepare(sql).unwrap();
    for name in found.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap) {
        assert!(moved.contains(&name), "{name}");
    }
    let at = |name: &str| moved.iter().position(|one| one == name);
    assert!(at("practices") < at("users") && at("claims") < at("claim_notes") && at("deliveries") < at("attempts"));
}

#[test]
fn a_practice_with_rows_in_every_table_moves_as_it_is_and_back() {
    let world = World::new();
    let before = world.rows(1);
    let schema = world.schema(2);
    for (name, rows) in &before {
        assert!(!rows.is_empty(), "{name}: {rows:?}");
    }
    for (to, from) in [(2, 1), (0, 2), (1, 0), (2, 1)] {
        world.begin(to);
        world.carry_on(usize::MAX).unwrap();
        assert!(world.open().is_none());
        assert_eq!(world.place(), to);
        assert_eq!(world.rows(to.into()), before);
        let left = world.cells[from].borrow();
        let refused = left.db.execute("UPDATE claims SET payer_name = 'y'", []).map_err(fault);
        assert_eq!(refused.unwrap_err(), DatabaseError::Transient(LEFT));
        assert_eq!(left.count("SELECT count(*) FROM api_keys WHERE hash NOT LIKE 'moved:%'"), 0);
        assert_eq!(left.count(&format!("SELECT count(*) FROM forwards WHERE what = 'x0api_keys' AND cell = {to}")), 1);
        assert_eq!(left.count("SELECT count(*) FROM practices WHERE state NOT LIKE 'moved:%'"), 0);
        // Of the sums, those of other practices stay.
        let others = if from == 1 { 3 } else { 0 };
        assert_eq!(left.count("SELECT coalesce(sum(claims), 0) FROM claim_counts"), others);
    }
    // A move back that begins and is canceled leaves what is in the old cell to the move before.
    world.begin(1);
    world.cancel();
    world.let_a_day_pass();
    for cell in [0, 1] {
        world.assert_gone(cell);
    }
    assert_eq!([0, 1, 2].map(|cell| world.schema(cell)), [schema.clone(), schema.clone(), schema]);
    assert_eq!(world.rows(2), before);
}

#[test]
fn a_move_that_breaks_off_after_any_batch_goes_on_and_loses_no_write() {
    for runs_the_lost in [false, true] {
        let world = World::new();
        world.runs_the_lost.set(runs_the_lost);
        world.begin(2);
        let (mut written, mut waited, mut attempts) = (0, 0, 0);
        while world.open().is_some() {
            attempts += 1;
            assert!(attempts < 200, "it comes to no end");
            let went = world.carry_on(attempts);
            assert!(matches!(went, Ok(()) | Err(LOST)), "{went:?}");
            let note = format!(
                "INSERT INTO notices (practice_id, id, kind, at, next_at) VALUES ('{}', 'w{written}', 'x', 1, 1);
                 UPDATE practices SET name = 'Name {written}' WHERE id = '{}'",
                world.practice, world.practice
            );
            if world.write(&note) {
                written += 1;
            } else {
                waited += 1;
            }
        }
        assert_eq!(world.place(), 2);
        let here = world.cells[2].borrow();
        assert_eq!(here.count("SELECT count(*) FROM notices WHERE id LIKE 'w%'"), written, "{waited} waited");
        let name: String =
            here.db.query_row("SELECT name FROM practices WHERE sandbox_of IS NULL", [], |row| row.get(0)).unwrap();
        assert_eq!(name, format!("Name {}", written - 1));
        drop(here);
        assert!(written > 15, "{written} of {attempts}");
        // Small tables are copied together.
        assert!(attempts < 60, "{attempts}");
    }
}

#[test]
fn a_canceled_move_leaves_nothing_and_a_second_one_of_a_practice_does_not_begin() {
    let world = World::new();
    let before = world.rows(1);
    let first = world.begin(2);
    assert_eq!(world.begin(0).id, first.id);
    for batches in [3, 6, 9, 12] {
        assert_eq!(world.carry_on(batches), Err(LOST));
    }
    world.cancel();
    assert_eq!((world.place(), world.rows(1)), (1, before));
    world.assert_gone(2);
    assert_eq!(world.schema(1), world.schema(0));
    assert!(world.write("UPDATE practices SET name = 'Mine' WHERE sandbox_of IS NULL"));
}

#[test]
fn a_move_waits_until_both_cells_have_the_same_schema() {
    let world = World::new();
    let migrate = |cell: usize| {
        let next = "ALTER TABLE claims ADD COLUMN later TEXT; CREATE TABLE laters (practice_id TEXT PRIMARY KEY)";
        world.cells[cell].borrow().db.execute_batch(next).unwrap();
    };
    world.begin(2);
    assert_eq!(world.carry_on(12), Err(LOST));
    migrate(2);
    assert_eq!(world.carry_on(usize::MAX), Err(DatabaseError::Broken("cells_differ")));
    migrate(1);
    assert!(
        world.write("UPDATE claims SET later = 'kept'; INSERT INTO laters SELECT DISTINCT practice_id FROM claims")
    );
    world.carry_on(usize::MAX).unwrap();
    let kept = "SELECT (SELECT count(*) FROM claims WHERE later = 'kept') + (SELECT count(*) FROM laters)";
    assert_eq!((world.place(), world.cells[2].borrow().count(kept)), (2, world.cells[1].borrow().count(kept)));
}

#[test]
fn what_is_no_practice_of_the_old_cell_does_not_move() {
    let mut world = World::new();
    let practice = world.practice;
    for id in [seed::SANDBOX, "018f0000-0000-7000-8000-000000000009"] {
        world.practice = PracticeId(id.parse().unwrap());
        let begun = world.begin(2).id;
        world.carry_on(usize::MAX).unwrap();
        let moves = futures_executor(read(&world, Number::FIRST, &record::newest())).unwrap();
        let ended = moves.iter().find(|mv| mv.id == begun).map(|mv| mv.step);
        assert_eq!((world.place(), ended), (1, Some(Step::Cancelled)));
    }
    world.practice = practice;
    assert!(world.write("UPDATE practices SET name = 'Mine' WHERE sandbox_of IS NULL"));
    assert_eq!(world.schema(1), world.schema(0));
}

#[test]
fn whoever_was_slow_changes_nothing_any_more() {
    let world = World::new();
    let mv = world.begin(2);
    assert_eq!(world.carry_on(8), Err(LOST));
    // Another one takes it, and the first one goes on with what it knew.
    let slow = super::hand::Hand { practice: mv.practice, epoch: 1, number: 1_000 };
    world.carry_on(usize::MAX).unwrap();
    let late = futures_executor(world.batch(Number(2), &slow.batch("arriving", &[], Vec::new())));
    assert!(matches!(late, Err(DatabaseError::Conflict(_))), "{late:?}");
}

#[test]
fn a_sandbox_that_the_operator_named_once_moves_with_its_practice() {
    let mut world = World::new();
    let (practice, before) = (world.practice, world.rows(1));
    world.practice = PracticeId(seed::SANDBOX.parse().unwrap());
    world.begin(2);
    world.cancel();
    world.practice = practice;
    world.begin(2);
    world.carry_on(usize::MAX).unwrap();
    assert_eq!((world.place(), world.rows(2)), (2, before));
}

#[test]
fn what_begins_a_move_late_changes_nothing_once_it_was_canceled() {
    let world = World::new();
    let before = world.schema(1);
    let mv = world.begin(2);
    world.cancel();
    let slow = super::hand::Hand { practice: mv.practice, epoch: 0, number: 1 };
    let ids = [mv.practice.to_string()];
    for (cell, writes) in [(Number(1), slow.leaving().to_vec()), (Number(2), vec![slow.first(), slow.arriving(&ids)])] {
        let batch: Vec<_> = super::watch::begin(&world.tables()).into_iter().chain(writes).collect();
        let late = futures_executor(world.batch(cell, &batch));
        assert!(matches!(late, Err(DatabaseError::Conflict(_))), "{late:?}");
    }
    assert_eq!((world.schema(1), world.schema(2)), (before.clone(), before));
}
