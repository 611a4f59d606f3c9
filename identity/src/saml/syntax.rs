//! The rules of XML that the guard applies to characters, names and namespaces.

use super::reasons::{NAMESPACE, Refused, Step, XML, refused, require};

/// The namespace of the prefix `xml`, which is never declared.
pub(super) const XML_NAMESPACE: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS_NAMESPACE: &str = "http://www.w3.org/2000/xmlns/";

/// Canonical XML is not defined for relative namespaces, and readers differ about them.
pub(super) fn check_namespace(prefix: &str, namespace: &str) -> Step<()> {
    let reserved = matches!(prefix, "xml" | "xmlns") || matches!(namespace, XML_NAMESPACE | XMLNS_NAMESPACE);
    require(!reserved, NAMESPACE, "a reserved prefix or namespace is declared")?;
    let absolute = namespace.contains(':') && !namespace.contains(char::is_whitespace);
    let none = prefix.is_empty() && namespace.is_empty();
    require(absolute || none, NAMESPACE, "a namespace is not an absolute name")
}

/// A name in its prefix (or nothing) and its local part. Names are ASCII.
pub(super) fn split(name: &str) -> Step<(&str, &str)> {
    let (prefix, local) = match name.split_once(':') {
        Some((prefix, local)) if !prefix.is_empty() => (prefix, local),
        Some(_) => return Err(not_well_formed()),
        None => ("", name),
    };
    let valid = is_name(local) && (prefix.is_empty() || is_name(prefix));
    require(valid, XML, "a name is not an ASCII name")?;
    Ok((prefix, local))
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
}

pub(super) const fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

pub(super) const fn not_well_formed() -> Refused {
    refused(XML, "the document is not well-formed XML")
}

/// Whether the text has only spaces, tabs and line ends.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
}
