//! Bytes of a segment as text, and keys that compare names.

use alloc::borrow::Cow;
use alloc::string::String;
use core::str;
use twox_hash::XxHash3_64;

/// The lengths to which payers cut a claim number (X12 RFI 525: 20 characters; older systems: 17).
pub(crate) const CUT: [usize; 2] = [20, 17];

/// The start of a number that is longer.
pub(crate) fn cut(number: &str, length: usize) -> Option<&str> {
    if number.len() <= length {
        return None;
    }
    let (end, _) = number.char_indices().nth(length)?;
    number.get(..end)
}

/// The characters of Windows-1252 for the bytes from 0x80 to 0x9f. The five bytes without a character stay controls.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// A digest of segments (XXH3, 128 bits), to find what comes twice. Who writes a remittance decides on its claims anyway, so
/// the digest need not withstand an attack.
/// It is two words because most claims are kept with one, and a `u128` would be padded.
pub(crate) type Digest = [u64; 2];

#[expect(clippy::cast_possible_truncation, reason = "the halves of a number")]
pub(crate) const fn digest(of: u128) -> Digest {
    [(of >> 64) as u64, of as u64]
}

/// True for bytes that carry nothing at the ends of a segment or between interchanges.
pub(crate) const fn is_filler(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0 | 0x0b | 0x1a)
}

/// The bytes without filler at the start.
pub(crate) fn trim_start(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes {
        if !is_filler(*first) {
            break;
        }
        bytes = rest;
    }
    bytes
}

/// The bytes without filler at both ends.
#[inline]
pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    match bytes {
        // Nearly all bytes that come here.
        [first, .., last] if *first > b' ' && *last > b' ' => bytes,
        _ => trim_filler(bytes),
    }
}

fn trim_filler(bytes: &[u8]) -> &[u8] {
    let mut bytes = trim_start(bytes);
    while let [rest @ .., last] = bytes {
        if !is_filler(*last) {
            break;
        }
        bytes = rest;
    }
    bytes
}

/// UTF-8, or Windows-1252 if the bytes are not UTF-8.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(windows_1252_text(bytes)),
    }
}

/// The text of bytes in Windows-1252.
pub(crate) fn windows_1252_text(bytes: &[u8]) -> String {
    bytes.iter().copied().map(windows_1252).collect()
}

fn windows_1252(byte: u8) -> char {
    let high = byte.checked_sub(0x80).map(usize::from);
    high.and_then(|at| HIGH.get(at).copied()).unwrap_or(char::from(byte))
}

/// The letters and digits of a text in lower case, without spaces and punctuation.
pub(crate) fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words of a text in lower case, with one space between them and without punctuation.
pub(crate) fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if word.is_empty() {
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.extend(word.chars().flat_map(char::to_lowercase));
    }
    words
}

/// The first word of a first name, as [`letters`]. Payers often append a middle name or an initial.
pub(crate) fn given_name(first: &str) -> String {
    letters(first.split_whitespace().next().unwrap_or_default())
}

/// A hash of texts that only compares them within one run (XXH3, 64 bits). Never 0.
pub(crate) fn hash(parts: &[&[u8]]) -> u64 {
    let hash = parts.iter().fold(0, |before, part| XxHash3_64::oneshot_with_seed(before, part));
    hash.max(1)
}

/// A key of a patient's names, 0 if both are absent. Case, spaces, punctuation and middle names do not matter.
pub(crate) fn patient_key(last: &[u8], first: &[u8]) -> u64 {
    if last.is_empty() && first.is_empty() {
        return 0;
    }
    let ascii = (last.is_ascii() && first.is_ascii()).then(|| ascii_key(last, first)).flatten();
    ascii.unwrap_or_else(|| {
        let (last, first) = (letters(&decode(last)), given_name(&decode(first)));
        hash(&[last.as_bytes(), first.as_bytes()])
    })
}

/// The same without an allocation, `None` for names that are too long for it.
fn ascii_key(last: &[u8], first: &[u8]) -> Option<u64> {
    let given = trim(first).split(u8::is_ascii_whitespace).next();
    let mut places = [[0; 40]; 2];
    let mut parts: [&[u8]; 2] = [&[]; 2];
    let names = [last, given.unwrap_or_default()];
    for ((name, place), part) in names.iter().zip(&mut places).zip(&mut parts) {
        let mut length = 0_usize;
        for byte in name.iter().filter(|byte| byte.is_ascii_alphanumeric()) {
            *place.get_mut(length)? = byte.to_ascii_lowercase();
            length = length.saturating_add(1);
        }
        *part = place.get(..length)?;
    }
    Some(hash(&parts))
}

pub(crate) fn place(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_are_windows_1252() {
        assert_eq!(decode("Núñez".as_bytes()), "Núñez");
        assert_eq!(decode(b"N\xfa\xf1ez \x80\x99"), "Núñez €™");
    }

    #[test]
    fn a_key_of_names_ignores_case_punctuation_and_middle_names() {
        let key = |last: &str, first: &str| patient_key(last.as_bytes(), first.as_bytes());
        let obrien = key("O'Brien", "Mary Ann");
        assert_eq!(obrien, key("OBRIEN", "MARY"));
        assert_ne!(obrien, key("OBRIEN", "MARTHA"));
        assert_ne!(key("A", "BC"), key("AB", "C"));
        assert_eq!(key("NÚÑEZ", "ANA"), key("Núñez", "Ana M"));
        assert_eq!(obrien, hash(&[b"obrien", b"mary"]));
        let long = "A-".repeat(60);
        assert_eq!(key(&long, "Bo"), key(&"a".repeat(60), "BO"));
    }

    #[test]
    fn words_drop_punctuation() {
        assert_eq!(words(" Medi-Cal  (DHCS) "), "medi cal dhcs");
    }
}
