//! Bringing old claims under the current key, page by page, while the service runs.
//!
//! A page is read, opened, sealed and tagged anew, and written back where the row is still under the key it was read
//! under. Senders need no lock: what identity depends on does not change, and a claim can be compared under either
//! key as long as the keyring holds both.

use super::json::json;
use super::rows::BadRow;
use super::{Param, Statement, sql, text};
use crate::keyring::Keyring;
use crate::seal::Nonce;
use overturn_core::claim::Opened;
use overturn_core::ctx::{Ctx, Purpose};
use overturn_core::id::{AuditId, ClaimId, PracticeId};
use overturn_core::identity::KeyVersion;
use overturn_core::plan::Actor;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The most rows of one page, and so the nonces it can need.
pub const PAGE_MAX: usize = 500;

/// A stored claim, as far as re-sealing sees it.
#[derive(Deserialize)]
pub struct SealedRow {
    row: i64,
    practice_id: PracticeId,
    id: ClaimId,
    claim_number: String,
    key_version: KeyVersion,
    sealed: String,
}

/// What a page came to.
#[derive(Default)]
pub struct Page {
    /// The row to go on after, `None` when there are no more.
    pub last: Option<i64>,
    /// Claims that are to come under the current key.
    pub resealed: usize,
    /// Claims that no key of the keyring opens. They stay as they are.
    pub unreadable: usize,
    /// The batch that writes the page, empty when nothing is to be written.
    pub statements: Vec<Statement>,
}

/// The statement that reads the page after a row.
#[must_use]
pub fn read(after: i64) -> Statement {
    Statement::new(sql::RESEAL_PAGE, [Param::Int(after)])
}

/// The rows of a page.
///
/// # Errors
///
/// [`BadRow`].
pub fn rows(json: Option<&str>) -> Result<Vec<SealedRow>, BadRow> {
    json.map_or(Ok(Vec::new()), |json| {
        serde_json::from_str(json).map_err(|_| BadRow)
    })
}

#[derive(Serialize)]
struct Resealed {
    row: i64,
    practice_id: PracticeId,
    was: KeyVersion,
    sealed: String,
    patient_tag: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    procedure_tag: Option<String>,
}

#[derive(Serialize)]
struct Audited {
    practice_id: PracticeId,
    id: AuditId,
}

/// Seals a page under the current key.
pub fn page(
    rows: &[SealedRow],
    keys: &Keyring,
    nonce: &mut dyn FnMut() -> Nonce,
    ctx: &Ctx,
) -> Page {
    let current = keys.identity.current().version();
    let mut page = Page {
        last: rows.last().map(|row| row.row),
        ..Page::default()
    };
    let mut resealed = Vec::new();
    let mut practices = BTreeSet::new();
    for row in rows.iter().filter(|row| row.key_version != current) {
        match reseal(row, keys, nonce) {
            Some(done) => {
                practices.insert(row.practice_id);
                resealed.push(done);
            }
            None => page.unreadable = page.unreadable.saturating_add(1),
        }
    }
    page.resealed = resealed.len();
    if !resealed.is_empty() {
        let audited: Vec<Audited> = practices
            .into_iter()
            .enumerate()
            .map(|(n, practice_id)| Audited {
                practice_id,
                id: AuditId(ctx.id(Purpose::Audit, n)),
            })
            .collect();
        let version = Param::Int(i64::from(current.0));
        page.statements = vec![
            Statement::new(sql::RESEAL, [Param::Text(json(&resealed)), version]),
            Statement::new(
                sql::AUDIT_RESEAL,
                [
                    Param::Text(json(&audited)),
                    Param::Int(ctx.now.0),
                    text(Actor::Operator),
                    text(ctx.request_id),
                    text(current.0),
                ],
            ),
        ];
    }
    page
}

fn reseal(row: &SealedRow, keys: &Keyring, nonce: &mut dyn FnMut() -> Nonce) -> Option<Resealed> {
    let secret = keys
        .sealing(row.key_version)?
        .open([row.practice_id.0, row.id.0], &row.sealed)
        .ok()?;
    let opened: Opened = serde_json::from_slice(&secret).ok()?;
    let identity = keys.identity.current();
    let tags = identity.retag(row.practice_id, &row.claim_number, &opened);
    let sealed =
        keys.sealing(identity.version())?
            .seal([row.practice_id.0, row.id.0], &secret, nonce())?;
    Some(Resealed {
        row: row.row,
        practice_id: row.practice_id,
        was: row.key_version,
        sealed,
        patient_tag: tags.patient,
        procedure_tag: tags.procedure,
    })
}
