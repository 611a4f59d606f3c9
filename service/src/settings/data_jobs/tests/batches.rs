//! The return and the destruction of a practice's data leave out no table and no column.

use crate::plan::Plan;
use crate::prelude::*;
use crate::settings::data_jobs::destruction::{self, DestructionStep, due, nothing_left, open_return};
use crate::settings::data_jobs::export::{ExportPosition, Section};
use crate::settings::data_jobs::job::{Job, JobKind, JobState, RecordCounts, no_other};
use crate::settings::data_jobs::stages::{self, DestructionStage, ROWS};
use crate::settings::data_jobs::{basis, sections};
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::{Fixture, batch};
use overturn_core::base::id::DataJobId;
use std::collections::BTreeSet;
use uuid::Uuid;

/// What a destruction keeps, and why it is not patient data.
const KEPT: [(&str, &str); 13] = [
    ("users", "members, who are no patients"),
    ("agreements", "what was agreed has to be shown"),
    ("api_keys", "names and hashes"),
    ("api_tokens", "names and hashes"),
    ("audit", "ids, and nothing of a patient"),
    ("trail_heads", "digests of the audit trail"),
    ("practice_keys", "that the key was destroyed, and when"),
    ("data_jobs", "the reports"),
    ("notices", "kinds of letters"),
    ("loose_objects", "objects that are still to be removed from the bucket"),
    ("mismatches", "counts by ids, which go within two days"),
    ("sso_providers", "how members sign in, who stay"),
    ("practice_domains", "whose members may join, and no patients"),
];

/// What a trigger destroys with the last claim of the practice.
const GONE_WITH_CLAIMS: [&str; 1] = ["payers"];

/// What is not returned: credentials, values that need the service's keys, and internal positions.
const NOT_RETURNED: &[(&str, &[&str])] = &[
    ("users", &["version", "email_key", "password_hash", "epoch"]),
    ("api_keys", &["hash", "warn_at"]),
    ("api_tokens", &["hash", "warn_at"]),
    // The export of the trail has the chain itself.
    ("audit", &["mac", "previous"]),
    ("practice_keys", &["version", "id", "key_version", "wrapped", "created_at", "destroyed_at"]),
    ("trail_heads", &["seq", "digest", "key_version", "mac"]),
    // The fields of a claim show which optional parts it has.
    ("claims", &["patient_tag", "procedure_tag", "changed", "present", "sandbox", "script_at", "script_step"]),
    // The claims have the names.
    ("payers", &["name", "sandbox"]),
    // Daily counts, which are deleted after two days.
    ("loose_objects", &["practice_id", "id", "upload_id", "due_at", "removing"]),
    ("mismatches", &["day", "practice_id", "claim_id", "count", "told"]),
    // The number of edits.
    ("document_settings", &["version"]),
    ("signing_links", &["hash", "key_version", "sealed"]),
    ("webhooks", &["version", "key_version", "sealed", "old_key_version", "old_sealed"]),
    // A log of calls to the practice's own systems, which goes after 30 days.
    (
        "attempts",
        &[
            "delivery_id",
            "id",
            "webhook_id",
            "url",
            "at",
            "signatures",
            "took_ms",
            "status",
            "error",
            "key_version",
            "sealed",
        ],
    ),
    ("deliveries", &["lease_ends", "sandbox"]),
    ("data_jobs", &["version", "position", "taken_from", "digest", "before", "trail_to"]),
    // These are nested in their parent records.
    ("level_claims", &["claim_id"]),
    ("report_claims", &["report_id", "claim_id"]),
    ("case_claims", &["case_id", "claim_id"]),
    ("case_levels", &["case_id"]),
    ("document_uses", &["document_id"]),
    ("notices", &["id", "kind", "at", "due_at", "next_at", "about", "detail"]),
    // They follow from the levels and the claims of the case.
    ("cases", &["due", "is_open", "ask_on", "sandbox"]),
    // The practice has the metadata from its identity provider.
    ("sso_providers", &["version", "trusted", "metadata", "certificates", "certificates_end", "warn_at"]),
    ("practice_domains", &["token"]),
];

fn texts(f: &Fixture, sql: &str) -> Vec<String> {
    let mut prepared = f.db.prepare(sql).unwrap();
    let rows = prepared.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Every table with rows of a practice. The directory has two, which say where it lives.
fn tables(f: &Fixture) -> Vec<String> {
    texts(
        f,
        "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND c.name = 'practice_id' AND m.name NOT IN ('places', 'domains') ORDER BY m.name",
    )
}

fn exports() -> String {
    let practice = PracticeId(Uuid::nil());
    let pages =
        Section::ALL.into_iter().map(|section| sections::page(practice, &ExportPosition::of(section), 1, Instant(0)));
    // The view has every column of its table.
    pages.map(|page| page.statement().sql.replace("claim_history", "claim_events")).collect::<Vec<_>>().join("\n")
}

/// The table that a stage empties.
fn emptied(stage: DestructionStage) -> &'static str {
    let job = job(PracticeId(Uuid::nil()), JobKind::Destruction);
    let page = stages::page(&job, stage, Instant(0));
    let Some(Write::Sql(delete)) = page.last() else { panic!("{page:?}") };
    delete.sql.strip_prefix("DELETE FROM ").unwrap().split_whitespace().next().unwrap()
}

