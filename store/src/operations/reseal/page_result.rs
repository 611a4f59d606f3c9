//! The result of one page of the re-seal.

use crate::json::json;
use crate::keyring::practice::PracticeKeys;
use crate::records::sql;
use crate::statement::{Param, Statement, optional, text};
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::AuditId;
use overturn_core::base::sealed::{KeyVersion, Place};
use overturn_core::plan::Actor;
use overturn_core::request::denied::Denied;
use serde::Serialize;

/// The result of the rows of a page.
#[derive(Default, Debug)]
pub struct PageResult {
    /// Rows that get another key.
    pub resealed: usize,
    /// Data keys made for practices without one.
    pub made: usize,
    /// Rows that open and already have the right key.
    pub intact: usize,
    /// Rows that no available key opens. They stay as they are.
    pub unreadable: usize,
    /// The places of those rows whose key is available but does not open them.
    pub tampered: Vec<Place>,
    /// The batch that writes the page, empty if there is nothing to write.
    pub statements: Vec<Statement>,
}

impl PageResult {
    /// The opened value of a row. A row that does not open is counted.
    pub(super) fn opened<T>(&mut self, opened: Result<T, Denied>) -> Option<T> {
        if opened.is_err() {
            self.unreadable = self.unreadable.saturating_add(1);
        }
        if let Err(Denied::Tampered(place)) = &opened {
            self.tampered.push(*place);
        }
        opened.ok()
    }

    /// Checks that a row under a data key opens. A row whose key was destroyed is skipped.
    pub(super) fn check(
        &mut self,
        keys: &PracticeKeys<'_>,
        version: KeyVersion,
        open: impl FnOnce() -> Result<(), Denied>,
    ) {
        if !keys.is_destroyed(version) && self.opened(open()).is_some() {
            self.intact = self.intact.saturating_add(1);
        }
    }
}

#[derive(Serialize)]
struct Audited {
    trail: String,
    id: AuditId,
}

/// Adds one audit row to each trail.
pub(super) fn audit(
    action: &str,
    trails: impl Iterator<Item = String>,
    current: KeyVersion,
    ctx: &Ctx,
) -> Statement {
    let audited = trails.enumerate().map(|(n, trail)| Audited {
        trail,
        id: AuditId(ctx.id(Purpose::Audit, n)),
    });
    Statement::new(
        sql::AUDIT_RESEAL,
        [
            Param::Text(json(&audited.collect::<Vec<_>>())),
            Param::Int(ctx.now.0),
            text(Actor::Operator),
            text(ctx.request_id),
            text(current.0),
            text(action),
            optional(ctx.address.as_deref()),
        ],
    )
}
