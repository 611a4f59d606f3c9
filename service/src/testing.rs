//! SQLite in place of D1, and whole sends on it.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::new_without_default,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should panic"
)]

use crate::auth::role::Role;
use crate::auth::scope::{Scope, Scopes};
use crate::auth::totp::TotpSecret;
use crate::plan::{Actor, Guard as Guarded, Plan, Write};
use crate::request::declare::{Body, Reach, Terms};
use crate::request::error::RequestError;
use crate::sqlite::{self, fault, params};
use crate::store::error::DatabaseError;
use crate::store::keyring::Keyring;
use crate::store::keyring::practice::{Fresh, PracticeKeys};
use crate::store::lower::{Batch, lower};
use crate::store::sealer::Sealer;
use crate::store::{Done, Queries, Statement};
use crate::store::{data_key_writes, data_keys as practice_keys};
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{FactorId, PracticeId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::{SealedPlace, StoredDataKey};
use overturn_core::base::token::{ApiKey, Realm};
use overturn_core::claims::intake::{Bounds, RecentSends};
use rusqlite::{Connection, OptionalExtension};
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

mod cases;
pub(crate) mod decisions;
pub(crate) mod people;
mod sending;
mod several;

const MIGRATIONS: &str = "../edge/migrations";
const KEYS: &str = "1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
/// The same key after a new one.
pub(crate) const NEW_KEY: &str = "2:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI";
pub(crate) const BOTH_KEYS: &str =
    "2:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI,1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE";
const NOW: Instant = Instant(1_800_000_000_000);

/// What `claim_figures` has together, for each practice and for all, from the claims themselves.
const SCAN: &str = "SELECT s.value, c.status,
      iif(c.status IN ('recovered', 'closed'), '', ifnull(max(c.appeal_due, '2020-01-01'), '~')), count(*),
      sum(ifnull(c.billed_cents, 0) / 1000000000), sum(ifnull(c.billed_cents, 0) % 1000000000),
      sum(ifnull(c.denied_cents, 0) / 1000000000), sum(ifnull(c.denied_cents, 0) % 1000000000),
      sum(ifnull(c.recovered_cents, 0) / 1000000000), sum(ifnull(c.recovered_cents, 0) % 1000000000)
    FROM claims c CROSS JOIN json_each(json_array(c.practice_id, 'all')) s GROUP BY 1, 2, 3";

/// A plan of the service itself.
fn service(ctx: &Ctx, guards: Vec<Guarded>, writes: Vec<Write>) -> Plan {
    Plan { guards, actor: Actor::Service, ..Plan::of_operator(ctx, writes) }
}

/// A database with one practice and one key, and the tests' clock and random source.
pub(crate) struct Fixture {
    pub(crate) db: Connection,
    pub(crate) keys: Rc<Keyring>,
    pub(crate) key_hash: String,
    /// The daily limits for mismatched resends.
    pub(crate) bounds: Bounds,
    /// How many times the owners have to be notified by a separate batch.
    pub(crate) alarms: usize,
    /// The numbers of each send, by key.
    recent_sends: HashMap<String, RecentSends>,
    requests: Cell<u8>,
    nonces: u8,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let mut fixture = Self::empty();
        fixture.key_hash = fixture.provision(1);
        fixture
    }

    /// The same without the practice.
    pub(crate) fn empty() -> Self {
        let db = Connection::open_in_memory().unwrap();
        db.pragma_update(None, "foreign_keys", true).unwrap();
        let fixture = Self {
            db,
            keys: Rc::new(Keyring::parse(KEYS).ok().unwrap()),
            key_hash: String::new(),
            bounds: Bounds::default(),
            alarms: 0,
            recent_sends: HashMap::new(),
            requests: Cell::new(0),
            nonces: 0,
        };
        let mut migrations: Vec<_> = std::fs::read_dir(MIGRATIONS)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".sql"))
            .collect();
        migrations.sort();
        for name in migrations {
            let sql = std::fs::read_to_string(format!("{MIGRATIONS}/{name}")).unwrap();
            // In one transaction, as D1 does.
            fixture.db.execute_batch(&format!("BEGIN;{sql};COMMIT;")).unwrap();
        }
        fixture
    }

    /// Removes what would stop a writer of the database: the triggers.
    pub(crate) fn drop_triggers(&self) {
        let sql = "SELECT 'DROP TRIGGER ' || name FROM sqlite_master WHERE type = 'trigger'";
        let mut read = self.db.prepare(sql).unwrap();
        let drops: Vec<String> = read.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        self.db.execute_batch(&drops.join(";")).unwrap();
    }

    pub(crate) fn ctx(&self) -> Ctx {
        self.requests.set(self.requests.get() + 1);
        Ctx::new(NOW, [self.requests.get(); 32])
    }

    /// Its only practice.
    pub(crate) fn practice(&self) -> PracticeId {
        let id: String = self.db.query_row("SELECT id FROM practices", [], |row| row.get(0)).unwrap();
        PracticeId(id.parse().unwrap())
    }

    /// A practice with a signed agreement and a key.
    pub(crate) fn provision(&mut self, n: u8) -> String {
        let ctx = self.ctx();
        let [practice, key_id, agreement] = [0, 1, 2].map(|n| ctx.id(Purpose::Record, n));
        let key = ApiKey::mint(Realm::Test, [n; 24]);
        let (hash, hint, scopes, now) = (key.hash(), key.hint(), Scopes::of(&Scope::ALL), ctx.now.0);
        let rows = format!(
            "INSERT INTO practices (id, name, state, appeal_button, created_at)
             VALUES ('{practice}', 'Practice {n}', 'active', 1, {now});
             INSERT INTO agreements (practice_id, id, kind, version, signer_name, signer_title, signed_at)
             VALUES ('{practice}', '{agreement}', 'baa', '1', 'Ann', 'Owner', {now});
             INSERT INTO api_keys (practice_id, id, name, hash, hint, scopes, created_at, expires_at)
             VALUES ('{practice}', '{key_id}', 'Billing', '{hash}', '{hint}', '{scopes}', {now}, {now} + 31536000000)"
        );
        self.db.execute_batch(&rows).unwrap();
        hash
    }

    /// A staff member with a second factor.
    pub(crate) fn enrol(&mut self, n: u8) -> (UserId, FactorId, TotpSecret) {
        let number = self.count("SELECT count(*) FROM users");
        let ctx = Ctx::new(NOW, [n; 32]);
        let records = usize::try_from(number).unwrap() * 2;
        let id = UserId(ctx.id(Purpose::Record, records));
        let factor_id = FactorId(ctx.id(Purpose::Record, records + 1));
        let address = format!("{number}@overturn.example");
        let secret = TotpSecret::new([n; 20]);
        let writes = vec![people::account(id, None, Role::Staff, &address), people::factor(id, factor_id, &secret)];
        let batch = self.lower(&Plan::of_operator(&ctx, writes));
        self.run(&batch.statements).unwrap();
        (id, factor_id, secret)
    }

    pub(crate) fn lower(&mut self, plan: &Plan) -> Batch {
        let nonces = &mut self.nonces;
        let mut nonce = || {
            *nonces = nonces.wrapping_add(1);
            [*nonces; 24]
        };
        let service = Rc::clone(&self.keys);
        let practices = sealed_of(plan).into_iter();
        let keys: Vec<_> = practices.map(|practice| keys_of(&self.db, &service, practice)).collect();
        let mut sealer = Sealer::new(&service, &keys, &mut nonce);
        lower(plan, &mut sealer).unwrap()
    }

    /// The statements of a plan of the service with these writes.
    pub(crate) fn statements(&mut self, ctx: &Ctx, writes: Vec<Write>) -> Vec<Statement> {
        self.lower(&service(ctx, Vec::new(), writes)).statements
    }

    /// Commits a plan of the service.
    pub(crate) fn commit(
        &mut self,
        ctx: &Ctx,
        (guards, writes): (Vec<Guarded>, Vec<Write>),
    ) -> Result<Vec<Done>, DatabaseError> {
        let batch = self.lower(&service(ctx, guards, writes));
        self.run(&batch.statements)
    }

    /// Replaces the service's keys.
    pub(crate) fn rekey(&mut self, secret: &str) {
        self.keys = Rc::new(Keyring::parse(secret).ok().unwrap());
    }

    /// Runs a batch in one transaction, as D1 does.
    pub(crate) fn read<Q: Queries>(&mut self, queries: &Q) -> Q::Rows {
        let mut statements = Vec::new();
        queries.add_to(&mut statements);
        for statement in &statements {
            let reads = self.db.prepare_cached(statement.sql).unwrap().readonly();
            assert!(reads, "a query that writes: {}", statement.sql);
        }
        let done = self.run(&statements).unwrap();
        queries.rows(&mut done.iter()).unwrap()
    }

    pub(crate) fn run(&mut self, statements: &[Statement]) -> Result<Vec<Done>, DatabaseError> {
        let tx = self.db.transaction().map_err(fault)?;
        let ran = sqlite::run(&tx, statements)?;
        tx.commit().map_err(fault)?;
        self.assert_counted();
        Ok(ran.done)
    }

    /// Names the payers of claims that a test inserted.
    pub(crate) fn name_payers(&self) {
        let payers =
            "INSERT OR IGNORE INTO payers (practice_id, name) SELECT DISTINCT practice_id, payer_name FROM claims";
        self.db.execute_batch(payers).unwrap();
    }

    /// Fails if the counts are not those of a scan of the claims, or a payer is missing. A database without triggers has
    /// none.
    pub(crate) fn assert_counted(&self) {
        let counted = "SELECT count(*) FROM sqlite_master WHERE name = 'claims_count_changed'";
        if self.count(counted) == 0 {
            return;
        }
        let found = "SELECT scope, status, due, sum(claims), sum(billed_high), sum(billed_low), sum(denied_high),
               sum(denied_low), sum(recovered_high), sum(recovered_low) FROM (SELECT * FROM claim_figures
               UNION ALL SELECT 'all', status, due, claims, billed_high, billed_low, denied_high, denied_low, recovered_high,
                 recovered_low FROM uncounted_claims) GROUP BY 1, 2, 3";
        let wrong = format!(
            "SELECT count(*) FROM (SELECT * FROM ({SCAN} EXCEPT {found}) UNION ALL SELECT * FROM ({found} EXCEPT {SCAN}))"
        );
        assert_eq!(self.count(&wrong), 0, "the counts of claims");
        let missing = "SELECT count(*) FROM claims c WHERE NOT EXISTS (
              SELECT 1 FROM payers p WHERE p.practice_id = c.practice_id AND p.name = c.payer_name)";
        assert_eq!(self.count(missing), 0, "the names of payers");
    }

    /// SQLite's query plan for a statement.
    pub(crate) fn plan(&self, statement: &Statement) -> Vec<String> {
        let explain = format!("EXPLAIN QUERY PLAN {}", statement.sql);
        let mut prepared = self.db.prepare(&explain).unwrap();
        let steps = prepared.query_map(params(statement), |row| row.get(3));
        steps.unwrap().map(Result::unwrap).collect()
    }

    /// Fails if a statement scans a table, or all rows of a practice, unless the step contains one of the `harmless`
    /// texts.
    pub(crate) fn assert_indexed(&self, statement: &Statement, harmless: &[&str]) {
        let steps = self.plan(statement);
        for step in &steps {
            let harmless = harmless.iter().any(|word| step.contains(word));
            // A practice has few agreements.
            let few = step.starts_with("SEARCH a ")
                // It has few data keys.
                || step.starts_with("SEARCH dk ")
                // The end of the index, through `ORDER BY` and `LIMIT 1`.
                || step.ends_with(" USING COVERING INDEX claim_changed_once (practice_id=?)")
                || step.ends_with(" USING COVERING INDEX audit_sequence (practice_id=?)");
            let whole_practice = step.contains("(practice_id=?)") && !few;
            // The rows of a page, which were already found.
            let page = step.strip_prefix("SCAN ");
            let page = page.is_some_and(|name| {
                ["CO-ROUTINE", "MATERIALIZE"].iter().any(|made| steps.contains(&format!("{made} {name}")))
            })
                // One row with the practice's last change number.
                || step == "SCAN base";
            assert!(
                harmless || page || !whole_practice && !step.starts_with("SCAN"),
                "{step} in {steps:?} of {}",
                statement.sql
            );
        }
    }

    pub(crate) fn count(&self, sql: &str) -> i64 {
        self.db.query_row(sql, [], |row| row.get(0)).unwrap()
    }
}

