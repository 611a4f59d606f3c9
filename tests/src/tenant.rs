//! Practices and their keys.

use crate::answer::Sent;
use crate::client::Client;
use crate::database::{Database, lowered, statement};
use crate::person::Person;
use crate::sealed;
use crate::server::{SEALING_KEYS, Server};
use overturn_core::base::cell::Cell;
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{PracticeId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::base::token::{ApiKey, Realm};
use overturn_service::auth::role::Role;
use overturn_service::auth::scope::{Scope, Scopes};
use overturn_service::plan::{Plan, Write};
use overturn_service::store::keyring::Keyring;
use overturn_service::store::lower::lower;
use overturn_service::store::sealer::Sealer;
use serde_json::{Value, json};
use std::time::SystemTime;

/// The version of the agreement that practices are asked to sign.
pub const AGREEMENT_VERSION: &str = "2026-11-21";
const YEAR_MS: i64 = 365 * 86_400_000;

#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub active: bool,
    pub signed: bool,
    pub appeal_button: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self { active: true, signed: true, appeal_button: true }
    }
}

#[derive(Debug)]
pub struct Tenant<'s> {
    pub server: &'s Server,
    pub id: PracticeId,
    /// A key with all scopes.
    pub key: Key,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    pub claims: i64,
    pub submissions: i64,
    pub events: i64,
    pub audit: i64,
}

#[derive(Clone, Debug)]
pub struct Key {
    pub text: String,
    pub id: String,
    pub hash: String,
}

impl<'s> Tenant<'s> {
    /// An active practice with a signed agreement.
    pub fn new(server: &'s Server) -> Self {
        Self::on(server, Terms::default())
    }

    /// The same, on the server that tests share.
    pub fn shared() -> Tenant<'static> {
        Tenant::new(Server::shared())
    }

    pub fn on(server: &'s Server, terms: Terms) -> Self {
        let [chance] = random();
        Self::made(server, terms, Cell(u16::from(chance) % server.cells()))
    }

    /// The same in this cell.
    pub fn in_cell(server: &'s Server, cell: u16) -> Self {
        Self::made(server, Terms::default(), Cell(cell))
    }

    fn made(server: &'s Server, terms: Terms, cell: Cell) -> Self {
        let ctx = ctx().in_cell(cell);
        let id = PracticeId(ctx.id(Purpose::Record, 0));
        let (practice, now) = (id.to_string(), ctx.now.0.to_string());
        let state = if terms.active { "active" } else { "inactive" };
        let button = if terms.appeal_button { "1" } else { "0" };
        let database = server.database();
        database.change(
            "INSERT INTO practices (id, name, state, appeal_button, created_at)
             VALUES (?1, 'Practice', ?2, CAST(?3 AS INTEGER), CAST(?4 AS INTEGER))",
            &[&practice, state, button, &now],
        );
        if terms.signed {
            database.change(
                "INSERT INTO agreements (practice_id, id, kind, version, signer_name, signer_title, signed_at)
                 VALUES (?1, ?2, 'baa', '1', 'Ann', 'Owner', CAST(?3 AS INTEGER))",
                &[&practice, &ctx.id(Purpose::Record, 1).to_string(), &now],
            );
        }
        let key = mint(server, id, &Scope::ALL, Realm::Test);
        Self { server, id, key }
    }

    pub fn key(&self, scopes: &[Scope], realm: Realm) -> Key {
        mint(self.server, self.id, scopes, realm)
    }

    pub fn client(&self) -> Client {
        self.client_of(&self.key)
    }

    pub fn client_of(&self, key: &Key) -> Client {
        let bearer = format!("Bearer {}", key.text);
        self.server.client().with("Authorization", &bearer)
    }

    /// The number that a query `SELECT … AS n` returns. The practice is `?1`.
    pub fn number(&self, sql: &str) -> i64 {
        let id = self.id.to_string();
        self.server.database().number(sql, &[&id])
    }

    pub fn send(&self, body: &Value) -> Sent {
        Sent::read(body, &self.client().send(body))
    }

    pub fn row(&self, claim_number: &str) -> Value {
        let mut rows = self.rows("SELECT * FROM claims WHERE practice_id = ?1 AND claim_number = ?2", &[claim_number]);
        assert_eq!(rows.len(), 1, "{claim_number}");
        rows.remove(0)
    }

    /// The rows of a query. The practice is `?1`, and the parameters follow.
    pub fn rows(&self, sql: &str, params: &[&str]) -> Vec<Value> {
        let id = self.id.to_string();
        let params = [&[&*id], params].concat();
        self.server.database().rows(sql, &params)
    }

    /// Runs a statement that changes rows, with the same parameters.
    pub fn change(&self, sql: &str, params: &[&str]) {
        let _none = self.rows(sql, params);
    }

    /// Changes what is counted of the practice's claims. The job of each minute may have counted them, and a counted claim
    /// changes only with a new number: so they are uncounted first.
    pub fn change_claims(&self, sql: &str, params: &[&str]) {
        let id = self.id.to_string();
        let uncounted = [
            "UPDATE claims SET changed = changed + 1000000000 WHERE practice_id = ?1",
            "UPDATE practices SET counted = 0 WHERE id = ?1",
            "UPDATE claims SET changed = changed - 1000000000 WHERE practice_id = ?1",
        ];
        let mut batch = uncounted.map(|sql| statement(sql, &[&id])).to_vec();
        batch.push(statement(sql, &[&[&*id], params].concat()));
        let _none = self.server.database().batch(&batch);
    }

    /// Opens the sealed value of a claim's row.
    pub fn opened(&self, row: &Value) -> Value {
        self.opened_by(&keyring(), row)
    }

    /// The same, with the keys of another secret.
    pub fn opened_by(&self, keys: &Keyring, row: &Value) -> Value {
        let place = self.claim_place(row);
        serde_json::from_slice(&sealed::opened(self, keys, place, row)).unwrap()
    }

    /// The audit rows with this action, oldest first.
    pub fn audit(&self, action: &str) -> Vec<Value> {
        let sql = "SELECT actor, record, request_id, json(detail) AS detail FROM audit
                   WHERE practice_id = ?1 AND action = ?2 ORDER BY id";
        self.rows(sql, &[action])
    }

    /// Counts the practice's rows in the tables that a send writes to. Rows about mismatched resends are not counted.
    pub fn counts(&self) -> Counts {
        Counts {
            claims: self.count("claims"),
            submissions: self.count("submissions"),
            events: self.count("claim_history"),
            // Without the row about the data key, which the first send makes.
            audit: self.number(
                "SELECT count(*) AS n FROM audit WHERE practice_id = ?1 AND action NOT IN ('claims.mismatched', 'data_key.created')",
            ),
        }
    }

    /// How many rows the practice has in a table.
    pub fn count(&self, table: &str) -> i64 {
        self.number(&format!("SELECT count(*) AS n FROM {table} WHERE practice_id = ?1"))
    }

    pub fn owner(&self) -> Client {
        Person::of(self, Role::Owner).client()
    }

    pub fn admin(&self) -> Client {
        Person::of(self, Role::Admin).client()
    }

    pub fn member(&self) -> Client {
        Person::of(self, Role::Member).client()
    }

    /// An integration with an API token that a person makes.
    pub fn integration(&self, person: &Client, scopes: &[&str]) -> Client {
        let body = json!({ "name": "Reader", "scopes": scopes, "expires_in_days": 1 });
        let made = person.post("/api/v1/settings/api_tokens", body.to_string());
        made.expect(201);
        let bearer = format!("Bearer {}", made.json["token"].as_str().unwrap());
        self.server.client().with("Authorization", &bearer)
    }

    /// The bodies of the webhook messages of the practice.
    pub fn messages(&self) -> Vec<Value> {
        let rows = self.rows("SELECT body FROM deliveries WHERE practice_id = ?1 ORDER BY id", &[]);
        rows.iter().map(|row| serde_json::from_str(row["body"].as_str().unwrap()).unwrap()).collect()
    }

    pub fn claims(&self) -> i64 {
        self.count("claims")
    }

    /// Checks that the practice's rows are consistent.
    pub fn check(&self) {
        for (rule, broken) in CONSISTENT {
            assert_eq!(self.number(broken), 0, "{rule}");
        }
    }
}

