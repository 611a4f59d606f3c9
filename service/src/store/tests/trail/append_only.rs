//! No statement changes or removes append-only rows.

use super::filled;
use crate::store::tests::fixture::Fixture;
use rusqlite::types::Value;

const TABLES: [(&str, &str); 8] = [
    ("audit", "practice_id, id"),
    ("claim_events", "practice_id, claim_id, version"),
    ("claim_notes", "practice_id, claim_id, id"),
    ("signatures", "practice_id, claim_id, id"),
    ("agreements", "practice_id, id"),
    ("reports", "practice_id, id"),
    ("report_claims", "practice_id, report_id, claim_id"),
    ("trail_heads", "practice_id"),
];

fn dump(f: &Fixture, table: &str) -> Vec<Vec<Value>> {
    let mut read = f.db.prepare(&format!("SELECT * FROM {table}")).unwrap();
    let columns = read.column_count();
    let rows = read.query_map([], |row| (0..columns).map(|n| row.get(n)).collect());
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn no_statement_changes_or_removes_what_is_append_only() {
    let f = filled();
    // Only the triggers are left to stop it.
    f.db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON").unwrap();
    for (table, key) in TABLES {
        let before = dump(&f, table);
        assert!(!before.is_empty(), "{table}");
        let mut columns = f.db.prepare(&format!("SELECT name FROM pragma_table_info('{table}')")).unwrap();
        let columns: Vec<String> = columns.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let names = columns.join(", ");
        // Every column outside the key with another value of any type.
        let other: Vec<String> = columns
            .iter()
            .map(|name| match name.as_str() {
                name if key.split(", ").any(|part| part == name) => name.to_owned(),
                "at" | "signed_at" | "received_at" | "delivered_at" | "ended_at" | "key_version" | "version" => {
                    format!("ifnull({name}, 0) + 1")
                }
                // A head that would go back, and a row that would get a new number.
                "seq" if table == "trail_heads" => "seq - 1".to_owned(),
                "seq" | "previous" => "NULL".to_owned(),
                name => format!("ifnull({name}, '') || 'x'"),
            })
            .collect();
        let other = other.join(", ");
        let first = columns.first().unwrap();
        let mut attempts = vec![
            format!("DELETE FROM {table}"),
            format!("REPLACE INTO {table} ({names}) SELECT {other} FROM {table}"),
            format!("INSERT OR REPLACE INTO {table} ({names}) SELECT {other} FROM {table}"),
            format!(
                "INSERT INTO {table} ({names}) SELECT {other} FROM {table} WHERE true ON CONFLICT ({key}) DO UPDATE SET {first} = 'x'"
            ),
            format!("UPDATE OR REPLACE {table} SET {first} = 'x'"),
        ];
        for column in &columns {
            // Allowed: the end of an agreement, once, and a head's MAC under another key.
            let once = table == "agreements" && column == "ended_at"
                || table == "trail_heads" && ["key_version", "mac"].contains(&column.as_str());
            if !once {
                let value = if column == "seq" { "seq - 1" } else { "7" };
                attempts.push(format!("UPDATE {table} SET {column} = {value}"));
            }
        }
        for attempt in attempts {
            // A statement that the triggers allow must change nothing.
            let _refused = f.db.execute_batch(&attempt);
            assert_eq!(dump(&f, table), before, "{attempt}");
        }
    }
}

#[test]
fn an_agreement_ends_once() {
    let f = filled();
    f.db.execute_batch("UPDATE agreements SET ended_at = 5; UPDATE agreements SET ended_at = 5").unwrap();
    for later in ["6", "NULL"] {
        let again = f.db.execute_batch(&format!("UPDATE agreements SET ended_at = {later}"));
        assert!(again.unwrap_err().to_string().contains("append only"));
    }
}

#[test]
fn a_row_takes_the_next_number_of_its_trail_and_no_other() {
    let f = filled();
    let columns = "practice_id, at, actor, action, record, request_id";
    let row = |id: &str, seq: i64| {
        let insert = format!(
            "INSERT INTO audit (id, seq, {columns}) SELECT '{id}', {seq}, {columns} FROM audit
             WHERE practice_id = (SELECT id FROM practices) LIMIT 1"
        );
        f.db.execute(&insert, [])
    };
    let last = f.count("SELECT max(seq) FROM audit WHERE practice_id = (SELECT id FROM practices)");
    for wrong in [last + 2, last, 0, -1] {
        let refused = row("wrong", wrong).unwrap_err().to_string();
        assert!(refused.contains("append only"), "{wrong}: {refused}");
    }
    assert_eq!(row("next", last + 1).unwrap(), 1);
}
