//! PDF: no actions that start programs, no embedded files.
//!
//! The whole file is searched for the names of both, since names are what readers act on. They are never encrypted, but
//! they may be inside compressed object streams, so those are unpacked and searched too. A stream that looks like an
//! object stream and cannot be unpacked refuses the file.
//!
//! A name inside any other stream, such as a page's content, is found only where that stream is not compressed. Readers
//! take no actions from there. Such a stream is unpacked to count its size.
//!
//! JavaScript is no reason to refuse a file: forms of payers add up and format their fields with it. It cannot start a
//! program without a launch action or an embedded file.

mod dictionary;
mod names;

use super::ContentRefusal;
use super::budget::Budget;
use super::inflate::{Inflater, Progress};
use super::tail::Tail;
use dictionary::Kind;
use names::{Name, Names};

/// How many bytes before the data of a stream are searched for its dictionary.
const WINDOW: usize = 4096;
const KEYWORD: &[u8] = b"stream";

/// Reads a PDF. Refuses it at its end only, so that the first of two broken rules does not depend on the chunks.
#[derive(Debug)]
pub(super) struct Pdf {
    names: Names,
    tail: Tail,
    search: Search,
    /// A name of an object stream came since the last stream.
    is_near_objects: bool,
    /// The last byte of the search, or a space.
    before: u8,
    unpacking: Option<Unpacking>,
    found: Found,
    budget: Budget,
    size: u64,
}

/// What was found so far.
#[derive(Default, Debug)]
struct Found {
    launch: bool,
    embedded: bool,
    encrypted: bool,
    unreadable: bool,
}

impl Found {
    fn note(&mut self, name: Option<Name>) {
        match name {
            Some(Name::Launch) => self.launch = true,
            Some(Name::Embedded) => self.embedded = true,
            Some(Name::Encrypt) => self.encrypted = true,
            Some(Name::ObjectStream | Name::Deflate) | None => {}
        }
    }
}

/// The search for the data of a stream to unpack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Search {
    /// No name of such a stream since the last stream.
    Off,
    /// In the dictionary of a possible one. Holds how much of the keyword `stream` was read.
    Keyword(usize),
    /// Behind the keyword, before the end of its line.
    Line,
    /// Behind a carriage return, which a line feed may follow.
    Return,
}

#[derive(Debug)]
struct Unpacking {
    inflater: Inflater,
    /// For an object stream: its names count.
    names: Option<Names>,
}

impl Default for Pdf {
    fn default() -> Self {
        Self {
            names: Names::default(),
            tail: Tail::new(WINDOW),
            search: Search::Off,
            is_near_objects: false,
            before: b' ',
            unpacking: None,
            found: Found::default(),
            budget: Budget::default(),
            size: 0,
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
            self.is_near_objects |= name == Some(Name::ObjectStream);
            let begins = matches!(name, Some(Name::ObjectStream | Name::Deflate));
            if begins && self.search == Search::Off {
                self.search = Search::Keyword(0);
                self.before = b' ';
            }
        }
        self.unpack(bytes.get(packed..).unwrap_or_default());
        self.tail.feed(bytes);
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.size = self.size.saturating_add(size);
    }

    /// Reads one byte of the search for a stream. True if the data starts behind it.
    fn read_keyword(&mut self, byte: u8) -> bool {
        let before = core::mem::replace(&mut self.before, byte);
        self.search = match self.search {
            Search::Keyword(0) if !(names::is_space(before) || before == b'>') => Search::Keyword(0),
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

    /// Starts to unpack the stream whose data starts at this place, if it is deflated.
    fn enter(&mut self, bytes: &[u8], at: usize, packed: &mut usize) {
        self.search = Search::Off;
        let (before, _) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
        let is_near_objects = core::mem::take(&mut self.is_near_objects);
        let kind = dictionary::kind(&self.tail.with(before));
        let names = match kind {
            Kind::Other => return,
            Kind::Unclear | Kind::PackedTwice => {
                self.found.unreadable |= is_near_objects || kind == Kind::PackedTwice;
                return;
            }
            Kind::Objects => Some(Names::default()),
            Kind::Deflated => None,
        };
        self.unpack(before.get(*packed..).unwrap_or_default());
        self.close();
        *packed = at;
        self.budget.open();
        self.unpacking = Some(Unpacking { inflater: Inflater::new(true), names });
    }

    fn unpack(&mut self, bytes: &[u8]) {
        let Some(unpacking) = &mut self.unpacking else {
            return;
        };
        let (found, budget) = (&mut self.found, &mut self.budget);
        let names = &mut unpacking.names;
        unpacking.inflater.feed(bytes, |piece| {
            if let Some(names) = names {
                let mut rest = piece;
                while !rest.is_empty() {
                    let (used, name) = names.next(rest);
                    rest = rest.get(used..).unwrap_or_default();
                    found.note(name);
                }
            }
            budget.spend(piece)
        });
        if unpacking.inflater.progress() != Progress::Open {
            self.close();
        }
    }

    /// Ends the unpacking of a stream. An object stream must be complete.
    fn close(&mut self) {
        if let Some(Unpacking { inflater, names }) = self.unpacking.take()
            && let Some(mut names) = names
        {
            // The last object may be a name.
            self.found.note(names.next(b" ").1);
            self.found.unreadable |= inflater.progress() != Progress::Done;
        }
    }

    pub(super) fn finish(mut self) -> Result<(), ContentRefusal> {
        self.close();
        self.found.note(self.names.next(b" ").1);
        let Found { launch, embedded, encrypted, unreadable } = self.found;
        let oversized = self.budget.check_all(self.size).is_err();
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