/// Rules about a practice's rows, each with a query that counts violations.
pub const CONSISTENT: [(&str, &str); 10] = [
    (
        "a claim belongs to a submission",
        "SELECT count(*) AS n FROM claims c WHERE practice_id = ?1 AND NOT EXISTS (
           SELECT 1 FROM submissions s WHERE s.practice_id = c.practice_id AND s.id = c.submission_id)",
    ),
    (
        "a submission has claims",
        "SELECT count(*) AS n FROM submissions s WHERE practice_id = ?1 AND NOT EXISTS (
           SELECT 1 FROM claims c WHERE c.practice_id = s.practice_id AND c.submission_id = s.id)",
    ),
    (
        "the events of a claim are its versions, the first of which is its arrival in its submission",
        "SELECT count(*) AS n FROM claims c JOIN submissions s ON s.practice_id = c.practice_id AND s.id = c.submission_id
         WHERE c.practice_id = ?1 AND (SELECT count(*) || ' ' || min(version) || ' ' || max(version) || ' ' ||
             sum(kind = 'received') || ' ' || max(iif(version = 1, kind || request_id, '')) FROM claim_history e
             WHERE e.practice_id = c.practice_id AND e.claim_id = c.id)
           IS NOT c.version || ' 1 ' || c.version || ' 1 received' || s.request_id",
    ),
    (
        "an event belongs to a claim",
        "SELECT count(*) AS n FROM claim_events e WHERE practice_id = ?1 AND NOT EXISTS (
           SELECT 1 FROM claims c WHERE c.practice_id = e.practice_id AND c.id = e.claim_id)",
    ),
    (
        "a submission is audited once, under its request",
        "SELECT count(*) AS n FROM submissions s WHERE practice_id = ?1 AND 1 IS NOT (
           SELECT count(*) FROM audit a WHERE a.practice_id = s.practice_id AND a.action = 'submission.received'
             AND a.record = s.id AND a.request_id = s.request_id)",
    ),
    (
        "an audited submission is there",
        "SELECT count(*) AS n FROM audit a WHERE practice_id = ?1 AND action = 'submission.received' AND NOT EXISTS (
           SELECT 1 FROM submissions s WHERE s.practice_id = a.practice_id AND s.id = a.record)",
    ),
    (
        "the corrections of a request are audited once",
        "SELECT count(*) AS n FROM (SELECT DISTINCT request_id FROM claim_events WHERE practice_id = ?1 AND kind = 'corrected') e
         WHERE 1 IS NOT (SELECT count(*) FROM audit a
           WHERE a.practice_id = ?1 AND a.action = 'claims.corrected' AND a.request_id = e.request_id)",
    ),
    (
        "audited corrections happened",
        "SELECT count(*) AS n FROM audit a WHERE practice_id = ?1 AND action = 'claims.corrected' AND NOT EXISTS (
           SELECT 1 FROM claim_events e WHERE e.practice_id = a.practice_id AND e.request_id = a.request_id
             AND e.kind = 'corrected')",
    ),
    (
        "the counts of claims are those of the claims",
        "SELECT count(*) AS n FROM (SELECT c.status, iif(c.status IN ('recovered', 'closed'), '',
             ifnull(max(c.appeal_due, '2020-01-01'), '~')) AS due, count(*) AS claims,
             sum(ifnull(c.billed_cents, 0) % 1000000000) AS billed, sum(ifnull(c.denied_cents, 0) / 1000000000) AS denied,
             sum(ifnull(c.recovered_cents, 0) % 1000000000) AS recovered
           FROM claims c WHERE c.practice_id = ?1 GROUP BY 1, 2) f
         FULL JOIN (SELECT status, due, sum(claims) AS claims, sum(billed_low) AS billed_low, sum(denied_high) AS denied_high,
             sum(recovered_low) AS recovered_low FROM claim_figures WHERE scope = ?1 GROUP BY 1, 2) n ON n.status = f.status AND n.due = f.due
         WHERE (n.claims, n.billed_low, n.denied_high, n.recovered_low) IS NOT (f.claims, f.billed, f.denied, f.recovered)",
    ),
    (
        "the payer of a claim is listed",
        "SELECT count(*) AS n FROM claims c WHERE practice_id = ?1 AND NOT EXISTS (
           SELECT 1 FROM payers p WHERE p.practice_id = c.practice_id AND p.name = c.payer_name)",
    ),
];

