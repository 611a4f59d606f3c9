//! Splits bytes into segments. Bytes come in chunks of any size, and only an unfinished segment is kept.
//!
//! The ISA segment names the separators, separately for each interchange. Files are often not padded as the standard says,
//! so the separators are found by counting: the 16th separator precedes the component separator, and the next byte that
//! is not a space ends the segment.

mod foreign;

use crate::error::FileError;
use crate::segment::{Segment, Separators};
use crate::text::{is_filler, trim, trim_start};
use alloc::vec::Vec;
use foreign::Foreign;
use memchr::memchr;

/// The longest segment, in bytes. The standard's longest segments have a few hundred.
pub(crate) const SEGMENT_MAX: usize = 65_536;
/// The longest ISA segment. A padded one has 106 bytes.
const HEADER_MAX: usize = 512;

#[derive(Clone, Copy)]
enum State {
    /// Before an ISA segment.
    Between,
    /// In an ISA segment.
    Header(Header),
    Inside(Separators),
    /// In something else than an interchange, at the start of the file.
    Foreign,
    Failed(FileError),
}

#[derive(Clone, Copy, Default)]
struct Header {
    element: u8,
    count: u8,
    component: Option<u8>,
}

/// The push parser.
pub(crate) struct Tokenizer {
    state: State,
    /// The beginning of a segment whose end has not come yet.
    held: Vec<u8>,
    /// True if an interchange was seen.
    any: bool,
    foreign: Foreign,
}

impl Tokenizer {
    pub(crate) const fn new() -> Self {
        Self { state: State::Between, held: Vec::new(), any: false, foreign: Foreign::new() }
    }

