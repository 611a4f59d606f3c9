//! The real statements on real SQLite with the real migrations.

use super::fault::{ATTEMPTS, Fault, Guard, persist};
use super::lower::{Batch, Means, lower};
use super::{Param, Statement, load, rows};
use crate::keyring::Keyring;
use overturn_core::claim::ClaimStatus;
use overturn_core::ctx::{Ctx, Instant, Purpose};
use overturn_core::id::{AgreementId, AuditId, PracticeId};
use overturn_core::identity::KeyVersion;
use overturn_core::intake::{self, Decision};
use overturn_core::plan::{Actor, Plan, Write};
use overturn_core::practice::{self, Agreement, NewApiKey, Practice, State};
use overturn_core::scope::{Scope, Scopes};
use overturn_core::token::Realm;
use rusqlite::Connection;
use rusqlite::types::{ToSqlOutput, Value};
use std::cell::Cell;

const KEYS: &str = "1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
const NOW: Instant = Instant(1_800_000_000_000);

impl rusqlite::ToSql for Param {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Text(text) => text.as_str().into(),
            // D1 binds every number as a double.
            #[expect(clippy::cast_precision_loss, reason = "what D1 does")]
            Self::Int(number) => ToSqlOutput::Owned(Value::Real(*number as f64)),
            Self::Null => ToSqlOutput::Owned(Value::Null),
        })
    }
}

/// A database with one practice and one key, and the clock and entropy of the tests.
struct Fixture {
    db: Connection,
    keys: Keyring,
    key_hash: String,
    requests: Cell<u8>,
    nonces: u8,
}