fn job(practice: PracticeId, kind: JobKind) -> Job {
    let due_at = (kind == JobKind::Destruction).then_some(Instant(1));
    let id = DataJobId(Uuid::from_u128(if due_at.is_some() { 9 } else { 10 }));
    Job::new((practice, id), (kind, due_at), "operator".into(), RecordCounts::new(), Instant(1))
}

#[test]
fn every_table_of_a_practice_is_destroyed_or_kept_for_a_reason() {
    let f = Fixture::new();
    let destroyed: BTreeSet<&str> =
        DestructionStage::ALL.iter().map(|stage| emptied(*stage)).chain(GONE_WITH_CLAIMS).collect();
    let Guard::Sql(nothing_left) = nothing_left(PracticeId(Uuid::nil())) else { panic!("a guard of its own") };
    for table in tables(&f) {
        let kept = KEPT.iter().any(|(name, _)| *name == table);
        assert_ne!(destroyed.contains(&*table), kept, "{table}");
        let looked_for = nothing_left.sql.contains(&format!("FROM {table} WHERE"));
        assert_ne!(looked_for, kept, "{table}");
    }
}

#[test]
fn every_column_of_a_practice_is_returned_or_left_out_by_name() {
    let f = Fixture::new();
    let exports = exports();
    for table in tables(&f) {
        let left_out = NOT_RETURNED.iter().find(|(name, _)| *name == table);
        let left_out = left_out.map_or(&[][..], |(_, columns)| *columns);
        let columns = texts(&f, &format!("SELECT name FROM pragma_table_info('{table}')"));
        if columns.iter().skip(1).all(|column| left_out.contains(&&**column)) {
            continue;
        }
        let read = exports.split("json_group_array(json_array(major").find(|sql| {
            sql.contains(&format!("FROM (SELECT * FROM {table} "))
                || sql.contains(&format!("FROM {table} m"))
                || sql.contains(&format!("(SELECT * FROM {table}\n"))
        });
        let read = read.unwrap_or_else(|| panic!("{table} is not returned"));
        for column in columns.iter().filter(|column| *column != "practice_id") {
            let shown = ["t", "m", "l"].iter().any(|alias| {
                let plain = format!("', {alias}.{column}");
                let parsed = format!("', json({alias}.{column})");
                // Excludes the beginning of a longer name.
                let ends = |found: &str| read.split(found).skip(1).any(|rest| !rest.starts_with('_'));
                ends(&plain) || ends(&parsed)
            });
            assert_ne!(shown, left_out.contains(&&**column), "{table}.{column}");
        }
    }
}

/// A practice with claims and a note. Its agreement has ended, and its data is to be destroyed.
fn leaving(f: &mut Fixture) -> (PracticeId, Job) {
    f.send(&batch(0..3), |_| {});
    let (staff, ..) = f.enrol(1);
    let practice = f.practice();
    let taken = format!(
        "INSERT INTO claim_events (practice_id, claim_id, version, at, kind, status, actor, request_id)
           SELECT practice_id, id, 2, 1, 'taken', 'received', 'user:{staff}', 'r' FROM claims;
         UPDATE claims SET version = 2, taken_by = '{staff}';
         INSERT INTO claim_notes (practice_id, claim_id, id, at, author, key_version, sealed)
           SELECT practice_id, id, 'note', 1, '{staff}', 1, 'x' FROM claims LIMIT 1;
         UPDATE agreements SET ended_at = 1"
    );
    f.db.execute_batch(&taken).unwrap();
    let job = job(practice, JobKind::Destruction);
    store(f, &job);
    (practice, job)
}

/// Twice, as after a lost answer.
fn store(f: &mut Fixture, job: &Job) {
    let ctx = f.ctx();
    for _ in 0..2 {
        f.commit(&ctx, (Vec::new(), vec![job.insert()])).unwrap();
    }
}

fn step(f: &mut Fixture, (guards, writes): DestructionStep) -> Result<(), DatabaseError> {
    let ctx = f.ctx();
    let plan = Plan { guards, ..Plan::of_operator(&ctx, writes) };
    let statements = f.lower(&plan).statements;
    f.run(&statements).map(drop)
}

const APPEND_ONLY: [&str; 2] = ["claim_events", "claim_notes"];