/// The practices whose values a plan seals.
fn sealed_of(plan: &Plan) -> BTreeSet<PracticeId> {
    let sealed = plan.writes.iter().filter_map(|write| match write {
        Write::Sql(statement) => Some(statement.sealed().filter_map(SealedPlace::practice)),
        _ => None,
    });
    sealed.flatten().collect()
}

/// The stored keys of a practice. A practice without one gets one here, so that batches need not make it.
pub(crate) fn keys_of<'k>(db: &Connection, service: &'k Keyring, practice: PracticeId) -> PracticeKeys<'k> {
    let stored = stored_key(db, practice);
    let fresh = Fresh::new(&Ctx::new(NOW, [200; 32]), 0, [42; 32], [42; 24]);
    let keys = service.of_practice(practice, stored.as_ref());
    let keys = keys.or_new(fresh).ok().unwrap();
    if let Some(new) = keys.data().unwrap().new_row() {
        let statement = data_key_writes::insert(new, NOW);
        assert_eq!(db.execute(statement.sql, params(&statement)).unwrap(), 1);
    }
    service.of_practice(practice, stored_key(db, practice).as_ref())
}

/// The newest data key of a practice.
pub(crate) fn stored_key(db: &Connection, practice: PracticeId) -> Option<StoredDataKey> {
    let query = practice_keys::of_practice(practice);
    let statement = query.statement();
    let read = |row: &rusqlite::Row<'_>| row.get(0);
    let json: Option<String> = db.query_row(statement.sql, params(statement), read).optional().unwrap();
    query.row(json.as_deref()).unwrap()
}

