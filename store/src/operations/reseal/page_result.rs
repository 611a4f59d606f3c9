//! The result of one page of the re-seal.

use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::AuditId;
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use overturn_core::plan::audit::Event;
use overturn_core::plan::operations::ResealAudit;
use overturn_core::plan::settings::trail::Trail;
use overturn_core::plan::{OperationsWrite, Write};
use overturn_core::request::error::RequestError;

/// The result of the rows of a page.
#[derive(Default, Debug)]
pub struct PageResult {
    /// Rows that get another key.
    pub resealed: usize,
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
}

/// Adds one audit row to each trail.
pub(super) fn audit(
    event: Event,
    trails: impl Iterator<Item = Trail>,
    current: KeyVersion,
    ctx: &Ctx,
) -> Write<'static> {
    let row = |(n, trail)| (trail, AuditId(ctx.id(Purpose::Audit, n)));
    Write::Operations(OperationsWrite::ResealAudited(ResealAudit {
        event,
        key_version: current,
        rows: trails.enumerate().map(row).collect(),
    }))
}