#[test]
fn append_only_rows_can_be_deleted_only_during_a_destruction() {
    let mut f = Fixture::new();
    let (practice, _) = leaving(&mut f);
    let stays = |f: &Fixture| {
        for table in APPEND_ONLY {
            let refused = f.db.execute(&format!("DELETE FROM {table}"), []).unwrap_err();
            assert!(refused.to_string().contains("append only"), "{table}: {refused}");
        }
    };
    stays(&f);
    let waiting = f.read(&due(Instant(2))).remove(0).0;
    assert_eq!((waiting.practice_id, waiting.state), (practice, JobState::Waiting));
    let ctx = f.ctx();
    step(&mut f, destruction::begin(&waiting, None, &ctx)).unwrap();
    let running = f.read(&due(Instant(2))).remove(0).0;
    assert_eq!(running.state, JobState::Running);
    assert_eq!(running.totals["claim"], 3);
    // REPLACE must not remove the row of an open job, by id or by kind.
    let rows = |f: &Fixture| texts(f, "SELECT concat(id, state, totals) FROM data_jobs ORDER BY id");
    let before = rows(&f);
    for id in ["id", "'other'"] {
        for state in ["running", "waiting"] {
            let replace = format!(
                "REPLACE INTO data_jobs (practice_id, id, kind, state, requested_at, requested_by, totals)
                 SELECT practice_id, {id}, kind, '{state}', 1, 'x', '{{}}' FROM data_jobs"
            );
            let refused = f.db.execute_batch(&replace);
            assert_eq!(refused.is_err(), id == "'other'", "{replace}");
            assert_eq!(rows(&f), before, "{replace}");
        }
    }
    // Another practice's destruction does not open access here.
    f.db.execute("UPDATE data_jobs SET state = 'done'", []).unwrap();
    stays(&f);
    assert!(f.db.execute("UPDATE data_jobs SET state = 'running'", []).is_err());
    assert!(f.db.execute("DELETE FROM data_jobs", []).is_err());
}

#[test]
fn a_destruction_begins_once_counts_each_row_once_and_is_done_when_nothing_is_left() {
    let mut f = Fixture::new();
    let (practice, job) = leaving(&mut f);
    let filters = "INSERT INTO queue_filters SELECT u.id, q.value, q.value, q.value
                   FROM (SELECT id FROM users LIMIT 1) u, json_each(?1) q";
    let queries = json!([format!("status=received&practice_id={practice}&payer_name=Acme"), "payer_name=Best"]);
    f.db.execute(filters, [queries.to_string()]).unwrap();
    let ctx = f.ctx();
    let begin = destruction::begin(&job, None, &ctx);
    step(&mut f, begin.clone()).unwrap();
    f.commit(&ctx, (Vec::new(), vec![destruction::unfiltered(practice)])).unwrap();
    assert_eq!(texts(&f, "SELECT query FROM queue_filters"), ["payer_name=Best"]);
    let again = f.ctx();
    let second = step(&mut f, destruction::begin(&job, None, &again));
    assert!(second.is_err(), "another sweep was faster");
    let running = f.read(&due(Instant(2))).remove(0).0;
    let finish = |f: &mut Fixture, job: &Job| {
        let ctx = f.ctx();
        step(f, destruction::finish(job, &ctx))
    };
    assert!(finish(&mut f, &running).is_err(), "there is something left");
    for stage in DestructionStage::ALL {
        // Twice, as after a lost answer.
        for _ in 0..2 {
            let page = stages::page(&job, *stage, ctx.now);
            let done = f.commit(&ctx, (Vec::new(), page)).unwrap();
            assert!(done.last().unwrap().changes < ROWS);
        }
    }
    let emptied = f.read(&due(Instant(2))).remove(0).0;
    let counted = |kind: &str| emptied.taken.counts[kind];
    assert_eq!((counted("claim"), counted("claim_event"), counted("note"), counted("submission")), (3, 6, 1, 1));
    for (kind, total) in &emptied.totals {
        assert_eq!(emptied.taken.counts.get(kind), Some(total), "{kind}");
    }
    let trail = f.count("SELECT count(*) FROM audit");
    finish(&mut f, &emptied).unwrap();
    assert!(f.read(&due(Instant(2))).is_empty());
    assert_eq!(f.count("SELECT count(*) FROM audit"), trail + 1);
    assert_eq!(f.count("SELECT count(*) FROM agreements"), 1);
    // Nothing is left to return or to destroy, until an agreement is signed again.
    let practice = job.practice_id;
    let ask = |f: &mut Fixture| {
        let basis = f.read(&basis(practice)).unwrap();
        let guard = no_other(practice, JobKind::Return, DataJobId(Uuid::from_u128(10)));
        let ctx = f.ctx();
        (basis.destroyed, f.commit(&ctx, (vec![guard], Vec::new())).map(drop))
    };
    let refused = DatabaseError::Conflict(FailedGuard::Record);
    let signed = |f: &Fixture, at: i64| {
        f.drop_triggers();
        let sql = "UPDATE agreements SET signed_at = ?1";
        f.db.execute(sql, [at]).unwrap();
    };
    signed(&f, 1);
    assert_eq!(ask(&mut f), (true, Err(refused)));
    signed(&f, ctx.now.0);
    assert_eq!(ask(&mut f), (false, Ok(())));
    // A late call deletes nothing.
    f.provision(7);
    let late = stages::page(&job, DestructionStage::Claim, ctx.now);
    let late = f.commit(&ctx, (Vec::new(), late)).unwrap();
    assert_eq!(late.last().unwrap().changes, 0);
}