impl Fixture {
    fn new() -> Self {
        let db = Connection::open_in_memory().unwrap();
        db.pragma_update(None, "foreign_keys", true).unwrap();
        let mut migrations: Vec<_> =
            std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations"))
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.extension().is_some_and(|end| end == "sql"))
                .collect();
        migrations.sort();
        for path in migrations {
            db.execute_batch(&std::fs::read_to_string(path).unwrap())
                .unwrap();
        }
        let keys = Keyring::parse(KEYS).ok().unwrap();
        let mut fixture = Self {
            db,
            keys,
            key_hash: String::new(),
            requests: Cell::new(0),
            nonces: 0,
        };
        fixture.key_hash = fixture.provision(1);
        fixture
    }

    fn ctx(&self) -> Ctx {
        self.requests.set(self.requests.get() + 1);
        Ctx::new(NOW, [self.requests.get(); 32])
    }

    /// A practice with a signed agreement and a key, by the plans that make them in production.
    fn provision(&mut self, n: u8) -> String {
        let ctx = self.ctx();
        let practice_id = PracticeId(ctx.id(Purpose::Record, 0));
        let new = NewApiKey {
            practice_id,
            name: "Billing".into(),
            scopes: Scopes::of(&Scope::ALL),
            realm: Realm::Test,
        };
        let (key, record) = practice::mint_api_key(new, [n; 24], 1, &ctx);
        let audit = |n| AuditId(ctx.id(Purpose::Audit, n));
        let practice = Practice {
            id: practice_id,
            name: format!("Practice {n}"),
            state: State::Active,
            appeal_button: true,
            created_at: ctx.now,
        };
        let agreement = Agreement {
            id: AgreementId(ctx.id(Purpose::Record, 2)),
            practice_id,
            version: "1".into(),
            signer_name: "Ann".into(),
            signer_title: "Owner".into(),
            signed_at: ctx.now,
        };
        let writes = vec![
            Write::Practice(practice, audit(0)),
            Write::Agreement(agreement, audit(1)),
            Write::ApiKey(record, audit(2)),
        ];
        let plan = Plan {
            guard: None,
            actor: Actor::Operator,
            at: ctx.now,
            request_id: ctx.request_id,
            writes,
        };
        let batch = self.lower(&plan);
        self.run(&batch.statements).unwrap();
        key.hash()
    }

    fn lower(&mut self, plan: &Plan<'_>) -> Batch {
        let nonces = &mut self.nonces;
        let mut nonce = || {
            *nonces = nonces.wrapping_add(1);
            [*nonces; 24]
        };
        lower(
            plan,
            &mut Means {
                keys: &self.keys,
                nonce: &mut nonce,
            },
        )
        .unwrap()
    }

    /// A batch as D1 runs it: one transaction, the first column of the first row of each statement.
    fn run(&mut self, statements: &[Statement]) -> Result<Vec<Option<String>>, Fault> {
        let fault = |error: rusqlite::Error| Fault::classify(&error.to_string());
        let tx = self.db.transaction().map_err(fault)?;
        let mut results = Vec::new();
        for statement in statements {
            let mut prepared = tx.prepare_cached(statement.sql).map_err(fault)?;
            let mut rows = prepared
                .query(rusqlite::params_from_iter(&statement.params))
                .map_err(fault)?;
            let first = rows
                .next()
                .map_err(fault)?
                .map(|row| row.get(0))
                .transpose()
                .map_err(fault)?;
            results.push(first);
        }
        tx.commit().map_err(fault)?;
        Ok(results)
    }

    fn load(&mut self, hash: &str, send: &intake::Send<'_>) -> intake::Snapshot {
        let numbers: Vec<&str> = send.claim_numbers().collect();
        let rows = self.run(&load::send(hash, &numbers)).unwrap();
        let mut snapshot = intake::Snapshot {
            credential: rows::credential(rows[0].as_deref()).unwrap(),
            ..Default::default()
        };
        snapshot.update(rows::stored_claims(rows[1].as_deref()).unwrap());
        snapshot
    }

    /// A whole send, with `between` run after each load and before its commit.
    fn send(&mut self, body: &str, mut between: impl FnMut(&mut Self)) -> serde_json::Value {
        let ctx = self.ctx();
        let send = intake::parse(body.as_bytes(), &ctx).unwrap();
        let hash = self.key_hash.clone();
        let mut snapshot = self.load(&hash, &send);
        for _ in 0..=intake::MAX_ROUNDS {
            let (caller, send) =
                intake::admit(Ok(&send), snapshot.credential.as_ref(), None, &ctx).unwrap();
            match intake::decide(send, &caller, &snapshot, &self.keys.identity, &ctx).unwrap() {
                Decision::Answer(answer) => return serde_json::to_value(answer).unwrap(),
                Decision::Write(plan) => {
                    let batch = self.lower(&plan);
                    between(self);
                    // Run twice: an answer lost between commit and host makes the edge do just that.
                    self.run(&batch.statements).unwrap();
                    let rows = self.run(&batch.statements).unwrap();
                    let rows = rows.last().unwrap().as_deref();
                    snapshot.update(rows::stored_claims(rows).unwrap());
                }
            }
        }
        panic!("more rounds of writing than there can be");
    }

    fn count(&self, sql: &str) -> i64 {
        self.db.query_row(sql, [], |row| row.get(0)).unwrap()
    }
}

fn claim(number: &str, billed: &str) -> String {
    format!(
        r#"{{"patient": {{"first_name": "Jane", "last_name": "Doe", "date_of_birth": "1980-02-29"}},
            "claim": {{"claim_number": "{number}", "payer_claim_number": "ICN-1", "payer_name": "Acme",
              "date_of_service": "2026-01-02", "billed_amount": "{billed}", "denial_codes": "co45,N130,free text"}}}}"#
    )
}