pub(crate) fn claim(number: &str, billed: &str) -> String {
    format!(
        r#"{{"patient": {{"first_name": "Jane", "last_name": "Doe", "date_of_birth": "1980-02-29"}},
            "claim": {{"claim_number": "{number}", "payer_claim_number": "ICN-1", "payer_name": "Acme",
              "date_of_service": "2026-01-02", "billed_amount": "{billed}", "denial_codes": "co45,N130,free text"}}}}"#
    )
}

/// A claim of a plan with a rule, which makes the deadline 180 days after the denial.
pub(crate) fn due(number: &str, denied_on: &str, denied: &str) -> String {
    let more =
        format!(r#""plan_type": "erisa", "denial_date": "{denied_on}", "denied_amount": "{denied}", "payer_name""#);
    claim(number, "10.00").replace(r#""payer_name""#, &more)
}

/// A body with these claims.
pub(crate) fn send_of(claims: &[String]) -> String {
    format!(r#"{{"claims": [{}]}}"#, claims.join(","))
}

pub(crate) fn batch(numbers: impl IntoIterator<Item = u32>) -> String {
    let items = numbers.into_iter().map(|n| claim(&format!("B-{n}"), "10.00"));
    send_of(&items.collect::<Vec<_>>())
}

/// A declared body.
pub(crate) fn parse<B: Body>(body: impl AsRef<[u8]>, ctx: &Ctx) -> Result<B, RequestError> {
    B::parse(body.as_ref(), Terms::new(ctx, Reach::Internet))
}
