//! The marks of a send, encoded for the object that counts the sends of its key.

use data_encoding::BASE64_NOPAD;
use overturn_core::claims::intake::Mark;

/// Marks as text: 16 bytes each, in base64.
pub(super) fn encode(marks: &[Mark]) -> String {
    let bytes: Vec<u8> =
        marks.iter().flat_map(|(number, sent)| [number.to_le_bytes(), sent.to_le_bytes()]).flatten().collect();
    BASE64_NOPAD.encode(&bytes)
}

/// Marks from text, none if it is invalid.
pub(super) fn decode(text: &str) -> Vec<Mark> {
    let bytes = BASE64_NOPAD.decode(text.as_bytes()).unwrap_or_default();
    let (words, _) = bytes.as_chunks::<8>();
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let (marks, _) = words.as_chunks::<2>();
    marks.iter().map(|[number, sent]| (*number, *sent)).collect()
}