fn batch(numbers: impl IntoIterator<Item = u32>) -> String {
    let items: Vec<String> = numbers
        .into_iter()
        .map(|n| claim(&format!("B-{n}"), "10.00"))
        .collect();
    format!(r#"{{"claims": [{}]}}"#, items.join(","))
}

#[test]
fn a_send_writes_claim_submission_event_and_audit_once_even_when_its_batch_runs_twice() {
    let mut f = Fixture::new();
    let answer = f.send(&claim("A-1", "92233720368547758.07"), |_| {});
    assert_eq!(answer["claims"][0]["created"], true);
    assert_eq!(answer["claims"][0]["status"], "received");
    assert!(answer["submission_id"].is_string());
    assert_eq!(f.count("SELECT billed_cents FROM claims"), i64::MAX);
    assert_eq!(
        f.count("SELECT adjustment_codes = '[\"CO-45\",\"N130\"]' FROM claims"),
        1
    );
    assert_eq!(f.count("SELECT count(*) FROM submissions"), 1);
    assert_eq!(
        f.count("SELECT count(*) FROM claim_events WHERE kind = 'received' AND version = 1"),
        1
    );
    assert_eq!(
        f.count("SELECT count(*) FROM audit WHERE action = 'submission.received'"),
        1
    );
}

#[test]
fn what_is_sealed_opens_again_and_stands_nowhere_in_the_clear() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    let (practice, id, sealed): (String, String, String) =
        f.db.query_row("SELECT practice_id, id, sealed FROM claims", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .unwrap();
    let key = f.keys.sealing(KeyVersion(1)).unwrap();
    let [practice, id] = [practice, id].map(|id| format!("{id:?}"));
    let opened = key
        .open(
            serde_json::from_str(&practice).unwrap(),
            serde_json::from_str(&id).unwrap(),
            &sealed,
        )
        .unwrap();
    assert_eq!(
        String::from_utf8(opened).unwrap(),
        r#"{"patient":{"first_name":"Jane","last_name":"Doe","date_of_birth":"1980-02-29"},"denial_codes":["co45","N130","free text"]}"#
    );
    assert!(!sealed.contains("Jane"));
}

#[test]
fn a_correction_is_written_once_with_what_was_before_and_a_resend_without_change_writes_nothing() {
    let mut f = Fixture::new();
    let first = f.send(&claim("A-1", "10.00"), |_| {});
    let again = f.send(&claim("A-1", "10.00"), |_| panic!("nothing to write"));
    assert_eq!(again["claims"][0]["created"], false);
    assert_eq!(again["submission_id"], serde_json::Value::Null);
    let corrected = f.send(&claim("A-1", "12.50"), |_| {});
    assert_eq!(corrected["claims"][0]["id"], first["claims"][0]["id"]);
    assert_eq!(corrected["claims"][0]["created"], false);
    assert_eq!(f.count("SELECT billed_cents FROM claims"), 1250);
    assert_eq!(f.count("SELECT version FROM claims"), 2);
    let detail: String =
        f.db.query_row(
            "SELECT detail FROM claim_events WHERE version = 2",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(
        detail,
        r#"{"before":{"payer_claim_number":"ICN-1","billed_cents":1000,"denied_cents":null},"after":{"payer_claim_number":"ICN-1","billed_cents":1250,"denied_cents":null}}"#
    );
    assert_eq!(
        f.count("SELECT count(*) FROM audit WHERE action = 'claims.corrected'"),
        1
    );
}

#[test]
fn overlapping_senders_create_each_claim_once_and_each_answer_is_true() {
    let mut f = Fixture::new();
    let mut inner = None;
    let outer = f.send(&batch(0..60), |f| {
        if inner.is_none() {
            inner = Some(f.send(&batch(40..100), |_| {}));
        }
    });
    let inner = inner.unwrap();
    let created = |answer: &serde_json::Value| {
        answer["claims"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|item| item["created"] == true)
            .count()
    };
    assert_eq!((created(&inner), created(&outer)), (60, 40));
    assert_eq!(outer["claims"][45]["id"], inner["claims"][5]["id"]);
    assert_eq!(f.count("SELECT count(*) FROM claims"), 100);
    assert_eq!(f.count("SELECT count(*) FROM claim_events"), 100);
    assert_eq!(f.count("SELECT count(*) FROM submissions"), 2);
}

#[test]
fn a_sender_that_loses_every_claim_leaves_no_submission_and_its_corrections_still_count() {
    let mut f = Fixture::new();
    let mut inner = None;
    let outer = f.send(&claim("A-1", "20.00"), |f| {
        if inner.is_none() {
            inner = Some(f.send(&claim("A-1", "10.00"), |_| {}));
        }
    });
    assert_eq!(outer["claims"][0]["created"], false);
    assert_eq!(outer["submission_id"], serde_json::Value::Null);
    assert_eq!(f.count("SELECT count(*) FROM submissions"), 1);
    assert_eq!(f.count("SELECT billed_cents FROM claims"), 2000);
}

#[test]
fn a_key_withdrawn_between_load_and_commit_writes_nothing() {
    for withdraw in [
        "UPDATE api_keys SET revoked_at = 1",
        "UPDATE api_keys SET expires_at = 1800000000000",
        "UPDATE api_keys SET scopes = 'claims:read'",
        "UPDATE practices SET state = 'inactive'",
        "UPDATE agreements SET ended_at = 1",
    ] {
        let mut f = Fixture::new();
        let ctx = f.ctx();
        let body = claim("A-1", "1.00");
        let send = intake::parse(body.as_bytes(), &ctx).unwrap();
        let hash = f.key_hash.clone();
        let snapshot = f.load(&hash, &send);
        let (caller, _) =
            intake::admit(Ok(&send), snapshot.credential.as_ref(), None, &ctx).unwrap();
        let Decision::Write(plan) =
            intake::decide(&send, &caller, &snapshot, &f.keys.identity, &ctx).unwrap()
        else {
            panic!("a new claim is a write")
        };
        let batch = f.lower(&plan);
        f.db.execute_batch(withdraw).unwrap();
        assert_eq!(
            f.run(&batch.statements),
            Err(Fault::Conflict(Guard::Credential)),
            "{withdraw}"
        );
        for table in ["claims", "submissions", "claim_events", "guards"] {
            assert_eq!(
                f.count(&format!("SELECT count(*) FROM {table}")),
                0,
                "{withdraw} {table}"
            );
        }
    }
}

#[test]
fn another_practice_sees_none_of_it() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    let other = f.provision(2);
    let seen =
        |f: &mut Fixture, hash: &str| f.run(&load::status(hash, "A-1")).unwrap()[1].is_some();
    let mine = f.key_hash.clone();
    assert!(seen(&mut f, &mine));
    assert!(!seen(&mut f, &other));
    f.key_hash = other;
    let answer = f.send(&claim("A-1", "1.00"), |_| {});
    assert_eq!(answer["claims"][0]["created"], true);
}

#[test]
fn status_and_credential_read_back() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    let hash = f.key_hash.clone();
    let rows = f.run(&load::status(&hash, "A-1")).unwrap();
    assert_eq!(
        rows::stored_status(rows[1].as_deref())
            .unwrap()
            .unwrap()
            .status,
        ClaimStatus::Received
    );
    let held = rows::credential(rows[0].as_deref()).unwrap().unwrap();
    assert!(
        held.baa_signed
            && held.appeal_button
            && !held.revoked
            && held.scopes.allow(Scope::ClaimsRead)
    );
    assert_eq!(
        f.run(&load::status("unknown", "A-1")).unwrap(),
        [None, None]
    );
}

