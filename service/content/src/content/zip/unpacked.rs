//! What the data of an entry of a ZIP file unpacks to.

use super::types::Types;
use crate::content::budget::Budget;
use crate::content::inflate::{Inflater, Progress};
use crate::content::tail::Tail;
use crate::content::{ContentRefusal, head};
use alloc::vec::Vec;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// How many of the last bytes are searched for the end of a ZIP file.
const TAIL: usize = 1024;

/// Unpacks the data of an entry as it streams.
#[derive(Debug)]
pub(super) struct Unpacked {
    method: u16,
    inflater: Option<Inflater>,
    /// Bytes follow the deflated data. Some programs would read them as something else.
    has_surplus: bool,
    head: Vec<u8>,
    tail: Tail,
    types: Option<Types>,
}

impl Unpacked {
    pub(super) fn new(method: u16, is_empty: bool, types: bool) -> Self {
        let is_deflated = method == DEFLATED && !is_empty;
        Self {
            method,
            inflater: is_deflated.then(|| Inflater::new(false)),
            has_surplus: false,
            head: Vec::new(),
            tail: Tail::new(TAIL),
            types: types.then(Types::default),
        }
    }

    pub(super) fn feed(&mut self, data: &[u8], budget: &mut Budget) {
        let Self { inflater, has_surplus, head, tail, types, .. } = self;
        let mut look = |piece: &[u8]| {
            let missing = head::LENGTH.saturating_sub(head.len());
            head.extend_from_slice(piece.get(..missing).unwrap_or(piece));
            tail.feed(piece);
            if let Some(types) = types {
                types.feed(piece);
            }
            budget.spend(piece)
        };
        match inflater {
            Some(inflater) => *has_surplus |= inflater.feed(data, look) > 0,
            None => {
                look(data);
            }
        }
    }

    /// The rule that the data breaks. A part may be a picture or a font of any kind, but nothing that is refused as a file
    /// of its own: the virus scanner would unpack it, and no bound counts that.
    pub(super) fn broken(&self) -> Option<ContentRefusal> {
        let is_whole = match &self.inflater {
            Some(inflater) => inflater.progress() == Progress::Done && !self.has_surplus,
            None => matches!(self.method, STORED | DEFLATED),
        };
        if !is_whole {
            return Some(ContentRefusal::Damaged);
        }
        let zip = self.head.starts_with(b"PK\x03\x04") || self.tail.ends_in_zip();
        let archive = zip.then_some(ContentRefusal::Archive);
        let pdf = self.head.starts_with(b"%PDF-");
        let file = pdf.then_some(ContentRefusal::EmbeddedFile);
        head::refused(&self.head).or(archive).or(file)
    }

    /// The list of content types that the entry is.
    pub(super) fn into_types(self) -> Option<Types> {
        self.types
    }
}
