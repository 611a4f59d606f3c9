//! The result of one page of the re-seal.

use crate::keyring::practice::PracticeKeys;
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::AuditId;
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use overturn_core::plan::operations::ResealAudit;
use overturn_core::plan::settings::trail::Trail;
use overturn_core::plan::{OperationsWrite, Write};
use overturn_core::request::error::RequestError;

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
    pub tampered: Vec<SealedPlace>,
    /// What a plan writes of the page, empty if nothing is to be written.
    pub writes: Vec<Write<'static>>,
}

impl PageResult {
    /// The opened value of a row. A row that does not open is counted.
    pub(super) fn opened<T>(&mut self, opened: Result<T, RequestError>) -> Option<T> {
        if opened.is_err() {
            self.unreadable = self.unreadable.saturating_add(1);
        }
        if let Err(RequestError::Tampered(place)) = &opened {
            self.tampered.push(*place);
        }
        opened.ok()
    }

    /// Checks that a row under a data key opens. A row whose key was destroyed is skipped.
    pub(super) fn check(
        &mut self,
        keys: &PracticeKeys<'_>,
        version: KeyVersion,
        open: impl FnOnce() -> Result<(), RequestError>,
    ) {
        if !keys.is_destroyed(version) && self.opened(open()).is_some() {
            self.intact = self.intact.saturating_add(1);
        }
    }
}

/// Adds one audit row to each trail.
pub(super) fn audit(
    event: &str,
    trails: impl Iterator<Item = Trail>,
    current: KeyVersion,
    ctx: &Ctx,
) -> Write<'static> {
    let row = |(n, trail)| (trail, AuditId(ctx.id(Purpose::Audit, n)));
    Write::Operations(OperationsWrite::ResealAudited(ResealAudit {
        event: event.to_owned(),
        key_version: current,
        rows: trails.enumerate().map(row).collect(),
    }))
}