#[test]
fn history_and_audit_cannot_be_changed() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    for table in ["claim_events", "audit"] {
        for change in [
            format!("UPDATE {table} SET at = 0"),
            format!("DELETE FROM {table}"),
        ] {
            let error = f.db.execute_batch(&change).unwrap_err().to_string();
            assert!(error.contains("append only"), "{error}");
        }
    }
}

/// No statement of a request may look at more rows than it names, however many there are.
#[test]
fn every_statement_finds_its_rows_by_an_index() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    let plans: [Statement; 3] = {
        let [a, b] = load::send(&f.key_hash, &["B-1"]);
        let [_, c] = load::status(&f.key_hash, "B-1");
        [a, b, c]
    };
    let mut seen: Vec<Statement> = plans.into();
    let ctx = f.ctx();
    let body = format!(
        r#"{{"claims": [{}, {}]}}"#,
        claim("B-1", "9.00"),
        claim("NEW", "9.00")
    );
    let send = intake::parse(body.as_bytes(), &ctx).unwrap();
    let hash = f.key_hash.clone();
    let snapshot = f.load(&hash, &send);
    let (caller, _) = intake::admit(Ok(&send), snapshot.credential.as_ref(), None, &ctx).unwrap();
    let Decision::Write(plan) =
        intake::decide(&send, &caller, &snapshot, &f.keys.identity, &ctx).unwrap()
    else {
        panic!("there is something to write")
    };
    seen.extend(f.lower(&plan).statements);
    seen.extend(
        f.lower(&Plan {
            writes: vec![Write::Touch(caller)],
            ..plan
        })
        .statements,
    );
    for statement in seen {
        let explain = format!("EXPLAIN QUERY PLAN {}", statement.sql);
        let mut prepared = f.db.prepare(&explain).unwrap();
        let steps: Vec<String> = prepared
            .query_map(rusqlite::params_from_iter(&statement.params), |row| {
                row.get(3)
            })
            .unwrap()
            .map(Result::unwrap)
            .collect();
        for step in &steps {
            let harmless =
                step.contains("VIRTUAL TABLE") || step.contains("CONSTANT ROW") || step == "SCAN f";
            assert!(
                !step.starts_with("SCAN") || harmless,
                "{step} in {steps:?} of {}",
                statement.sql
            );
        }
    }
}

