//! Unpacking of deflated data as it streams.
//!
//! Modern PDFs keep most objects in compressed object streams, and a DOCX says in a compressed part whether it has
//! macros. Without unpacking, both rules would be easy to get around: every PDF tool can compress objects.

use alloc::boxed::Box;
use alloc::vec;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_IGNORE_ADLER32, TINFL_FLAG_PARSE_ZLIB_HEADER,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

/// The size of the window that deflated data may refer back to.
const WINDOW: usize = 32 * 1024;

/// How far one deflated stream has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// It needs more bytes.
    Open,
    /// It is complete. Further bytes are not part of it.
    Done,
    /// Its bytes are not deflated data.
    Failed,
}

/// Unpacks one deflated stream.
pub(super) struct Inflater {
    core: Box<DecompressorOxide>,
    window: Box<[u8]>,
    at: usize,
    flags: u32,
    progress: Progress,
}

impl core::fmt::Debug for Inflater {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Inflater({:?})", self.progress)
    }
}

impl Inflater {
    /// For deflated data, with or without the header of zlib.
    pub(super) fn new(zlib: bool) -> Self {
        let header = if zlib { TINFL_FLAG_PARSE_ZLIB_HEADER } else { 0 };
        Self {
            core: Box::default(),
            window: vec![0; WINDOW].into_boxed_slice(),
            at: 0,
            flags: header | TINFL_FLAG_HAS_MORE_INPUT | TINFL_FLAG_IGNORE_ADLER32,
            progress: Progress::Open,
        }
    }

    pub(super) const fn progress(&self) -> Progress {
        self.progress
    }

    /// Unpacks the next bytes and hands each piece to `each`, which may stop it by returning false. Returns how many bytes
    /// are not part of the stream.
    pub(super) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8]) -> bool) -> usize {
        let mut rest = bytes;
        while self.progress == Progress::Open {
            let (status, used, made) = decompress(&mut self.core, rest, &mut self.window, self.at, self.flags);
            rest = rest.get(used..).unwrap_or_default();
            let end = self.at.saturating_add(made);
            if made > 0 && !each(self.window.get(self.at..end).unwrap_or_default()) {
                self.progress = Progress::Failed;
                return rest.len();
            }
            self.at = if end >= WINDOW { 0 } else { end };
            match status {
                TINFLStatus::Done => self.progress = Progress::Done,
                TINFLStatus::HasMoreOutput => {}
                TINFLStatus::NeedsMoreInput => return 0,
                _ => self.progress = Progress::Failed,
            }
        }
        rest.len()
    }
}