#[test]
fn destructions_that_a_legal_hold_keeps_waiting_hold_up_no_other() {
    let mut f = Fixture::new();
    for n in 2..=7 {
        let _key = f.provision(n);
    }
    let practices = texts(&f, "SELECT id FROM practices ORDER BY id");
    for id in &practices {
        store(&mut f, &job(PracticeId(id.parse().unwrap()), JobKind::Destruction));
    }
    let (held, free) = practices.split_at(5);
    for id in held {
        let hold = "INSERT INTO document_settings (practice_id, retention_days, legal_hold) VALUES (?1, 30, 1)";
        f.db.execute(hold, [id]).unwrap();
    }
    let found = |f: &mut Fixture| {
        let found = f.read(&due(Instant(2)));
        let ids: BTreeSet<_> = found.iter().map(|job| job.0.practice_id.to_string()).collect();
        ids
    };
    let of = |ids: &[String]| ids.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(found(&mut f), of(free));
    // One that has begun goes on: the key is gone.
    f.db.execute("UPDATE data_jobs SET state = 'running' WHERE practice_id = ?1", [&held[0]]).unwrap();
    assert_eq!(found(&mut f), of(&[&held[..1], free].concat()));
    f.db.execute("UPDATE document_settings SET legal_hold = 0 WHERE practice_id = ?1", [&held[1]]).unwrap();
    assert_eq!(found(&mut f), of(&[&held[..2], free].concat()));
}

#[test]
fn a_destruction_cancels_the_open_return_in_the_batch_that_begins_it() {
    let mut f = Fixture::new();
    let (practice_id, job) = leaving(&mut f);
    let open = self::job(practice_id, JobKind::Return);
    for (id, state) in [(11, JobState::Done), (10, JobState::Running)] {
        store(&mut f, &Job { id: DataJobId(Uuid::from_u128(id)), state, ..open.clone() });
    }
    f.db.execute("UPDATE data_jobs SET position = 'claim', taken_from = 'claim' WHERE kind = 'return'", []).unwrap();
    let ctx = f.ctx();
    let open = f.read(&open_return(practice_id)).unwrap();
    let states = |f: &Fixture| texts(f, "SELECT concat(kind, ' ', state) FROM data_jobs ORDER BY id");
    // A return that was requested after the sweep's read, and one whose page was read in between.
    let late = step(&mut f, destruction::begin(&job, None, &ctx));
    assert!(late.is_err());
    let moved = Job { version: open.version + 1, ..open.clone() };
    let late = step(&mut f, destruction::begin(&job, Some(&moved), &ctx));
    assert!(late.is_err());
    assert_eq!(states(&f), ["destruction waiting", "return running", "return done"]);
    let trail = f.count("SELECT count(*) FROM audit");
    step(&mut f, destruction::begin(&job, Some(&open), &ctx)).unwrap();
    assert_eq!(states(&f), ["destruction running", "return cancelled", "return done"]);
    assert_eq!(f.count("SELECT count(*) FROM data_jobs WHERE position <> '' OR taken_from IS NOT NULL"), 0);
    assert_eq!(f.count("SELECT count(*) FROM audit"), trail + 2);
    let left = f.read(&open_return(practice_id));
    assert!(left.is_none());
}

#[test]
fn a_page_of_the_return_reads_its_rows_by_an_index() {
    let mut f = Fixture::new();
    let (practice, _) = leaving(&mut f);
    for section in Section::ALL {
        let page = sections::page(practice, &ExportPosition::of(section), 100, Instant(i64::MAX >> 11));
        f.assert_indexed(
            page.statement(),
            &[
                "SCAN (subquery",
                "CO-ROUTINE",
                "SCAN t",
                // A page of cases or reports looks up the claims of each.
                "SEARCH m USING",
                "SEARCH practices",
                "SEARCH case_levels",
                // The few data jobs of a practice.
                "SEARCH j USING PRIMARY KEY (practice_id=?)",
            ],
        );
        f.read(&page);
    }
}
