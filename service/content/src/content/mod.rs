//! The type of a document, found in its content and never in its name, and the rules that refuse one.
//!
//! An [`Inspector`] reads a file as it streams. It keeps the first kilobyte until the type is known, and then what its
//! type needs: nothing for an image, a window of a few kilobytes for a PDF or a DOCX. A PDF or DOCX also needs about
//! 45 KB to unpack what is compressed. The verdict does not depend on how the file is cut into chunks.
//!
//! These rules keep programs and hidden attachments out, and files that unpack to more than the virus scanner reads.
//! They are not the virus scan, and do not replace it.

mod budget;
mod head;
mod inflate;
mod pdf;
mod tail;
mod text;
mod x12;
mod zip;

#[cfg(test)]
mod tests;

use alloc::boxed::Box;
use alloc::vec::Vec;
use overturn_core::names;
use tail::Tail;

names! {
    /// A type of document that the service takes.
    ContentType {
        Pdf = "pdf",
        /// TIFF and BigTIFF, the format of faxes.
        Tiff = "tiff",
        Png = "png",
        Jpeg = "jpeg",
        /// HEIC, the photo format of phones.
        Heic = "heic",
        /// Plain text in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252.
        Text = "text",
        /// A Word document without macros.
        Docx = "docx",
        /// An X12 interchange, such as an 835.
        X12 = "x12",
    }
}

impl ContentType {
    /// The media type, for `Content-Type`. Text has no `charset`, because the encoding is not stored.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Tiff => "image/tiff",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Heic => "image/heic",
            Self::Text => "text/plain",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::X12 => "application/edi-x12",
        }
    }

    /// The extension that a name gets, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self.extensions() {
            [first, ..] => first,
            [] => "",
        }
    }

    /// The extensions that a name may have, without the dot, in lower case.
    pub(super) const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Pdf => &["pdf"],
            Self::Tiff => &["tiff", "tif"],
            Self::Png => &["png"],
            Self::Jpeg => &["jpg", "jpeg"],
            Self::Heic => &["heic", "heif"],
            Self::Text => &["txt", "text"],
            Self::Docx => &["docx"],
            Self::X12 => &["x12", "edi", "835", "837", "277", "999"],
        }
    }
}

/// Why a file is refused by its content: `422`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.rule())]
pub enum ContentRefusal {
    /// The file has no bytes.
    Empty,
    /// No type that the service takes.
    Unknown,
    /// A ZIP file or another archive, or a DOCX that contains one.
    Archive,
    /// A program, a script or a web page, or a DOCX that contains one.
    Program,
    /// A DOCX with macros or ActiveX controls, or an old Office file, which may have them.
    Macros,
    /// A PDF with an action that starts a program.
    LaunchAction,
    /// A PDF or DOCX with a file inside.
    EmbeddedFile,
    /// Parts are encrypted, so the rules cannot be checked.
    Encrypted,
    /// Cut off or built in a way that only some readers understand, so the rules cannot be checked.
    Damaged,
    /// A PDF or DOCX that unpacks to more than the virus scanner may be asked to look through.
    Oversized,
    /// A DOCX with more parts than the virus scanner may be asked to look through.
    TooManyParts,
    /// Two types in one file: each program would show something else.
    Ambiguous,
}

impl ContentRefusal {
    /// The rule that the file breaks.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Empty => "must not be empty",
            Self::Unknown => "must be a PDF, TIFF, PNG, JPEG, HEIC, plain text, DOCX or X12 file",
            Self::Archive => "must not be or contain an archive: upload its files one by one",
            Self::Program => "must not be or contain a program, a script or a web page",
            Self::Macros => "must not contain macros: save it as DOCX or PDF",
            Self::LaunchAction => "must not contain actions that start a program",
            Self::EmbeddedFile => "must not contain embedded files: upload them one by one",
            Self::Encrypted => "must not be encrypted: save it without a password",
            Self::Damaged => "must not be damaged: open it and save it again",
            Self::Oversized => {
                "must not unpack to more than 200 MiB, 50 MiB for one part, or 100 times its size: save it again with \
                 smaller pictures"
            }
            Self::TooManyParts => "must not have more than 5,000 parts: save it as PDF",
            Self::Ambiguous => "must not be two types of file in one",
        }
    }
}

/// Reads a file as it streams, and finds its type or the rule that it breaks.
///
/// `feed` may refuse before the file ends. It then refuses every further call for the same reason.
#[derive(Default, Debug)]
pub struct Inspector {
    state: State,
}

#[derive(Debug)]
enum State {
    /// The first bytes, while the type is open.
    Head(Vec<u8>),
    /// A format that only its first and last bytes decide.
    Image(ContentType, Tail),
    Pdf(Box<pdf::Pdf>),
    Zip(Box<zip::Zip>),
    Text(text::Text),
    Utf16(text::Utf16),
    X12(x12::X12),
    Refused(ContentRefusal),
}

impl Default for State {
    fn default() -> Self {
        Self::Head(Vec::new())
    }
}

impl Inspector {
    /// Reads the next bytes of the file.
    ///
    /// # Errors
    ///
    /// [`ContentRefusal`] as soon as a rule is surely broken.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), ContentRefusal> {
        let mut rest = bytes;
        if let State::Head(head) = &mut self.state {
            let (first, after) =
                bytes.split_at_checked(head::LENGTH.saturating_sub(head.len())).unwrap_or((bytes, &[]));
            head.extend_from_slice(first);
            if head.len() < head::LENGTH {
                return Ok(());
            }
            rest = after;
            self.decide()?;
        }
        self.read(rest)
    }

    /// The type of the file.
    ///
    /// # Errors
    ///
    /// The rule that the file breaks.
    pub fn finish(mut self) -> Result<ContentType, ContentRefusal> {
        if matches!(self.state, State::Head(_)) {
            self.decide()?;
        }
        match self.state {
            State::Head(_) => Err(ContentRefusal::Unknown),
            State::Image(_, tail) if tail.ends_in_zip() => Err(ContentRefusal::Archive),
            State::Image(content, _) => Ok(content),
            State::Pdf(pdf) => pdf.finish().map(|()| ContentType::Pdf),
            State::Zip(zip) => zip.finish().map(|()| ContentType::Docx),
            State::Text(text) => text.finish().map(|()| ContentType::Text),
            State::Utf16(text) => text.finish().map(|()| ContentType::Text),
            State::X12(_) => Ok(ContentType::X12),
            State::Refused(refusal) => Err(refusal),
        }
    }

    /// Takes the type from the first bytes, and reads them as that type.
    fn decide(&mut self) -> Result<(), ContentRefusal> {
        let State::Head(head) = core::mem::take(&mut self.state) else {
            return Ok(());
        };
        self.state = head::decide(&head);
        self.read(&head)
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), ContentRefusal> {
        let read = match &mut self.state {
            State::Head(_) => Ok(()),
            State::Image(_, tail) => {
                tail.feed(bytes);
                Ok(())
            }
            State::Pdf(pdf) => {
                pdf.feed(bytes);
                Ok(())
            }
            State::Zip(zip) => zip.feed(bytes),
            State::Text(text) => text.feed(bytes),
            State::Utf16(text) => text.feed(bytes),
            State::X12(x12) => x12.feed(bytes),
            State::Refused(refusal) => Err(*refusal),
        };
        if let Err(refusal) = read {
            self.state = State::Refused(refusal);
        }
        read
    }
}
