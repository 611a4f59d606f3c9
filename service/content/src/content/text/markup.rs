//! Words and tags that make a text a script, a shortcut or a web page.

use crate::content::ContentRefusal;

/// What may not follow a `<`, in lower case.
const TAGS: [&[u8]; 7] = [b"script", b"html", b"!doctype", b"iframe", b"object", b"svg", b"?php"];
/// The length of the longest tag.
const LONGEST: usize = 8;

/// A text without its byte order mark and the white space at its start.
pub(in crate::content) fn start(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start()
}

/// True if the first words of a text make it a script or a shortcut that Windows, macOS or Linux would run.
pub(in crate::content) fn is_program(head: &[u8]) -> bool {
    const PROGRAMS: [&[u8]; 6] =
        [b"#!", b"@echo", b"%!ps", b"[internetshortcut]", b"[desktop entry]", b"windows registry editor"];
    let text = start(head);
    PROGRAMS.iter().any(|words| {
        let first = text.get(..words.len()).unwrap_or_default();
        first.eq_ignore_ascii_case(words)
    })
}

/// True if this text has tags of a web page or a script.
pub(in crate::content) fn has_tags(text: &[u8]) -> bool {
    Markup::default().feed(text).is_err()
}

/// Finds the start of such a tag, also if chunks cut it.
#[derive(Default, Debug)]
pub(super) struct Markup {
    tag: [u8; LONGEST],
    /// How much of a tag was read, if a `<` opened one.
    open: Option<usize>,
}

impl Markup {
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<(), ContentRefusal> {
        let mut rest = bytes;
        loop {
            while self.open.is_some() {
                let Some((byte, after)) = rest.split_first() else {
                    return Ok(());
                };
                rest = after;
                self.push(*byte)?;
            }
            let Some(at) = memchr::memchr(b'<', rest) else {
                return Ok(());
            };
            rest = rest.get(at.saturating_add(1)..).unwrap_or_default();
            self.open = Some(0);
        }
    }

    /// True if no `<` is open, so that only another one changes something.
    pub(super) const fn is_closed(&self) -> bool {
        self.open.is_none()
    }

    /// Reads one character.
    pub(super) fn push(&mut self, byte: u8) -> Result<(), ContentRefusal> {
        if byte == b'<' {
            self.open = Some(0);
            return Ok(());
        }
        let Some(length) = self.open else {
            return Ok(());
        };
        let Some(place) = self.tag.get_mut(length) else {
            self.open = None;
            return Ok(());
        };
        *place = byte.to_ascii_lowercase();
        let length = length.saturating_add(1);
        let read = self.tag.get(..length).unwrap_or_default();
        if TAGS.contains(&read) {
            return Err(ContentRefusal::Program);
        }
        self.open = TAGS.iter().any(|tag| tag.starts_with(read)).then_some(length);
        Ok(())
    }
}