    /// Passes each complete segment to `sink`.
    ///
    /// # Errors
    ///
    /// [`FileError`], also for every later call.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut sink: impl FnMut(Segment<'_>)) -> Result<(), FileError> {
        while !bytes.is_empty() {
            let step = match self.state {
                State::Between => Ok(self.between(bytes)),
                State::Header(header) => self.header(header, bytes, &mut sink),
                State::Inside(separators) => self.inside(separators, bytes, &mut sink),
                State::Foreign => self.foreign.push(bytes).map(|()| &[][..]),
                State::Failed(error) => Err(error),
            };
            bytes = step.inspect_err(|error| self.fail(*error))?;
        }
        Ok(())
    }

    /// The end of the file. The last IEA may lack its terminator.
    ///
    /// # Errors
    ///
    /// [`FileError`] if there was no interchange.
    pub(crate) fn finish(&mut self, mut sink: impl FnMut(Segment<'_>)) -> Result<(), FileError> {
        match self.state {
            State::Inside(separators) => {
                let bytes = trim(&self.held);
                if bytes.starts_with(b"IEA") {
                    sink(Segment::new(bytes, separators));
                }
                Ok(())
            }
            State::Failed(error) => Err(error),
            State::Between if self.any => Ok(()),
            State::Between => Err(FileError::Empty),
            State::Header(_) if self.held.len() < 3 => Err(FileError::NotX12),
            State::Header(_) => Err(FileError::Separators),
            State::Foreign => Err(self.foreign.end()),
        }
    }

    fn fail(&mut self, error: FileError) {
        self.state = State::Failed(error);
        self.held = Vec::new();
    }

    fn between<'a>(&mut self, mut bytes: &'a [u8]) -> &'a [u8] {
        // A byte order mark may precede an interchange.
        while let [first, rest @ ..] = bytes {
            if !is_filler(*first) && !matches!(first, 0xef | 0xbb | 0xbf) {
                self.state = State::Header(Header::default());
                break;
            }
            bytes = rest;
        }
        bytes
    }

    fn header<'a>(
        &mut self,
        mut header: Header,
        bytes: &'a [u8],
        sink: &mut impl FnMut(Segment<'_>),
    ) -> Result<&'a [u8], FileError> {
        let mut rest = bytes;
        while let [byte, after @ ..] = rest {
            let at = self.held.len();
            match (b"ISA".get(at), header.component) {
                (Some(letter), _) if letter == byte => {}
                (Some(_), _) => return self.stray(rest),
                (None, _) if at == 3 => {
                    if byte.is_ascii_alphanumeric() || is_filler(*byte) {
                        return self.stray(rest);
                    }
                    header = Header { element: *byte, count: 1, component: None };
                }
                (None, None) if header.count < 16 => {
                    if *byte == header.element {
                        header.count = header.count.saturating_add(1);
                    }
                }
                (None, None) => {
                    if byte.is_ascii_alphanumeric() || is_filler(*byte) || *byte == header.element {
                        return Err(FileError::Separators);
                    }
                    header.component = Some(*byte);
                }
                (None, Some(component)) if *byte != b' ' => {
                    if byte.is_ascii_alphanumeric() || [header.element, component].contains(byte) {
                        return Err(FileError::Separators);
                    }
                    let separators = Separators { element: header.element, component, terminator: *byte };
                    self.state = State::Inside(separators);
                    self.any = true;
                    let bytes = trim(&self.held);
                    sink(Segment::new(bytes, separators));
                    self.held.clear();
                    return Ok(after);
                }
                (None, Some(_)) => {}
            }
            self.held.push(*byte);
            rest = after;
            if self.held.len() > HEADER_MAX {
                return Err(FileError::Separators);
            }
        }
        self.state = State::Header(header);
        Ok(rest)
    }

    /// Something else than ISA where an interchange must begin. `rest` is what follows the held bytes.
    fn stray<'a>(&mut self, rest: &'a [u8]) -> Result<&'a [u8], FileError> {
        if self.any {
            return Err(FileError::TextAfter);
        }
        let held = core::mem::take(&mut self.held);
        self.foreign.push(&held)?;
        self.state = State::Foreign;
        Ok(rest)
    }

    fn inside<'a>(
        &mut self,
        separators: Separators,
        bytes: &'a [u8],
        sink: &mut impl FnMut(Segment<'_>),
    ) -> Result<&'a [u8], FileError> {
        let mut rest = bytes;
        if !self.held.is_empty() {
            // An interchange may begin without an end of the one before it, and its first bytes may be in two chunks.
            while self.held.len() < 3 && b"ISA".starts_with(&self.held) {
                let [byte, after @ ..] = rest else {
                    return Ok(rest);
                };
                if *byte == separators.terminator {
                    break;
                }
                self.held.push(*byte);
                rest = after;
            }
            if self.held == b"ISA" {
                self.state = State::Header(Header::default());
                return Ok(rest);
            }
            let Some((end, after)) = split(separators, rest) else {
                return self.hold(rest);
            };
            self.held.extend_from_slice(end);
            if self.held.len() > SEGMENT_MAX {
                return Err(FileError::SegmentTooLong);
            }
            let held = core::mem::take(&mut self.held);
            self.emit(trim(&held), separators, sink)?;
            self.held = held;
            self.held.clear();
            rest = after;
        }
        while let State::Inside(_) = self.state {
            rest = trim_start(rest);
            if rest.starts_with(b"ISA") {
                self.state = State::Header(Header::default());
                break;
            }
            let Some((segment, after)) = split(separators, rest) else {
                return self.hold(rest);
            };
            if segment.len() > SEGMENT_MAX {
                return Err(FileError::SegmentTooLong);
            }
            self.emit(trim(segment), separators, sink)?;
            rest = after;
        }
        Ok(rest)
    }

    fn hold<'a>(&mut self, rest: &'a [u8]) -> Result<&'a [u8], FileError> {
        if self.held.len().saturating_add(rest.len()) > SEGMENT_MAX {
            return Err(FileError::SegmentTooLong);
        }
        self.held.extend_from_slice(rest);
        Ok(&[])
    }

    fn emit(
        &mut self,
        bytes: &[u8],
        separators: Separators,
        sink: &mut impl FnMut(Segment<'_>),
    ) -> Result<(), FileError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let segment = Segment::new(bytes, separators);
        if is_lower_case(segment.id()) {
            return Err(FileError::LowerCaseSegment);
        }
        sink(segment);
        if bytes.starts_with(b"IEA") {
            self.state = State::Between;
        }
        Ok(())
    }
}

/// Passes each segment of a whole file to `sink`.
///
/// # Errors
///
/// [`FileError`] if the file is no X12, or where it cannot be read any further.
pub fn segments(bytes: &[u8], mut sink: impl FnMut(Segment<'_>)) -> Result<(), FileError> {
    let mut tokenizer = Tokenizer::new();
    tokenizer.push(bytes, &mut sink)?;
    tokenizer.finish(sink)
}

/// True for the name of a segment with a letter in lower case. Text that a stray terminator made a segment is longer.
fn is_lower_case(id: &[u8]) -> bool {
    matches!(id.len(), 2 | 3) && id.iter().any(u8::is_ascii_lowercase) && id.iter().all(u8::is_ascii_alphanumeric)
}

fn split(separators: Separators, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr(separators.terminator, bytes)?;
    let (segment, rest) = bytes.split_at_checked(at)?;
    Some((segment, rest.get(1..).unwrap_or_default()))
}
