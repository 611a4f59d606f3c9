//! Rows in every table of a practice and its sandbox, as the schema has them.

use crate::moving::tables;
use crate::sqlite::read;
use crate::store::trail as store;
use crate::testing::Fixture;
use crate::trail::{GENESIS, PAGE_MAX, Trail};
use overturn_core::base::id::PracticeId;
use rusqlite::params;

pub(super) const SANDBOX: &str = "018f0000-0000-7000-8000-000000000001";
/// The rows of each table and practice.
const ROWS: usize = 3;

/// What the checks of a column allow.
fn allowed(table: &str, column: &str, n: usize) -> Option<String> {
    let text = |value: &str| Some(format!("'{value}'"));
    match (table, column) {
        ("users", "role") => text("owner"),
        ("users", "state") | ("webhooks", "state") => text("active"),
        ("data_jobs", "state") => text("done"),
        ("data_jobs", "kind") => text("return"),
        ("sessions", "kind") => text("full"),
        ("links", "kind") => text("sign_in"),
        ("agreements", "kind") => text("baa"),
        ("sso_providers", "kind") => text("saml"),
        ("sso_providers", "configured") => Some("NULL".into()),
        ("claims", "status") => text(if n == 0 { "received" } else { "closed" }),
        ("claims", "signing_status") => text("not_needed"),
        ("claims", "appeal_due_from" | "letter_counts" | "letter_by" | "appeal_due") => Some("NULL".into()),
        ("documents", "state") => text("available"),
        ("documents", "kind") => text("other"),
        ("document_uses", "kind") => text("case"),
        ("deliveries", "state") => text("delivered"),
        ("case_claims", "outcome") => text("closed"),
        ("cases", "is_open") => Some("1".into()),
        ("audit", "previous") => Some("NULL".into()),
        ("practice_keys", "wrapped") => Some(if n + 1 < ROWS { "NULL".into() } else { "'x'".into() }),
        ("practice_keys", "destroyed_at") => Some(if n + 1 < ROWS { "1".into() } else { "NULL".into() }),
        (
            _,
            "sandbox" | "filed" | "stands" | "legal_hold" | "idp_initiated" | "backup_eligible" | "backed_up"
            | "removing",
        ) => Some("0".into()),
        _ => None,
    }
}

fn refers_to(column: &str) -> Option<&'static str> {
    Some(match column {
        "user_id" | "created_by" | "taken_by" | "author" | "delivered_by" | "opened_by" | "begun_by"
        | "uploaded_by" | "attached_by" => "users",
        "claim_id" => "claims",
        "webhook_id" => "webhooks",
        "delivery_id" => "deliveries",
        "case_id" => "cases",
        "report_id" => "reports",
        "document_id" => "documents",
        _ => return None,
    })
}

/// Fills the tables of a practice, and of a sandbox that it makes.
pub(super) fn everything(f: &Fixture, practice: PracticeId) {
    let stored = tables::stored();
    let json: String = f.db.query_row(stored.statement().sql, [], |row| row.get(0)).unwrap();
    let all = tables::ordered(stored.row(Some(&json)).unwrap());
    f.db.pragma_update(None, "foreign_keys", false).unwrap();
    let sandbox = format!(
        "DELETE FROM api_keys; INSERT INTO practices (id, name, state, created_at, sandbox_of, clock_ms)
         VALUES ('{SANDBOX}', 'Sandbox', 'active', 1, '{practice}', 5)"
    );
    f.db.execute_batch(&sandbox).unwrap();
    for table in &all {
        let triggers = table.triggers.iter().map(|(name, _)| format!("DROP TRIGGER {name};")).collect::<String>();
        f.db.execute_batch(&triggers).unwrap();
        for (p, of) in [practice.to_string(), SANDBOX.to_owned()].iter().enumerate() {
            let rows = match &*table.name {
                "practices" => 0..0,
                // One row each.
                "trail_heads" | "document_settings" => 0..1,
                _ => 0..ROWS,
            };
            for n in rows {
                insert(f, table, of, p * ROWS + n, n);
            }
        }
        let made = table.triggers.iter().map(|(_, sql)| format!("{sql};")).collect::<String>();
        f.db.execute_batch(&made).unwrap();
    }
    for of in [practice.to_string(), SANDBOX.to_owned()] {
        f.db.execute_batch(&links(f, &of)).unwrap();
    }
    for (scope, claims) in [(practice.to_string(), 2), ("all".into(), 5)] {
        let count =
            "INSERT INTO claim_counts (scope, status, due, claims, billed_high, billed_low, denied_high, denied_low,
             recovered_high, recovered_low) VALUES (?1, 'received', '~', ?2, 0, 0, 0, 0, 0, 0)";
        f.db.execute(count, params![scope, claims]).unwrap();
    }
    f.db.pragma_update(None, "foreign_keys", true).unwrap();
    let broken = f.count("SELECT count(*) FROM pragma_foreign_key_check");
    assert_eq!(broken, 0);
}

/// Writes that link the rows of a trail.
pub(super) fn links(f: &Fixture, of: &str) -> String {
    let trail = Trail::parse(of).unwrap();
    let rows = read(&f.db, &store::rows(trail, 0, PAGE_MAX)).unwrap();
    let (mut writes, mut head, mut digest) = (String::new(), 0, GENESIS.to_owned());
    for row in rows {
        let id = &row.id;
        writes += &format!(
            "UPDATE audit SET previous = '{digest}' WHERE practice_id = '{of}' AND id = '{id}' AND previous IS NULL;"
        );
        (head, digest) = (row.sequence, row.digest(trail, &digest));
    }
    writes + &format!("UPDATE trail_heads SET seq = {head}, digest = '{digest}' WHERE practice_id = '{of}';")
}

fn insert(f: &Fixture, table: &tables::Table, of: &str, unique: usize, n: usize) {
    let types: Vec<String> = table.columns.iter().map(|column| kind(f, &table.name, column)).collect();
    let value = |(column, kind): (&String, &String)| {
        let own = allowed(&table.name, column, n);
        let owner = Some(&**column) == table.practice;
        match refers_to(column) {
            _ if owner => format!("'{of}'"),
            _ if own.is_some() => own.unwrap(),
            Some(other) => format!("'x{unique}{other}'"),
            None if kind == "INTEGER" => (n + 1).to_string(),
            None => format!("'x{unique}{}'", table.name),
        }
    };
    let values: Vec<String> = table.columns.iter().zip(&types).map(value).collect();
    let sql = format!("INSERT INTO {} ({}) VALUES ({})", table.name, table.columns.join(", "), values.join(", "));
    f.db.execute_batch(&sql).unwrap_or_else(|error| panic!("{error}: {sql}"));
}

fn kind(f: &Fixture, table: &str, column: &str) -> String {
    let sql = "SELECT type FROM pragma_table_info(?1) WHERE name = ?2";
    f.db.query_row(sql, [table, column], |row| row.get(0)).unwrap()
}
