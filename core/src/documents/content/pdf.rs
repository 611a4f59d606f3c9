//! PDF: no actions that start programs, no embedded files.
//!
//! The whole file is searched for the names of both, since names are what readers act on. They are never encrypted, but
//! they may be inside compressed object streams, so those are unpacked and searched too. A stream that looks like an
//! object stream and cannot be unpacked refuses the file.
//!
//! A name inside any other stream, such as a page's content, is found only where that stream is not compressed. Readers
//! take no actions from there.

mod dictionary;
mod names;

use super::ContentRefusal;
use super::inflate::{Inflater, Progress};
use super::tail::Tail;
use dictionary::Kind;
use names::{Name, Names};

/// How many bytes before the data of a stream are searched for its dictionary.
const WINDOW: usize = 4096;
/// Most bytes of unpacked objects. A document of 50 MiB unpacks to a tenth of that.
const UNPACKED_MAX: u64 = 64 * 1024 * 1024;
const KEYWORD: &[u8] = b"stream";

/// Reads a PDF. Refuses it at its end only, so that the first of two broken rules does not depend on the chunks.
#[derive(Debug)]
pub(super) struct Pdf {
    names: Names,
    tail: Tail,
    search: Search,
    /// The last byte of the search, or a space.
    before: u8,
    unpacking: Option<Unpacking>,
    found: Found,
    unpacked: u64,
}

/// What was found so far.
#[derive(Default, Debug)]
struct Found {
    launch: bool,
    embedded: bool,
    encrypted: bool,
    unreadable: bool,
    oversized: bool,
}

impl Found {
    fn note(&mut self, name: Option<Name>) {
        match name {
            Some(Name::Launch) => self.launch = true,
            Some(Name::Embedded) => self.embedded = true,
            Some(Name::Encrypt) => self.encrypted = true,
            Some(Name::ObjectStream) | None => {}
        }
    }
}

/// The search for the data of an object stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Search {
    /// No name of an object stream since the last stream.
    Off,
    /// In the dictionary of a possible object stream. Holds how much of the keyword `stream` was read.
    Keyword(usize),
    /// Behind the keyword, before the end of its line.
    Line,
    /// Behind a carriage return, which a line feed may follow.
    Return,
}

#[derive(Debug)]
struct Unpacking {
    inflater: Inflater,
    names: Names,
}

impl Default for Pdf {
    fn default() -> Self {
        Self {
            names: Names::default(),
            tail: Tail::new(WINDOW),
            search: Search::Off,
            before: b' ',
            unpacking: None,
            found: Found::default(),
            unpacked: 0,
        }
    }
}

impl Pdf {
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        // The bytes that wait for the inflater start here.
        let mut packed = 0;
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            // Between the dictionary's name and its stream each byte counts. Elsewhere the search jumps to the next name.
            let step = match self.search {
                Search::Off => rest,
                Search::Return if rest.first() != Some(&b'\n') => {
                    self.enter(bytes, at, &mut packed);
                    continue;
                }
                _ => rest.get(..1).unwrap_or_default(),
            };
            let (used, name) = self.names.next(step);
            if self.search != Search::Off
                && let Some(byte) = step.first()
            {
                let ends = self.read_keyword(*byte);
                at = at.saturating_add(1);
                if ends {
                    self.enter(bytes, at, &mut packed);
                }
            } else {
                at = at.saturating_add(used);
            }
            self.found.note(name);
            if name == Some(Name::ObjectStream) && self.search == Search::Off {
                self.search = Search::Keyword(0);
                self.before = b' ';
            }
        }
        self.unpack(bytes.get(packed..).unwrap_or_default());
        self.tail.feed(bytes);
    }

    /// Reads one byte of the search for a stream. True if the data starts behind it.
    fn read_keyword(&mut self, byte: u8) -> bool {
        let before = core::mem::replace(&mut self.before, byte);
        self.search = match self.search {
            Search::Keyword(0) if !(names::is_space(before) || before == b'>') => {
                Search::Keyword(0)
            }
            Search::Keyword(read) if KEYWORD.get(read) == Some(&byte) => {
                if read.saturating_add(1) == KEYWORD.len() {
                    Search::Line
                } else {
                    Search::Keyword(read.saturating_add(1))
                }
            }
            Search::Line if byte == b' ' || byte == b'\t' => Search::Line,
            Search::Line if byte == b'\r' => Search::Return,
            Search::Line | Search::Return if byte == b'\n' => return true,
            Search::Off => Search::Off,
            _ => Search::Keyword(0),
        };
        false
    }

    /// Starts to unpack the stream whose data starts at this place, if it is an object stream.
    fn enter(&mut self, bytes: &[u8], at: usize, packed: &mut usize) {
        self.search = Search::Off;
        let (before, _) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
        match dictionary::kind(&self.tail.with(before)) {
            Kind::Other => {}
            Kind::Unclear => self.found.unreadable = true,
            Kind::Deflated => {
                self.unpack(before.get(*packed..).unwrap_or_default());
                self.close();
                *packed = at;
                self.unpacking = Some(Unpacking {
                    inflater: Inflater::new(true),
                    names: Names::default(),
                });
            }
        }
    }

    fn unpack(&mut self, bytes: &[u8]) {
        let Some(unpacking) = &mut self.unpacking else {
            return;
        };
        let (found, unpacked) = (&mut self.found, &mut self.unpacked);
        let names = &mut unpacking.names;
        unpacking.inflater.feed(bytes, |objects| {
            *unpacked = unpacked.saturating_add(u64::try_from(objects.len()).unwrap_or(u64::MAX));
            found.oversized |= *unpacked > UNPACKED_MAX;
            let mut rest = objects;
            while !rest.is_empty() {
                let (used, name) = names.next(rest);
                rest = rest.get(used..).unwrap_or_default();
                found.note(name);
            }
            !found.oversized
        });
        if unpacking.inflater.progress() != Progress::Open {
            self.close();
        }
    }

    /// Ends the unpacking of an object stream. It must be complete.
    fn close(&mut self) {
        if let Some(mut unpacking) = self.unpacking.take() {
            // The last object may be a name.
            self.found.note(unpacking.names.next(b" ").1);
            self.found.unreadable |= unpacking.inflater.progress() != Progress::Done;
        }
    }

    pub(super) fn finish(mut self) -> Result<(), ContentRefusal> {
        self.close();
        self.found.note(self.names.next(b" ").1);
        let Found {
            launch,
            embedded,
            encrypted,
            unreadable,
            oversized,
        } = self.found;
        let broken = [
            (launch, ContentRefusal::LaunchAction),
            (embedded, ContentRefusal::EmbeddedFile),
            (oversized, ContentRefusal::Oversized),
            (unreadable && encrypted, ContentRefusal::Encrypted),
            (unreadable, ContentRefusal::Damaged),
            (self.tail.ends_in_zip(), ContentRefusal::Archive),
        ];
        let first = broken.into_iter().find(|(broken, _)| *broken);
        first.map_or(Ok(()), |(_, refusal)| Err(refusal))
    }
}
