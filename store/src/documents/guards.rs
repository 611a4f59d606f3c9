//! Preconditions about documents.

use crate::statement::{Param, Statement, text};
use overturn_core::plan::DocumentsGuard;
use overturn_core::plan::documents::UseKind;

/// The statement of a guard.
pub(crate) fn lower(guard: DocumentsGuard) -> Statement {
    match guard {
        DocumentsGuard::Receiving(id) => Statement::new(
            "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (SELECT 1 FROM loose_objects WHERE id = ?1)",
            [text(id)],
        ),
        DocumentsGuard::InState(of, state) => Statement::new(
            "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM documents WHERE practice_id = ?1 AND id = ?2 AND state = ?3)",
            [text(of.practice_id), text(of.id), text(state.name())],
        ),
        DocumentsGuard::Scanned(of, scans) => Statement::new(
            "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM documents WHERE practice_id = ?1 AND id = ?2 AND state = 'quarantined' AND scans = CAST(?3 AS INTEGER))",
            [
                text(of.practice_id),
                text(of.id),
                Param::Int(scans.into()),
            ],
        ),
        DocumentsGuard::Unused(of) => Statement::new(
            "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM document_uses WHERE practice_id = ?1 AND document_id = ?2)",
            [text(of.practice_id), text(of.id)],
        ),
        DocumentsGuard::NoHold(practice) => Statement::new(
            "INSERT INTO guards (failed) SELECT 'record' WHERE EXISTS (
       SELECT 1 FROM document_settings WHERE practice_id = ?1 AND legal_hold = 1)",
            [text(practice)],
        ),
        DocumentsGuard::HasRecord(to) => Statement::new(
            match to.kind {
                UseKind::Case => {
                    "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM cases WHERE practice_id = ?1 AND id = ?2)"
                }
                UseKind::Report => {
                    "INSERT INTO guards (failed) SELECT 'record' WHERE NOT EXISTS (
       SELECT 1 FROM reports WHERE practice_id = ?1 AND id = ?2)"
                }
            },
            [text(to.of.practice_id), text(to.record)],
        ),
    }
}
