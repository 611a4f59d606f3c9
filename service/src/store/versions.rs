//! The versions of records that several people may edit.

use crate::plan::version::{EditedRecord, RecordVersion};
use crate::store::statement::{Param, Statement, text};

/// The guard and the write of a table's record: `?1` the version, then the keys of the record.
macro_rules! statements {
    ($table:literal, $record:literal) => {
        [
            concat!(
                "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (SELECT 1 FROM ",
                $table,
                " WHERE ",
                $record,
                " AND version = CAST(?1 AS INTEGER))"
            ),
            concat!("UPDATE ", $table, " SET version = ?1 WHERE ", $record),
        ]
    };
}

const PRACTICE: [&str; 2] = statements!("practices", "id = ?2");
const MEMBER: [&str; 2] = statements!("users", "id = ?3 AND practice_id = ?2 AND state <> 'removed'");
const PROVIDER: [&str; 2] = statements!("sso_providers", "practice_id = ?2 AND id = ?3");
const WEBHOOK: [&str; 2] = statements!("webhooks", "practice_id = ?2 AND id = ?3 AND state <> 'removed'");
/// A practice that has edited nothing has no row.
const DOCUMENT_SETTINGS: [&str; 2] = [
    "INSERT INTO guards (failed) SELECT 'record' WHERE coalesce(
       (SELECT version FROM document_settings WHERE practice_id = ?2), 1) <> CAST(?1 AS INTEGER)",
    "UPDATE document_settings SET version = ?1 WHERE practice_id = ?2",
];

/// Refuses the batch if the record has another version.
pub(crate) fn guard(read: RecordVersion) -> Statement {
    let ([guard, _], params) = of(read);
    Statement::new(guard, params)
}

/// Gives the record a version.
pub(crate) fn write(next: RecordVersion) -> Statement {
    let ([_, write], params) = of(next);
    Statement::new(write, params)
}

fn of(RecordVersion { record, version }: RecordVersion) -> ([&'static str; 2], Vec<Param>) {
    let (statements, practice, id) = match record {
        EditedRecord::Practice(practice) => (PRACTICE, practice, None),
        EditedRecord::DocumentSettings(practice) => (DOCUMENT_SETTINGS, practice, None),
        EditedRecord::Member(practice, user) => (MEMBER, practice, Some(text(user))),
        EditedRecord::Provider(practice, id) => (PROVIDER, practice, Some(text(id))),
        EditedRecord::Webhook(practice, id) => (WEBHOOK, practice, Some(text(id))),
    };
    let keys = [Some(Param::Int(version)), Some(text(practice)), id];
    (statements, keys.into_iter().flatten().collect())
}