#[test]
fn a_batch_of_large_claims_travels_in_parameters_that_d1_takes() {
    let mut f = Fixture::new();
    let reason = "é".repeat(2000);
    let items: Vec<String> = (0..100)
        .map(|n| {
            let codes: Vec<String> = (0..100)
                .map(|_| format!("\"{}\"", "ü".repeat(90)))
                .collect();
            claim(&format!("L-{n}"), "1.00").replace(
                "\"billed_amount\"",
                &format!(
                    "\"denial_reason\": \"{reason}\", \"diagnosis_codes\": [{}], \"billed_amount\"",
                    codes.join(",")
                ),
            )
        })
        .collect();
    let body = format!(r#"{{"claims": [{}]}}"#, items.join(","));
    let mut largest = 0;
    let ctx = f.ctx();
    let send = intake::parse(body.as_bytes(), &ctx).unwrap();
    let hash = f.key_hash.clone();
    let snapshot = f.load(&hash, &send);
    let (caller, _) = intake::admit(Ok(&send), snapshot.credential.as_ref(), None, &ctx).unwrap();
    let Decision::Write(plan) =
        intake::decide(&send, &caller, &snapshot, &f.keys.identity, &ctx).unwrap()
    else {
        panic!("there is something to write")
    };
    let batch = f.lower(&plan);
    for param in batch
        .statements
        .iter()
        .flat_map(|statement| &statement.params)
    {
        if let Param::Text(text) = param {
            largest = largest.max(text.len());
        }
    }
    assert!((1_000_000..=1_900_000).contains(&largest), "{largest}");
    f.run(&batch.statements).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM claims"), 100);
}

#[test]
fn constraint_names_and_passing_failures_are_told_apart() {
    for (message, fault) in [
        (
            "D1_ERROR: CHECK constraint failed: credential_withdrawn: SQLITE_CONSTRAINT",
            Fault::Conflict(Guard::Credential),
        ),
        (
            "D1_ERROR: CHECK constraint failed: claim_billed: SQLITE_CONSTRAINT",
            Fault::Broken("check_constraint"),
        ),
        (
            "D1_ERROR: Network connection lost.",
            Fault::Transient("connection_lost"),
        ),
        (
            "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
            Fault::Transient("storage_timeout"),
        ),
        (
            "D1_ERROR: no such table: claims: SQLITE_ERROR",
            Fault::Broken("not_migrated"),
        ),
        (
            "anything else with 'Jane Doe'",
            Fault::Broken("unclassified"),
        ),
    ] {
        assert_eq!(Fault::classify(message), fault, "{message}");
    }
}

#[test]
fn only_a_passing_failure_is_tried_again_and_not_for_ever() {
    let tries = |faults: &[Result<u8, Fault>]| {
        let mut runs = 0;
        let mut pauses = Vec::new();
        let result = futures_lite(persist(
            async || {
                runs += 1;
                faults[runs - 1]
            },
            async |n| pauses.push(n),
        ));
        (result, runs, pauses.len())
    };
    let lost = Fault::Transient("connection_lost");
    let conflict = Fault::Conflict(Guard::Credential);
    assert_eq!(tries(&[Ok(1)]), (Ok(1), 1, 0));
    assert_eq!(tries(&[Err(lost), Err(lost), Ok(3)]), (Ok(3), 3, 2));
    assert_eq!(tries(&[Err(conflict)]), (Err(conflict), 1, 0));
    assert_eq!(
        tries(&[Err(lost); ATTEMPTS as usize]),
        (Err(lost), ATTEMPTS as usize, 2)
    );
}

/// Runs a future that never waits.
fn futures_lite<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}
