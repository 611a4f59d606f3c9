//! Tests of the types and refusals by content.

mod chunks;
mod docx;
mod heads;
mod pdf;
mod samples;
mod text;
mod unpacked;

use super::{ContentRefusal, ContentType, Inspector};

type Verdict = Result<ContentType, ContentRefusal>;

/// The verdict on a file that is fed in pieces of this many bytes.
fn verdict_in(file: &[u8], size: usize) -> Verdict {
    let mut inspector = Inspector::default();
    for piece in file.chunks(size) {
        inspector.feed(piece)?;
    }
    inspector.finish()
}

/// The verdict on a file, which is the same in one piece, in odd pieces and, if it is short, byte by byte.
fn verdict(file: &[u8]) -> Verdict {
    let whole = verdict_in(file, usize::MAX);
    assert_eq!(verdict_in(file, 1031), whole);
    assert_eq!(verdict_in(file, 7), whole);
    if file.len() < 20_000 {
        assert_eq!(verdict_in(file, 1), whole);
    }
    whole
}
