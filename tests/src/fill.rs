//! Inserts many claims without a request for each.

use overturn_core::base::id::PracticeId;
use overturn_core::base::token::ApiKey;
use overturn_service::auth::scope::{Scope, Scopes};
use rusqlite::{Connection, params};
use std::path::Path;

/// Half of the claims belong to the practice, the rest to 997 other practices.
const FILL: &str = "
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    INSERT INTO claims (practice_id, claim_number, id, submission_id, payer_claim_number, payer_name, date_of_service,
      billed_cents, adjustment_codes, patient_tag, key_version, sealed, received_at, updated_at,
      changed, present)
    SELECT iif(i % 2, ?2, printf('neighbour-%d', i % 997)), printf('G-%d', i), printf('id-%d', i), 's', 'p', 'n',
      '2026-01-02', 100, '[]', 't', 1, printf('%.*c', ?3, 's'), 0, 0, i, 0 FROM n";

/// Counts the claims, as the job of each minute does.
const COUNT: &str = "
    INSERT INTO claim_counts (scope, status, due, claims, billed_high, billed_low, denied_high, denied_low, recovered_high,
      recovered_low)
    SELECT s.value, c.status, '~', count(*), 0, sum(c.billed_cents), 0, 0, 0, 0
    FROM claims c CROSS JOIN json_each(json_array(c.practice_id, 'all')) s GROUP BY 1, 2;
    UPDATE practices SET counted = (SELECT coalesce(max(changed), 0) FROM claims WHERE practice_id = practices.id);
    INSERT INTO payers (practice_id, name) SELECT DISTINCT practice_id, payer_name FROM claims WHERE true ON CONFLICT DO NOTHING;";

const CLEAR: &str = "
    PRAGMA foreign_keys = OFF;
    DROP TRIGGER claim_events_stay; DELETE FROM claim_events; DELETE FROM claims; DELETE FROM claim_counts;
    CREATE TRIGGER claim_events_stay BEFORE DELETE ON claim_events
    BEGIN SELECT RAISE (ABORT, 'claim_events is append only'); END;
    PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;";

/// Inserts a practice with an agreement and a key, which no server has to do.
pub fn sender(database: &Path, practice: PracticeId, key: &ApiKey) {
    let db = Connection::open(database).unwrap();
    let (practice, hash) = (practice.to_string(), key.hash());
    db.execute("INSERT INTO practices (id, name, state, created_at) VALUES (?1, 'P', 'active', 1)", [&practice])
        .unwrap();
    let agreement = "INSERT INTO agreements (practice_id, id, kind, version, signer_name, signer_title, signed_at)
                     VALUES (?1, ?1, 'baa', '1', 'Ann', 'Owner', 1)";
    db.execute(agreement, [&practice]).unwrap();
    let insert = "INSERT INTO api_keys (practice_id, id, name, hash, hint, scopes, created_at, expires_at)
                  VALUES (?1, ?1, 'Billing', ?2, ?3, ?4, 1, 9000000000000)";
    db.execute(insert, params![practice, hash, key.hint(), Scopes::of(&Scope::ALL).to_string()]).unwrap();
}

/// Makes the database the one of a cell.
pub fn number(database: &Path, cell: u16) {
    let db = Connection::open(database).unwrap();
    db.execute("INSERT INTO own_cell (one, number) VALUES (1, ?1)", [cell]).unwrap();
}

/// Replaces all claims of a database by `claims` new ones, whose sealed parts have `sealed` characters. No server may
/// be using the database.
pub fn fill(database: &Path, practice: &str, claims: u32, sealed: u32) {
    let db = Connection::open(database).unwrap();
    db.execute_batch(CLEAR).unwrap();
    let filled = db.execute(FILL, params![claims, practice, sealed]).unwrap();
    assert_eq!(filled, claims as usize);
    db.execute_batch(COUNT).unwrap();
    db.execute_batch("PRAGMA wal_checkpoint (TRUNCATE);").unwrap();
}
