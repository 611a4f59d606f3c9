//! The names of the entries of a ZIP file.

use super::types::Types;
use crate::content::ContentRefusal;
use alloc::string::String;
use percent_encoding::percent_decode;

const TYPES: &str = "[content_types].xml";
/// Folders and files of other formats that are ZIP files: OpenDocument, Java and Android, Excel, PowerPoint.
const OTHER: [&str; 6] = ["mimetype", "meta-inf/", "androidmanifest.xml", "classes.dex", "xl/", "ppt/"];
const ARCHIVES: &[&str] = &[
    "zip", "jar", "apk", "7z", "rar", "gz", "tgz", "bz2", "xz", "zst", "lz4", "tar", "cab", "arj", "iso", "img", "dmg",
];
const PROGRAMS: &[&str] = &[
    "exe", "dll", "com", "scr", "pif", "cpl", "msi", "lnk", "url", "bat", "cmd", "ps1", "vbs", "vbe", "js", "jse",
    "wsf", "wsh", "hta", "chm", "reg", "jnlp", "class", "py", "sh",
];
const EMBEDDED: &[&str] = &[
    "htm", "html", "xhtml", "mht", "mhtml", "rtf", "pdf", "doc", "docx", "dot", "dotx", "xls", "xlsx", "xlsb", "ppt",
    "pptx", "eml", "msg", "ole",
];
const MACROS: &[&str] = &["bin", "docm", "dotm", "xlsm", "xlam", "pptm", "wll", "xll"];

/// The parts of a DOCX that were found.
#[derive(Default, Debug)]
pub(super) struct Parts {
    types: bool,
    document: bool,
    /// The list of types names a document without macros.
    typed: bool,
    /// The first rule that an entry breaks. It counts only in a DOCX: any other ZIP file is an archive, whatever it holds.
    broken: Option<ContentRefusal>,
}

impl Parts {
    /// Checks the name of an entry. True if the entry is the list of content types.
    pub(super) fn check(&mut self, name: &[u8]) -> Result<bool, ContentRefusal> {
        let name = plain(name);
        if OTHER.iter().any(|other| name.starts_with(other)) {
            return Err(ContentRefusal::Archive);
        }
        let types = name == TYPES;
        self.types |= types;
        self.document |= is_document(&name);
        self.note(broken(&name))?;
        Ok(types)
    }

    /// Notes the rule that an entry breaks.
    pub(super) fn note(&mut self, broken: Option<ContentRefusal>) -> Result<(), ContentRefusal> {
        self.broken = self.broken.or(broken);
        match self.broken {
            Some(refusal) if self.types => Err(refusal),
            _ => Ok(()),
        }
    }

    /// Reads the list of content types.
    pub(super) fn read_types(&mut self, types: &Types) -> Result<(), ContentRefusal> {
        self.typed |= types.is_docx()?;
        Ok(())
    }

    /// True if the entries are those of a DOCX so far.
    pub(super) const fn are_of_docx(&self) -> bool {
        self.types && self.document
    }

    /// True if the list of types agrees.
    pub(super) const fn are_typed(&self) -> bool {
        self.typed
    }
}

/// The rule that this name breaks.
fn broken(name: &str) -> Option<ContentRefusal> {
    let file = name.rsplit('/').next().unwrap_or_default();
    let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
    let embedded = name.starts_with("word/embeddings/") && !file.is_empty();
    if embedded || EMBEDDED.contains(&extension) {
        return Some(ContentRefusal::EmbeddedFile);
    }
    if ARCHIVES.contains(&extension) {
        return Some(ContentRefusal::Archive);
    }
    if PROGRAMS.contains(&extension) {
        return Some(ContentRefusal::Program);
    }
    // Word for macOS stores the settings of the printer in such a file.
    let printer = extension == "bin" && stem.starts_with("printersettings");
    let macros = ["vbaproject", "vbadata", "activex/"];
    let named = macros.iter().any(|part| name.contains(part));
    (named || MACROS.contains(&extension) && !printer).then_some(ContentRefusal::Macros)
}

/// True for `word/document.xml`, and for `word/document2.xml`, as Word for the web names it.
fn is_document(name: &str) -> bool {
    let number = name.strip_prefix("word/document").and_then(|rest| rest.strip_suffix(".xml"));
    number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
}

/// A name in lower case, without the escapes of part names, with slashes as in Unix, and without the dots and spaces at
/// its end, which Windows ignores.
fn plain(name: &[u8]) -> String {
    let decoded = percent_decode(name).decode_utf8_lossy();
    let plain = decoded.to_ascii_lowercase().replace('\\', "/");
    let plain = plain.trim_start_matches(['.', '/']);
    plain.trim_end_matches(['.', ' ', '\0']).into()
}
