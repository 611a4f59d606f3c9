//! Changes of documents as statements.

use crate::json::json;
use crate::sealer::{SealError, Sealer, sealed};
use crate::statement::{Param, Statement, instant, optional, text};
use overturn_core::base::id::DocumentId;
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::SealedPlace;
use overturn_core::plan::DocumentsWrite;
use overturn_core::plan::documents::{DocumentPlace, DocumentSettings, DocumentState, DocumentUse, NewDocument};

/// The statements of a change of documents.
pub(crate) fn lower(
    write: &DocumentsWrite,
    now: Instant,
    sealer: &mut Sealer<'_>,
) -> Result<Vec<Statement>, SealError> {
    Ok(match write {
        DocumentsWrite::Receiving { id, due_at } => vec![loose(*id, *due_at)],
        DocumentsWrite::InParts { id, upload_id } => {
            vec![Statement::new("UPDATE loose_objects SET upload_id = ?2 WHERE id = ?1", [text(id), text(upload_id)])]
        }
        DocumentsWrite::New(new) => vec![object_gone(new.id), insert(new, now, sealer)?],
        DocumentsWrite::Scanned { of, state, scan_at } => vec![scanned(*of, *state, *scan_at)],
        DocumentsWrite::Removed { of, state } => vec![removed(*of, *state), loose(of.id, now)],
        DocumentsWrite::RemovalPostponed { id, due_at } => {
            vec![Statement::new("UPDATE loose_objects SET due_at = ?2 WHERE id = ?1", [text(id), Param::Int(due_at.0)])]
        }
        DocumentsWrite::ObjectGone(id) => vec![object_gone(*id)],
        DocumentsWrite::Attached { to, by } => {
            let at = [text(by), Param::Int(now.0)];
            vec![Statement::new(
                "INSERT INTO document_uses (practice_id, document_id, kind, record_id, attached_by, attached_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
                [&use_of(*to)[..], &at].concat(),
            )]
        }
        DocumentsWrite::Detached(from) => vec![Statement::new(
            "DELETE FROM document_uses WHERE practice_id = ?1 AND document_id = ?2 AND kind = ?3 AND record_id = ?4",
            use_of(*from),
        )],
        DocumentsWrite::Settings { practice, to } => vec![settings(text(practice), *to)],
    })
}

/// An object that no document has. It is removed when it is due.
fn loose(id: DocumentId, due_at: Instant) -> Statement {
    Statement::new(
        "INSERT INTO loose_objects (id, due_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        [text(id), Param::Int(due_at.0)],
    )
}

fn object_gone(id: DocumentId) -> Statement {
    Statement::new("DELETE FROM loose_objects WHERE id = ?1", [text(id)])
}

fn insert(new: &NewDocument, now: Instant, sealer: &mut Sealer<'_>) -> Result<Statement, SealError> {
    let place = SealedPlace::Document { practice: new.practice_id, id: new.id };
    let [version, sealed] = sealed(sealer.seal(place, json(&new.sealed).as_bytes())?);
    Ok(Statement::new(
        "INSERT INTO documents (practice_id, id, claim_id, kind, state, content_type, size, sha256, key_version, sealed,
       uploaded_by, uploaded_at, scan_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        [
            text(new.practice_id),
            text(new.id),
            optional(new.claim_id),
            text(new.kind.name()),
            text(new.state.name()),
            text(new.content_type),
            Param::Int(new.size),
            text(&new.sha256),
            version,
            sealed,
            text(new.uploaded_by),
            Param::Int(now.0),
            instant(new.scan_at),
        ],
    ))
}

fn scanned(of: DocumentPlace, state: DocumentState, scan_at: Option<Instant>) -> Statement {
    Statement::new(
        "UPDATE documents SET state = ?3, scans = scans + 1, scan_at = ?4
     WHERE practice_id = ?1 AND id = ?2 AND state = 'quarantined'",
        [text(of.practice_id), text(of.id), text(state.name()), instant(scan_at)],
    )
}

/// The name and the key go with the object.
fn removed(of: DocumentPlace, state: DocumentState) -> Statement {
    Statement::new(
        "UPDATE documents SET state = ?3, sealed = NULL, scan_at = NULL WHERE practice_id = ?1 AND id = ?2",
        [text(of.practice_id), text(of.id), text(state.name())],
    )
}

fn use_of(of: DocumentUse) -> [Param; 4] {
    [text(of.of.practice_id), text(of.of.id), text(of.kind.name()), text(of.record)]
}

fn settings(practice: Param, to: DocumentSettings) -> Statement {
    Statement::new(
        "INSERT INTO document_settings (practice_id, retention_days, legal_hold) VALUES (?1, ?2, ?3)
     ON CONFLICT (practice_id) DO UPDATE SET retention_days = ?2, legal_hold = ?3",
        [practice, Param::Int(to.retention_days), Param::Int(i64::from(to.legal_hold))],
    )
}
