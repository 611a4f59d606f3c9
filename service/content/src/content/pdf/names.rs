//! The names of a PDF that matter.

/// A name that decides something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name {
    /// The type of an action that starts a program.
    Launch,
    /// An embedded file, the list of them, or what points to one.
    Embedded,
    /// The document is encrypted.
    Encrypt,
    /// The dictionary may be that of an object stream. `First` is a key that every object stream has, with or without its
    /// type. Outlines have it too.
    ObjectStream,
    /// The data of a stream is deflated.
    Deflate,
}

const NAMES: [(&[u8], Name); 9] = [
    (b"Launch", Name::Launch),
    (b"EmbeddedFile", Name::Embedded),
    (b"EmbeddedFiles", Name::Embedded),
    (b"FileAttachment", Name::Embedded),
    (b"Encrypt", Name::Encrypt),
    (b"ObjStm", Name::ObjectStream),
    (b"First", Name::ObjectStream),
    (b"FlateDecode", Name::Deflate),
    (b"Fl", Name::Deflate),
];
/// The key of a file specification that holds embedded files.
const FILES: &[u8] = b"EF";
const LONGEST: usize = 14;

/// White space in a PDF.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// A character that ends a name.
const fn is_delimiter(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

/// The value of a hexadecimal digit.
pub(super) fn hex(byte: u8) -> Option<u8> {
    let value = char::from(byte).to_digit(16)?;
    u8::try_from(value).ok()
}

/// Finds names in a stream of bytes. A name may have escapes, such as `/L#61unch`.
#[derive(Default, Debug)]
pub(super) struct Names {
    state: State,
    name: [u8; LONGEST],
    length: usize,
}

#[derive(Default, Clone, Copy, Debug)]
enum State {
    #[default]
    Outside,
    /// In a name that may still be one of those.
    Inside,
    /// Behind `#`.
    Escape,
    /// Behind `#` and the first digit, which has this value.
    Digit(u8),
    /// Behind `EF`. Two letters come up by chance in compressed data, so only `<<` or a reference counts.
    Files(Value),
    /// In a comment behind `EF`.
    Comment(Value),
}

/// How much of the value of `EF` was read: `<<`, or a reference such as `12 0 R`.
#[derive(Clone, Copy, Debug)]
enum Value {
    Before,
    Less,
    Number,
    Space,
    Generation,
    Last,
}

impl Names {
    /// Reads up to the next name that matters. Returns how many bytes were read, and the name.
    pub(super) fn next(&mut self, bytes: &[u8]) -> (usize, Option<Name>) {
        let mut at = 0;
        while let Some(rest) = bytes.get(at..) {
            if matches!(self.state, State::Outside) {
                let Some(slash) = memchr::memchr(b'/', rest) else {
                    return (bytes.len(), None);
                };
                at = at.saturating_add(slash).saturating_add(1);
                self.open();
                continue;
            }
            let Some(byte) = rest.first() else {
                break;
            };
            at = at.saturating_add(1);
            if let Some(name) = self.push(*byte) {
                return (at, Some(name));
            }
        }
        (at, None)
    }

    fn open(&mut self) {
        self.state = State::Inside;
        self.length = 0;
    }

    /// Reads one byte behind a slash.
    fn push(&mut self, byte: u8) -> Option<Name> {
        match self.state {
            State::Outside => {}
            State::Inside if is_delimiter(byte) => return self.end(byte),
            State::Inside if byte == b'#' => self.state = State::Escape,
            State::Inside => self.add(byte),
            State::Escape => match hex(byte) {
                Some(value) => self.state = State::Digit(value),
                // A `#` that starts no escape stands for itself, and no name that matters has one.
                None => self.leave(byte),
            },
            State::Digit(high) => match hex(byte) {
                Some(low) => {
                    self.state = State::Inside;
                    self.add(high.wrapping_mul(16).wrapping_add(low));
                }
                None => self.leave(byte),
            },
            State::Comment(value) => {
                if matches!(byte, b'\r' | b'\n') {
                    self.state = State::Files(value);
                }
            }
            State::Files(value) if byte == b'%' => self.state = State::Comment(value),
            State::Files(value) => return self.read_value(value, byte),
        }
        None
    }

    /// Adds a character, and stops reading a name that cannot matter any more.
    fn add(&mut self, byte: u8) {
        let Some(place) = self.name.get_mut(self.length) else {
            self.state = State::Outside;
            return;
        };
        *place = byte;
        self.length = self.length.saturating_add(1);
        let read = self.name.get(..self.length).unwrap_or_default();
        if !FILES.starts_with(read) && !NAMES.iter().any(|(name, _)| name.starts_with(read)) {
            self.state = State::Outside;
        }
    }

    fn end(&mut self, delimiter: u8) -> Option<Name> {
        let read = self.name.get(..self.length).unwrap_or_default();
        let known = NAMES.iter().find(|(name, _)| *name == read);
        if read == FILES {
            self.state = State::Files(Value::Before);
            return self.push(delimiter);
        }
        self.leave(delimiter);
        known.map(|(_, name)| *name)
    }

    fn leave(&mut self, byte: u8) {
        if byte == b'/' {
            self.open();
        } else {
            self.state = State::Outside;
        }
    }

    fn read_value(&mut self, value: Value, byte: u8) -> Option<Name> {
        let next = match (value, byte) {
            (Value::Less, b'<') | (Value::Last, b'R') => {
                self.state = State::Outside;
                return Some(Name::Embedded);
            }
            (Value::Before, b'<') => Value::Less,
            (Value::Before | Value::Number, b'0'..=b'9') => Value::Number,
            (Value::Space | Value::Generation, b'0'..=b'9') => Value::Generation,
            (Value::Before, _) if is_space(byte) => Value::Before,
            (Value::Number | Value::Space, _) if is_space(byte) => Value::Space,
            (Value::Generation | Value::Last, _) if is_space(byte) => Value::Last,
            _ => {
                self.leave(byte);
                return None;
            }
        };
        self.state = State::Files(next);
        None
    }
}