pub fn mint(server: &Server, practice_id: PracticeId, scopes: &[Scope], realm: Realm) -> Key {
    let ctx = ctx().in_cell(practice_id.cell());
    let key = ApiKey::mint(realm, ctx.cell.stamp(random()));
    let (id, hash) = (ctx.id(Purpose::Record, 0).to_string(), key.hash());
    let [made, ends] = [ctx.now, ctx.now.plus(YEAR_MS)].map(|at| at.0.to_string());
    server.database().change(
        "INSERT INTO api_keys (practice_id, id, name, hash, hint, scopes, created_at, expires_at)
         VALUES (?1, ?2, 'Billing', ?3, ?4, ?5, CAST(?6 AS INTEGER), CAST(?7 AS INTEGER))",
        &[&practice_id.to_string(), &id, &hash, key.hint(), &Scopes::of(scopes).to_string(), &made, &ends],
    );
    Key { text: key.expose().into(), id, hash }
}

/// Runs writes as the operator does.
pub fn carry_out(database: &Database, ctx: &Ctx, writes: Vec<Write>) {
    let plan = Plan::of_operator(ctx, writes);
    let (keys, mut nonce) = (keyring(), random);
    let mut sealer = Sealer::new(&keys, &[], &mut nonce);
    let batch = lower(&plan, &mut sealer).unwrap();
    let statements: Vec<_> = batch.statements.iter().map(lowered).collect();
    let _none = database.batch(&statements);
}

/// The sealing keys of the test servers.
pub fn keyring() -> Keyring {
    Keyring::parse(SEALING_KEYS).ok().unwrap()
}

/// The current time and fresh ids.
pub fn ctx() -> Ctx {
    Ctx::new(now(), random())
}

/// The same for records of a practice; `None` for the staff's.
pub fn ctx_of(practice: Option<PracticeId>) -> Ctx {
    ctx().in_cell(practice.map_or(Cell::FIRST, |practice| practice.cell()))
}

/// Tells the directory of an active account, as the service does if there are several cells.
pub fn tell_directory(server: &Server, email_key: &str, user: UserId) {
    if server.cells() > 1 {
        let insert = "INSERT INTO addresses (email_key, user_id, cell) VALUES (?1, ?2, CAST(?3 AS INTEGER))
                      ON CONFLICT DO UPDATE SET user_id = excluded.user_id, cell = excluded.cell";
        let params = [email_key, &*user.to_string(), &*user.cell().0.to_string()];
        server.database().change_directory(insert, &params);
    }
}

pub fn now() -> Instant {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap();
    Instant(now.as_millis().try_into().unwrap())
}

pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).unwrap();
    bytes
}
