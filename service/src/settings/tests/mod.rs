//! The statements of a practice's settings.

mod api_tokens;
mod audit;
mod practice;
mod trail;

use overturn_core::auth::person::Person;
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::base::id::{PracticeId, UserId};
use overturn_core::plan::change::Change;
use overturn_core::plan::{Plan, Write};
use overturn_core::testing::person;
use overturn_store::error::DatabaseError;
use overturn_store::testing::Fixture;
use overturn_store::{Queries, Statement};
use uuid::Uuid;

/// A practice has few people, keys, tokens and agreements, and a caller is one row of two tables.
const HARMLESS: [&str; 5] = [
    "VIRTUAL TABLE",
    "CONSTANT ROW",
    "SEARCH agreements",
    "SEARCH users USING",
    "SEARCH k USING PRIMARY KEY (practice_id=?)",
];

/// A practice with an owner and a member. The hashes of their sessions are `owner` and `member`.
struct Office {
    f: Fixture,
    practice: PracticeId,
}

impl Office {
    fn new() -> Self {
        let f = Fixture::new();
        let practice: String = f.db.query_row("SELECT id FROM practices", [], |row| row.get(0)).unwrap();
        let office = Self { f, practice: PracticeId(practice.parse().unwrap()) };
        for role in [Role::Owner, Role::Member] {
            let (user, name) = (office.person(role).user_id, role.name());
            let rows = format!(
                "INSERT INTO users (id, practice_id, role, state, email, email_key, name, created_at)
                 VALUES ('{user}', '{practice}', '{name}', 'active', '{name}@a.example', '{name}@a.example', 'Ann', 0);
                 INSERT INTO sessions (user_id, id, hash, kind, epoch, created_at, ends_at, seen_at, ip, agent)
                 VALUES ('{user}', '{user}', '{name}', 'full', 1, 0, 1900000000000, 0, '', '')"
            );
            office.f.db.execute_batch(&rows).unwrap();
        }
        office
    }

    fn person(&self, role: Role) -> Person {
        let user_id = UserId(Uuid::from_u128(if role == Role::Owner { 10 } else { 11 }));
        Person { user_id, practice_id: Some(self.practice), ..person(role, Action::ReadPractice) }
    }

    /// Reads rows, which are found by an index.
    fn read<Q: Queries>(&mut self, query: &Q) -> Q::Rows {
        let mut statements = Vec::new();
        query.add_to(&mut statements);
        self.assert_indexed(&statements);
        self.f.read(query)
    }

    /// Commits a change, which finds its rows by an index. Its writes run twice, as after a lost answer, and the second time
    /// they change nothing.
    fn commit(&mut self, change: Change) -> Result<(), DatabaseError> {
        let ctx = self.f.ctx();
        // Its audit row would stop the second time.
        let writes = change.writes.into_iter().filter(|write| !matches!(write, Write::Audit(_))).collect();
        let mut plan = Plan { guards: change.guards, ..Plan::of_operator(&ctx, writes) };
        let batch = self.f.lower(&plan);
        self.assert_indexed(&batch.statements);
        self.f.run(&batch.statements)?;
        let once = self.everything();
        plan.guards.clear();
        let again = self.f.lower(&plan);
        self.f.run(&again.statements)?;
        assert_eq!(self.everything(), once);
        Ok(())
    }

    fn assert_indexed(&self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.f.assert_indexed(statement, &HARMLESS));
    }

    /// The rows of the settings.
    fn everything(&self) -> Vec<String> {
        let mut rows = Vec::new();
        for table in ["practices", "agreements", "api_keys", "api_tokens", "sessions", "notices", "trail_heads"] {
            let mut select = self.f.db.prepare(&format!("SELECT * FROM {table}")).unwrap();
            let columns = select.column_count();
            let row =
                |row: &rusqlite::Row<'_>| Ok((0..columns).map(|n| format!("{:?} ", row.get_ref(n).unwrap())).collect());
            rows.extend(select.query_map([], row).unwrap().map(Result::<String, _>::unwrap));
        }
        rows
    }
}
