//! The result of one page of the re-seal.

use crate::prelude::*;

/// The result of the rows of a page.
#[derive(Default, Debug)]
pub(crate) struct PageResult {
    /// Rows that get another key.
    pub(crate) resealed: usize,
    /// Rows that open and already have the right key.
    pub(crate) intact: usize,
    /// Rows that no available key opens. They stay as they are.
    pub(crate) unreadable: usize,
    /// The places of those rows whose key is available but does not open them.
    pub(crate) tampered: Vec<SealedPlace>,
    /// Empty if nothing is to be written.
    pub(crate) writes: Vec<Write>,
}

impl PageResult {
    /// The opened value of a row. A row that does not open is counted.
    pub(super) fn opened<T>(&mut self, opened: Result<T, impl Into<RequestError>>) -> Option<T> {
        let opened = opened.map_err(Into::into);
        if opened.is_err() {
            self.unreadable = self.unreadable.saturating_add(1);
        }
        if let Err(RequestError::Tampered(place)) = &opened {
            self.tampered.push(*place);
        }
        opened.ok()
    }

    /// Counts a value that opened and stays.
    pub(super) const fn stays(&mut self) {
        self.intact = self.intact.saturating_add(1);
    }
}

/// The audit row of a trail whose records got the key of this version, the nth of the request.
pub(super) fn audited(event: Event, n: usize, practice: Option<PracticeId>, key: KeyVersion, ctx: &Ctx) -> Write {
    Write::Audit(Entry::new(ctx, n, practice, event, format_args!("key_version:{}", key.0)))
}
