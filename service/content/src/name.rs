//! The display name of a document.
//!
//! A name is only shown. It is never a key, a path or a type. So every name is taken, and cleaned here, once.

use super::content::ContentType;
use alloc::format;
use alloc::string::String;
use overturn_core::base::text::is_printable;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

#[cfg(test)]
mod tests;

/// Most characters of a name.
const LENGTH: usize = 120;
/// Most characters of what counts as an extension.
const EXTENSION: usize = 10;
/// The name of a document that was sent without one.
const UNNAMED: &str = "document";
/// Names that Windows reserves for devices, with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
/// The bytes that RFC 8187 allows without escapes.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// The name of a document, clean enough for a page, a header and any file system: 1 to 120 characters in NFC, without
/// folders, control characters, invisible characters or characters that Windows reserves.
///
/// A file's name often names a patient, so it is not in the debug output.
#[derive(Clone, PartialEq, Eq)]
pub struct DocumentName(String);

impl core::fmt::Debug for DocumentName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("DocumentName(…)")
    }
}

impl DocumentName {
    /// The name made of what was sent. Takes everything. Cleaning a clean name changes nothing.
    #[must_use]
    pub fn clean(raw: &str) -> Self {
        let file = raw.rsplit(['/', '\\']).next().unwrap_or_default();
        let spaced = file.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
        let visible = spaced.filter(|c| is_printable(*c));
        let allowed = visible.nfc().map(|c| match c {
            '<' | '>' | ':' | '"' | '|' | '?' | '*' => '_',
            other => other,
        });
        let mut words = String::new();
        for c in allowed {
            if c != ' ' || !words.ends_with(' ') {
                words.push(c);
            }
        }
        let name = trim(&words);
        let device = name.split('.').next().unwrap_or_default().trim_end();
        if name.is_empty() {
            Self(UNNAMED.into())
        } else if is_device(device) {
            Self(short(&format!("_{name}")))
        } else {
            Self(short(name))
        }
    }

    /// The name with an extension that fits the content.
    ///
    /// An extension that does not fit stays as a part of the name: a PDF that was sent as `letter.pdf.exe` is shown as
    /// `letter.pdf.exe.pdf`. What follows the last dot is often no extension, as in `Visit of 3.5`, and a reader of the
    /// list should see the odd name that was sent.
    #[must_use]
    pub fn with_extension(&self, content: ContentType) -> Self {
        let fits = self.0.rsplit_once('.').is_some_and(|(_, extension)| {
            let known = content.extensions().iter();
            known.copied().any(|one| one.eq_ignore_ascii_case(extension))
        });
        if fits {
            return self.clone();
        }
        Self(short(&format!("{}.{}", self.0, content.extension())))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value of `Content-Disposition` for a download: a name in ASCII for old programs, and the whole name (RFC 6266,
    /// RFC 8187). It is ASCII without line breaks.
    #[must_use]
    pub fn content_disposition(&self) -> String {
        let letters = self.0.nfkd().filter(|c| !is_combining_mark(*c));
        let ascii: String = letters
            .map(|c| match c {
                // Some programs decode percent signs here, and a quote or a backslash would need an escape.
                '%' | '"' | '\\' | '/' => '_',
                ' '..='~' => c,
                _ => '_',
            })
            .collect();
        let whole = utf8_percent_encode(&self.0, PLAIN);
        format!("attachment; filename=\"{ascii}\"; filename*=UTF-8''{whole}")
    }
}

/// A name without the spaces around it and the dots at its ends, which hide a file or are dropped by Windows.
fn trim(name: &str) -> &str {
    name.trim_matches(['.', ' '])
}

/// True for a name that Windows reserves for a device. It counts superscript digits as digits.
fn is_device(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let numbered = port.is_some_and(|number| {
        let mut digits = number.chars();
        let digit = digits.next().is_some_and(|c| matches!(c, '0'..='9' | '¹' | '²' | '³'));
        digit && digits.next().is_none()
    });
    numbered || DEVICES.contains(&stem.as_str())
}

/// A name cut to its most characters. Its extension stays.
fn short(name: &str) -> String {
    let count = name.chars().count();
    if count <= LENGTH {
        return name.into();
    }
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let extension = extension.filter(|extension| {
        let plain = extension.bytes().all(|b| b.is_ascii_alphanumeric());
        plain && (1..=EXTENSION).contains(&extension.len())
    });
    let kept = extension.map_or(0, |extension| extension.len().saturating_add(1));
    let stem: String = name.chars().take(LENGTH.saturating_sub(kept)).collect();
    let stem = stem.trim_end_matches(['.', ' ']);
    match extension {
        Some(extension) => format!("{stem}.{extension}"),
        None => stem.into(),
    }
}
